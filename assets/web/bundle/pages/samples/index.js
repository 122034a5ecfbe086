/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{I as y,O as h,m as S,C as g,s as m,bf as E,N as q,d as x,c as _,b6 as se,bj as le,ak as re,i as oe,R as ie,bk as I,K as M,b4 as ue,am as ce,x as de,av as pe,ap as X,a as K,H as V,p as fe,o as me,L as k,z as he,bl as ve,_ as be,aM as ge,aF as ye,aw as $e,bb as we,W as Y,X as D,be as xe,bm as ke,af as Te}from"../../boot.js";import{bW as P,bX as Se,bY as L,bH as Oe,bZ as Ee,bA as Z,b_ as Ne}from"../../shared.js";const z="points",Ce=`0.1 0.9 0.5
0.2 0.8 0.4
\u2026`;function Pe({name:e,size:n},t){return/\.(npy|xyz|ply)$/i.test(e)?n>t?"The file has "+g(n)+" bytes; up to "+g(t)+" are accepted.":"":e+" is no .npy, .xyz or .ply file; these are accepted."}y("bring-cloud",e=>{const n=Number(e.dataset.maxBytes),[t,a,l]=[h(""),h(""),h(!1)];async function s(r,i=null){if(!l.value){l.value=!0,a.value="Reading \u2026";try{const o=await r();P(o),t.value===i&&(t.value=""),a.value="Added: "+o.set_title+", "+g(o.total_rows)+" points"}catch(o){a.value=o instanceof Error?o.message:String(o)}finally{l.value=!1}}}async function u(r){const i=r.currentTarget,o=i.files?.[0];if(i.value="",!o)return;const p=Pe(o,n);if(p){a.value=p;return}const f=new FormData;f.append("file",o,o.name),f.append("inputs",z),f.append("name",o.name.slice(0,80)),await s(()=>q("/samples/files",f))}function d(){const r=t.value;return s(()=>x("POST","/samples/written",{inputs:z,content:r,name:null}),r)}const c=[S(e,()=>m`
        <div class="text-tools">
          <label class="button" for="cloud-file">Choose a .npy, .xyz or .ply file</label>
          <input type="file" id="cloud-file" class="hidden-visually" accept=".npy,.xyz,.ply" onChange=${u} />
          <span class="hint">${"of up to "+g(n)+" bytes"}</span>
        </div>
        <label class="control-name" for="cloud-typed">Or paste points, a line with x y z each</label>
        <textarea
          id="cloud-typed"
          class="text-typed"
          rows="5"
          spellcheck=${!1}
          placeholder=${Ce}
          value=${t.value}
          onInput=${r=>t.value=r.currentTarget.value}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="cloud-send"
            disabled=${l.value||!t.value.trim()}
            onClick=${d}
          >
            Use points
          </button>
        </div>
        <p class="hint" id="cloud-said" role="status" aria-live="polite">${a.value}</p>
      `),E(r=>e.hidden=r?.inputs!==z)];return()=>c.forEach(r=>r())});let U=null;async function G(e){if(!e)return null;U=U??x("GET","/inputs");try{return(await U).items.find(n=>n.name===e)??null}catch{return U=null,null}}function Ae({name:e,size:n},{suffixes:t,files:a},l){const s=e.toLowerCase();return t.some(u=>s.endsWith(u))?n>l?"The file has "+g(n)+" bytes; up to "+g(l)+" are accepted.":"":e+" cannot be read; accepted are "+a+"."}y("bring-file",e=>{const n=Number(e.dataset.maxBytes),[t,a,l]=[h(""),h(!1),h("")],s=h(null);async function u(c){const r=c.currentTarget,i=r.files?.[0];if(r.value="",!i||!s.value||a.value||(t.value=Ae(i,s.value,n),t.value))return;a.value=!0,t.value="Reading \u2026";const o=new FormData;o.append("file",i,i.name),o.append("inputs",s.value.name),o.append("name",i.name.slice(0,80)),s.value.answers&&l.value&&o.append("answer",l.value);try{const p=await q("/samples/files",o);P(p),l.value="",t.value="Added: "+p.set_title}catch(p){t.value=p instanceof Error?p.message:String(p)}finally{a.value=!1}}const d=[S(e,()=>{if(!s.value)return null;const{suffixes:c,files:r,answers:i}=s.value;return m`
        <div class="text-tools">
          <label class="button" for="bring-file">${"Choose a "+c.join(", ")+" file"}</label>
          <input
            type="file"
            id="bring-file"
            class="hidden-visually"
            accept=${c.join(",")}
            aria-describedby="bring-file-said"
            onChange=${u}
          />
          <span class="hint">${"of up to "+g(n)+" bytes"}</span>
          ${!!i&&m`<label class="hint">
              right answer${" "}
              <select
                id="bring-answer"
                class="small-input"
                value=${l.value}
                onChange=${({currentTarget:o})=>l.value=o.value}
              >
                <option value="">as the file says</option>
                ${Array.from({length:i},(o,p)=>m`<option key=${p} value=${String(p+1)}>${p+1}</option>`)}
              </select>
            </label>`}
        </div>
        <p class="hint">${"Accepted are "+r+"."}</p>
        <p class="hint" id="bring-file-said" role="status" aria-live="polite">${t.value}</p>
      `}),E(async c=>{const r=await G(c?.inputs);c===_()&&(s.value=r?.files&&!r.typed?r:null,e.hidden=!s.value)})];return()=>d.forEach(c=>c())});function _e(e,n){const[t,a]=e.split("?");return t+ie({...Object.fromEntries(new URLSearchParams(a)),...n})}y("sample-link",e=>{const{page:n="",words:t="",more:a="{}"}=e.dataset,l=JSON.parse(a);return S(e,()=>{const s=se().find(d=>d.key===n);if(!s)return null;const u=le(s,s.samples||!Object.keys(l).length?{}:{sample:null});return m`<a id="see-path" class="button" href=${_e(u,l)} onClick=${re}
      >${oe(s.icon)}${t}</a
    >`})});const H="numbers",Ie=.01;function Me(e,n){const t=n.findIndex(l=>!(l.trim()&&Number(l)>=0&&Number(l)<=1));if(t<0)return"";const a=n[t].trim()?"\u201C"+n[t].trim()+"\u201D":"empty";return e[t]+" is "+a+"; a number from 0 to 1 is accepted, such as 0.25."}function Ue(e,n){const t=e.trim().split(/[\s,;]+/);return n>1&&t.length===n?t:null}async function je(e){const[n,t]=await Promise.all([x("GET","/models/"+encodeURIComponent(e)),x("GET","/data?inputs="+H)]),a="number:";return{names:n.tokens.filter(s=>s.startsWith(a)).map(s=>s.slice(a.length)),functions:t.items.filter(({name:s})=>n.domains.includes(s))}}function Be({name:e,at:n,written:t}){const a=c=>t.value=t.value.map((r,i)=>i===n?c:r),l=c=>a(c.currentTarget.value),s=c=>{const r=Ue(c.clipboardData?.getData("text")??"",t.value.length);r&&(c.preventDefault(),t.value=r)},u=t.value[n],d=Number.isFinite(Number(u))?Number(u):0;return m`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${Ie}
      value=${d}
      aria-label=${e+" from 0 to 1"}
      onInput=${l}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-"+e}
      value=${u}
      onInput=${l}
      onPaste=${s}
    />
  </div>`}y("bring-numbers",e=>{const[n,t,a]=[h([]),h(""),h(!1)],l=h(null),s=h("");let u="";async function d(i){if(u!==i){u=i;try{const o=await je(i);if(u!==i)return;l.value=o,n.value.length!==o.names.length&&(n.value=o.names.map(()=>"0.5")),o.functions.some(({name:p})=>p===s.value)||(s.value=o.functions[0]?.name??"")}catch(o){if(u!==i)return;u="",t.value=o instanceof Error?o.message:String(o)}}}async function c(i){if(t.value=Me(i,n.value),!(t.value||a.value)){a.value=!0;try{const o=n.value.map(f=>f.trim()).join(", "),p=await x("POST","/samples/written",{inputs:H,content:o,set:s.value});P(p),t.value="Added: "+p.set_title}catch(o){t.value=o instanceof Error?o.message:String(o)}finally{a.value=!1}}}const r=[S(e,()=>{if(!l.value)return m`<p class="hint" role="status">${t.value}</p>`;const{names:i,functions:o}=l.value;return m`
        <div class="number-rows" role="group" aria-label="Numbers of the point">
          ${i.map((p,f)=>m`<${Be} key=${p} name=${p} at=${f} written=${n} />`)}
        </div>
        <div class="number-tools">
          <label class="control-name" for="number-function">function</label>
          <select
            id="number-function"
            class="small-input"
            value=${s.value}
            onChange=${p=>s.value=p.currentTarget.value}
          >
            ${o.map(({name:p,title:f})=>m`<option value=${p}>${f}</option>`)}
          </select>
          <button
            type="button"
            class="tool tool-text"
            id="number-random"
            onClick=${()=>n.value=i.map(()=>Math.random().toFixed(2))}
          >
            At random
          </button>
          <button type="button" class="button" id="number-send" disabled=${a.value} onClick=${()=>c(i)}>
            Use point
          </button>
        </div>
        <p class="hint" id="number-said" role="status" aria-live="polite">${t.value}</p>
      `}),E(i=>{e.hidden=i?.inputs!==H,i&&!e.hidden&&d(i.id)})];return()=>r.forEach(i=>i())});const Re=80,Q=new Map,We=(e,n)=>e.includes(n)?e.filter(t=>t!==n):[...e,n].slice(-2);function Fe({right:e,chosen:n},t){return[...t===e?["right"]:[],...t===n?["network"]:[]]}function De(e,{chosen:n,probabilities:t}){if(!e)return"";const a=(s,u)=>"answer "+(s+1)+" ("+I(u)+")";if(n===null||!t)return e.swap+" swapped.";const l=a(n,t[n]);return e.swap+" swapped. Before: "+a(e.chosen,e.probability)+"; now: "+l+"."}const Le=e=>(e.replace(/\.(npz|png)$/i,"").replace(/[^\w.-]+/g,"-")||"matrix")+".png";y("panels",e=>{const n=JSON.parse(e.dataset.panels??"null"),{id:t,panels:a,probabilities:l}=n,s=a.names.length,u=s-a.answers,d=h([]),c=h(De(Q.get(t),n)),r=h(!1);async function i(){const[f,v]=d.value;if(r.value||v===void 0)return;r.value=!0,c.value="Answering \u2026";const $=L(a.names[f])+" and "+L(a.names[v]),b=($+" swapped: "+n.name).slice(0,Re);try{const w=await x("POST","/tables/"+encodeURIComponent(t)+"/exchanged",{one:f,other:v,name:b}),{chosen:O}=n;O!==null&&l&&Q.set(w.id,{chosen:O,probability:l[O],swap:$[0].toUpperCase()+$.slice(1)}),P(w)}catch(w){c.value=w instanceof Error?w.message:String(w)}finally{r.value=!1}}function o(f){const v=f-u,$=v>=0?Fe(n,v):[],b=v>=0?l?.[v]:void 0,w=[L(a.names[f]),...$.includes("right")?["right"]:[],...$.includes("network")?["the network's answer"]:[],...b===void 0?[]:[I(b)]].join(", ");return m`
      <button
        key=${f}
        type="button"
        class="matrix-panel"
        data-panel=${f}
        data-marks=${$.join(" ")}
        aria-pressed=${String(d.value.includes(f))}
        aria-label=${w}
        title=${w}
        onClick=${()=>d.value=We(d.value,f)}
      >
        <span class="matrix-picture" style=${Oe(t,f,s)}></span>
        ${v>=0&&m`<span class="matrix-caption">
            <span>${v+1}</span>
            ${b!==void 0&&m`<span class="matrix-share">${I(b)}</span>`}
            ${$.map(O=>m`<span class="matrix-mark" data-mark=${O}>${O}</span>`)}
          </span>`}
      </button>
    `}const p=a.names.map((f,v)=>v);return S(e,()=>m`
      <div class="matrix">
        <div
          class="matrix-grid"
          role="group"
          aria-label="The matrix"
          style=${{gridTemplateColumns:"repeat("+a.columns+", 1fr)"}}
        >
          ${p.slice(0,u).map(o)}
          <span class="matrix-gap" role="img" aria-label="the gap">?</span>
        </div>
        <div class="matrix-answers" role="group" aria-label="Answers for the gap">
          ${p.slice(u).map(o)}
        </div>
      </div>
      <div class="text-tools writes">
        <button
          type="button"
          class="button"
          id="panels-swap"
          disabled=${r.value||d.value.length<2}
          onClick=${i}
        >
          Swap two panels
        </button>
        <span class="hint">Pick two; the swapped matrix becomes a sample of yours.</span>
      </div>
      <div class="text-tools">
        <a class="tool tool-text" id="panels-sheet" href=${Se(t)} download=${Le(n.name)}>PNG sheet</a>
        <span class="hint">All panels as one picture, which can be brought again.</span>
      </div>
      <p class="hint" id="panels-said" role="status" aria-live="polite">${c.value}</p>
    `)});const ze=e=>e.words.replace(/^an? /,"");function Ge(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+g(t)+" bytes; up to "+g(n)+" are accepted.":""}function He(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}y("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,a,l]=[h(""),h(""),h(!1)],s=h(null);async function u(r,i){if(a.value=Ge(r,n),!(a.value||l.value||!s.value)){l.value=!0;try{const o=await x("POST","/samples/written",{inputs:s.value.name,content:r,name:i});P(o),t.value===r&&(t.value=""),a.value="Added: "+o.set_title}catch(o){a.value=o instanceof Error?o.message:String(o)}finally{l.value=!1}}}async function d(r){const i=r.currentTarget,o=i.files?.[0];if(i.value="",!!o){if(o.size>n){a.value="The file has "+g(o.size)+" bytes; up to "+g(n)+" are accepted.";return}try{await u(He(await o.arrayBuffer()),o.name.slice(0,80))}catch(p){a.value=p instanceof Error?p.message:String(p)}}}const c=[S(e,()=>{if(!s.value)return null;const r=new TextEncoder().encode(t.value).length,{words:i,written:o,example:p}=s.value;return m`
        <label class="control-name" for="text-typed">${"Type or paste "+i}</label>
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
            disabled=${l.value||!t.value.trim()}
            onClick=${()=>u(t.value,null)}
          >
            ${"Use "+ze(s.value)}
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${d} />
          <span class="hint">${g(r)+" of up to "+g(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${a.value}</p>
      `}),E(async r=>{const i=await G(r?.inputs);r===_()&&(s.value=i?.written&&!i.of_set&&!i.files?i:null,e.hidden=!s.value)})];return()=>c.forEach(r=>r())});const ee={"":"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",matrices:"find: small 12",listops:"find: short 12",bytes:"find: reviews positive"};y("of-labels",e=>E(n=>{e.hidden=n?.labels?.length===0,M("gallery-find",{placeholder:ee[n?.inputs??""]??ee[""]})})),y("bring-pictures",e=>E(async n=>{const t=await G(n?.inputs);n===_()&&(e.hidden=!!t?.written)}));const Je=6;function qe(e,n,t,a){const l=e.length/n;let s={unit:-1,share:0};for(let u=0;u<n;u+=1){let d=0;for(let c=t;c<Math.min(a,l);c+=1){const r=e[u*l+c];Number.isFinite(r)&&(d+=r)}d>s.share&&(s={unit:u,share:d})}return s}function Xe(e,n,t){const a=[...e].map(({dataset:d})=>qe(n,t.length,Number(d.from),Number(d.to))),l=Math.max(...a.map(({share:d})=>d),1e-9),s=new Map;return e.forEach((d,c)=>{const{unit:r,share:i}=a[c];r<0||(d.style.setProperty("--reader",ce(r)),d.style.setProperty("--share",String(Math.round(100*i/l))+"%"),d.title=t[r]+" reads it most, with "+I(i)+" of its attention",d.dataset.reader=t[r],s.set(r,(s.get(r)??0)+1))}),[...s].sort((d,c)=>c[1]-d[1]).slice(0,Je).map(([d,c])=>t[d]+" ("+c+")").join(", ")}y("readers",e=>{const{sample:n,model:t}=e.dataset;let a=!1;return(async()=>{try{const l=await x("POST","/traces",{model:t,sample:n,fields:["read_in"]}),{data:s}=await ue(l.id,"read_in");if(a)return;const u=document.querySelectorAll("#sample-facts .written .piece");e.textContent="Shaded by the unit that reads each piece most, stronger with its share. Most pieces: "+Xe(u,s,l.units)+"."}catch(l){a||(e.textContent=l instanceof Error?l.message:String(l))}})(),()=>{a=!0}});const J="behaviour",te={mute:[],drop:[],edges:null,iterations:null},{state:T,update:j}=de({filters:null,model:null});let B="",R=()=>{};function A(e){T.filters&&M("gallery-filters",{data:{...T.filters,...e,page:1}})}function Ke({set:e,samples:n,order:t,to:a,mute:l,drop:s,edges:u,iterations:d},c){const r={mute:D(c.units,l),drop:D(c.units,s),iterations:d,keep_edges:u};return{model:c.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?a:null,intervention:r}}function Ve({order:e,to:n,edges:t,iterations:a},l){return e==="rerouted"&&!l.length&&t===null&&a===null?{title:"Nothing reroutes them yet",detail:ge({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const N=e=>M("gallery-found",{data:e});function C(){R(),R=()=>{},B="",pe(J)}function Ye(e,n){const t=Ke(e,n),a=JSON.stringify(t);if(a===B)return;R();const{job:l}=ye(J);B=a;const s={asked:e,model:n.id};function u(c){const r=c?.message||c?.detail||"",i=[403,404,422].includes(c?.status??0),o=i?"There is no such order here":"Their order was not found";N({...s,title:c?.status===403&&c.title||o,detail:r}),i&&setTimeout(()=>a===B&&C())}const{stop:d}=$e(J,"/behaviours",t,{done:c=>N({...s,id:c}),cancelled:()=>N({...s,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:u,goesOn:()=>N(s)});R=d,we(l)}function Ze(e,n){const t=s=>s.filter(u=>!Y(u)),a=[...t(e.mute),...t(e.drop)];if(!ve(n.units,a).length)return!0;for(const s of["mute","drop"])be(s,n,t(e[s]));const l=s=>[...D(n.units,t(s)),...s.filter(Y)];return A({mute:l(e.mute),drop:l(e.drop)}),!1}async function Qe(e,n){const t={order:"given",...te,...e};j({filters:t}),M("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),T.model?.id!==n&&j({model:null});const a=[...t.mute,...t.drop];if(!n||t.order==="given"&&!a.length)return C(),k();try{const l=T.model??await x("GET","/models/"+encodeURIComponent(n));if(T.filters!==t)return k();j({model:l});const s=await he(n);if(T.filters!==t||!Ze(t,l))return k();if(t.order==="given"||t.source==="own")C();else{const u=s||Ve(t,a);u?(C(),N({asked:t,model:n,title:u.title,detail:u.detail})):Ye(t,l)}}catch(l){if(T.filters!==t)return k();const{title:s,message:u}=l;C(),N({asked:t,model:n,title:s,detail:u})}return k()}const ne=({words:e,remove:n})=>m`<span class="chip search-part"
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
  >`;function et({mute:e,drop:n,edges:t,iterations:a}){const l=[];if(e.length&&l.push(["muted: "+V(e),{mute:[]}]),n.length&&l.push(["dropped: "+V(n),{drop:[]}]),t!==null&&l.push([fe(t)+" % of the links",{edges:null}]),a!==null){const{pass:s,passes:u}=me(_());l.push([a+" "+(a===1?s:u),{iterations:null}])}return l}function tt(){const{filters:e}=T;if(!e)return null;const n=et(e),{order:t,to:a}=e,{sample:l}=X(),s=t==="nearest";return!n.length&&!s?null:m`
    ${s&&a?m`<span class="control-name">near to</span><${ne} words=${a} remove=${()=>A({to:null})} />`:null}
    ${s&&l&&l!==a?m`<${K} id="gallery-near" act=${()=>A({to:l})}>Near to the chosen sample<//>`:null}
    ${n.length?m`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([u,d])=>m`<${ne} key=${u} words=${u} remove=${()=>A(d)} />`)}
    ${n.length>1?m`<${K} act=${()=>A(te)}>Nothing<//>`:null}
  `}y("gallery-search",e=>{const n=[S(e,()=>m`<${tt} />`),C,()=>j({filters:null,model:null})];return()=>n.forEach(t=>t())});const nt=["source","set","label","wrong","order","samples","find"],at={putInOrder:Qe,writeAddress(e,n){const{model:t,sample:a}=e||{};return(a!==W.sample||t!==W.model)&&ae(!!a),Object.assign(W,{model:t,sample:a}),Te("samples",{...n,model:t,sample:a}),k()},markChosen(e,n){return ke(n),F("gallery",!1),k()},tellTabs(e){return Ne(e),k()},showPrediction(e){return Z("sample",e),ae(!1),F("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,a,l,s,u,d,c,r,i){const o={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(o)return{...r,page:Math.max(1,Math.min(i||1,(r.page||1)+o))};const p=b=>b&&b!=="any"?b:null,f=l==="nearest"&&r.order!==l?X().sample:null,v={...r,source:e,set:p(n),label:p(t)===null?null:Number(t),wrong:!!a,order:l,to:r.to??f,samples:Number(s),find:u??"",page:1};return nt.every(b=>v[b]===r[b])?k():v}},W={model:null,sample:null},ae=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),F=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);y("samples-heard",()=>{Ee();const e=xe(()=>{Z("sample",null),F("gallery",!0),F("sample-facts",!0)});return()=>{e(),Object.assign(W,{model:null,sample:null})}});export{at as callbacks};
