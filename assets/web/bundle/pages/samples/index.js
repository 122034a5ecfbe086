/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{G as g,k as E,aW as L,aX as q,a8 as V,i as X,s as d,N as H,L as S,z as y,aT as C,A as j,I as $,v as Y,ak as Z,ad as A,a as M,D as R,p as K,o as Q,c as ee,J as p,x as te,aY as ne,S as ae,aD as se,ar as re,al as le,aP as oe,R as D,V as B,aS as ie,aZ as ue,a2 as ce}from"../../boot.js";import{bU as de,bV as pe,bB as J,bW as fe}from"../../shared.js";function me(e,n){const[t,a]=e.split("?");return t+H({...Object.fromEntries(new URLSearchParams(a)),...n})}g("sample-link",e=>{const{page:n="",words:t="",more:a="{}"}=e.dataset,s=JSON.parse(a);return E(e,()=>{const r=L().find(c=>c.key===n);if(!r)return null;const l=q(r,r.samples||!Object.keys(s).length?{}:{sample:null});return d`<a id="see-path" class="button" href=${me(l,s)} onClick=${V}
      >${X(r.icon)}${t}</a
    >`})});const U="text";function he(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+y(t)+" bytes; up to "+y(n)+" are accepted.":""}function ge(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}g("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,a,s]=[S(""),S(""),S(!1)];async function r(o,i){if(a.value=he(o,n),!(a.value||s.value)){s.value=!0;try{const u=await j("POST","/samples/texts",{text:o,name:i});de(u),t.value="",a.value="Added: "+u.set_title}catch(u){a.value=u instanceof Error?u.message:String(u)}finally{s.value=!1}}}async function l(o){const i=o.currentTarget,u=i.files?.[0];if(i.value="",!!u){if(u.size>n){a.value="The file has "+y(u.size)+" bytes; up to "+y(n)+" are accepted.";return}try{await r(ge(await u.arrayBuffer()),u.name.slice(0,80))}catch(m){a.value=m instanceof Error?m.message:String(m)}}}const c=[E(e,()=>{const o=new TextEncoder().encode(t.value).length;return d`
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
            disabled=${s.value||!t.value.trim()}
            onClick=${()=>r(t.value,null)}
          >
            Use text
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${l} />
          <span class="hint">${y(o)+" of up to "+y(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${a.value}</p>
      `}),C(o=>e.hidden=o?.inputs!==U)];return()=>c.forEach(o=>o())}),g("of-labels",e=>C(n=>{e.hidden=n?.inputs===U,$("gallery-find",{placeholder:e.hidden?"find: sums 12":"find: mnist seven"})})),g("bring-pictures",e=>C(n=>e.hidden=n?.inputs===U));const I="behaviour",W={mute:[],drop:[],edges:null,iterations:null},{state:f,update:k}=Y({filters:null,model:null});let x="",T=()=>{};function w(e){f.filters&&$("gallery-filters",{data:{...f.filters,...e,page:1}})}function ye({set:e,samples:n,order:t,to:a,mute:s,drop:r,edges:l,iterations:c},o){const i={mute:B(o.units,s),drop:B(o.units,r),iterations:c,keep_edges:l};return{model:o.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?a:null,intervention:i}}function be({order:e,to:n,edges:t,iterations:a},s){return e==="rerouted"&&!s.length&&t===null&&a===null?{title:"Nothing reroutes them yet",detail:se({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const b=e=>$("gallery-found",{data:e});function v(){T(),T=()=>{},x="",Z(I)}function ve(e,n){const t=ye(e,n),a=JSON.stringify(t);if(a===x)return;T();const{job:s}=re(I);x=a;const r={asked:e,model:n.id};function l(o){const i=o?.message||o?.detail||"",u=[404,422].includes(o?.status??0);b({...r,title:u?"There is no such order here":"Their order was not found",detail:i}),u&&setTimeout(()=>a===x&&v())}const{stop:c}=le(I,"/behaviours",t,{done:o=>b({...r,id:o}),cancelled:()=>b({...r,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:l,goesOn:()=>b(r)});T=c,oe(s)}function we(e,n){const t=r=>r.filter(l=>!D(l)),a=[...t(e.mute),...t(e.drop)];if(!ne(n.units,a).length)return!0;for(const r of["mute","drop"])ae(r,n,t(e[r]));const s=r=>[...B(n.units,t(r)),...r.filter(D)];return w({mute:s(e.mute),drop:s(e.drop)}),!1}async function $e(e,n){const t={order:"given",...W,...e};k({filters:t}),$("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),f.model?.id!==n&&k({model:null});const a=[...t.mute,...t.drop];if(!n||t.order==="given"&&!a.length)return v(),p();try{const s=f.model??await j("GET","/models/"+encodeURIComponent(n));if(f.filters!==t)return p();k({model:s});const r=await te(n);if(f.filters!==t||!we(t,s))return p();if(t.order==="given"||t.source==="own"||r)v();else{const l=be(t,a);l?(v(),b({asked:t,model:n,...l})):ve(t,s)}}catch(s){const{title:r,message:l}=s;v(),b({asked:t,model:n,title:r,detail:l})}return p()}const z=({words:e,remove:n})=>d`<span class="chip search-part"
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
  >`;function ke({mute:e,drop:n,edges:t,iterations:a}){const s=[];if(e.length&&s.push(["muted: "+R(e),{mute:[]}]),n.length&&s.push(["dropped: "+R(n),{drop:[]}]),t!==null&&s.push([K(t)+" % of the links",{edges:null}]),a!==null){const{pass:r,passes:l}=Q(ee());s.push([a+" "+(a===1?r:l),{iterations:null}])}return s}function xe(){const{filters:e}=f;if(!e)return null;const n=ke(e),{order:t,to:a}=e,{sample:s}=A(),r=t==="nearest";return!n.length&&!r?null:d`
    ${r&&a?d`<span class="control-name">near to</span><${z} words=${a} remove=${()=>w({to:null})} />`:null}
    ${r&&s&&s!==a?d`<${M} id="gallery-near" act=${()=>w({to:s})}>Near to the chosen sample<//>`:null}
    ${n.length?d`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([l,c])=>d`<${z} key=${l} words=${l} remove=${()=>w(c)} />`)}
    ${n.length>1?d`<${M} act=${()=>w(W)}>Nothing<//>`:null}
  `}g("gallery-search",e=>{const n=[E(e,()=>d`<${xe} />`),v,()=>k({filters:null,model:null})];return()=>n.forEach(t=>t())});const Te=["source","set","label","wrong","order","samples","find"],Oe={putInOrder:$e,writeAddress(e,n){const{model:t,sample:a}=e||{};return(a!==O.sample||t!==O.model)&&F(!!a),Object.assign(O,{model:t,sample:a}),ce("samples",{...n,model:t,sample:a}),p()},markChosen(e,n){return ue(n),N("gallery",!1),p()},tellTabs(e){return fe(e),p()},showPrediction(e){return J("sample",e),F(!1),N("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,a,s,r,l,c,o,i,u){const m={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(m)return{...i,page:Math.max(1,Math.min(u||1,(i.page||1)+m))};const P=h=>h&&h!=="any"?h:null,G=s==="nearest"&&i.order!==s?A().sample:null,_={...i,source:e,set:P(n),label:P(t)===null?null:Number(t),wrong:!!a,order:s,to:i.to??G,samples:Number(r),find:l??"",page:1};return Te.every(h=>_[h]===i[h])?p():_}},O={model:null,sample:null},F=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),N=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);g("samples-heard",()=>{pe();const e=ie(()=>{J("sample",null),N("gallery",!0),N("sample-facts",!0)});return()=>{e(),Object.assign(O,{model:null,sample:null})}});export{Oe as callbacks};
