/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{G as y,L as h,k as T,y as b,s as m,aX as E,K as q,A as x,a_ as ae,a$ as se,ab as le,i as re,O as oe,b0 as I,I as _,aO as ie,ad as ue,t as ce,an as de,ag as H,a as K,D as X,p as pe,o as fe,c as me,J as k,w as he,b1 as ve,U as ge,aH as be,au as ye,ao as $e,aT as we,S as V,W as D,aW as xe,b2 as ke,a5 as Te}from"../../boot.js";import{c1 as P,c2 as F,bK as Se,c3 as Oe,bF as Q,c4 as Ee}from"../../shared.js";const L="points",Ne=`0.1 0.9 0.5
0.2 0.8 0.4
\u2026`;function Ce({name:e,size:n},t){return/\.(npy|xyz|ply)$/i.test(e)?n>t?"The file has "+b(n)+" bytes; up to "+b(t)+" are accepted.":"":e+" is no .npy, .xyz or .ply file; these are accepted."}y("bring-cloud",e=>{const n=Number(e.dataset.maxBytes),[t,a,s]=[h(""),h(""),h(!1)];async function l(r,u=null){if(!s.value){s.value=!0,a.value="Reading \u2026";try{const o=await r();P(o),t.value===u&&(t.value=""),a.value="Added: "+o.set_title+", "+b(o.total_rows)+" points"}catch(o){a.value=o instanceof Error?o.message:String(o)}finally{s.value=!1}}}async function i(r){const u=r.currentTarget,o=u.files?.[0];if(u.value="",!o)return;const p=Ce(o,n);if(p){a.value=p;return}const f=new FormData;f.append("file",o,o.name),f.append("inputs",L),f.append("name",o.name.slice(0,80)),await l(()=>q("/samples/files",f))}function c(){const r=t.value;return l(()=>x("POST","/samples/written",{inputs:L,content:r,name:null}),r)}const d=[T(e,()=>m`
        <div class="text-tools">
          <label class="button" for="cloud-file">Choose a .npy, .xyz or .ply file</label>
          <input type="file" id="cloud-file" class="hidden-visually" accept=".npy,.xyz,.ply" onChange=${i} />
          <span class="hint">${"of up to "+b(n)+" bytes"}</span>
        </div>
        <label class="control-name" for="cloud-typed">Or paste points, a line with x y z each</label>
        <textarea
          id="cloud-typed"
          class="text-typed"
          rows="5"
          spellcheck=${!1}
          placeholder=${Ne}
          value=${t.value}
          onInput=${r=>t.value=r.currentTarget.value}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="cloud-send"
            disabled=${s.value||!t.value.trim()}
            onClick=${c}
          >
            Use points
          </button>
        </div>
        <p class="hint" id="cloud-said" role="status" aria-live="polite">${a.value}</p>
      `),E(r=>e.hidden=r?.inputs!==L)];return()=>d.forEach(r=>r())});let M=null;async function G(e){if(!e)return null;M=M??x("GET","/inputs");try{return(await M).items.find(n=>n.name===e)??null}catch{return M=null,null}}function Pe({name:e,size:n},{suffixes:t,files:a},s){const l=e.toLowerCase();return t.some(i=>l.endsWith(i))?n>s?"The file has "+b(n)+" bytes; up to "+b(s)+" are accepted.":"":e+" cannot be read; accepted are "+a+"."}y("bring-file",e=>{const n=Number(e.dataset.maxBytes),[t,a]=[h(""),h(!1)],s=h(null);async function l(c){const d=c.currentTarget,r=d.files?.[0];if(d.value="",!r||!s.value||a.value||(t.value=Pe(r,s.value,n),t.value))return;a.value=!0,t.value="Reading \u2026";const u=new FormData;u.append("file",r,r.name),u.append("inputs",s.value.name),u.append("name",r.name.slice(0,80));try{const o=await q("/samples/files",u);P(o),t.value="Added: "+o.set_title}catch(o){t.value=o instanceof Error?o.message:String(o)}finally{a.value=!1}}const i=[T(e,()=>{if(!s.value)return null;const{suffixes:c,files:d}=s.value;return m`
        <div class="text-tools">
          <label class="button" for="bring-file">${"Choose a "+c.join(", ")+" file"}</label>
          <input
            type="file"
            id="bring-file"
            class="hidden-visually"
            accept=${c.join(",")}
            aria-describedby="bring-file-said"
            onChange=${l}
          />
          <span class="hint">${"of up to "+b(n)+" bytes"}</span>
        </div>
        <p class="hint">${"Accepted are "+d+"."}</p>
        <p class="hint" id="bring-file-said" role="status" aria-live="polite">${t.value}</p>
      `}),E(async c=>{const d=await G(c?.inputs);s.value=d?.files&&!d.typed?d:null,e.hidden=!s.value})];return()=>i.forEach(c=>c())});function Ae(e,n){const[t,a]=e.split("?");return t+oe({...Object.fromEntries(new URLSearchParams(a)),...n})}y("sample-link",e=>{const{page:n="",words:t="",more:a="{}"}=e.dataset,s=JSON.parse(a);return T(e,()=>{const l=ae().find(c=>c.key===n);if(!l)return null;const i=se(l,l.samples||!Object.keys(s).length?{}:{sample:null});return m`<a id="see-path" class="button" href=${Ae(i,s)} onClick=${le}
      >${re(l.icon)}${t}</a
    >`})});const z="numbers",Ie=.01;function _e(e,n){const t=n.findIndex(s=>!(s.trim()&&Number(s)>=0&&Number(s)<=1));if(t<0)return"";const a=n[t].trim()?"\u201C"+n[t].trim()+"\u201D":"empty";return e[t]+" is "+a+"; a number from 0 to 1 is accepted, such as 0.25."}function Me(e,n){const t=e.trim().split(/[\s,;]+/);return n>1&&t.length===n?t:null}async function Ue(e){const[n,t]=await Promise.all([x("GET","/models/"+encodeURIComponent(e)),x("GET","/data?inputs="+z)]),a="number:";return{names:n.tokens.filter(l=>l.startsWith(a)).map(l=>l.slice(a.length)),functions:t.items.filter(({name:l})=>n.domains.includes(l))}}function Be({name:e,at:n,written:t}){const a=d=>t.value=t.value.map((r,u)=>u===n?d:r),s=d=>a(d.currentTarget.value),l=d=>{const r=Me(d.clipboardData?.getData("text")??"",t.value.length);r&&(d.preventDefault(),t.value=r)},i=t.value[n],c=Number.isFinite(Number(i))?Number(i):0;return m`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${Ie}
      value=${c}
      aria-label=${e+" from 0 to 1"}
      onInput=${s}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-"+e}
      value=${i}
      onInput=${s}
      onPaste=${l}
    />
  </div>`}y("bring-numbers",e=>{const[n,t,a]=[h([]),h(""),h(!1)],s=h(null),l=h("");let i="";async function c(u){if(i!==u){i=u;try{const o=await Ue(u);if(i!==u)return;s.value=o,n.value.length!==o.names.length&&(n.value=o.names.map(()=>"0.5")),o.functions.some(({name:p})=>p===l.value)||(l.value=o.functions[0]?.name??"")}catch(o){i="",t.value=o instanceof Error?o.message:String(o)}}}async function d(u){if(t.value=_e(u,n.value),!(t.value||a.value)){a.value=!0;try{const o=n.value.map(f=>f.trim()).join(", "),p=await x("POST","/samples/written",{inputs:z,content:o,set:l.value});P(p),t.value="Added: "+p.set_title}catch(o){t.value=o instanceof Error?o.message:String(o)}finally{a.value=!1}}}const r=[T(e,()=>{if(!s.value)return m`<p class="hint" role="status">${t.value}</p>`;const{names:u,functions:o}=s.value;return m`
        <div class="number-rows" role="group" aria-label="Numbers of the point">
          ${u.map((p,f)=>m`<${Be} key=${p} name=${p} at=${f} written=${n} />`)}
        </div>
        <div class="number-tools">
          <label class="control-name" for="number-function">function</label>
          <select
            id="number-function"
            class="small-input"
            value=${l.value}
            onChange=${p=>l.value=p.currentTarget.value}
          >
            ${o.map(({name:p,title:f})=>m`<option value=${p}>${f}</option>`)}
          </select>
          <button
            type="button"
            class="tool tool-text"
            id="number-random"
            onClick=${()=>n.value=u.map(()=>Math.random().toFixed(2))}
          >
            At random
          </button>
          <button type="button" class="button" id="number-send" disabled=${a.value} onClick=${()=>d(u)}>
            Use point
          </button>
        </div>
        <p class="hint" id="number-said" role="status" aria-live="polite">${t.value}</p>
      `}),E(u=>{e.hidden=u?.inputs!==z,u&&!e.hidden&&c(u.id)})];return()=>r.forEach(u=>u())});const je=80,Y=new Map,Re=(e,n)=>e.includes(n)?e.filter(t=>t!==n):[...e,n].slice(-2);function We({right:e,chosen:n},t){return[...t===e?["right"]:[],...t===n?["network"]:[]]}function De(e,{chosen:n,probabilities:t}){if(!e)return"";const a=(l,i)=>"answer "+(l+1)+" ("+I(i)+")";if(n===null||!t)return e.swap+" swapped.";const s=a(n,t[n]);return e.swap+" swapped. Before: "+a(e.chosen,e.probability)+"; now: "+s+"."}y("panels",e=>{const n=JSON.parse(e.dataset.panels??"null"),{id:t,panels:a,probabilities:s}=n,l=a.names.length,i=l-a.answers,c=h([]),d=h(De(Y.get(t),n)),r=h(!1);async function u(){const[f,v]=c.value;if(r.value||v===void 0)return;r.value=!0,d.value="Answering \u2026";const $=F(a.names[f])+" and "+F(a.names[v]),g=($+" swapped: "+n.name).slice(0,je);try{const w=await x("POST","/tables/"+encodeURIComponent(t)+"/exchanged",{one:f,other:v,name:g}),{chosen:O}=n;O!==null&&s&&Y.set(w.id,{chosen:O,probability:s[O],swap:$[0].toUpperCase()+$.slice(1)}),P(w)}catch(w){d.value=w instanceof Error?w.message:String(w)}finally{r.value=!1}}function o(f){const v=f-i,$=v>=0?We(n,v):[],g=v>=0?s?.[v]:void 0,w=[F(a.names[f]),...$.includes("right")?["right"]:[],...$.includes("network")?["the network's answer"]:[],...g===void 0?[]:[I(g)]].join(", ");return m`
      <button
        key=${f}
        type="button"
        class="matrix-panel"
        data-panel=${f}
        data-marks=${$.join(" ")}
        aria-pressed=${String(c.value.includes(f))}
        aria-label=${w}
        title=${w}
        onClick=${()=>c.value=Re(c.value,f)}
      >
        <span class="matrix-picture" style=${Se(t,f,l)}></span>
        ${v>=0&&m`<span class="matrix-caption">
            <span>${v+1}</span>
            ${g!==void 0&&m`<span class="matrix-share">${I(g)}</span>`}
            ${$.map(O=>m`<span class="matrix-mark" data-mark=${O}>${O}</span>`)}
          </span>`}
      </button>
    `}const p=a.names.map((f,v)=>v);return T(e,()=>m`
      <div class="matrix">
        <div
          class="matrix-grid"
          role="group"
          aria-label="The matrix"
          style=${{gridTemplateColumns:"repeat("+a.columns+", 1fr)"}}
        >
          ${p.slice(0,i).map(o)}
          <span class="matrix-gap" role="img" aria-label="the gap">?</span>
        </div>
        <div class="matrix-answers" role="group" aria-label="Answers for the gap">
          ${p.slice(i).map(o)}
        </div>
      </div>
      <div class="text-tools writes">
        <button
          type="button"
          class="button"
          id="panels-swap"
          disabled=${r.value||c.value.length<2}
          onClick=${u}
        >
          Swap two panels
        </button>
        <span class="hint">Pick two; the swapped matrix becomes a sample of yours.</span>
      </div>
      <p class="hint" id="panels-said" role="status" aria-live="polite">${d.value}</p>
    `)});const Fe=e=>e.words.replace(/^an? /,"");function Le(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+b(t)+" bytes; up to "+b(n)+" are accepted.":""}function Ge(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}y("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,a,s]=[h(""),h(""),h(!1)],l=h(null);async function i(r,u){if(a.value=Le(r,n),!(a.value||s.value||!l.value)){s.value=!0;try{const o=await x("POST","/samples/written",{inputs:l.value.name,content:r,name:u});P(o),t.value===r&&(t.value=""),a.value="Added: "+o.set_title}catch(o){a.value=o instanceof Error?o.message:String(o)}finally{s.value=!1}}}async function c(r){const u=r.currentTarget,o=u.files?.[0];if(u.value="",!!o){if(o.size>n){a.value="The file has "+b(o.size)+" bytes; up to "+b(n)+" are accepted.";return}try{await i(Ge(await o.arrayBuffer()),o.name.slice(0,80))}catch(p){a.value=p instanceof Error?p.message:String(p)}}}const d=[T(e,()=>{if(!l.value)return null;const r=new TextEncoder().encode(t.value).length,{words:u,written:o,example:p}=l.value;return m`
        <label class="control-name" for="text-typed">${"Type or paste "+u}</label>
        <textarea
          id="text-typed"
          class="text-typed"
          rows="6"
          spellcheck=${!1}
          placeholder=${p}
          title=${o}
          value=${t.value}
          onInput=${f=>t.value=f.currentTarget.value}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="text-send"
            disabled=${s.value||!t.value.trim()}
            onClick=${()=>i(t.value,null)}
          >
            ${"Use "+Fe(l.value)}
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${c} />
          <span class="hint">${b(r)+" of up to "+b(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${a.value}</p>
      `}),E(async r=>{const u=await G(r?.inputs);l.value=u?.written&&!u.of_set&&!u.files?u:null,e.hidden=!l.value})];return()=>d.forEach(r=>r())});const Z={"":"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",matrices:"find: small 12",listops:"find: short 12",bytes:"find: reviews positive"};y("of-labels",e=>E(n=>{e.hidden=n?.labels?.length===0,_("gallery-find",{placeholder:Z[n?.inputs??""]??Z[""]})})),y("bring-pictures",e=>E(async n=>{e.hidden=!!(await G(n?.inputs))?.written}));const ze=6;function Je(e,n,t,a){const s=e.length/n;let l={unit:-1,share:0};for(let i=0;i<n;i+=1){let c=0;for(let d=t;d<Math.min(a,s);d+=1){const r=e[i*s+d];Number.isFinite(r)&&(c+=r)}c>l.share&&(l={unit:i,share:c})}return l}function qe(e,n,t){const a=[...e].map(({dataset:c})=>Je(n,t.length,Number(c.from),Number(c.to))),s=Math.max(...a.map(({share:c})=>c),1e-9),l=new Map;return e.forEach((c,d)=>{const{unit:r,share:u}=a[d];r<0||(c.style.setProperty("--reader",ue(r)),c.style.setProperty("--share",String(Math.round(100*u/s))+"%"),c.title=t[r]+" reads it most, with "+I(u)+" of its attention",c.dataset.reader=t[r],l.set(r,(l.get(r)??0)+1))}),[...l].sort((c,d)=>d[1]-c[1]).slice(0,ze).map(([c,d])=>t[c]+" ("+d+")").join(", ")}y("readers",e=>{const{sample:n,model:t}=e.dataset;let a=!1;return(async()=>{try{const s=await x("POST","/traces",{model:t,sample:n,fields:["read_in"]}),{data:l}=await ie(s.id,"read_in");if(a)return;const i=document.querySelectorAll("#sample-facts .written .piece");e.textContent="Shaded by the unit that reads each piece most, stronger with its share. Most pieces: "+qe(i,l,s.units)+"."}catch(s){a||(e.textContent=s instanceof Error?s.message:String(s))}})(),()=>{a=!0}});const J="behaviour",ee={mute:[],drop:[],edges:null,iterations:null},{state:S,update:U}=ce({filters:null,model:null});let B="",j=()=>{};function A(e){S.filters&&_("gallery-filters",{data:{...S.filters,...e,page:1}})}function He({set:e,samples:n,order:t,to:a,mute:s,drop:l,edges:i,iterations:c},d){const r={mute:D(d.units,s),drop:D(d.units,l),iterations:c,keep_edges:i};return{model:d.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?a:null,intervention:r}}function Ke({order:e,to:n,edges:t,iterations:a},s){return e==="rerouted"&&!s.length&&t===null&&a===null?{title:"Nothing reroutes them yet",detail:be({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const N=e=>_("gallery-found",{data:e});function C(){j(),j=()=>{},B="",de(J)}function Xe(e,n){const t=He(e,n),a=JSON.stringify(t);if(a===B)return;j();const{job:s}=ye(J);B=a;const l={asked:e,model:n.id};function i(d){const r=d?.message||d?.detail||"",u=[403,404,422].includes(d?.status??0),o=u?"There is no such order here":"Their order was not found";N({...l,title:d?.status===403&&d.title||o,detail:r}),u&&setTimeout(()=>a===B&&C())}const{stop:c}=$e(J,"/behaviours",t,{done:d=>N({...l,id:d}),cancelled:()=>N({...l,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:i,goesOn:()=>N(l)});j=c,we(s)}function Ve(e,n){const t=l=>l.filter(i=>!V(i)),a=[...t(e.mute),...t(e.drop)];if(!ve(n.units,a).length)return!0;for(const l of["mute","drop"])ge(l,n,t(e[l]));const s=l=>[...D(n.units,t(l)),...l.filter(V)];return A({mute:s(e.mute),drop:s(e.drop)}),!1}async function Qe(e,n){const t={order:"given",...ee,...e};U({filters:t}),_("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),S.model?.id!==n&&U({model:null});const a=[...t.mute,...t.drop];if(!n||t.order==="given"&&!a.length)return C(),k();try{const s=S.model??await x("GET","/models/"+encodeURIComponent(n));if(S.filters!==t)return k();U({model:s});const l=await he(n);if(S.filters!==t||!Ve(t,s))return k();if(t.order==="given"||t.source==="own"||l)C();else{const i=Ke(t,a);i?(C(),N({asked:t,model:n,...i})):Xe(t,s)}}catch(s){const{title:l,message:i}=s;C(),N({asked:t,model:n,title:l,detail:i})}return k()}const te=({words:e,remove:n})=>m`<span class="chip search-part"
    >${e}
    <button
      type="button"
      class="search-remove"
      aria-label=${"Take away: "+e}
      title="Take it away"
      onClick=${n}
    >
      ${"\xD7"}
    </button></span
  >`;function Ye({mute:e,drop:n,edges:t,iterations:a}){const s=[];if(e.length&&s.push(["muted: "+X(e),{mute:[]}]),n.length&&s.push(["dropped: "+X(n),{drop:[]}]),t!==null&&s.push([pe(t)+" % of the links",{edges:null}]),a!==null){const{pass:l,passes:i}=fe(me());s.push([a+" "+(a===1?l:i),{iterations:null}])}return s}function Ze(){const{filters:e}=S;if(!e)return null;const n=Ye(e),{order:t,to:a}=e,{sample:s}=H(),l=t==="nearest";return!n.length&&!l?null:m`
    ${l&&a?m`<span class="control-name">near to</span><${te} words=${a} remove=${()=>A({to:null})} />`:null}
    ${l&&s&&s!==a?m`<${K} id="gallery-near" act=${()=>A({to:s})}>Near to the chosen sample<//>`:null}
    ${n.length?m`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([i,c])=>m`<${te} key=${i} words=${i} remove=${()=>A(c)} />`)}
    ${n.length>1?m`<${K} act=${()=>A(ee)}>Nothing<//>`:null}
  `}y("gallery-search",e=>{const n=[T(e,()=>m`<${Ze} />`),C,()=>U({filters:null,model:null})];return()=>n.forEach(t=>t())});const et=["source","set","label","wrong","order","samples","find"],tt={putInOrder:Qe,writeAddress(e,n){const{model:t,sample:a}=e||{};return(a!==R.sample||t!==R.model)&&ne(!!a),Object.assign(R,{model:t,sample:a}),Te("samples",{...n,model:t,sample:a}),k()},markChosen(e,n){return ke(n),W("gallery",!1),k()},tellTabs(e){return Ee(e),k()},showPrediction(e){return Q("sample",e),ne(!1),W("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,a,s,l,i,c,d,r,u){const o={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(o)return{...r,page:Math.max(1,Math.min(u||1,(r.page||1)+o))};const p=g=>g&&g!=="any"?g:null,f=s==="nearest"&&r.order!==s?H().sample:null,v={...r,source:e,set:p(n),label:p(t)===null?null:Number(t),wrong:!!a,order:s,to:r.to??f,samples:Number(l),find:i??"",page:1};return et.every(g=>v[g]===r[g])?k():v}},R={model:null,sample:null},ne=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),W=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);y("samples-heard",()=>{Oe();const e=xe(()=>{Q("sample",null),W("gallery",!0),W("sample-facts",!0)});return()=>{e(),Object.assign(R,{model:null,sample:null})}});export{tt as callbacks};
