/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{z as v,G as E,f as P,w as g,s as c,aK as C,u as A,C as $,k as R,aa as W,a4 as G,a as J,x as M,p as q,o as H,c as X,D as p,q as Y,aN as Q,L as V,at as Z,ah as ee,ab as te,aG as ne,K as j,N as S,aJ as se,aO as ae,Y as re}from"../../boot.js";import{bJ as le,bK as oe,bs as z,bL as ie}from"../../shared.js";const B="text";function ue(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+g(t)+" bytes; up to "+g(n)+" are accepted.":""}function ce(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}v("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,s,a]=[E(""),E(""),E(!1)];async function r(l,i){if(s.value=ue(l,n),!(s.value||a.value)){a.value=!0;try{const u=await A("POST","/samples/texts",{text:l,name:i});le(u),t.value="",s.value="Added: "+u.set_title}catch(u){s.value=u instanceof Error?u.message:String(u)}finally{a.value=!1}}}async function o(l){const i=l.currentTarget,u=i.files?.[0];if(i.value="",!!u){if(u.size>n){s.value="The file has "+g(u.size)+" bytes; up to "+g(n)+" are accepted.";return}try{await r(ce(await u.arrayBuffer()),u.name.slice(0,80))}catch(h){s.value=h instanceof Error?h.message:String(h)}}}const d=[P(e,()=>{const l=new TextEncoder().encode(t.value).length;return c`
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
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${o} />
          <span class="hint">${g(l)+" of up to "+g(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${s.value}</p>
      `}),C(l=>e.hidden=l?.inputs!==B)];return()=>d.forEach(l=>l())}),v("of-labels",e=>C(n=>{e.hidden=n?.inputs===B,$("gallery-find",{placeholder:e.hidden?"find: sums 12":"find: mnist seven"})})),v("bring-pictures",e=>C(n=>e.hidden=n?.inputs===B));const I="behaviour",D={mute:[],drop:[],edges:null,iterations:null},{state:f,update:x}=R({filters:null,model:null});let T="",k=()=>{};function w(e){f.filters&&$("gallery-filters",{data:{...f.filters,...e,page:1}})}function de({set:e,samples:n,order:t,to:s,mute:a,drop:r,edges:o,iterations:d},l){const i={mute:S(l.units,a),drop:S(l.units,r),iterations:d,keep_edges:o};return{model:l.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?s:null,intervention:i}}function pe({order:e,to:n,edges:t,iterations:s},a){return e==="rerouted"&&!a.length&&t===null&&s===null?{title:"Nothing reroutes them yet",detail:Z({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const y=e=>$("gallery-found",{data:e});function b(){k(),k=()=>{},T="",W(I)}function fe(e,n){const t=de(e,n),s=JSON.stringify(t);if(s===T)return;k();const{job:a}=ee(I);T=s;const r={asked:e,model:n.id};function o(l){const i=l?.message||l?.detail||"",u=[404,422].includes(l?.status??0);y({...r,title:u?"There is no such order here":"Their order was not found",detail:i}),u&&setTimeout(()=>s===T&&b())}const{stop:d}=te(I,"/behaviours",t,{done:l=>y({...r,id:l}),cancelled:()=>y({...r,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:o,goesOn:()=>y(r)});k=d,ne(a)}function he(e,n){const t=r=>r.filter(o=>!j(o)),s=[...t(e.mute),...t(e.drop)];if(!Q(n.units,s).length)return!0;for(const r of["mute","drop"])V(r,n,t(e[r]));const a=r=>[...S(n.units,t(r)),...r.filter(j)];return w({mute:a(e.mute),drop:a(e.drop)}),!1}async function me(e,n){const t={order:"given",...D,...e};x({filters:t}),$("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),f.model?.id!==n&&x({model:null});const s=[...t.mute,...t.drop];if(!n||t.order==="given"&&!s.length)return b(),p();try{const a=f.model??await A("GET","/models/"+encodeURIComponent(n));if(f.filters!==t)return p();x({model:a});const r=await Y(n);if(f.filters!==t||!he(t,a))return p();if(t.order==="given"||t.source==="own"||r)b();else{const o=pe(t,s);o?(b(),y({asked:t,model:n,...o})):fe(t,a)}}catch(a){const{title:r,message:o}=a;b(),y({asked:t,model:n,title:r,detail:o})}return p()}const F=({words:e,remove:n})=>c`<span class="chip search-part"
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
  >`;function ge({mute:e,drop:n,edges:t,iterations:s}){const a=[];if(e.length&&a.push(["muted: "+M(e),{mute:[]}]),n.length&&a.push(["dropped: "+M(n),{drop:[]}]),t!==null&&a.push([q(t)+" % of the links",{edges:null}]),s!==null){const{pass:r,passes:o}=H(X());a.push([s+" "+(s===1?r:o),{iterations:null}])}return a}function ye(){const{filters:e}=f;if(!e)return null;const n=ge(e),{order:t,to:s}=e,{sample:a}=G(),r=t==="nearest";return!n.length&&!r?null:c`
    ${r&&s?c`<span class="control-name">near to</span><${F} words=${s} remove=${()=>w({to:null})} />`:null}
    ${r&&a&&a!==s?c`<${J} id="gallery-near" act=${()=>w({to:a})}>Near to the chosen sample<//>`:null}
    ${n.length?c`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([o,d])=>c`<${F} key=${o} words=${o} remove=${()=>w(d)} />`)}
    ${n.length>1?c`<${J} act=${()=>w(D)}>Nothing<//>`:null}
  `}v("gallery-search",e=>{const n=[P(e,()=>c`<${ye} />`),b,()=>x({filters:null,model:null})];return()=>n.forEach(t=>t())});const be=["source","set","label","wrong","order","samples","find"],ve={putInOrder:me,writeAddress(e,n){const{model:t,sample:s}=e||{};return(s!==O.sample||t!==O.model)&&K(!!s),Object.assign(O,{model:t,sample:s}),re("samples",{...n,model:t,sample:s}),p()},markChosen(e,n){return ae(n),N("gallery",!1),p()},tellTabs(e){return ie(e),p()},showPrediction(e){return z("sample",e),K(!1),N("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,s,a,r,o,d,l,i,u){const h={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(h)return{...i,page:Math.max(1,Math.min(u||1,(i.page||1)+h))};const U=m=>m&&m!=="any"?m:null,L=a==="nearest"&&i.order!==a?G().sample:null,_={...i,source:e,set:U(n),label:U(t)===null?null:Number(t),wrong:!!s,order:a,to:i.to??L,samples:Number(r),find:o??"",page:1};return be.every(m=>_[m]===i[m])?p():_}},O={model:null,sample:null},K=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),N=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);v("samples-heard",()=>{oe();const e=se(()=>{z("sample",null),N("gallery",!0),N("sample-facts",!0)});return()=>{e(),Object.assign(O,{model:null,sample:null})}});export{ve as callbacks};
