/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{k as Dt,F as Nt,u as ot,z as A,f as R,s as i,i as ht,w as M,aD as Ut,G as at,A as mt,aC as rt,_ as ft,aE as gt,v as w,a4 as $t,az as lt,r as U,W as jt,Y as Wt,D as qt}from"../../boot.js";import{F as zt,aS as Ft,b9 as V,ba as Gt,o as Ht,a as Jt,r as Vt,bb as Yt,bc as Y,bd as Xt,be as Kt,bf as Qt}from"../../shared.js";const Zt=100,X=200,bt={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,apart:null},{state:c,update:p,subscribe:te}=Dt(bt);let x=0;const L=t=>t instanceof Error?t.message:String(t),q=t=>c.logs?.find(e=>e.id===t)??null,j=t=>ot("GET",t),it=()=>"?a="+encodeURIComponent(c.a??"")+"&b="+encodeURIComponent(c.b??"");async function z(t,e){const n=x,s=t===null?"":"&sequence="+t;try{const o=await j("/logs/comparison/tokens"+it()+s+"&limit="+X+"&offset="+e);n===x&&p({text:{...o,offset:e}})}catch(o){n===x&&p({problem:L(o)})}}async function yt(t){const e=x;p({token:t});try{const n=await j("/logs/comparison/token"+it()+"&token="+t);return e!==x||c.token!==t?null:(p({decision:n}),n)}catch(n){return e===x&&c.token===t&&p({token:null,decision:null,problem:L(n)}),null}}async function B(t,e,n=null){const s=x+=1,o=t===e?null:e,a=t===c.a&&c.usage;p({a:t,b:o,...{comparison:null,text:null,token:n,decision:null,apart:null},...a?{}:{usage:null}});try{if(t&&!a){const d=await j("/logs/"+encodeURIComponent(t)+"/usage");s===x&&p({usage:d})}if(!t||!o)return;const l=await j("/logs/comparison"+it());if(s!==x)return;p({comparison:l});const u=n===null?null:await yt(n);if(s!==x)return;await z(u&&u.sequence,u?u.at-u.at%X:0)}catch(l){s===x&&p({apart:L(l)})}}async function ee(t,e,n=null){const s=x+=1;p({a:t,b:e,token:n});try{const{items:o}=await j("/logs?limit="+Zt);if(s!==x)return;const a=d=>d===null||o.some(h=>h.id===d),r=await Promise.all([t,e].filter(d=>!a(d)).map(d=>j("/logs/"+d).catch(()=>null)));if(s!==x)return;const l=[...o,...r.filter(Boolean)],u=d=>l.some(h=>h.id===d)?d:null;p({logs:l,problem:null}),await B(u(t)??l[0]?.id??null,u(e),u(t)&&u(e)?n:null)}catch(o){s===x&&p({logs:[],problem:L(o)})}}function ne(){x+=1,p(bt)}function se(t){return p({logs:[t,...c.logs??[]],problem:null}),B(t.id,null)}async function oe(t,e,n){if(c.sending)return;if(t.size>e){p({problem:t.name+" has "+ct(t.size)+"; up to "+ct(e)+" are accepted."});return}p({sending:{name:t.name,share:0},problem:null});const s=Object.entries(n).filter(([,a])=>a),o=new URLSearchParams([["name",t.name.slice(0,80)],...s]);try{const a=new Blob([t],{type:"application/octet-stream"}),r=l=>p({sending:{name:t.name,share:l}});await se(await Nt("/logs?"+o.toString(),a,r))}catch(a){p({problem:L(a)})}finally{p({sending:null})}}const ct=t=>(t/1024/1024).toFixed(t<10*1024*1024?1:0)+" MiB";async function wt(t,e){p({recording:!0,problem:null});try{const n=[];for(const s of t)n.push(await ot("POST","/logs/recordings",s));p({logs:[...n,...c.logs??[]]}),await e(n)}catch(n){p({problem:L(n)})}finally{p({recording:!1})}}const ae=()=>wt(["float32","bfloat16"].map(t=>({model:"moe-bytes",precision:t})),([t,e])=>B(t.id,e.id)),re=t=>wt([t],([e])=>c.a?B(c.a,e.id):B(e.id,null));async function le(t){try{await ot("DELETE","/logs/"+encodeURIComponent(t)),p({logs:(c.logs??[]).filter(n=>n.id!==t),problem:null});const e=n=>n===t?null:n;await B(e(c.a)??c.logs?.[0]?.id??null,e(c.b))}catch(e){p({problem:L(e)})}}const ie=[["top_k","Experts a token","SGLang, llama.cpp and router logits do not say it"],["layers","Layers","where a log does not say how many route"],["experts","Experts a layer","few logs say it; the largest number that occurs otherwise"]],K={};function ce({most:t,take:e}){const{sending:n,recording:s,problem:o}=c;return i`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!n}
        onChange=${a=>{const r=a.target;e(r.files),r.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${ht("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npz or parquet, up to ${ct(t)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${ie.map(([a,r,l])=>i`<label title=${l}
              >${r}
              <input
                type="number"
                min="1"
                max="32768"
                inputmode="numeric"
                onInput=${u=>K[a]=u.target.value}
            /></label>`)}
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${ae}>
        ${s?"Recording":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${n&&i`<p class="logs-sending">
          ${n.share<1?"Sending ":"Reading "}${n.name}
          <progress
            max="1"
            value=${n.share<1?n.share:void 0}
            aria-label=${n.name}
          ></progress>
        </p>`}
      ${o&&i`<p class="logs-problem" role="alert">${o}</p>`}
    </div>`}function ue(t,e){const n=o=>t.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),e(o.dataTransfer?.files))]];return s.forEach(([o,a])=>t.addEventListener(o,a)),()=>s.forEach(([o,a])=>t.removeEventListener(o,a))}A("logs-bring",t=>{const e=Number(t.dataset.maxBytes),n=a=>{a?.[0]&&oe(a[0],e,K)},s=t.closest(".page"),o=[R(t,()=>i`<${ce} most=${e} take=${n} />`),ue(s,n)];return()=>{o.forEach(a=>a()),Object.keys(K).forEach(a=>delete K[a])}});function P({label:t,columns:e,rows:n}){const s=e.map(o=>o?i`<th scope="col">${o}</th>`:i`<td></td>`);return i`<div class="table-scroll" tabindex="0" role="group" aria-label=${t}>
    <${zt} heads=${s} rows=${n} look="logs-table" />
  </div>`}function de({log:t}){const{facts:e}=t,n=s=>{const o=c[s]===t.id,a=()=>s==="a"?B(t.id,c.b===t.id?c.a:c.b):B(c.a===t.id?c.b:c.a,o?null:t.id);return i`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${t.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return i`<tr data-log=${t.id}>
    <td class="logs-sides">${n("a")} ${n("b")}</td>
    <th scope="row">${t.name}</th>
    <td class="words">${e.format}, ${e.version}</td>
    <td>${M(e.tokens)}</td>
    <td>${e.layers.length} × ${e.experts}${e.experts_counted?"*":""}</td>
    <td>${e.top_k}</td>
    <td>
      ${t.owner!=="another"&&i`<button
          type="button"
          class="tool tool-text"
          aria-label=${"Delete "+t.name}
          onClick=${()=>le(t.id)}
        >
          Delete
        </button>`}
    </td>
  </tr>`}const pe=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function he(){const{logs:t}=c;if(!t)return i`<p class="hint">Asking which logs there are.</p>`;if(!t.length)return i`<p class="hint">No log yet: bring one, or let the bundled model write two.</p>`;const e=t.map(s=>i`<${de} key=${s.id} log=${s} />`),n=t.some(({facts:s})=>s.experts_counted);return i`<${P} label="Logs" columns=${pe} rows=${e} />
    ${n&&i`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}A("logs-list",t=>R(t,()=>i`<${he} />`));const me="top_experts",kt=["its own","float64","float32","bfloat16","float16"];function fe({model:t,precision:e,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=kt.indexOf(String(e))>0?String(e):null;return{model:String(t),precision:a,drop:o,top_k:s?Number(s):null}}function ge(t){t.preventDefault(),re(fe(Object.fromEntries(new FormData(t.currentTarget))))}function $e(){const t=(Ut()??[]).filter(({fields:e})=>e.includes(me));return t.length?i`<details>
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${ge}>
      <label
        >Model<select name="model" class="small-input">
          ${t.map(({id:e})=>i`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${kt.map(e=>i`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Without<input name="drop" class="small-input" type="text" placeholder="l2.e1, l3.e4" maxlength="400"
      /></label>
      <label
        >Experts a token<input
          name="top_k"
          class="small-input"
          type="number"
          min="1"
          max="1024"
          placeholder="as trained"
      /></label>
      <button type="submit" class="button" disabled=${c.recording}>Record</button>
    </form>
  </details>`:null}A("logs-record",t=>R(t,()=>i`<${$e} />`));const be=12,ye=420,ut=64,F=at(null),xt=at(0);function Q(t){return t.map(e=>{const n=e.reduce((s,o)=>s+o,0);return e.map(s=>n?s/n:0)})}function we(t,e){const n=t.getContext("2d");if(!n)return;const s=U(),{live:o}=Ft(s),a=Math.max(...e.flat(),Number.EPSILON),r=window.devicePixelRatio||1;t.width=Math.round(t.clientWidth*r),t.height=Math.round(t.clientHeight*r);const l=new ImageData(e[0].length,e.length),u=new Uint32Array(l.data.buffer);e.forEach((b,m)=>b.forEach((y,v)=>u[m*b.length+v]=o[Math.round(255*y/a)]));const d=new OffscreenCanvas(l.width,l.height);d.getContext("2d")?.putImageData(l,0,0),n.imageSmoothingEnabled=!1,n.drawImage(d,0,0,t.width,t.height);const h=F.value;if(!h)return;const[g,$]=[t.width/l.width,t.height/l.height];n.strokeStyle=s.ink,n.lineWidth=2*r,n.strokeRect(h[1]*g,h[0]*$,g,$)}function ke({usage:t}){const e=ft(null),n=Q(t.counts),s=[t,F.value,xt.value];gt(()=>{e.current&&we(e.current,n)},s);function o(l){const u=l.currentTarget,{left:d,top:h,width:g,height:$}=u.getBoundingClientRect(),b=Math.floor(n.length*(l.clientY-h)/$),m=Math.floor(n[0].length*(l.clientX-d)/g);F.value=n[b]?.[m]===void 0?null:[b,m]}const a=Math.min(ye,Math.max(t.layers.length*be,96)),r=t.layers.length+" layers by "+n[0].length+" experts; the figures stand below";return i`<canvas
      ref=${e}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${r}
      onPointermove=${o}
      onPointerleave=${()=>F.value=null}
    ></canvas>
    <p class="readout logs-readout">${xe(t,n)}</p>`}function xe({layers:t,indices:e,counts:n},s){const o=F.value;if(!o||!n[o[0]]){const h=Math.max(...s.flat());return"Even use is "+w(1/s[0].length)+" % for each expert; the most is "+w(h)+" %."}const[a,r]=o,l=t[a]+".e"+(r+1),u="layer "+e[a]+", expert "+r+" in the log",d=w(s[a][r]);return l+" ("+u+"): "+M(n[a][r])+" tokens, "+d+" % of the layer's use"}function ve({layers:t}){const e=["layer","evenness","never used","most used"],n=t.map(s=>i`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+w(a)+" %").join(", ")}
        </td>
      </tr>`);return i`<${P} label="Layers of A" columns=${e} rows=${n} />`}function Ee({usage:{layers:t,counts:e}}){const n=Q(e),s=["layer",...n[0].slice(0,ut).map((r,l)=>"e"+(l+1))],o=n.map((r,l)=>i`<tr key=${t[l]}>
        <th scope="row">${t[l]}</th>
        ${r.slice(0,ut).map(u=>i`<td>${w(u)}</td>`)}
      </tr>`),a=n[0].length-ut;return i`<details class="as-table">
    <summary>The same as a table</summary>
    <p class="hint">
      ${"Shares of a layer's use, in percent"+(a>0?"; the other "+a+" experts are in the files.":".")}
    </p>
    <${P} label="Use of experts" columns=${s} rows=${o} />
  </details>`}function _e(t){const{model:e,sample:n}=$t();return[["Its tokens on Paths",lt("paths",{model:e,sample:n,log:t,step:0})],["Its experts on Observe",lt("observe",{model:e,sample:n,log:t})]]}function Se(){const t=q(c.a);return!t||!c.usage?i`<p class="hint">${c.a?"On its way.":"Choose a log as A."}</p>`:i`<p class="logs-opens">
      ${_e(t.id).map(([e,n])=>i`<a key=${e} class="button" href=${n} onClick=${rt}>${e}</a>`)}
    </p>
    <${ke} usage=${c.usage} />
    <${ve} layers=${t.facts.layers} />
    <${Ee} usage=${c.usage} />
    ${t.facts.notes.map(e=>i`<p class="hint">${e}</p>`)}`}A("logs-usage",t=>{const e=()=>xt.value+=1,n=[R(t,()=>i`<${Se} />`),mt(e)],s=new ResizeObserver(e);return s.observe(t),()=>{s.disconnect(),n.forEach(o=>o())}});const vt=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],Et=t=>t===null?"":(vt.find(([e])=>t<e)??[1,"",""])[1];function Z(t,[e,n]){return t===null?"none":e===null||n===null?w(t):w(t)+" ("+w(e)+" to "+w(n)+")"}const _t=({share:t})=>i`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(t??0)+"%"}}></span></span>`;function Me({comparison:t}){const e=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=t.layers.map(s=>i`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${_t} share=${s.same} /></td>
        <td>${Z(s.same,s.same_interval)}</td>
        <td>${Z(s.overlap,s.overlap_interval)}</td>
        <td>${M(s.first_differs)}</td>
        <td>${Z(s.began,s.began_interval)}</td>
      </tr>`);return i`<${P} label="By layer" columns=${e} rows=${n} />`}function Te({comparison:t}){const{margins:e,margin_of:n}=t;if(!e.length)return i`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...e.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=e.map(r=>i`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${_t} share=${(r.differ??0)/s} /></td>
        <td>${Z(r.differ,r.interval)}</td>
        <td>${M(r.count)}</td>
      </tr>`);return i`<${P} label="By margin" columns=${o} rows=${a} />`}const St=()=>c.b?c.apart??"Being compared.":"Choose another log as B.";function Ce(){const{comparison:t}=c;if(!t)return i`<p class="hint">${St()}</p>`;const{tokens:e,sequences:n,same_at_every_layer:s,interval_over:o}=t;return i`<p class="logs-headline">
      <strong>${s===null?"none":w(s)} %</strong> of ${M(e)} tokens
      (${M(n)} sequences) take the same experts at every layer.
    </p>
    <${Me} comparison=${t} />
    <${Te} comparison=${t} />
    <p class="hint">
      A is ${q(c.a)?.name??t.a}, B is ${q(c.b)?.name??t.b}. Intervals: 95 %, over
      ${" "+o}. ${t.notes.join(" ")}
    </p>`}function Oe({text:t,agreement:e,first:n,place:s}){const a=(e===null?"not compared":w(e)+" % of the layers agree")+(n?", the first that differs is "+n:""),r=Et(e),l=(t??"token "+s).replace(/\n/g,`\u23CE
`)+(t===null?" ":"");return r?i`<button
    type="button"
    class=${"logs-token is-"+r}
    title=${a}
    aria-label=${"token "+s+" "+(t??"")+": "+a}
    aria-pressed=${String(c.token===s)}
    onClick=${()=>{yt(s)}}
  >
    ${l}
  </button>`:i`<span class="logs-token" title=${a}>${l}</span>`}function Ae({text:{sequence:t,items:e,total:n,offset:s}}){const o=q(c.a)?.facts.sequences??1,a=[["previous","Sequence before",t>0,()=>{z(t-1,0)}],["next","Sequence behind",t+1<o,()=>{z(t+1,0)}],["previous","Tokens before",s>0,()=>{z(t,Math.max(0,s-X))}],["next","Tokens behind",s+e.length<n,()=>{z(t,s+X)}]],[r,l,u,d]=a.map(([g,$,b,m])=>i`<button type="button" class="tool" title=${$} aria-label=${$} disabled=${!b} onClick=${m}>
        ${ht(g)}
      </button>`),h=M(s+1)+" to "+M(s+e.length)+" of "+M(n);return i`<p class="logs-part">
    sequence ${r} ${M(t+1)+" of "+M(o)} ${l} tokens ${u} ${h} ${d}
  </p>`}function Be(){const{text:t}=c;if(!t)return i`<p class="hint">${St()}</p>`;const e=vt.map(([,o,a])=>i`<span class=${"logs-token is-"+o}>${a}</span> `),n=t.items.map(({place:o,text:a,agreement:r,first:l})=>i`<tr key=${o}>
        <th scope="row">${o}</th>
        <td class="words">${a===null?"":V(a)}</td>
        <td>${r===null?"unknown":w(r)}</td>
        <td>${l??""}</td>
      </tr>`),s=["token of A","text","layers that agree, %","first that differs"];return i`<p class="hint">${t.name}, ${M(t.total)} tokens. ${e}</p>
    <${Ae} text=${t} />
    <pre class="logs-tokens">${t.items.map(o=>i`<${Oe} key=${o.place} ...${o} />`)}</pre>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${P} label="Tokens and how many layers agree" columns=${s} rows=${n} />
    </details>`}A("logs-compared",t=>R(t,()=>i`<${Ce} />`)),A("logs-text",t=>R(t,()=>i`<${Be} />`));const[S,I]=[58,26],G=7.6,tt=20,E=(t,e,n,s,o)=>({shape:"text",x:t,y:e,text:n,size:11,fill:s,...o}),et=(t,e)=>[1,2,4,5,8,10,16,20,32,64].find(n=>n*t>=e)??128;function Re({layers:t},e,n,s){const o=U(),a=Math.max(...e.flat(),Number.EPSILON),r=(s-S-8)/e[0].length,l=Math.max(6,Math.min(22,420/t.length)),u=[],[d,h]=[et(r,28),et(l,13)];e[0].forEach((m,y)=>{y%d===0&&u.push(E(S+(y+.5)*r,18,"e"+(y+1),o.dim,{anchor:"middle"}))}),e.forEach((m,y)=>{const v=I+y*l;y%h===0&&u.push(E(S-8,v+l/2+4,t[y],o.ink,{anchor:"end"})),m.forEach((_,f)=>{const k={x:S+f*r,y:v,w:r-(r>6?1:0),h:l-1};u.push({shape:"rect",...k,fill:o.hair}),_&&u.push({shape:"rect",...k,fill:o.accent,opacity:_/a})})});const g=I+t.length*l+22,$=w(1/e[0].length)+" % is even use, "+w(a)+" % the most";return u.push(E(S,g-6,$,o.dim)),{width:s,height:g,background:o.surface,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has, the more the farther from the ground.",items:u}}function dt(t,{x:e,y:n,value:s,interval:[o,a],full:r}){if(s===null)return[];const l=r?t.accent:t.dim,u=[];return o!==null&&a!==null&&u.push({shape:"path",d:`M${e},${n(o)}V${n(a)}M${e-3},${n(o)}h6M${e-3},${n(a)}h6`,stroke:l,width:1.4}),u.push({shape:"circle",cx:e,cy:n(s),r:3.4,fill:r?l:t.surface,stroke:l,width:1.4}),u}const Mt=(t,{from:e,to:n,y:s,ticks:o})=>o.flatMap(a=>[{shape:"path",d:`M${e},${s(a)}H${n}`,stroke:t.hair,width:1},E(e-6,s(a)+4,w(a),t.dim,{anchor:"end"})]),Tt=(t,e)=>[0,.25,.5,.75,1].map(n=>t+n*(e-t));function Le({layers:t,margins:e,margin_of:n},s,o){const a=U(),[r,l]=[150,64],u=t.flatMap(({same:f,same_interval:[k]})=>[k??f??1,f??1]),d=Math.max(0,Math.floor(Math.min(...u)*20-.5)/20),h=f=>I+8+r*(1-(Math.max(f,d)-d)/(1-d||1)),[g,$]=[S,o-12],b=($-g)/t.length,m=[E(12,16,"tokens with the same experts, % (dot), experts in common, % (ring)",a.ink)];m.push(...Mt(a,{from:g,to:$,y:h,ticks:Tt(d,1)}));const y=et(b,30);t.forEach((f,k)=>{const T=g+(k+.5)*b,C=Math.min(6,b/4);m.push(...dt(a,{x:T+C,y:h,value:f.overlap,interval:f.overlap_interval,full:!1})),m.push(...dt(a,{x:T-C,y:h,value:f.same,interval:f.same_interval,full:!0})),k%y===0&&m.push(E(T,I+r+26,f.layer,a.dim,{anchor:"middle"}))});let v=I+r+36;if(e.length){const f=v+l/2,k=Math.max(...e.map(({differ:O,interval:[,W]})=>W??O??0),.001),T=O=>f+r*(1-O/k);m.push(E(12,f-12,"that differ, %, by the router's margin in A ("+n+")",a.ink)),m.push(...Mt(a,{from:g,to:$,y:T,ticks:Tt(0,k)}));const C=($-g)/e.length;e.forEach(({low:O,high:W,differ:H,interval:D},N)=>{const J=g+(N+.5)*C,It=(O??0).toPrecision(2)+" to "+(W??0).toPrecision(2);m.push(...dt(a,{x:J,y:T,value:H,interval:D,full:!0})),N%et(C,84)===0&&m.push(E(J,f+r+18,It,a.dim,{anchor:"middle"}))}),v=f+r+30}return{width:o,height:v,background:a.surface,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",items:m}}const Pe={nearly:"accent",most:"warn",few:"bad"};function Ie({items:t,name:e},n,s){const o=U(),a=Math.max(10,Math.floor((s-24)/G)),r=t.map(({text:g,place:$})=>g??$+" "),{rows:l,places:u}=Gt(r,a),d=[];return u.forEach(({row:g,column:$,span:b},m)=>{const y=Pe[n(t[m].agreement)],[v,_]=[12+$*G,12+g*tt],f=y&&{accent:o.accent,warn:o.marker,bad:o.bad}[y];f&&(d.push({shape:"rect",x:v,y:_,w:b*G,h:tt-2,fill:f,opacity:y==="accent"?.12:.3}),d.push({shape:"rect",x:v,y:_+tt-4,w:b*G,h:2,fill:f})),[...V(r[m])].slice(0,b).forEach((k,T)=>{k.trim()&&d.push(E(v+(T+.5)*G,_+14,k,o.ink,{anchor:"middle",size:12.5}))})}),{width:s,height:24+l*tt,background:o.surface,title:"A and B in "+e,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",items:d}}function Ct({layers:t,text:e,token:n,name:s},o){const a=U(),r=(o-S-28)/2,[l,u]=[18,24],d=[E(S,16,"A",a.ink,{weight:700}),E(S+r+16,16,"B",a.ink,{weight:700})];t.forEach(({a:b,b:m,same:y},v)=>{const _=I+v*u,f=y===!1?700:450;d.push(E(S-8,_+13,b.layer,a.ink,{anchor:"end",weight:f})),[b,m].forEach(({taken:k},T)=>{let C=S+T*(r+16);k.length||d.push(E(C,_+13,"none",a.dim));for(const{unit:O,index:W,share:H}of k){const D=H*r,N=O.split(".").at(-1)??O;d.push({shape:"rect",x:C,y:_,w:Math.max(0,D-1),h:l,fill:a.unit(W),opacity:.55});const J=D>64?N+" "+w(H)+" %":N;D>7*N.length+4&&d.push(E(C+4,_+13,J,a.ink,{halo:a.surface})),C+=D}}),y===!1&&d.push({shape:"rect",x:S-3,y:_-3,w:o-S-6,h:u,rx:3,stroke:a.bad,width:1.4})});const h=e===null?"":" \u201C"+V(e)+"\u201D",g="Token "+n+h+" of "+s+" in A and B";return{width:o,height:I+t.length*u+8,background:a.surface,title:g,desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",items:d}}const De=760,Ne=64,Ot=at(0);function Ue({found:t}){const e=ft(null),n=Ot.value;return gt(()=>{const s=e.current?.parentElement;if(!e.current||!s)return;const o=Ct(t,Math.max(240,Math.min(De,s.clientWidth)));Jt({...o,background:null},U().font,e.current),Object.assign(e.current.style,{width:o.width+"px",height:o.height+"px"}),e.current.dataset.painted=String(t.token)},[t,n]),i`<canvas
    ref=${e}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`}const At=({taken:t})=>t.map(({unit:e,share:n})=>e+" "+w(n)+" %").join(", ")||"none",Bt=t=>t===null?"unknown":t.toPrecision(3);function je({found:t}){const e=t.layers.map(({a:s,b:o,same:a})=>i`<tr key=${s.layer} data-same=${String(a)}>
        <th scope="row">${s.layer}</th>
        <td class="words">${At(s)}</td>
        <td>${Bt(s.margin)}</td>
        <td class="words">${At(o)}</td>
        <td>${Bt(o.margin)}</td>
        <td>${a===null?"unknown":a?"same":"differs"}</td>
      </tr>`);return i`<${P} label="Experts of the token in A and B" columns=${["layer","A","margin of A","B","margin of B","experts"]} rows=${e} />`}function We(){const{decision:t,a:e,b:n}=c;if(!t)return i`<p class="hint">${c.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=t.layers.filter(({same:u})=>u===!1).map(u=>u.a.layer),{model:o,sample:a}=$t(),r=(u,d,h)=>lt("paths",{model:o,sample:a,log:u,sequence:d,token:Math.max(0,h-Ne),step:0}),l=t.text===null?"":" \u201C"+V(t.text)+"\u201D";return i`<p class="logs-headline">
      <strong>${"Token "+t.place+l}</strong>${" of "+t.name+". "}${s.length?s.length+" of "+t.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${t.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${Ue} found=${t} /></div>
    <p class="logs-opens">
      <a class="button" href=${r(e,t.sequence,t.place)} onClick=${rt}>A on Paths</a>
      <a class="button" href=${r(n,t.sequence_b,t.place_b)} onClick=${rt}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${je} found=${t} />
    </details>`}A("logs-token",t=>{const e=()=>Ot.value+=1,n=[R(t,()=>i`<${We} />`),mt(e),Ht(t,e)];return()=>n.forEach(s=>s())});const nt=860;function qe({layers:t,indices:e,counts:n}){const s=Q(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,l)=>[t[a],t[a]+".e"+(l+1),e[a],l,r,s[a][l]]))]}const ze=({layers:t,margins:e})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...t.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...e.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(l=>l??""),"","","","",r])],Fe=({items:t})=>[["token","text","layers_that_agree","first_that_differs"],...t.map(({place:e,text:n,agreement:s,first:o})=>[e,n??"",s??"",o??""])],Ge=({layers:t})=>[["layer","routing","expert","share","margin","same"],...t.flatMap(({same:e,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",e??""])))];function st(t){const e=t.map(q);return e.every(n=>n!==null)?e.map(n=>n):null}const Rt=t=>({columns:t[0],rows:t.slice(1)}),He={"logs-usage":()=>{const{usage:t}=c,e=st([c.a]);if(!t||!e)return null;const n=qe(t);return{name:"log-usage",title:"Use of experts in "+e[0].name,facts:{...Y(e),tokens:e[0].facts.tokens},rows:()=>n,json:()=>Rt(n),python:Qt,picture:{scene:()=>Re(t,Q(t.counts),e[0].name,nt)}}},"logs-compared":()=>{const{comparison:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=ze(t),{tokens:s,sequences:o}=t;return{name:"logs-compared",facts:{...Y(e),tokens:s,sequences:o,interval_over:t.interval_over},rows:()=>n,json:()=>({...t}),python:Kt,picture:{scene:()=>Le(t,e.map(({name:a})=>a).join(" beside "),nt)}}},"logs-text":()=>{const{text:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=Fe(t);return{name:"logs-text",facts:{...Y(e),sequence:t.sequence,sequence_name:t.name},rows:()=>n,json:()=>Rt(n),python:Xt,picture:{scene:()=>Ie(t,Et,nt)}}},"logs-token":()=>{const{decision:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=Ge(t);return{name:"logs-token",facts:{...Y(e),sequence_name:t.name,token:t.token},rows:()=>n,json:()=>({...t}),python:Yt,picture:{scene:()=>Ct(t,nt)}}}};for(const[t,e]of Object.entries(He))Vt(t,e);let Lt={},pt=!1;const Pt=()=>pt&&Wt("logs",{...Lt,a:c.a,b:c.b,token:c.token}),Je={show(t){return Lt={model:t?.model,sample:t?.sample},Pt(),qt()}};A("logs-page",t=>{pt=!0;const{a:e,b:n}=jt("logs","a","b"),{token:s}=t.dataset;ee(t.dataset.a||e,t.dataset.b||n,s===void 0?null:Number(s));const o=te((a,r)=>{["a","b","token"].some(l=>r.has(l))&&Pt()});return()=>{pt=!1,o(),ne()}});export{Je as callbacks};
