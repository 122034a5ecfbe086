/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{A as g,f as E,aR as L,aS as W,a3 as H,i as K,s as d,I as X,G as S,w as y,aO as C,u as _,D as $,k as Z,af as Q,a8 as j,a as A,x as R,p as V,o as Y,c as ee,E as p,q as te,aT as ne,M as se,ay as ae,am as re,ag as le,aK as oe,L as q,O as U,aN as ie,aU as ue,Z as ce}from"../../boot.js";import{bS as de,bT as pe,bz as z,bU as fe}from"../../shared.js";function me(e,n){const[t,s]=e.split("?");return t+X({...Object.fromEntries(new URLSearchParams(s)),...n})}g("sample-link",e=>{const{page:n="",words:t="",more:s="{}"}=e.dataset,a=JSON.parse(s);return E(e,()=>{const r=L().find(c=>c.key===n);if(!r)return null;const l=W(r,r.samples||!Object.keys(a).length?{}:{sample:null});return d`<a id="see-path" class="button" href=${me(l,a)} onClick=${H}
      >${K(r.icon)}${t}</a
    >`})});const B="text";function he(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+y(t)+" bytes; up to "+y(n)+" are accepted.":""}function ge(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}g("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,s,a]=[S(""),S(""),S(!1)];async function r(o,i){if(s.value=he(o,n),!(s.value||a.value)){a.value=!0;try{const u=await _("POST","/samples/texts",{text:o,name:i});de(u),t.value="",s.value="Added: "+u.set_title}catch(u){s.value=u instanceof Error?u.message:String(u)}finally{a.value=!1}}}async function l(o){const i=o.currentTarget,u=i.files?.[0];if(i.value="",!!u){if(u.size>n){s.value="The file has "+y(u.size)+" bytes; up to "+y(n)+" are accepted.";return}try{await r(ge(await u.arrayBuffer()),u.name.slice(0,80))}catch(m){s.value=m instanceof Error?m.message:String(m)}}}const c=[E(e,()=>{const o=new TextEncoder().encode(t.value).length;return d`
        <label class="control-name" for="text-typed">Type or paste a text</label>
        <textarea
          id="text-typed"
          class="text-typed"
          rows="6"
          spellcheck=${!1}
          value=${t.value}
          onInput=${i=>t.value=i.currentTarget.value}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="text-send"
            disabled=${a.value||!t.value.trim()}
            onClick=${()=>r(t.value,null)}
          >
            Use text
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${l} />
          <span class="hint">${y(o)+" of up to "+y(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${s.value}</p>
      `}),C(o=>e.hidden=o?.inputs!==B)];return()=>c.forEach(o=>o())}),g("of-labels",e=>C(n=>{e.hidden=n?.inputs===B,$("gallery-find",{placeholder:e.hidden?"find: sums 12":"find: mnist seven"})})),g("bring-pictures",e=>C(n=>e.hidden=n?.inputs===B));const I="behaviour",D={mute:[],drop:[],edges:null,iterations:null},{state:f,update:k}=Z({filters:null,model:null});let x="",T=()=>{};function w(e){f.filters&&$("gallery-filters",{data:{...f.filters,...e,page:1}})}function ye({set:e,samples:n,order:t,to:s,mute:a,drop:r,edges:l,iterations:c},o){const i={mute:U(o.units,a),drop:U(o.units,r),iterations:c,keep_edges:l};return{model:o.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?s:null,intervention:i}}function be({order:e,to:n,edges:t,iterations:s},a){return e==="rerouted"&&!a.length&&t===null&&s===null?{title:"Nothing reroutes them yet",detail:ae({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const b=e=>$("gallery-found",{data:e});function v(){T(),T=()=>{},x="",Q(I)}function ve(e,n){const t=ye(e,n),s=JSON.stringify(t);if(s===x)return;T();const{job:a}=re(I);x=s;const r={asked:e,model:n.id};function l(o){const i=o?.message||o?.detail||"",u=[404,422].includes(o?.status??0);b({...r,title:u?"There is no such order here":"Their order was not found",detail:i}),u&&setTimeout(()=>s===x&&v())}const{stop:c}=le(I,"/behaviours",t,{done:o=>b({...r,id:o}),cancelled:()=>b({...r,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:l,goesOn:()=>b(r)});T=c,oe(a)}function we(e,n){const t=r=>r.filter(l=>!q(l)),s=[...t(e.mute),...t(e.drop)];if(!ne(n.units,s).length)return!0;for(const r of["mute","drop"])se(r,n,t(e[r]));const a=r=>[...U(n.units,t(r)),...r.filter(q)];return w({mute:a(e.mute),drop:a(e.drop)}),!1}async function $e(e,n){const t={order:"given",...D,...e};k({filters:t}),$("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),f.model?.id!==n&&k({model:null});const s=[...t.mute,...t.drop];if(!n||t.order==="given"&&!s.length)return v(),p();try{const a=f.model??await _("GET","/models/"+encodeURIComponent(n));if(f.filters!==t)return p();k({model:a});const r=await te(n);if(f.filters!==t||!we(t,a))return p();if(t.order==="given"||t.source==="own"||r)v();else{const l=be(t,s);l?(v(),b({asked:t,model:n,...l})):ve(t,a)}}catch(a){const{title:r,message:l}=a;v(),b({asked:t,model:n,title:r,detail:l})}return p()}const F=({words:e,remove:n})=>d`<span class="chip search-part"
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
  >`;function ke({mute:e,drop:n,edges:t,iterations:s}){const a=[];if(e.length&&a.push(["muted: "+R(e),{mute:[]}]),n.length&&a.push(["dropped: "+R(n),{drop:[]}]),t!==null&&a.push([V(t)+" % of the links",{edges:null}]),s!==null){const{pass:r,passes:l}=Y(ee());a.push([s+" "+(s===1?r:l),{iterations:null}])}return a}function xe(){const{filters:e}=f;if(!e)return null;const n=ke(e),{order:t,to:s}=e,{sample:a}=j(),r=t==="nearest";return!n.length&&!r?null:d`
    ${r&&s?d`<span class="control-name">near to</span><${F} words=${s} remove=${()=>w({to:null})} />`:null}
    ${r&&a&&a!==s?d`<${A} id="gallery-near" act=${()=>w({to:a})}>Near to the chosen sample<//>`:null}
    ${n.length?d`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([l,c])=>d`<${F} key=${l} words=${l} remove=${()=>w(c)} />`)}
    ${n.length>1?d`<${A} act=${()=>w(D)}>Nothing<//>`:null}
  `}g("gallery-search",e=>{const n=[E(e,()=>d`<${xe} />`),v,()=>k({filters:null,model:null})];return()=>n.forEach(t=>t())});const Te=["source","set","label","wrong","order","samples","find"],Oe={putInOrder:$e,writeAddress(e,n){const{model:t,sample:s}=e||{};return(s!==O.sample||t!==O.model)&&G(!!s),Object.assign(O,{model:t,sample:s}),ce("samples",{...n,model:t,sample:s}),p()},markChosen(e,n){return ue(n),N("gallery",!1),p()},tellTabs(e){return fe(e),p()},showPrediction(e){return z("sample",e),G(!1),N("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,s,a,r,l,c,o,i,u){const m={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(m)return{...i,page:Math.max(1,Math.min(u||1,(i.page||1)+m))};const M=h=>h&&h!=="any"?h:null,J=a==="nearest"&&i.order!==a?j().sample:null,P={...i,source:e,set:M(n),label:M(t)===null?null:Number(t),wrong:!!s,order:a,to:i.to??J,samples:Number(r),find:l??"",page:1};return Te.every(h=>P[h]===i[h])?p():P}},O={model:null,sample:null},G=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),N=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);g("samples-heard",()=>{pe();const e=ie(()=>{z("sample",null),N("gallery",!0),N("sample-facts",!0)});return()=>{e(),Object.assign(O,{model:null,sample:null})}});export{Oe as callbacks};
