/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{G as b,L as h,k as T,z as v,s as f,aT as E,K as X,A as g,aW as Z,aX as Y,a8 as Q,i as ee,N as te,I as S,aK as ne,aa as ae,v as se,ak as le,ad as j,a as z,D as G,p as re,o as oe,c as ie,J as y,x as ue,aY as ce,S as de,aD as pe,ar as fe,al as me,aP as he,R as W,V as A,aS as ve,aZ as be,a2 as ge}from"../../boot.js";import{bZ as U,b_ as ye,bC as L,b$ as $e}from"../../shared.js";const B="points",we=`0.1 0.9 0.5
0.2 0.8 0.4
\u2026`;function xe({name:e,size:n},t){return/\.(npy|xyz|ply)$/i.test(e)?n>t?"The file has "+v(n)+" bytes; up to "+v(t)+" are accepted.":"":e+" is no .npy, .xyz or .ply file; these are accepted."}b("bring-cloud",e=>{const n=Number(e.dataset.maxBytes),[t,a,l]=[h(""),h(""),h(!1)];async function s(o){if(!l.value){l.value=!0,a.value="Reading \u2026";try{const r=await o();U(r),t.value="",a.value="Added: "+r.set_title+", "+v(r.total_rows)+" points"}catch(r){a.value=r instanceof Error?r.message:String(r)}finally{l.value=!1}}}async function i(o){const r=o.currentTarget,u=r.files?.[0];if(r.value="",!u)return;const p=xe(u,n);if(p){a.value=p;return}const m=new FormData;m.append("file",u,u.name),m.append("inputs",B),m.append("name",u.name.slice(0,80)),await s(()=>X("/samples/files",m))}const c=()=>s(()=>g("POST","/samples/written",{inputs:B,content:t.value,name:null})),d=[T(e,()=>f`
        <div class="text-tools">
          <label class="button" for="cloud-file">Choose a .npy, .xyz or .ply file</label>
          <input type="file" id="cloud-file" class="hidden-visually" accept=".npy,.xyz,.ply" onChange=${i} />
          <span class="hint">${"of up to "+v(n)+" bytes"}</span>
        </div>
        <label class="control-name" for="cloud-typed">Or paste points, a line with x y z each</label>
        <textarea
          id="cloud-typed"
          class="text-typed"
          rows="5"
          spellcheck=${!1}
          placeholder=${we}
          value=${t.value}
          onInput=${o=>t.value=o.currentTarget.value}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="cloud-send"
            disabled=${l.value||!t.value.trim()}
            onClick=${c}
          >
            Use points
          </button>
        </div>
        <p class="hint" id="cloud-said" role="status" aria-live="polite">${a.value}</p>
      `),E(o=>e.hidden=o?.inputs!==B)];return()=>d.forEach(o=>o())});function ke(e,n){const[t,a]=e.split("?");return t+te({...Object.fromEntries(new URLSearchParams(a)),...n})}b("sample-link",e=>{const{page:n="",words:t="",more:a="{}"}=e.dataset,l=JSON.parse(a);return T(e,()=>{const s=Z().find(c=>c.key===n);if(!s)return null;const i=Y(s,s.samples||!Object.keys(l).length?{}:{sample:null});return f`<a id="see-path" class="button" href=${ke(i,l)} onClick=${Q}
      >${ee(s.icon)}${t}</a
    >`})});const D="numbers",Te=.01;function Ee(e,n){const t=n.findIndex(l=>!(l.trim()&&Number(l)>=0&&Number(l)<=1));if(t<0)return"";const a=n[t].trim()?"\u201C"+n[t].trim()+"\u201D":"empty";return e[t]+" is "+a+"; a number from 0 to 1 is accepted, such as 0.25."}function Oe(e,n){const t=e.trim().split(/[\s,;]+/);return n>1&&t.length===n?t:null}async function Se(e){const[n,t]=await Promise.all([g("GET","/models/"+encodeURIComponent(e)),g("GET","/data?inputs="+D)]),a="number:";return{names:n.tokens.filter(s=>s.startsWith(a)).map(s=>s.slice(a.length)),functions:t.items.filter(({name:s})=>n.domains.includes(s))}}function Ne({name:e,at:n,written:t}){const a=d=>t.value=t.value.map((o,r)=>r===n?d:o),l=d=>a(d.currentTarget.value),s=d=>{const o=Oe(d.clipboardData?.getData("text")??"",t.value.length);o&&(d.preventDefault(),t.value=o)},i=t.value[n],c=Number.isFinite(Number(i))?Number(i):0;return f`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${Te}
      value=${c}
      aria-label=${e+" from 0 to 1"}
      onInput=${l}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-"+e}
      value=${i}
      onInput=${l}
      onPaste=${s}
    />
  </div>`}b("bring-numbers",e=>{const[n,t,a]=[h([]),h(""),h(!1)],l=h(null),s=h("");let i="";async function c(r){if(i!==r){i=r;try{const u=await Se(r);if(i!==r)return;l.value=u,n.value.length!==u.names.length&&(n.value=u.names.map(()=>"0.5")),u.functions.some(({name:p})=>p===s.value)||(s.value=u.functions[0]?.name??"")}catch(u){i="",t.value=u instanceof Error?u.message:String(u)}}}async function d(r){if(t.value=Ee(r,n.value),!(t.value||a.value)){a.value=!0;try{const u=n.value.map(m=>m.trim()).join(", "),p=await g("POST","/samples/written",{inputs:D,content:u,set:s.value});U(p),t.value="Added: "+p.set_title}catch(u){t.value=u instanceof Error?u.message:String(u)}finally{a.value=!1}}}const o=[T(e,()=>{if(!l.value)return f`<p class="hint" role="status">${t.value}</p>`;const{names:r,functions:u}=l.value;return f`
        <div class="number-rows" role="group" aria-label="Numbers of the point">
          ${r.map((p,m)=>f`<${Ne} key=${p} name=${p} at=${m} written=${n} />`)}
        </div>
        <div class="number-tools">
          <label class="control-name" for="number-function">function</label>
          <select
            id="number-function"
            class="small-input"
            value=${s.value}
            onChange=${p=>s.value=p.currentTarget.value}
          >
            ${u.map(({name:p,title:m})=>f`<option value=${p}>${m}</option>`)}
          </select>
          <button
            type="button"
            class="tool tool-text"
            id="number-random"
            onClick=${()=>n.value=r.map(()=>Math.random().toFixed(2))}
          >
            At random
          </button>
          <button type="button" class="button" id="number-send" disabled=${a.value} onClick=${()=>d(r)}>
            Use point
          </button>
        </div>
        <p class="hint" id="number-said" role="status" aria-live="polite">${t.value}</p>
      `}),E(r=>{e.hidden=r?.inputs!==D,r&&!e.hidden&&c(r.id)})];return()=>o.forEach(r=>r())});let N=null;async function J(e){if(!e)return null;N=N??g("GET","/inputs");try{return(await N).items.find(n=>n.name===e)??null}catch{return N=null,null}}const Ce=e=>e.words.replace(/^an? /,"");function Pe(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+v(t)+" bytes; up to "+v(n)+" are accepted.":""}function Ie(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}b("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,a,l]=[h(""),h(""),h(!1)],s=h(null);async function i(o,r){if(a.value=Pe(o,n),!(a.value||l.value||!s.value)){l.value=!0;try{const u=await g("POST","/samples/written",{inputs:s.value.name,content:o,name:r});U(u),t.value="",a.value="Added: "+u.set_title}catch(u){a.value=u instanceof Error?u.message:String(u)}finally{l.value=!1}}}async function c(o){const r=o.currentTarget,u=r.files?.[0];if(r.value="",!!u){if(u.size>n){a.value="The file has "+v(u.size)+" bytes; up to "+v(n)+" are accepted.";return}try{await i(Ie(await u.arrayBuffer()),u.name.slice(0,80))}catch(p){a.value=p instanceof Error?p.message:String(p)}}}const d=[T(e,()=>{if(!s.value)return null;const o=new TextEncoder().encode(t.value).length,{words:r,written:u,example:p}=s.value;return f`
        <label class="control-name" for="text-typed">${"Type or paste "+r}</label>
        <textarea
          id="text-typed"
          class="text-typed"
          rows="6"
          spellcheck=${!1}
          placeholder=${p}
          title=${u}
          value=${t.value}
          onInput=${m=>t.value=m.currentTarget.value}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="text-send"
            disabled=${l.value||!t.value.trim()}
            onClick=${()=>i(t.value,null)}
          >
            ${"Use "+Ce(s.value)}
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${c} />
          <span class="hint">${v(o)+" of up to "+v(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${a.value}</p>
      `}),E(async o=>{const r=await J(o?.inputs);s.value=r?.written&&!r.of_set&&!r.files?r:null,e.hidden=!s.value})];return()=>d.forEach(o=>o())});const q={"":"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",listops:"find: short 12",bytes:"find: reviews positive"};b("of-labels",e=>E(n=>{e.hidden=n?.labels?.length===0,S("gallery-find",{placeholder:q[n?.inputs??""]??q[""]})})),b("bring-pictures",e=>E(async n=>{e.hidden=!!(await J(n?.inputs))?.written}));const Me=6;function _e(e,n,t,a){const l=e.length/n;let s={unit:-1,share:0};for(let i=0;i<n;i+=1){let c=0;for(let d=t;d<Math.min(a,l);d+=1){const o=e[i*l+d];Number.isFinite(o)&&(c+=o)}c>s.share&&(s={unit:i,share:c})}return s}const Ae=e=>(100*e).toFixed(e<.1?1:0)+" %";function Ue(e,n,t){const a=[...e].map(({dataset:c})=>_e(n,t.length,Number(c.from),Number(c.to))),l=Math.max(...a.map(({share:c})=>c),1e-9),s=new Map;return e.forEach((c,d)=>{const{unit:o,share:r}=a[d];o<0||(c.style.setProperty("--reader",ae(o)),c.style.setProperty("--share",String(Math.round(100*r/l))+"%"),c.title=t[o]+" reads it most, with "+Ae(r)+" of its attention",c.dataset.reader=t[o],s.set(o,(s.get(o)??0)+1))}),[...s].sort((c,d)=>d[1]-c[1]).slice(0,Me).map(([c,d])=>t[c]+" ("+d+")").join(", ")}b("readers",e=>{const{sample:n,model:t}=e.dataset;let a=!1;return(async()=>{try{const l=await g("POST","/traces",{model:t,sample:n,fields:["read_in"]}),{data:s}=await ne(l.id,"read_in");if(a)return;const i=document.querySelectorAll("#sample-facts .written .piece");e.textContent="Shaded by the unit that reads each piece most, stronger with its share. Most pieces: "+Ue(i,s,l.units)+"."}catch(l){a||(e.textContent=l instanceof Error?l.message:String(l))}})(),()=>{a=!0}});const R="behaviour",H={mute:[],drop:[],edges:null,iterations:null},{state:$,update:C}=se({filters:null,model:null});let P="",I=()=>{};function O(e){$.filters&&S("gallery-filters",{data:{...$.filters,...e,page:1}})}function Be({set:e,samples:n,order:t,to:a,mute:l,drop:s,edges:i,iterations:c},d){const o={mute:A(d.units,l),drop:A(d.units,s),iterations:c,keep_edges:i};return{model:d.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?a:null,intervention:o}}function De({order:e,to:n,edges:t,iterations:a},l){return e==="rerouted"&&!l.length&&t===null&&a===null?{title:"Nothing reroutes them yet",detail:pe({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const x=e=>S("gallery-found",{data:e});function k(){I(),I=()=>{},P="",le(R)}function Re(e,n){const t=Be(e,n),a=JSON.stringify(t);if(a===P)return;I();const{job:l}=fe(R);P=a;const s={asked:e,model:n.id};function i(d){const o=d?.message||d?.detail||"",r=[404,422].includes(d?.status??0);x({...s,title:r?"There is no such order here":"Their order was not found",detail:o}),r&&setTimeout(()=>a===P&&k())}const{stop:c}=me(R,"/behaviours",t,{done:d=>x({...s,id:d}),cancelled:()=>x({...s,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:i,goesOn:()=>x(s)});I=c,he(l)}function Fe(e,n){const t=s=>s.filter(i=>!W(i)),a=[...t(e.mute),...t(e.drop)];if(!ce(n.units,a).length)return!0;for(const s of["mute","drop"])de(s,n,t(e[s]));const l=s=>[...A(n.units,t(s)),...s.filter(W)];return O({mute:l(e.mute),drop:l(e.drop)}),!1}async function je(e,n){const t={order:"given",...H,...e};C({filters:t}),S("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),$.model?.id!==n&&C({model:null});const a=[...t.mute,...t.drop];if(!n||t.order==="given"&&!a.length)return k(),y();try{const l=$.model??await g("GET","/models/"+encodeURIComponent(n));if($.filters!==t)return y();C({model:l});const s=await ue(n);if($.filters!==t||!Fe(t,l))return y();if(t.order==="given"||t.source==="own"||s)k();else{const i=De(t,a);i?(k(),x({asked:t,model:n,...i})):Re(t,l)}}catch(l){const{title:s,message:i}=l;k(),x({asked:t,model:n,title:s,detail:i})}return y()}const K=({words:e,remove:n})=>f`<span class="chip search-part"
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
  >`;function ze({mute:e,drop:n,edges:t,iterations:a}){const l=[];if(e.length&&l.push(["muted: "+G(e),{mute:[]}]),n.length&&l.push(["dropped: "+G(n),{drop:[]}]),t!==null&&l.push([re(t)+" % of the links",{edges:null}]),a!==null){const{pass:s,passes:i}=oe(ie());l.push([a+" "+(a===1?s:i),{iterations:null}])}return l}function Ge(){const{filters:e}=$;if(!e)return null;const n=ze(e),{order:t,to:a}=e,{sample:l}=j(),s=t==="nearest";return!n.length&&!s?null:f`
    ${s&&a?f`<span class="control-name">near to</span><${K} words=${a} remove=${()=>O({to:null})} />`:null}
    ${s&&l&&l!==a?f`<${z} id="gallery-near" act=${()=>O({to:l})}>Near to the chosen sample<//>`:null}
    ${n.length?f`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([i,c])=>f`<${K} key=${i} words=${i} remove=${()=>O(c)} />`)}
    ${n.length>1?f`<${z} act=${()=>O(H)}>Nothing<//>`:null}
  `}b("gallery-search",e=>{const n=[T(e,()=>f`<${Ge} />`),k,()=>C({filters:null,model:null})];return()=>n.forEach(t=>t())});const We=["source","set","label","wrong","order","samples","find"],Le={putInOrder:je,writeAddress(e,n){const{model:t,sample:a}=e||{};return(a!==M.sample||t!==M.model)&&V(!!a),Object.assign(M,{model:t,sample:a}),ge("samples",{...n,model:t,sample:a}),y()},markChosen(e,n){return be(n),_("gallery",!1),y()},tellTabs(e){return $e(e),y()},showPrediction(e){return L("sample",e),V(!1),_("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,a,l,s,i,c,d,o,r){const u={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(u)return{...o,page:Math.max(1,Math.min(r||1,(o.page||1)+u))};const p=w=>w&&w!=="any"?w:null,m=l==="nearest"&&o.order!==l?j().sample:null,F={...o,source:e,set:p(n),label:p(t)===null?null:Number(t),wrong:!!a,order:l,to:o.to??m,samples:Number(s),find:i??"",page:1};return We.every(w=>F[w]===o[w])?y():F}},M={model:null,sample:null},V=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),_=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);b("samples-heard",()=>{ye();const e=ve(()=>{L("sample",null),_("gallery",!0),_("sample-facts",!0)});return()=>{e(),Object.assign(M,{model:null,sample:null})}});export{Le as callbacks};
