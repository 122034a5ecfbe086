/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{u as c,f as i,s}from"./boot.js";const n=new URL("../vendor/",import.meta.url),l=e=>Math.max(1,Math.round(e/1e3)).toLocaleString("en")+" kB",d=({packages:e})=>Object.entries(e).map(([a,t])=>a+" "+t).join(", "),h=(e,a)=>s`<form method="dialog">
    <h2 id="about-title">Routescope ${e}</h2>
    <p class="reads">
      It shows and steers the routing inside modular neural networks. Every number is computed by the service that this
      page came from.
    </p>
    <p>
      <a href="/api/docs" target="_blank">The API's own page</a>
    </p>
    <h3 class="small-title">Libraries in this page</h3>
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">library</th>
          <th scope="col">compressed</th>
          <th scope="col">licences</th>
        </tr>
      </thead>
      <tbody>
        ${a.map(([t,o])=>s`<tr>
              <th scope="row">${d(o)}</th>
              <td>${l(o.compressed)}</td>
              <td><a href=${n.pathname+t.replace(/\.js$/,".LICENSE.txt")} target="_blank">read</a></td>
            </tr>`)}
      </tbody>
    </table>
    <p class="hint">Dash, React and Mantine come with the Python packages dash and dash-mantine-components.</p>
    <button class="tool tool-text" autofocus>Close</button>
  </form>`;async function p(){const[{version:e},a]=await Promise.all([c("GET","/health"),fetch(n+"vendored.json").then(r=>r.json())]),t=document.createElement("dialog");t.className="about-dialog",t.setAttribute("aria-labelledby","about-title");const o=i(t,()=>h(e,Object.entries(a)));t.addEventListener("close",()=>{o(),t.remove()}),document.body.append(t),t.showModal()}export{p as open};
