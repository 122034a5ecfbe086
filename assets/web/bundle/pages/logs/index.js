/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{k as G,F as j,u as B,z as $,f as w,s as r,i as H,w as h,G as I,A as J,Z as X,aC as V,v as g,r as Y,U as Z,X as K,D as Q}from"../../boot.js";import{F as ee,aG as te}from"../../shared.js";const ne=100,se=200,A={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,apart:null},{state:i,update:u,subscribe:oe}=G(A);let m=0;const v=e=>e instanceof Error?e.message:String(e),M=e=>i.logs?.find(n=>n.id===e)??null,k=e=>B("GET",e);async function b(e,n){const t=m+=1,s=e===n?null:n,o=e===i.a&&i.usage;u({a:e,b:s,comparison:null,text:null,apart:null,...o?{}:{usage:null}});try{if(e&&!o){const d=await k("/logs/"+encodeURIComponent(e)+"/usage");t===m&&u({usage:d})}if(!e||!s)return;const a="?a="+encodeURIComponent(e)+"&b="+encodeURIComponent(s),l=await k("/logs/comparison"+a);t===m&&u({comparison:l});const c=await k("/logs/comparison/tokens"+a+"&limit="+se);t===m&&u({text:c})}catch(a){t===m&&u({apart:v(a)})}}async function ae(e,n){const t=m+=1;u({a:e,b:n});try{const{items:s}=await k("/logs?limit="+ne);if(t!==m)return;const o=d=>d===null||s.some(p=>p.id===d),a=await Promise.all([e,n].filter(d=>!o(d)).map(d=>k("/logs/"+d).catch(()=>null)));if(t!==m)return;const l=[...s,...a.filter(Boolean)],c=d=>l.some(p=>p.id===d)?d:null;u({logs:l,problem:null}),await b(c(e)??l[0]?.id??null,c(n))}catch(s){t===m&&u({logs:[],problem:v(s)})}}function re(){m+=1,u(A)}function le(e){return u({logs:[e,...i.logs??[]],problem:null}),b(e.id,null)}async function ie(e,n,t){if(i.sending)return;if(e.size>n){u({problem:e.name+" has "+R(e.size)+"; up to "+R(n)+" are accepted."});return}u({sending:{name:e.name,share:0},problem:null});const s=Object.entries(t).filter(([,a])=>a),o=new URLSearchParams([["name",e.name.slice(0,80)],...s]);try{const a=new Blob([e],{type:"application/octet-stream"}),l=c=>u({sending:{name:e.name,share:c}});await le(await j("/logs?"+o.toString(),a,l))}catch(a){u({problem:v(a)})}finally{u({sending:null})}}const R=e=>(e/1024/1024).toFixed(e<10*1024*1024?1:0)+" MiB";async function ce(){u({recording:!0,problem:null});try{const e=s=>B("POST","/logs/recordings",{model:"moe-bytes",precision:s}),n=await e("bfloat16"),t=await e("float32");u({logs:[t,n,...i.logs??[]]}),await b(t.id,n.id)}catch(e){u({problem:v(e)})}finally{u({recording:!1})}}async function ue(e){try{await B("DELETE","/logs/"+encodeURIComponent(e)),u({logs:(i.logs??[]).filter(t=>t.id!==e),problem:null});const n=t=>t===e?null:t;await b(n(i.a)??i.logs?.[0]?.id??null,n(i.b))}catch(n){u({problem:v(n)})}}const de=[["top_k","Experts a token","SGLang, llama.cpp and router logits do not say it"],["layers","Layers","where a log does not say how many route"],["experts","Experts a layer","few logs say it; the largest number that occurs otherwise"]],L={};function pe({most:e,take:n}){const{sending:t,recording:s,problem:o}=i;return r`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!t}
        onChange=${a=>{const l=a.target;n(l.files),l.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${H("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npz or parquet, up to ${R(e)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${de.map(([a,l,c])=>r`<label title=${c}
              >${l}
              <input
                type="number"
                min="1"
                max="32768"
                inputmode="numeric"
                onInput=${d=>L[a]=d.target.value}
            /></label>`)}
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${ce}>
        ${s?"Recording moe-bytes":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${t&&r`<p class="logs-sending">
          ${t.share<1?"Sending ":"Reading "}${t.name}
          <progress
            max="1"
            value=${t.share<1?t.share:void 0}
            aria-label=${t.name}
          ></progress>
        </p>`}
      ${o&&r`<p class="logs-problem" role="alert">${o}</p>`}
    </div>`}function ge(e,n){const t=o=>e.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),t(!0))],["dragleave",()=>t(!1)],["drop",o=>(o.preventDefault(),t(!1),n(o.dataTransfer?.files))]];return s.forEach(([o,a])=>e.addEventListener(o,a)),()=>s.forEach(([o,a])=>e.removeEventListener(o,a))}$("logs-bring",e=>{const n=Number(e.dataset.maxBytes),t=a=>{a?.[0]&&ie(a[0],n,L)},s=e.closest(".page"),o=[w(e,()=>r`<${pe} most=${n} take=${t} />`),ge(s,t)];return()=>{o.forEach(a=>a()),Object.keys(L).forEach(a=>delete L[a])}});function O({label:e,columns:n,rows:t}){const s=n.map(o=>o?r`<th scope="col">${o}</th>`:r`<td></td>`);return r`<div class="table-scroll" tabindex="0" role="group" aria-label=${e}>
    <${ee} heads=${s} rows=${t} look="logs-table" />
  </div>`}function me({log:e}){const{facts:n}=e,t=s=>{const o=i[s]===e.id,a=()=>s==="a"?b(e.id,i.b===e.id?i.a:i.b):b(i.a===e.id?i.b:i.a,o?null:e.id);return r`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${e.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return r`<tr data-log=${e.id}>
    <td class="logs-sides">${t("a")} ${t("b")}</td>
    <th scope="row">${e.name}</th>
    <td class="words">${n.format}, ${n.version}</td>
    <td>${h(n.tokens)}</td>
    <td>${n.layers.length} × ${n.experts}${n.experts_counted?"*":""}</td>
    <td>${n.top_k}</td>
    <td>
      ${e.owner!=="another"&&r`<button
          type="button"
          class="tool tool-text"
          aria-label=${"Delete "+e.name}
          onClick=${()=>ue(e.id)}
        >
          Delete
        </button>`}
    </td>
  </tr>`}const fe=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function he(){const{logs:e}=i;if(!e)return r`<p class="hint">Asking which logs there are.</p>`;if(!e.length)return r`<p class="hint">No log yet: bring one, or let the bundled model write two.</p>`;const n=e.map(s=>r`<${me} key=${s.id} log=${s} />`),t=e.some(({facts:s})=>s.experts_counted);return r`<${O} label="Logs" columns=${fe} rows=${n} />
    ${t&&r`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}$("logs-list",e=>w(e,()=>r`<${he} />`));const $e=12,be=420,x=I(null),P=I(0);function ye(e){return e.map(n=>{const t=n.reduce((s,o)=>s+o,0);return n.map(s=>t?s/t:0)})}function we(e,n){const t=e.getContext("2d");if(!t)return;const s=Y(),{live:o}=te(s),a=Math.max(...n.flat(),Number.EPSILON),l=window.devicePixelRatio||1;e.width=Math.round(e.clientWidth*l),e.height=Math.round(e.clientHeight*l);const c=new ImageData(n[0].length,n.length),d=new Uint32Array(c.data.buffer);n.forEach((y,C)=>y.forEach((q,F)=>d[C*y.length+F]=o[Math.round(255*q/a)]));const p=new OffscreenCanvas(c.width,c.height);p.getContext("2d")?.putImageData(c,0,0),t.imageSmoothingEnabled=!1,t.drawImage(p,0,0,e.width,e.height);const f=x.value;if(!f)return;const[E,S]=[e.width/c.width,e.height/c.height];t.strokeStyle=s.ink,t.lineWidth=2*l,t.strokeRect(f[1]*E,f[0]*S,E,S)}function ve({usage:e}){const n=X(null),t=ye(e.counts),s=[e,x.value,P.value];V(()=>{n.current&&we(n.current,t)},s);function o(c){const d=c.currentTarget,{left:p,top:f,width:E,height:S}=d.getBoundingClientRect(),y=Math.floor(t.length*(c.clientY-f)/S),C=Math.floor(t[0].length*(c.clientX-p)/E);x.value=t[y]?.[C]===void 0?null:[y,C]}const a=Math.min(be,Math.max(e.layers.length*$e,96)),l=e.layers.length+" layers by "+t[0].length+" experts; the figures stand below";return r`<canvas
      ref=${n}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${l}
      onPointermove=${o}
      onPointerleave=${()=>x.value=null}
    ></canvas>
    <p class="readout logs-readout">${ke(e,t)}</p>`}function ke({layers:e,indices:n,counts:t},s){const o=x.value;if(!o||!t[o[0]]){const f=Math.max(...s.flat());return"Even use is "+g(1/s[0].length)+" % for each expert; the most is "+g(f)+" %."}const[a,l]=o,c=e[a]+".e"+(l+1),d="layer "+n[a]+", expert "+l+" in the log",p=g(s[a][l]);return c+" ("+d+"): "+h(t[a][l])+" tokens, "+p+" % of the layer's use"}function xe({layers:e}){const n=["layer","evenness","never used","most used"],t=e.map(s=>r`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+g(a)+" %").join(", ")}
        </td>
      </tr>`);return r`<${O} label="Layers of A" columns=${n} rows=${t} />`}function Ee(){const e=M(i.a);return!e||!i.usage?r`<p class="hint">${i.a?"On its way.":"Choose a log as A."}</p>`:r`<${ve} usage=${i.usage} />
    <${xe} layers=${e.facts.layers} />
    ${e.facts.notes.map(n=>r`<p class="hint">${n}</p>`)}`}$("logs-usage",e=>{const n=()=>P.value+=1,t=[w(e,()=>r`<${Ee} />`),J(n)],s=new ResizeObserver(n);return s.observe(e),()=>{s.disconnect(),t.forEach(o=>o())}});const U=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],Se=e=>e===null?"":(U.find(([n])=>e<n)??[1,"",""])[1];function _(e,[n,t]){return e===null?"none":n===null||t===null?g(e):g(e)+" ("+g(n)+" to "+g(t)+")"}const D=({share:e})=>r`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(e??0)+"%"}}></span></span>`;function Ce({comparison:e}){const n=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],t=e.layers.map(s=>r`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${D} share=${s.same} /></td>
        <td>${_(s.same,s.same_interval)}</td>
        <td>${_(s.overlap,s.overlap_interval)}</td>
        <td>${h(s.first_differs)}</td>
        <td>${_(s.began,s.began_interval)}</td>
      </tr>`);return r`<${O} label="By layer" columns=${n} rows=${t} />`}function Le({comparison:e}){const{margins:n,margin_of:t}=e;if(!n.length)return r`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...n.map(({differ:l})=>l??0),Number.EPSILON),o=["margin of A, "+t,"","differ, %","tokens \xD7 layers"],a=n.map(l=>r`<tr>
        <th scope="row">${(l.low??0).toPrecision(3)} to ${(l.high??0).toPrecision(3)}</th>
        <td><${D} share=${(l.differ??0)/s} /></td>
        <td>${_(l.differ,l.interval)}</td>
        <td>${h(l.count)}</td>
      </tr>`);return r`<${O} label="By margin" columns=${o} rows=${a} />`}const N=()=>i.b?i.apart??"Being compared.":"Choose another log as B.";function Oe(){const{comparison:e}=i;if(!e)return r`<p class="hint">${N()}</p>`;const{tokens:n,sequences:t,same_at_every_layer:s,interval_over:o}=e;return r`<p class="logs-headline">
      <strong>${s===null?"none":g(s)} %</strong> of ${h(n)} tokens
      (${h(t)} sequences) take the same experts at every layer.
    </p>
    <${Ce} comparison=${e} />
    <${Le} comparison=${e} />
    <p class="hint">
      A is ${M(i.a)?.name??e.a}, B is ${M(i.b)?.name??e.b}. Intervals: 95 %, over
      ${" "+o}. ${e.notes.join(" ")}
    </p>`}function _e({text:e,agreement:n,first:t,place:s}){const a=(n===null?"not compared":g(n)+" % of the layers agree")+(t?", the first that differs is "+t:""),l=Se(n),c=e??"token "+s;return r`<span class=${l?"logs-token is-"+l:"logs-token"} title=${a}
    >${c.replace(/\n/g,`\u23CE
`)}${e===null?" ":""}</span
  >`}function Be(){const{text:e}=i;if(!e)return r`<p class="hint">${N()}</p>`;const n=U.map(([,t,s])=>r`<span class=${"logs-token is-"+t}>${s}</span> `);return r`<p class="hint">${e.name}, ${h(e.total)} tokens. ${n}</p>
    <pre class="logs-tokens">${e.items.map(t=>r`<${_e} key=${t.place} ...${t} />`)}</pre>
    ${e.total>e.items.length&&r`<p class="hint">The first ${e.items.length} of them.</p>`}`}$("logs-compared",e=>w(e,()=>r`<${Oe} />`)),$("logs-text",e=>w(e,()=>r`<${Be} />`));let z={},T=!1;const W=()=>T&&K("logs",{...z,a:i.a,b:i.b}),Me={show(e){return z={model:e?.model,sample:e?.sample},W(),Q()}};$("logs-page",e=>{T=!0;const{a:n,b:t}=Z("logs","a","b");ae(e.dataset.a||n,e.dataset.b||t);const s=oe((o,a)=>{(a.has("a")||a.has("b"))&&W()});return()=>{T=!1,s(),re()}});export{Me as callbacks};
