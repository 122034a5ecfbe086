/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{G as r,bd as i,s}from"./boot.js";const n=new URL("../vendor/",import.meta.url),l=t=>Math.max(1,Math.round(t/1e3)).toLocaleString("en")+" kB",c=({packages:t,python:e})=>Object.entries({...e,...t}).map(([o,a])=>o+" "+a).join(", "),h=(t,e)=>s`<form method="dialog">
    <h2 id="about-title">Routescope ${t}</h2>
    <p class="reads">
      It shows and steers the routing inside modular neural networks. Every number is computed by the service that this
      page came from.
    </p>
    <p>
      <a href="/api/docs" target="_blank">API documentation</a>
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
        ${e.map(([o,a])=>s`<tr>
              <th scope="row">${c(a)}</th>
              <td>${l(a.compressed)}</td>
              <td><a href=${n.pathname+o.replace(/\.js$/,".LICENSE.txt")} target="_blank">read</a></td>
            </tr>`)}
      </tbody>
    </table>
    <p class="hint">
      The page loads Dash's renderer, under Dash's licence, and only the Dash and Mantine components that it uses.
    </p>
    <button class="tool tool-text" autofocus>Close</button>
  </form>`;async function d(){const[{version:t},e]=await Promise.all([r("GET","/health"),fetch(n+"vendored.json").then(o=>o.json())]);i({look:"about-dialog",label:"#about-title",view:()=>h(t,Object.entries(e))})}export{d as open};
