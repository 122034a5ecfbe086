/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{G as b,k as E,aW as H,aX as V,a8 as Y,i as Z,s as d,N as K,L as m,aT as N,A as k,z as $,I as O,v as Q,ak as ee,ad as M,a as _,D as j,p as te,o as ne,c as ae,J as h,x as se,aY as le,S as re,aD as oe,ar as ue,al as ie,aP as ce,R as F,V as B,aS as de,aZ as pe,a2 as fe}from"../../boot.js";import{bW as W,bX as me,bB as G,bY as he}from"../../shared.js";function ge(e,n){const[t,a]=e.split("?");return t+K({...Object.fromEntries(new URLSearchParams(a)),...n})}b("sample-link",e=>{const{page:n="",words:t="",more:a="{}"}=e.dataset,s=JSON.parse(a);return E(e,()=>{const l=H().find(p=>p.key===n);if(!l)return null;const o=V(l,l.samples||!Object.keys(s).length?{}:{sample:null});return d`<a id="see-path" class="button" href=${ge(o,s)} onClick=${Y}
      >${Z(l.icon)}${t}</a
    >`})});const A="numbers",be=.01;function ve(e,n){const t=n.findIndex(s=>!(s.trim()&&Number(s)>=0&&Number(s)<=1));if(t<0)return"";const a=n[t].trim()?"\u201C"+n[t].trim()+"\u201D":"empty";return e[t]+" is "+a+"; a number from 0 to 1 is accepted, such as 0.25."}function ye(e,n){const t=e.trim().split(/[\s,;]+/);return n>1&&t.length===n?t:null}async function $e(e){const[n,t]=await Promise.all([k("GET","/models/"+encodeURIComponent(e)),k("GET","/data?inputs="+A)]),a="number:";return{names:n.tokens.filter(l=>l.startsWith(a)).map(l=>l.slice(a.length)),functions:t.items.filter(({name:l})=>n.domains.includes(l))}}function we({name:e,at:n,written:t}){const a=u=>t.value=t.value.map((i,r)=>r===n?u:i),s=u=>a(u.currentTarget.value),l=u=>{const i=ye(u.clipboardData?.getData("text")??"",t.value.length);i&&(u.preventDefault(),t.value=i)},o=t.value[n],p=Number.isFinite(Number(o))?Number(o):0;return d`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${be}
      value=${p}
      aria-label=${e+" from 0 to 1"}
      onInput=${s}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-"+e}
      value=${o}
      onInput=${s}
      onPaste=${l}
    />
  </div>`}b("bring-numbers",e=>{const[n,t,a]=[m([]),m(""),m(!1)],s=m(null),l=m("");let o="";async function p(r){if(o!==r){o=r;try{const c=await $e(r);if(o!==r)return;s.value=c,n.value.length!==c.names.length&&(n.value=c.names.map(()=>"0.5")),c.functions.some(({name:f})=>f===l.value)||(l.value=c.functions[0]?.name??"")}catch(c){o="",t.value=c instanceof Error?c.message:String(c)}}}async function u(r){if(t.value=ve(r,n.value),!(t.value||a.value)){a.value=!0;try{const c=n.value.map(g=>g.trim()).join(", "),f=await k("POST","/samples/written",{inputs:A,content:c,set:l.value});W(f),t.value="Added: "+f.set_title}catch(c){t.value=c instanceof Error?c.message:String(c)}finally{a.value=!1}}}const i=[E(e,()=>{if(!s.value)return d`<p class="hint" role="status">${t.value}</p>`;const{names:r,functions:c}=s.value;return d`
        <div class="number-rows" role="group" aria-label="Numbers of the point">
          ${r.map((f,g)=>d`<${we} key=${f} name=${f} at=${g} written=${n} />`)}
        </div>
        <div class="number-tools">
          <label class="control-name" for="number-function">function</label>
          <select
            id="number-function"
            class="small-input"
            value=${l.value}
            onChange=${f=>l.value=f.currentTarget.value}
          >
            ${c.map(({name:f,title:g})=>d`<option value=${f}>${g}</option>`)}
          </select>
          <button
            type="button"
            class="tool tool-text"
            id="number-random"
            onClick=${()=>n.value=r.map(()=>Math.random().toFixed(2))}
          >
            At random
          </button>
          <button type="button" class="button" id="number-send" disabled=${a.value} onClick=${()=>u(r)}>
            Use point
          </button>
        </div>
        <p class="hint" id="number-said" role="status" aria-live="polite">${t.value}</p>
      `}),N(r=>{e.hidden=r?.inputs!==A,r&&!e.hidden&&p(r.id)})];return()=>i.forEach(r=>r())});const J="text";function xe(e,n){if(!e.trim())return"Type or paste a text first.";const t=new TextEncoder().encode(e).length;return t>n?"The text has "+$(t)+" bytes; up to "+$(n)+" are accepted.":""}function ke(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}b("bring-text",e=>{const n=Number(e.dataset.maxBytes),[t,a,s]=[m(""),m(""),m(!1)];async function l(u,i){if(a.value=xe(u,n),!(a.value||s.value)){s.value=!0;try{const r=await k("POST","/samples/written",{inputs:J,content:u,name:i});W(r),t.value="",a.value="Added: "+r.set_title}catch(r){a.value=r instanceof Error?r.message:String(r)}finally{s.value=!1}}}async function o(u){const i=u.currentTarget,r=i.files?.[0];if(i.value="",!!r){if(r.size>n){a.value="The file has "+$(r.size)+" bytes; up to "+$(n)+" are accepted.";return}try{await l(ke(await r.arrayBuffer()),r.name.slice(0,80))}catch(c){a.value=c instanceof Error?c.message:String(c)}}}const p=[E(e,()=>{const u=new TextEncoder().encode(t.value).length;return d`
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
            onClick=${()=>l(t.value,null)}
          >
            Use text
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${o} />
          <span class="hint">${$(u)+" of up to "+$(n)+" bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${a.value}</p>
      `}),N(u=>e.hidden=u?.inputs!==J)];return()=>p.forEach(u=>u())});const z={"":"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12"};b("of-labels",e=>N(n=>{e.hidden=n?.labels?.length===0,O("gallery-find",{placeholder:z[n?.inputs??""]??z[""]})})),b("bring-pictures",e=>{const n=(e.dataset.notFor??"").split(" ");return N(t=>e.hidden=n.includes(t?.inputs??""))});const R="behaviour",L={mute:[],drop:[],edges:null,iterations:null},{state:v,update:S}=Q({filters:null,model:null});let C="",I=()=>{};function T(e){v.filters&&O("gallery-filters",{data:{...v.filters,...e,page:1}})}function Te({set:e,samples:n,order:t,to:a,mute:s,drop:l,edges:o,iterations:p},u){const i={mute:B(u.units,s),drop:B(u.units,l),iterations:p,keep_edges:o};return{model:u.id,data:e?[e]:[],samples:n,order:t,to:t==="nearest"?a:null,intervention:i}}function Ee({order:e,to:n,edges:t,iterations:a},s){return e==="rerouted"&&!s.length&&t===null&&a===null?{title:"Nothing reroutes them yet",detail:oe({"":"Mute or drop {units} on Paths or Drop, and come back here: it is carried along."})}:e==="nearest"&&!n?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const w=e=>O("gallery-found",{data:e});function x(){I(),I=()=>{},C="",ee(R)}function Ne(e,n){const t=Te(e,n),a=JSON.stringify(t);if(a===C)return;I();const{job:s}=ue(R);C=a;const l={asked:e,model:n.id};function o(u){const i=u?.message||u?.detail||"",r=[404,422].includes(u?.status??0);w({...l,title:r?"There is no such order here":"Their order was not found",detail:i}),r&&setTimeout(()=>a===C&&x())}const{stop:p}=ie(R,"/behaviours",t,{done:u=>w({...l,id:u}),cancelled:()=>w({...l,title:"Cancelled",detail:"Their order was not found; it can be resumed above."}),failed:o,goesOn:()=>w(l)});I=p,ce(s)}function Oe(e,n){const t=l=>l.filter(o=>!F(o)),a=[...t(e.mute),...t(e.drop)];if(!le(n.units,a).length)return!0;for(const l of["mute","drop"])re(l,n,t(e[l]));const s=l=>[...B(n.units,t(l)),...l.filter(F)];return T({mute:s(e.mute),drop:s(e.drop)}),!1}async function Se(e,n){const t={order:"given",...L,...e};S({filters:t}),O("gallery-samples-place",{hidden:t.order==="given"||t.source==="own"}),v.model?.id!==n&&S({model:null});const a=[...t.mute,...t.drop];if(!n||t.order==="given"&&!a.length)return x(),h();try{const s=v.model??await k("GET","/models/"+encodeURIComponent(n));if(v.filters!==t)return h();S({model:s});const l=await se(n);if(v.filters!==t||!Oe(t,s))return h();if(t.order==="given"||t.source==="own"||l)x();else{const o=Ee(t,a);o?(x(),w({asked:t,model:n,...o})):Ne(t,s)}}catch(s){const{title:l,message:o}=s;x(),w({asked:t,model:n,title:l,detail:o})}return h()}const X=({words:e,remove:n})=>d`<span class="chip search-part"
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
  >`;function Ce({mute:e,drop:n,edges:t,iterations:a}){const s=[];if(e.length&&s.push(["muted: "+j(e),{mute:[]}]),n.length&&s.push(["dropped: "+j(n),{drop:[]}]),t!==null&&s.push([te(t)+" % of the links",{edges:null}]),a!==null){const{pass:l,passes:o}=ne(ae());s.push([a+" "+(a===1?l:o),{iterations:null}])}return s}function Ie(){const{filters:e}=v;if(!e)return null;const n=Ce(e),{order:t,to:a}=e,{sample:s}=M(),l=t==="nearest";return!n.length&&!l?null:d`
    ${l&&a?d`<span class="control-name">near to</span><${X} words=${a} remove=${()=>T({to:null})} />`:null}
    ${l&&s&&s!==a?d`<${_} id="gallery-near" act=${()=>T({to:s})}>Near to the chosen sample<//>`:null}
    ${n.length?d`<span class="control-name">${t==="given"?"carried along, of no effect on this order":"under"}</span>`:null}
    ${n.map(([o,p])=>d`<${X} key=${o} words=${o} remove=${()=>T(p)} />`)}
    ${n.length>1?d`<${_} act=${()=>T(L)}>Nothing<//>`:null}
  `}b("gallery-search",e=>{const n=[E(e,()=>d`<${Ie} />`),x,()=>S({filters:null,model:null})];return()=>n.forEach(t=>t())});const Pe=["source","set","label","wrong","order","samples","find"],Ue={putInOrder:Se,writeAddress(e,n){const{model:t,sample:a}=e||{};return(a!==P.sample||t!==P.model)&&q(!!a),Object.assign(P,{model:t,sample:a}),fe("samples",{...n,model:t,sample:a}),h()},markChosen(e,n){return pe(n),U("gallery",!1),h()},tellTabs(e){return he(e),h()},showPrediction(e){return G("sample",e),q(!1),U("sample-facts",!1),e&&e.current?e.current.id:""},changeFilters(e,n,t,a,s,l,o,p,u,i,r){const c={"gallery-previous":-1,"gallery-next":1}[this.triggered_id];if(c)return{...i,page:Math.max(1,Math.min(r||1,(i.page||1)+c))};const f=y=>y&&y!=="any"?y:null,g=s==="nearest"&&i.order!==s?M().sample:null,D={...i,source:e,set:f(n),label:f(t)===null?null:Number(t),wrong:!!a,order:s,to:i.to??g,samples:Number(l),find:o??"",page:1};return Pe.every(y=>D[y]===i[y])?h():D}},P={model:null,sample:null},q=e=>document.getElementById("panel-sample")?.setAttribute("aria-busy",String(e)),U=(e,n)=>document.getElementById(e)?.toggleAttribute("data-former",n);b("samples-heard",()=>{me();const e=de(()=>{G("sample",null),U("gallery",!0),U("sample-facts",!0)});return()=>{e(),Object.assign(P,{model:null,sample:null})}});export{Ue as callbacks};
