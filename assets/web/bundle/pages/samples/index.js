/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{z as w,G as E,f as U,w as g,s as c,aI as _,u as M,k as J,a9 as R,a3 as P,a as A,x as j,p as W,o as X,c as q,C,D as p,q as K,aL as Q,N as V,L as $,ar as Y,ah as Z,aa as ee,aE as te,aH as ne,aM as ae,X as se}from"../../boot.js";import{bm as re,bn as le,b7 as z,bo as oe}from"../../shared.js";const D="text";function ue(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+g(t)+" bytes; up to "+g(n)+" are accepted.":""}function ie(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}w("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,a,s]=[E(""),E(""),E(!1)];async function r(l,u){if(a.value=ue(l,n),!(a.value||s.value)){s.value=!0;try{const i=await M("POST","/samples/texts",{text:l,name:u});re(i),t.value="",a.value="Added: "+i.set_title}catch(i){a.value=i instanceof Error?i.message:String(i)}finally{s.value=!1}}}async function o(l){const u=l.currentTarget,i=u.files?.[0];if(u.value="",!!i){if(i.size>n){a.value="The file has "+g(i.size)+" bytes; up to "+g(n)+" are accepted.";return}try{await r(ie(await i.arrayBuffer()),i.name.slice(0,80))}catch(h){a.value=h instanceof Error?h.message:String(h)}}}const d=[U(e,()=>{const l=new TextEncoder().encode(t.value).length;return c`
        <label class="control-name" for="text-typed">Type or paste a text</label>
        <textarea
          id="text-typed"
          class="text-typed"
          rows="6"
          spellcheck=${!1}
          value=${t.value}
          onInput=${u=>t.value=u.currentTarget.value}
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
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${o} />
          <span class="hint">${g(l)+" of up to "+g(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${a.value}</p>
      `}),_(l=>e.hidden=l?.inputs!==D)];return()=>d.forEach(l=>l())}),w("bring-pictures",e=>_(n=>e.hidden=n?.inputs===D));const S="behaviour",F={mute:[],drop:[],edges:null,iterations:null},{state:f,update:x}=J({filters:null,model:null});let T="",k=()=>{};function v(e){f.filters&&C("gallery-filters",{data:{...f.filters,...e,page:1}})}function ce({set:e,samples:n,order:t,to:a,mute:s,drop:r,edges:o,iterations:d},l){const u={mute:$(l.units,s),drop:$(l.units,r),iterations:d,keep_edges:o};return{model:l.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?a:null,intervention:u}}function de({order:e,to:n,edges:t,iterations:a},s){return e==="rerouted"&&!s.length&&t===null&&a===null?{title:"Nothing reroutes them yet",detail:Y({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const y=e=>C("gallery-found",{data:e});function b(){k(),k=()=>{},T="",R(S)}function pe(e,n){const t=ce(e,n),a=JSON.stringify(t);if(a===T)return;k();const{job:s}=Z(S);T=a;const r={asked:e,model:n.id};function o(l){const u=l?.message||l?.detail||"",i=[404,422].includes(l?.status??0);y({...r,title:i?"There is no such order here":"Their order was not found",detail:u}),i&&setTimeout(()=>a===T&&b())}const{stop:d}=ee(S,"/behaviours",t,{done:l=>y({...r,id:l}),cancelled:()=>y({...r,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:o,goesOn:()=>y(r)});k=d,te(s)}function fe(e,n){const t=[...e.mute,...e.drop];if(!Q(n.units,t).length)return!0;for(const a of["mute","drop"])V(a,n,e[a]);return v({mute:$(n.units,e.mute),drop:$(n.units,e.drop)}),!1}async function he(e,n){const t={order:"given",...F,...e};x({filters:t}),C("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),f.model?.id!==n&&x({model:null});const a=[...t.mute,...t.drop];if(!n||t.order==="given"&&!a.length)return b(),p();try{const s=f.model??await M("GET","/models/"+encodeURIComponent(n));if(f.filters!==t)return p();x({model:s});const r=await K(n);if(f.filters!==t||!fe(t,s))return p();if(t.order==="given"||t.source==="own"||r)b();else{const o=de(t,a);o?(b(),y({asked:t,model:n,...o})):pe(t,s)}}catch(s){const{title:r,message:o}=s;b(),y({asked:t,model:n,title:r,detail:o})}return p()}const G=({words:e,remove:n})=>c`<span class="chip search-part"
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
  >`;function me({mute:e,drop:n,edges:t,iterations:a}){const s=[];if(e.length&&s.push(["muted: "+j(e),{mute:[]}]),n.length&&s.push(["dropped: "+j(n),{drop:[]}]),t!==null&&s.push([W(t)+" % of the links",{edges:null}]),a!==null){const{pass:r,passes:o}=X(q());s.push([a+" "+(a===1?r:o),{iterations:null}])}return s}function ge(){const{filters:e}=f;if(!e)return null;const n=me(e),{order:t,to:a}=e,{sample:s}=P(),r=t==="nearest";return!n.length&&!r?null:c`
    ${r&&a?c`<span class="control-name">near to</span><${G} words=${a} remove=${()=>v({to:null})} />`:null}
    ${r&&s&&s!==a?c`<${A} id="gallery-near" act=${()=>v({to:s})}>Near to the chosen sample<//>`:null}
    ${n.length?c`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([o,d])=>c`<${G} key=${o} words=${o} remove=${()=>v(d)} />`)}
    ${n.length>1?c`<${A} act=${()=>v(F)}>Nothing<//>`:null}
  `}w("gallery-search",e=>{const n=[U(e,()=>c`<${ge} />`),b,()=>x({filters:null,model:null})];return()=>n.forEach(t=>t())});const ye=["source","set","label","wrong","order","samples","find"],be={putInOrder:he,writeAddress(e,n){const{model:t,sample:a}=e||{};return(a!==O.sample||t!==O.model)&&L(!!a),Object.assign(O,{model:t,sample:a}),se("samples",{...n,model:t,sample:a}),p()},markChosen(e,n){return ae(n),N("gallery",!1),p()},tellTabs(e){return oe(e),p()},showPrediction(e){return z("sample",e),L(!1),N("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,a,s,r,o,d,l,u,i){const h={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(h)return{...u,page:Math.max(1,Math.min(i||1,(u.page||1)+h))};const B=m=>m&&m!=="any"?m:null,H=s==="nearest"&&u.order!==s?P().sample:null,I={...u,source:e,set:B(n),label:B(t)===null?null:Number(t),wrong:!!a,order:s,to:u.to??H,samples:Number(r),find:o??"",page:1};return ye.every(m=>I[m]===u[m])?p():I}},O={model:null,sample:null},L=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),N=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);w("samples-heard",()=>{le();const e=ne(()=>{z("sample",null),N("gallery",!0),N("sample-facts",!0)});return()=>{e(),Object.assign(O,{model:null,sample:null})}});export{be as callbacks};
