/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{F as c,g as i,s as o}from"./boot.js";const n=new URL("../vendor/",import.meta.url),l=t=>Math.max(1,Math.round(t/1e3)).toLocaleString("en")+" kB",h=({packages:t,python:a})=>Object.entries({...a,...t}).map(([e,s])=>e+" "+s).join(", "),d=(t,a)=>o`<form method="dialog">
    <h2 id="about-title">Routescope ${t}</h2>
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
        ${a.map(([e,s])=>o`<tr>
              <th scope="row">${h(s)}</th>
              <td>${l(s.compressed)}</td>
              <td><a href=${n.pathname+e.replace(/\.js$/,".LICENSE.txt")} target="_blank">read</a></td>
            </tr>`)}
      </tbody>
    </table>
    <p class="hint">
      Of Dash and Mantine the page gets the components that it uses, and all of Dash's renderer, which is under Dash's
      licence.
    </p>
    <button class="tool tool-text" autofocus>Close</button>
  </form>`;async function p(){const[{version:t},a]=await Promise.all([c("GET","/health"),fetch(n+"vendored.json").then(r=>r.json())]),e=document.createElement("dialog");e.className="about-dialog",e.setAttribute("aria-labelledby","about-title");const s=i(e,()=>d(t,Object.entries(a)));e.addEventListener("close",()=>{s(),e.remove()}),document.body.append(e),e.showModal()}export{p as open};
