/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ag as pt,af as mt,n as ht,ai as F,F as x,m as Pe,a6 as ce,C as ft,V as Ae,b7 as $t,ad as z,az as gt,W as bt,bn as wt,Z as de,aZ as ue,Y as Ce,bm as vt,bo as yt,aF as Q,S as ee,an as pe,ah as kt,aD as De,aV as xt,bd as St,a1 as Tt,d as H,c as _e,q as te,s as r,bp as Nt,u as Et,$ as se,Q as G,E as S,ap as M,T as E,R as me,a_ as ne,p as Ot,aO as Pt,am as At,at as Ct,I as Ie,k as Dt,o as _t,ab as he,b9 as Re,bq as It,av as Rt,i as Fe,w as Ft,U as Mt,r as jt,ax as Ut,ay as Lt}from"../../boot.js";import{c3 as Me,c4 as Bt,c5 as fe,P as $e,c6 as Jt,c7 as Gt,c8 as je,aV as Wt,A as ge,c0 as qt,c9 as zt,aW as Ht,R as Vt,bB as Ue,ca as Yt,cb as be,bU as Zt,n as Xt,bS as Kt,b_ as Qt,bA as ae,bL as es,cc as ts,cd as ss,ce as ns,cf as Le,bM as as,cg as os,bO as rs}from"../../shared.js";const C="behaviour",is={mute:[],drop:[],edges:null,iterations:null},Be=pt("samples","mute","drop","edges","iterations","source","set","label","wrong","find","order","to","samples","page"),{offered:ls}=mt("samples","samples"),[cs,ds,us,ps]=[96,24,8,60],we=["images","statements","blocks"],ms="statements",$=ht({...Be}),ve=e=>$.value={...Be,...e};function N(e){const t=$.value,n=e.order==="nearest"&&t.order!=="nearest"?t.to??z().sample:t.to,a={...t,page:1,to:n,...e};Object.entries(a).filter(([o,c])=>JSON.stringify(c)!==JSON.stringify(t[o])).some(([o])=>o!=="page"||e.page)&&($.value=a)}function D(){const{model:e,sample:t}=z(),s=gt(location.search);return e?{model:e,sample:t}:{model:s.model,sample:t??s.sample}}const W=()=>$.value.order!=="given",O=F(()=>"all",async()=>{const[e,t]=await Promise.all([x("GET","/data"),x("GET","/inputs")]);return{sets:e.items,kinds:t.items}}),ye=F(()=>{const{model:e}=D();return e&&(!Pe()||ce(e))?e:null},e=>x("GET","/models/"+encodeURIComponent(e)));function v(){const{model:e}=D();if(!e||Pe()&&!ce(e)||ye.problem())return null;const t=ye.answer();return t?.id===e?t:void 0}function ke(e){let t=null;return()=>{const s=e();return s===void 0?t:t=s}}const oe=e=>O.answer()?.kinds.find(t=>t.name===e)??null;function Je(){const{model:e}=D(),t=e?v():null;return t&&!t.samples?ce(t.id)?.refused??null:null}function Ge({set:e,samples:t,order:s,to:n,mute:a,drop:i,edges:o,iterations:c},{id:l,units:p}){const d={mute:de(p,a),drop:de(p,i),iterations:c,keep_edges:o};return{model:l,data:e?[e]:[],samples:t,order:s,to:s==="nearest"?n:null,intervention:d}}function hs(e){const{data:t,samples:s,...n}=Ge($.value,e);return n}function fs({order:e,to:t,mute:s,drop:n,edges:a,iterations:i}){return e==="rerouted"&&!s.length&&!n.length&&a===null&&i===null?{title:"Nothing reroutes them yet",detail:ue({"":"Mute or drop {units} on Paths or Drop, then come back: the change stays chosen."})}:e==="nearest"&&!t?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const V=F(ke(()=>{const e=v();if(!(e===void 0||e&&!We(e)))return e&&W()&&$.value.source==="data"?JSON.stringify([Ge($.value,e),fs($.value)]):null}),async e=>{const[t,s]=JSON.parse(e),n=await ft(t.model)||s;return n?{body:null,title:n.title,detail:n.detail}:{body:t}}),xe=e=>e.filter(t=>!Ce(t)),We=({units:e})=>!wt(e,xe([...$.value.mute,...$.value.drop])).length;function $s(e){for(const s of["mute","drop"])Tt(s,e,xe($.value[s]));const t=s=>[...de(e.units,xe(s)),...s.filter(Ce)];N({mute:t($.value.mute),drop:t($.value.drop)})}function qe(){const e=V.answer()?.body,t=Q(C);return e&&JSON.stringify(t.request?.body)===JSON.stringify(e)?t:null}function ze(){const e=qe()?.job;return e?.state==="done"?vt(e):null}const gs=[403,404,422],He={title:"Measuring the order",detail:"Samples appear when they are measured.",waits:!0};function bs(){const e=v();if(e===void 0)return He;if(e===null)return{title:"No model chosen",detail:"A model gives samples their order."};const t=V.answer();if(t&&!t.body)return{title:t.title??"",detail:t.detail??"",refused:!0};const s=qe(),n=s?.problem??(s?.job?.state==="failed"?yt(s.job):null);if(n){const{status:a=0}=n,i=gs.includes(a),o=i?"There is no such order here":"The order was not measured";return{title:a===403&&n.title||o,detail:n.message??"",refused:i}}return s?.job?.state==="cancelled"?{title:"Cancelled",detail:"Resume it above."}:ze()?null:He}function ws({source:e,set:t,order:s},n,a,i){if(e==="own")return i.find(({name:l})=>l===n?.inputs)?.written?n?.inputs??null:null;const o=t?a.find(({name:l})=>l===t)?.inputs:n?.inputs;return!o||o==="images"?null:t||!(s==="given"&&we.includes(o))&&a.some(l=>l.inputs===o)?o:null}const re=()=>{const{sets:e,kinds:t}=O.answer()??{sets:[],kinds:[]};return ws($.value,v()??null,e,t)};function q(){const{source:e,wrong:t}=$.value;if(!O.answer())return null;const[s,n]=[re(),e==="data"],a=s===null&&(W()||t&&n)?Je():null;return a?{...a,unread:!0}:s!==null&&t&&n?{title:"Nothing is right or wrong here",detail:"Show all samples, and choose one to see its score."}:W()&&(n||v()===null)?bs():null}const Se=Ae,Ve={sample:null,table:null,value:null};function vs({unit:e,order:t},s){if(e==="bit")return{short:s.toFixed(2)+" bit",words:"heads disagree by "+s.toFixed(2)+" bit"};const n=(100*s).toFixed(1)+" %",a=t==="rerouted"?"goes elsewhere":"goes elsewhere than that of the named sample";return{short:n,words:n+" of the routing weight "+a}}const P=F(ke(()=>{const[e,t]=[v(),q()];if(!O.answer()||e===void 0||t?.waits)return;if(t)return null;const s=re(),n=W()&&$.value.source==="data"?ze():null,a=W()&&$.value.source==="own"&&e?hs(e):null;return JSON.stringify([$.value,s,e?.id,e?.samples,n,a,Me.value])}),async(e,t)=>{const[s,n,a,i,o,c]=JSON.parse(e),{source:l,set:p,find:d,page:g,order:m}=s,u=l==="own",b=n===null?cs:ds,y=(g-1)*b,k=n===null?null:n===ms?ps:us,T=u?null:s.label,j=s.wrong&&!u&&i,Z=i?a:null,U={kind:n,start:y,size:b,ranked:null},I=(h,f)=>x("GET",h+Se(f),void 0,{signal:t});if(m!=="given"){const h={label:T,wrong:j,find:d,limit:b,offset:y,rows:k},f=c?await x("POST","/behaviours/own"+Se(h),c):await I("/behaviours/"+o,h),R=f.items.map(({table:L=null,value:B,...J})=>({...J,table:L,value:vs(f,B)}));return{...U,items:R,total:f.total,ranked:f}}if(n!==null){const{items:h,total:f}=u?await I("/samples/written",{inputs:n,limit:b,offset:y,rows:k}):await I("/tables",{inputs:n,set:p,label:T,find:d,limit:b,offset:y,rows:k});return{...U,items:h.map(R=>({...Ve,id:R.id,table:R})),total:f}}const[X,...K]=await Promise.all([I("/samples",{origin:u?null:"data",set:u?null:p,model:Z,label:T,wrong:j,find:d,limit:b,offset:y}),...(u?["upload","drawing"]:[]).map(h=>I("/samples",{origin:h,find:d,limit:0}))]),w=X.items.filter(({origin:h})=>!u||h!=="data");return{...U,items:w.map(h=>({...Ve,id:h.id,sample:h})),total:u?K.reduce((h,{total:f})=>h+f,0):X.total}}),ys=()=>P.latest()!==null&&(P.answer()===null||v()===void 0||!!q()?.waits),Te=new Set,Ye=e=>e instanceof bt&&e.status===404,A=F(ke(()=>{const[{sample:e},t]=[D(),v()];if(!e||Te.has(e))return null;if(!(t===void 0||!O.answer()))return JSON.stringify([e,t?.id,Me.value])}),async e=>{const[t]=JSON.parse(e),[s,n]=[v()??null,O.answer()?.sets??[]],a=n.find(({name:u})=>u===t.split(".")[0]),i={id:t,picture:null,table:null,data:a,model:s},o=encodeURIComponent(t),c=async()=>({...i,picture:await x("GET","/samples/"+o)});async function l(){const u=await x("GET","/tables/"+o),b=s?.inputs===u.inputs;return{...i,table:b?await x("GET","/tables/"+o+Se({model:s?.id})):u}}const p=a?a.inputs!=="images":!!oe(s?.inputs)?.written,[d,g]=p?[l,c]:[c,l],m=u=>{if(!Ye(u))throw u;return t.includes(".")?i:g()};return d().catch(m).catch(u=>Ye(u)?i:Promise.reject(u))}),ie=F(()=>{const[e,t]=[A.answer(),v()];return e?.picture&&t?.samples&&e.model?.id===t.id?JSON.stringify([t.id,e.id]):null},e=>{const[t,s]=JSON.parse(e);return x("POST","/traces",{model:t,sample:s,fields:[]})}),Ne="read_in",Ze=F(()=>{const[e,t]=[A.answer(),v()];return e?.table?.writing&&t&&e.model===t&&t.inputs===e.table.inputs&&t.fields.includes(Ne)?JSON.stringify([t.id,e.id]):null},async e=>{const[t,s]=JSON.parse(e),n=await x("POST","/traces",{model:t,sample:s,fields:[Ne]});return{weights:(await $t(n.id,Ne)).data,units:n.units}});async function Ee(e){try{await e()}catch(t){const{title:s="It was not changed",message:n}=t;H(s,n,"bad")}}const Xe=()=>_e({sample:null}),ks=(e,t)=>Ee(async()=>{await x("PATCH","/samples/"+encodeURIComponent(e),t),H("Saved",t.name+": "+(t.label===null?"no label":"label "+t.label),"good"),fe()}),Ke=e=>Ee(async()=>{await x("DELETE","/samples/"+encodeURIComponent(e)),H("Deleted","The sample and its pictures are gone.","good"),Te.add(e),Xe(),fe()}),xs=()=>Ee(async()=>{const{count:e}=await x("DELETE","/samples?owner=you");if(!e)return H("Nothing to delete","There is nothing of yours.","good");H("Deleted",e===1?"1 sample is gone.":e+" samples are gone.","good");const{sample:t}=z();t&&!t.includes(".")&&(Te.add(t),Xe()),fe()});function Ss(){const[e,t]=[V.answer()?.body??null,V.waits()];pe(()=>{if(!e){!t&&Q(C).request&&De(C);return}const{job:s,request:n}=Q(C);JSON.stringify(n?.body)!==JSON.stringify(e)&&xt(C,"/behaviours",e).then(async()=>{Q(C).job?.id!==s?.id&&await St(s)})})}function Ts(){Bt();const e=[...[O,ye,V,P,A,ie,Ze].map(t=>t.follow()),ee(Ss),ee(()=>{const t=v();t&&!We(t)&&pe(()=>$s(t))}),ee(()=>{const t={...$.value,...D()};pe(()=>kt("samples",t))})];return()=>{e.forEach(t=>t()),De(C)}}const Qe=[".txt","text/plain"],Ns=80,Es="points",Os={points:"A cloud of yours becomes a sample, scaled to the unit ball; up to 1,024 of its points are taken.",numbers:"A point of yours becomes a sample: Paths shows which functions it goes through.",top_experts:"A text of yours becomes a sample: Paths shows which experts its tokens take.",listops:"An expression of yours becomes a sample: Paths shows which modules read it.",bytes:"A text of yours becomes a sample: Paths shows which modules read it.",matrices:"A matrix of yours becomes a sample: Paths shows how its panels go.","":"Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels."};function Ps(e,t){if(!e.trim())return"Type or paste a text first.";const s=new TextEncoder().encode(e).length;return s>t?"The text has "+S(s)+" bytes; up to "+S(t)+" are accepted.":""}function et({name:e,size:t},{suffixes:s,files:n},a){return s.some(i=>e.toLowerCase().endsWith(i))?t>a?"The file has "+S(t)+" bytes; up to "+S(a)+" are accepted.":"":e+" cannot be read; accepted are "+n+"."}function As(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}function Cs({most:e}){const[t,s]=[G(null),G(null)];me(()=>{const a=new Jt(t.current),i=Gt(s.current,e.file);return()=>{a.stop(),i()}},[]);const n=(a,i,o)=>r`<button type="button" class=${o} data-pad=${a}>${i}</button>`;return r`<div class="bring">
    <div class="pad" ref=${t} data-empty="true">
      <div class="pad-frame">
        <canvas
          id="drawing-pad"
          tabindex="0"
          role="img"
          aria-label="Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke."
        ></canvas>
        <span class="pad-hint" aria-hidden="true">draw a digit</span>
      </div>
      <div class="pad-tools">
        ${n("undo","Undo","tool tool-text")} ${n("clear","Clear","tool tool-text")}
        ${n("save","Use drawing","button")}
      </div>
    </div>
    <div class="upload" ref=${s}></div>
  </div>`}const Ds="numbers",_s=.01,tt="number:",Is=e=>e.filter(t=>t.startsWith(tt)).map(t=>t.slice(tt.length));function Rs(e,t){const s=t.findIndex(a=>!(a.trim()&&Number(a)>=0&&Number(a)<=1));if(s<0)return"";const n=t[s].trim()?"\u201C"+t[s].trim()+"\u201D":"empty";return e[s]+" is "+n+"; a number from 0 to 1 is accepted, such as 0.25."}function Fs(e,t){const s=e.trim().split(/[\s,;]+/);return t>1&&s.length===t?s:null}function Ms({name:e,at:t,written:s}){const n=l=>s.value=s.value.map((p,d)=>d===t?l:p),a=l=>n(l.currentTarget.value),i=l=>{const p=Fs(l.clipboardData?.getData("text")??"",s.value.length);p&&(l.preventDefault(),s.value=p)},o=s.value[t],c=Number.isFinite(Number(o))?Number(o):0;return r`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${_s}
      value=${c}
      aria-label=${e+" from 0 to 1"}
      onInput=${a}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-"+e}
      value=${o}
      onInput=${a}
      onPaste=${i}
    />
  </div>`}function js({send:e}){const t=v(),s=Is(t?.tokens??[]),n=(O.answer()?.sets??[]).filter(({name:l})=>t?.domains.includes(l)),a=ne(s.map(()=>"0.5")),[i,o]=se(n[0]?.name??""),c=()=>{const l=a.value.map(p=>p.trim()).join(", ");e(Rs(s,a.value),{inputs:Ds,content:l,set:i})};return r`
    <div class="number-rows" role="group" aria-label="Numbers of the point">
      ${s.map((l,p)=>r`<${Ms} key=${l} name=${l} at=${p} written=${a} />`)}
    </div>
    <div class="number-tools">
      <label class="control-name" for="number-function">function</label>
      <${M}
        id="number-function"
        look="small-input"
        options=${n.map(({name:l,title:p})=>[l,p])}
        chosen=${i}
        onChoose=${o}
      />
      <${E} id="number-random" act=${()=>a.value=s.map(()=>Math.random().toFixed(2))}>At random<//>
      <${E} id="number-send" look="button" act=${c}>Use point<//>
    </div>
  `}function Us({kind:e,most:t}){const{name:s,suffixes:n,files:a,answers:i,words:o,written:c,example:l,of_set:p}=e,[d,g]=se(""),[m,u]=se(""),[b,y]=se(""),k=G(!1),T=!a||s===Es;async function j(w,h){if(k.current||(y(w||"Reading \u2026"),w))return!1;k.current=!0;try{const f=await h();return je(f),y("Added: "+f.set_title+(f.space?.length?", "+S(f.total_rows)+" points":"")),!0}catch(f){return y(f instanceof Error?f.message:String(f)),!1}finally{k.current=!1}}const Z=w=>x("POST","/samples/written",w),U=(w,h)=>j(Ps(w,a?1/0:t.text),()=>Z({inputs:s,content:w,name:h}));async function I(){await U(d,null)&&g(w=>w===d?"":w)}async function X(w){const h=w.currentTarget,f=h.files?.[0];if(h.value="",!f)return;const R=f.name.slice(0,Ns);if(!a){const B=et(f,{suffixes:[""],files:a},t.text);if(B)return y(B);const J=await f.arrayBuffer().then(As).catch(ut=>y(ut.message));return J===void 0?void 0:void U(J,R)}const L=new FormData;for(const[B,J]of Object.entries({inputs:s,name:R}))L.append(B,J);L.append("file",f,f.name),i&&m&&L.append("answer",m),await j(et(f,e,t.file),()=>Ot("/samples/files",L))&&u("")}const K=r`
    <label class=${a?"button":"tool tool-text"} for="bring-file">
      ${"Choose a "+(a?n.join(", "):Qe[0])+" file"}
    </label>
    <input
      type="file"
      id="bring-file"
      class="hidden-visually"
      accept=${(a?n:Qe).join(",")}
      aria-describedby="bring-said"
      onChange=${X}
    />
  `;return p?r`
      <${js}
        key=${v()?.id}
        send=${(w,h)=>{j(w,()=>Z(h))}}
      />
      <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
    `:r`
    ${a&&r`<div class="text-tools">
          ${K}<span class="hint">${"of up to "+S(t.file)+" bytes"}</span>
          ${i>0&&r`<span class="hint"
              ><label for="bring-answer">right answer </label>
              <${M}
                id="bring-answer"
                look="small-input"
                options=${[["","as the file says"],...Array.from({length:i},(w,h)=>[String(h+1),String(h+1)])]}
                chosen=${m}
                onChoose=${u}
              />
            </span>`}
        </div>
        ${!T&&r`<p class="hint">${"Accepted are "+a+"."}</p>`}`}
    ${T&&r`<label class="control-name" for="bring-typed">
          ${a?"Or paste points, a line with x y z each":"Type or paste "+o}
        </label>
        <textarea
          id="bring-typed"
          class="text-typed"
          rows="6"
          spellcheck=${!1}
          placeholder=${l}
          title=${c}
          value=${d}
          onInput=${({currentTarget:w})=>g(w.value)}
        ></textarea>
        <div class="text-tools">
          <${E} id="bring-send" look="button" wait=${!d.trim()} act=${I}>
            ${"Use "+(a?"points":o.replace(/^an? /,""))}
          <//>
          ${!a&&[K,r`<span class="hint">${S(new TextEncoder().encode(d).length)+" of up to "+S(t.text)+" bytes"}</span>`]}
        </div>`}
    <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
  `}const Ls=()=>r`<div class="delete-all">
    <details class="menu">
      <summary id="samples-delete-menu" class="tool tool-text tool-danger" aria-label="Delete all samples of mine">
        Delete all of mine
      </summary>
      <div class="menu-items">
        <p class="hint panel-more">
          ${Nt(Et.value.name)+", with its traces. Links to it lead nowhere then. This cannot be undone."}
        </p>
        <button id="samples-delete" type="button" class="menu-item danger" onClick=${xs}>
          Delete them all
        </button>
      </div>
    </details>
  </div>`;function Bs({most:e}){const t=oe(te()?.inputs),s=t&&!we.includes(t.name)&&!t.written;return r`<${$e} id="bring" title="Your own" reads=${ue(Os)} look="writes">
    ${s&&r`<p id="bring-note" class="hint">${t.refusal}</p>`}
    ${t?.written?r`<${Us} key=${t.name} kind=${t} most=${e} />`:r`<${Cs} most=${e} />`}
    <${Ls} />
  <//>`}const Js=400,Y="",Gs=Array.from({length:10},(e,t)=>[String(t),String(t)]),Ws=[["given","as given"],["rerouted","most rerouted first"],["heads","heads disagree most first"],["nearest","nearest in routing first"]],st={"":"Each digit with its label; red is a wrong prediction of the model's head for that data set.",text:"Each text with its length.",numbers:"Each point with its five numbers, and the value of its data set's function there.",points:"Each cloud of points with its class, seen from above at a slant; nearer points are lighter.",matrices:"Each matrix with its right answer: the eight panels before the gap.",statements:"Each statement with its pictures, and whether it is true.",blocks:"Each sample with its label and its digits, or its blocks, one a row.",listops:"Each expression with its value.",bytes:"Each text with its label."},qs="Each sample with its label, one row a token.",nt="share of the routing weight that goes elsewhere (total variation, mean over steps and all that is routed).",at={given:"",rerouted:"Distance of routings with and without the intervention: "+nt,nearest:"Distance of routings from that of the named sample: "+nt,heads:"Disagreement of heads: entropy of their mean answer less the mean of their entropies."},zs={given:"",rerouted:" Number: share of the routing weight that goes elsewhere.",nearest:" Number: share of the routing weight that goes elsewhere than that of the named sample.",heads:" Number: disagreement of the heads."},Hs={given:"",rerouted:"goes elsewhere",nearest:"goes elsewhere than that",heads:"disagreement"},ot={images:"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",matrices:"find: small 12",listops:"find: short 12",bytes:"find: reviews positive",statements:"find: scenes true",blocks:"find: algo 12"};function Vs(){const e=G({timer:null,text:null});me(()=>()=>clearTimeout(e.current.timer),[]);function t(s){const{value:n}=s.currentTarget;clearTimeout(e.current.timer),e.current={text:n,timer:setTimeout(()=>{e.current.text=null,N({find:n})},Js)}}return r`<input
    type="search"
    id="gallery-find"
    class="small-input"
    maxlength="80"
    aria-label="Find samples by data set, label, name or id"
    placeholder=${ot[te()?.inputs??""]??ot.images}
    value=${e.current.text??$.value.find}
    onInput=${t}
  />`}const Ys=({name:e,title:t,stand_in:s})=>[e,s&&!t.includes("stand-in")?t+" (stand-in)":t];function Zs(){const{source:e,set:t,label:s,wrong:n,order:a,samples:i}=$.value,o=O.answer()?.sets??[],c=[...o.filter(({inputs:d})=>d==="images"),...o.filter(({inputs:d})=>d!=="images")],l=e==="own",p=[...new Set([...ls,i])].sort((d,g)=>d-g);return r`
    <div class="gallery-controls">
      <${At}
        id="gallery-source"
        label="Whose samples"
        options=${[["data","Data sets"],["own","Yours"]]}
        chosen=${e}
        onChoose=${d=>N({source:d})}
      />
      <${M}
        id="gallery-set"
        look="small-input"
        label="Data set"
        hidden=${l}
        options=${[[Y,"all sets"],...c.map(Ys)]}
        chosen=${t??Y}
        onChoose=${d=>N({set:d||null})}
      />
      <span class="gallery-filters" hidden=${l||te()?.labels?.length===0}>
        <${M}
          id="gallery-label"
          look="small-input"
          label="Label"
          options=${[[Y,"any label"],...Gs]}
          chosen=${s===null?Y:String(s)}
          onChoose=${d=>N({label:d===Y?null:Number(d)})}
        />
        <label class="gallery-wrong">
          <input
            type="checkbox"
            id="gallery-wrong"
            checked=${n}
            onChange=${({currentTarget:d})=>N({wrong:d.checked})}
          />wrong only
        </label>
      </span>
    </div>
    <div class="gallery-ordering">
      <${Vs} />
      <div class="control">
        <label class="control-name" for="gallery-order">order</label>
        <${M}
          id="gallery-order"
          look="small-input"
          options=${Ws}
          chosen=${a}
          onChoose=${d=>N({order:d})}
        />
      </div>
      <${M}
        id="gallery-samples"
        look="small-input"
        label="Number of samples of the data sets that are measured for the order"
        hidden=${a==="given"||l}
        options=${p.map(d=>[String(d),"of "+S(d)+" samples"])}
        chosen=${String(i)}
        onChoose=${d=>N({samples:Number(d)})}
      />
    </div>
  `}function Xs({mute:e,drop:t,edges:s,iterations:n}){const a=[];if(e.length&&a.push(["muted: "+Ie(e),{mute:[]}]),t.length&&a.push(["dropped: "+Ie(t),{drop:[]}]),s!==null&&a.push([Dt(s)+" % of the links",{edges:null}]),n!==null){const{pass:i,passes:o}=_t(te());a.push([n+" "+(n===1?i:o),{iterations:null}])}return a}const rt=({text:e,remove:t})=>r`<span class="chip search-part"
    >${e}
    <button
      type="button"
      class="search-remove"
      aria-label=${"Take away: "+e}
      title="Take it away"
      onClick=${t}
    >
      ${"\xD7"}
    </button></span
  >`;function Ks(){const e=$.value,[t,{order:s,to:n},{sample:a}]=[Xs(e),e,z()],i=s==="nearest";return!t.length&&!i?null:r`<div class="gallery-search">
    ${i&&n&&r`<span class="control-name">near to</span>${" "}<${rt}
          text=${n}
          remove=${()=>N({to:null})}
        />`}
    ${i&&a&&a!==n&&r`<${E} id="gallery-near" act=${()=>N({to:a})}>Near to the chosen sample<//>`}
    ${t.length>0&&r`<span class="control-name">${s==="given"?"kept for other pages and orders":"under"}</span>`}
    ${t.map(([o,c])=>r`<${rt} key=${o} text=${o} remove=${()=>N(c)} />`)}
    ${t.length>1&&r`<${E} act=${()=>N(is)}>Nothing<//>`}
  </div>`}function Qs({ranked:{count:e,data:t,model:s,revision:n}}){const a=t.map(({name:o})=>o),i=t.filter(o=>o.held_out).map(({name:o})=>o);return r`<div id="gallery-measured" class="gallery-measured" role="status">
    <span>${S(e)+" measured of "+(a.join(", ")||"your own samples")}</span>
    <${Ht} sets=${t} used=${a} />
    ${i.length>0&&r`<span class="tag" title="The model was never trained on it."
        >${"out of distribution: "+i.join(", ")}</span
      >`}
    <${Vt} id=${s} revision=${n} />
  </div>`}function en({items:e,start:t,ranked:s}){const n=e.some(({sample:o})=>o?.prediction),a=["place","sample","label",...n?["predicted"]:[],Hs[s?.order??"given"]],i=e.map(({id:o,sample:c,table:l,value:p},d)=>{const g=l?Ue(l).replace(/^label /,""):String(c?.label??"none"),{prediction:m}=c??{},u=m?m.label+" by the "+m.domain+" head":"";return[S(t+d+1),o,g,...n?[u]:[],p?.short??""]});return[a,...i]}function tn({source:e,find:t,wrong:s,order:n},a){return t?["No samples match","None of these is called \u201C"+t+"\u201D."]:e==="own"&&n!=="given"?["Nothing of yours yet","You have no other sample to put in order."]:e==="own"?["Nothing of yours yet",a?"Make one at the right; it stays until you delete it.":"Bring a picture or draw a digit at the right; it stays until you delete it."]:s?["Nothing wrong here","The model labels every matching sample as the data set does."]:["No samples match","Choose another set or label."]}const _=({title:e,detail:t,unread:s=!1,inputs:n})=>r`<div class=${s?"message unread":"message"} role="status">
    <p class="message-title">${e}</p>
    <p class="message-detail">${t}</p>
    ${s&&r`<span class="reader" data-widget="reader" data-inputs=${n}></span>`}
  </div>`;function sn(){const e=P.problem();if(!e)return null;const t=e.status===404&&W(),[s,n]=t?["The order is no longer kept","Choose the order again to have it measured again."]:[e.title,e.message];return P.latest()?r`<div class="outage-note" role="alert">
    <span>${s+". "+n}</span> <${E} act=${P.again}>Try again<//>
  </div>`:r`<${_} title=${s} detail=${n} />`}function nn(){const e=q(),t=P.latest();if(e&&!(e.waits&&t))return r`<${_} ...${e} />`;if(!t)return P.problem()?null:r`<div class="skeleton skeleton-gallery"></div>`;if(t.items.length)return r`<${qt} items=${t.items} />`;const[s,n]=tn($.value,t.kind);return r`<${_} title=${s} detail=${n} />`}function an(){const{items:e=[],total:t=0,start:s=0,size:n=1}=!q()&&P.latest()||{},a=e.length?S(s+1)+" to "+S(s+e.length):"0",i=Math.min($.value.page,Math.ceil(t/n)+1);return r`<${Ct}
    id="gallery"
    words=${a+" of "+S(t)}
    start=${n*(i-1)}
    step=${n}
    total=${t}
    before="Previous page"
    after="Next page"
    go=${o=>N({page:1+o/n})}
  />`}function on(){const{source:e,set:t}=$.value,s=re(),n=(O.answer()?.sets??[]).filter(({inputs:o,name:c})=>o===(s??"images")&&(!t||c===t)),i=new Set(n.map(o=>[o.licence,o.stand_in,o.stand_in_for].join())).size===1?zt(n):n.map(o=>({stem:"",sets:[o]}));return e==="own"?null:r`<div id="gallery-licences" class="licences">
    ${i.map(({stem:o,sets:[c,...l]})=>{const p=u=>u.slice(u.lastIndexOf(" ")+1),d=l.at(-1),g=o&&d?o+" "+p(c.title)+" to "+p(d.title):c.title,m=c.stand_in_for?"stand-in for "+c.stand_in_for:"stand-in";return r`<p key=${c.name}>
        <strong>${g}</strong>
        ${c.stand_in&&r`<span class="tag tag-warn">${m}</span>`}
        <span>${c.licence}</span>
      </p>`})}
  </div>`}function rn(){const{order:e}=$.value,t=re(),s=q()?null:P.latest(),n=ys(),a=(t===null?st[""]:st[t]??qs)+zs[e],i=!!q()?.refused;return r`<${$e} id="gallery" title="Gallery" reads=${a} more=${at[e]} look="panel-gallery">
    <${Wt}><${Zs} /><//>
    <${Ks} />
    ${!i&&r`<${Pt} name=${C} what="Measuring samples for their order" />`}
    ${s?.ranked&&r`<${Qs} ranked=${s.ranked} />`}
    <${sn} />
    <div id="gallery" class="gallery" data-former=${n?"true":void 0} aria-busy=${String(n)}>
      <${nn} />
    </div>
    <${an} />
    <div id="gallery-table" hidden=${!s?.ranked}>
      <${ge}
        words="The order as a table"
        caption=${()=>at[s?.ranked?.order??e]}
        rows=${s?.ranked?()=>en(s):null}
        data=${{id:"gallery-order-table"}}
      />
    </div>
    <${on} />
  <//>`}const ln=80,it=new Map,cn=(e,t)=>e.includes(t)?e.filter(s=>s!==t):[...e,t].slice(-2);function dn({right:e,chosen:t},s){return[...s===e?["right"]:[],...s===t?["network"]:[]]}function un(e,{chosen:t,probabilities:s}){if(!e)return"";const n=(i,o)=>"answer "+(i+1)+" ("+he(o)+")";if(t===null||!s)return e.swap+" swapped.";const a=n(t,s[t]);return e.swap+" swapped. Before: "+n(e.chosen,e.probability)+"; now: "+a+"."}const pn=e=>(e.replace(/\.(npz|png)$/i,"").replace(/[^\w.-]+/g,"-")||"matrix")+".png";function mn(e){const{id:t,panels:s,probabilities:n}=e,a=s.names.length,i=a-s.answers,o=ne([]),c=ne(un(it.get(t),e)),l=ne(!1);async function p(){const[m,u]=o.value;if(l.value||u===void 0)return;l.value=!0,c.value="Answering \u2026";const b=be(s.names[m])+" and "+be(s.names[u]),y=(b+" swapped: "+e.name).slice(0,ln);try{const k=await x("POST","/tables/"+encodeURIComponent(t)+"/exchanged",{one:m,other:u,name:y}),{chosen:T}=e;T!==null&&n&&it.set(k.id,{chosen:T,probability:n[T],swap:b[0].toUpperCase()+b.slice(1)}),je(k)}catch(k){c.value=k instanceof Error?k.message:String(k)}finally{l.value=!1}}function d(m){const u=m-i,b=u>=0?dn(e,u):[],y=u>=0?n?.[u]:void 0,k=[be(s.names[m]),...b.includes("right")?["right"]:[],...b.includes("network")?["the network's answer"]:[],...y===void 0?[]:[he(y)]].join(", ");return r`
      <button
        key=${m}
        type="button"
        class="matrix-panel"
        data-panel=${m}
        data-marks=${b.join(" ")}
        aria-pressed=${String(o.value.includes(m))}
        aria-label=${k}
        title=${k}
        onClick=${()=>o.value=cn(o.value,m)}
      >
        <span class="matrix-picture" style=${Zt(t,m,a)}></span>
        ${u>=0&&r`<span class="matrix-caption">
            <span>${u+1}</span>
            ${y!==void 0&&r`<span class="matrix-share">${he(y)}</span>`}
            ${b.map(T=>r`<span class="matrix-mark" data-mark=${T}>${T}</span>`)}
          </span>`}
      </button>
    `}const g=s.names.map((m,u)=>u);return r`
    <div class="matrix">
      <div
        class="matrix-grid"
        role="group"
        aria-label="The matrix"
        style=${{gridTemplateColumns:"repeat("+s.columns+", 1fr)"}}
      >
        ${g.slice(0,i).map(d)}
        <span class="matrix-gap" role="img" aria-label="the gap">?</span>
      </div>
      <div class="matrix-answers" role="group" aria-label="Answers for the gap">
        ${g.slice(i).map(d)}
      </div>
    </div>
    <div class="text-tools writes">
      <button
        type="button"
        class="button"
        id="panels-swap"
        disabled=${l.value||o.value.length<2}
        onClick=${p}
      >
        Swap two panels
      </button>
      <span class="hint">Pick two; the swapped matrix becomes a sample of yours.</span>
    </div>
    <div class="text-tools">
      <a class="tool tool-text" id="panels-sheet" href=${Yt(t)} download=${pn(e.name)}>PNG sheet</a>
      <span class="hint">All panels as one picture, which can be brought again.</span>
    </div>
    <p class="hint" id="panels-said" role="status" aria-live="polite">${c.value}</p>
  `}const hn=5,fn=.005,$n="Probability of each label by each head; the triangle marks the true label.",gn="The model's answer, its loss, and the sample.",bn="Products of the variables (\xACa is 1 - a), joined by x \u2295 y = 1 - (1 - x)(1 - y): the \u201Cor\u201D of product fuzzy logic.",lt={another:"Another user's sample: everybody with its link can look at it, and its owner can change it.",everybody:"Everybody who uses this service can change it: a program sent it, or it is older than owners."},wn=[["","no label"],...Array.from({length:10},(e,t)=>[String(t),String(t)])];function vn(e,t){const[s,n]=e.split("?");return s+Ae({...Object.fromEntries(new URLSearchParams(n)),...t})}function le({to:e,words:t,more:s}){const n=Re().find(({key:i})=>i===e);if(!n)return null;const a=vn(It(n,n.samples||!s?{}:{sample:null}),s??{});return r`<a id="see-path" class="button" href=${a} onClick=${Rt}>${Fe(n.icon)}${t}</a>`}function yn({table:{id:e,inputs:t,rows:s,blocks:n}}){if(Re().find(({key:o})=>o==="paths")?.inputs.includes(t)&&!we.includes(t))return r`<${le} to="paths" words="Its path" />`;if(t==="statements"){const o={statement:e,s1:s.map(([,c])=>c).join(" ")};return r`<${le} to="circuits" words="Its circuit" more=${o} />`}if(!n)return null;const i=n.program.map(o=>o+1).join(",");return r`<${le} to="blocks" words="Its blocks" more=${{digits:n.digits.join(","),program:i}} />`}const ct=({standIn:e,data:t})=>r`
  ${e&&r`<p><span class="tag tag-warn">stand-in data</span></p>`}
  ${t&&r`<p class="licence">${t.licence}</p>`}
`,kn=({sample:{name:e,label:t,owner:s},edit:n})=>r`
  <label class="writes own-field">
    Name
    <input
      id="sample-name"
      class="small-input"
      maxlength="80"
      value=${e}
      onInput=${a=>n.name=a.target.value}
    />
  </label>
  <label class="writes own-field">
    Label
    <${M}
      id="sample-label"
      look="small-input"
      options=${wn}
      chosen=${String(t??"")}
      onChoose=${a=>n.label=a===""?null:Number(a)}
    />
  </label>
  ${s==="everybody"&&r`<p class="hint">${lt.everybody}</p>`}
`;function xn({sample:e,data:t,see:s}){const{id:n,name:a,label:i,origin:o,owner:c,image:l}=e,{current:p}=G({name:a,label:i}),d=o!=="data"&&c!=="another",m=d&&r`<${E} id="sample-save" look="tool tool-text writes" act=${()=>{p.name.trim()&&ks(n,{...p,name:p.name.trim()})}}>Save<//>
      <details class="menu writes">
        <summary id="sample-delete-menu" class="tool tool-text tool-danger" aria-label=${"Delete "+a}>
          Delete
        </summary>
        <div class="menu-items">
          <p class="hint">This cannot be undone.</p>
          <${E} id="sample-delete" look="menu-item danger" act=${()=>Ke(n)}>Delete this sample<//>
        </div>
      </details>`,u=d?"read-only":void 0;return r`<div class="facts">
    <img src=${l} alt=${a+", as the network sees it"} width="128" height="128" class="pixels sample-image" />
    <div class="about">
      <p class=${u}><strong>${a}</strong></p>
      <p class=${u}>${i===null?"no label":"labelled "+i}</p>
      ${d&&r`<${kn} sample=${e} edit=${p} />`}
      ${c==="another"&&r`<p class="hint">${lt.another}</p>`}
      <${ct} standIn=${e.stand_in} data=${t} />
      <div class="actions">${s}${m}</div>
    </div>
  </div>`}function Oe(){const[e,t,s]=[ie.answer(),A.answer(),v()];if(!e||!t?.picture||e.model!==s?.id)return null;const{label:n,set:a,name:i}=t.picture,o=a&&e.domains.includes(a)?a:null;return e.predictions.length||e.numbers.length?{current:e,baseline:null,label:n,domain:o,name:i}:null}function Sn({current:e,label:t}){const s=es(e.predictions);return[["head",...(s[0]?.labels??[]).map((a,i)=>a+(i===t?" (true)":""))],...s.map(({shared:a,domain:i,probabilities:o})=>[a?"one head":i,...o.map(c=>c.toFixed(3))])]}function Tn(){const e=Oe();return r`<div class="predictions" hidden=${!e}>
    <${Xt}
      scene=${t=>{const s=Oe();return s&&Kt(s,t)}}
      drawn=${()=>ie.answer()?.id??""}
      label=${()=>{const t=Oe();return t?Qt(t):""}}
      data=${{"data-key":"sample"}}
    />
    <${ge}
      words="Probabilities as a table"
      caption=${()=>"Probability of each label by each head."}
      rows=${e&&(()=>Sn(e))}
    />
  </div>`}function Nn({score:e,model:t}){if(!e)return r`<${_} title="No answer" detail=${t+" has no head for this data set."} />`;const{answer:s=null,target:n=null,measure:a,predicted:i,domain:o,value:c,loss:l}=e;let[p,d]=[o+" head",t],g;if(s!==null&&n!==null){const m=Math.abs(s-n);g="network "+s.toFixed(2)+", expression "+n.toFixed(2),d="off by "+(m<fn?String(Number(m.toPrecision(2))):m.toFixed(2))+"; "+t}else{const m=e.predicted_name??String(i);i===null?[p,g]=[a.name,(Le(c)+" "+a.unit).trim()]:g=c===null?m:m+", "+(c?"right":"wrong");const u=i!==null||a.higher_is_better?"":"less is better; ";l!==null&&(d=u+"loss "+Ft(l)+"; "+t)}return r`<div class="number sample-score" id="sample-score" role="status">
    <span class="number-name">${p}</span>
    <span class="number-value">${g}</span>
    <span class="number-range">${d}</span>
  </div>`}function En({point:{set_title:e,value:t,expression:s,products:n}}){const a=n.filter(l=>l.true),i=[...a].sort((l,p)=>p.value-l.value).slice(0,hn),o=Math.max(...i.map(l=>l.value),0)||1,c=[["product","in the function","value here"],...n.map(l=>[l.name,Number(l.true),l.value.toFixed(4)])];return r`<div class="function">
    <p><strong>${e}</strong>${": "+t.toFixed(3)+" at this point"}</p>
    <p class="expression" tabindex="0">${s}</p>
    <p class="hint">${bn}</p>
    <table class="figures products">
      <caption>
        ${"The largest here of "+a.length+" of "+n.length+" products."}
      </caption>
      <tbody>
        ${i.map(l=>r`<tr key=${l.name}>
              <th scope="row">${l.name}</th>
              <td class="product-bar">
                <span style=${{width:100*l.value/o+"%"}} aria-hidden="true"></span>
              </td>
              <td>${l.value.toFixed(3)}</td>
            </tr>`)}
      </tbody>
    </table>
    <details class="as-table">
      <summary>Its truth table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="Truth table of the function">
        <${as} rows=${c} caption="" />
      </div>
    </details>
  </div>`}function On({table:e}){const t=G(null);return me(()=>{const s=t.current,n=new rs(s),a=os(e),i=a.x.map((l,p)=>"point "+(p+1)),o=()=>n.show(e.id,a,jt().accent,i).catch(l=>s.textContent=l.message);o();const c=Mt(o);return()=>{c(),n.dispose()}},[e.id]),r`<div ref=${t} class="cloud" key=${e.id}></div>
    <${ge}
      words=${ae(e)+" as a table"}
      caption=${()=>"Points of the sample."}
      rows=${()=>[["point",...e.columns],...e.rows.map((s,n)=>[n+1,...s.map(Le)])]}
    />`}function Pn({table:e,model:t}){const{point:s,panels:n,score:a,writing:i}=e;if(s)return[r`<${ts} ...${s} />`,r`<${En} point=${s} />`];if(e.space?.length)return r`<${On} key=${e.id} table=${e} />`;if(n)return[r`<p class="rules">
        ${n.rules.length?["Rules: ",r`<strong>${n.rules.join("; ")}</strong>`]:"The rules are unknown."}
      </p>`,r`<${mn} key=${e.id+t} ...${{id:e.id,name:ae(e),panels:n}} right=${e.label}
        chosen=${a?.predicted??null} probabilities=${a?.probabilities??null} />`];const o=Ze.answer(),c=ss(e);return r`<div
    class="table-scroll sample-table-whole"
    tabindex="0"
    role="region"
    aria-label=${ae(e)+" as "+(i?"it is written":"a table")}
  >
    <${ns} table=${e} whole=${!0} readers=${o} />
    ${c&&r`<p class="hint">${c}</p>`}
  </div>`}function An({table:e,chosen:{data:t,model:s}}){const[n,a]=[oe(e.inputs),e.set===null],i=a&&e.point?"yours, under "+e.point.set_title:a?"yours":e.set_title,o=s?.inputs===e.inputs,l=a&&r`<${E} id="sample-delete" look="tool tool-text writes" act=${()=>Ke(e.id)}>Delete<//>`,p=s&&{title:"This model does not read samples",detail:`${s.id} reads samples that are each ${oe(s.inputs)?.words??s.inputs}; this one is ${n?.words??e.inputs}.`};return r`
    <div class="facts">
      <div class="about">
        <p><strong>${ae(e)}</strong>${", "+Ue(e)}</p>
        <p>${n?i+": "+n.words:i}</p>
        <${ct} standIn=${e.stand_in} data=${t} />
        <div class="actions">${o&&r`<${yn} table=${e} />`}${l}</div>
      </div>
    </div>
    ${s&&(o?r`<${Nn} score=${e.score??null} model=${s.id} />`:r`<${_} ...${p} unread=${!0} inputs=${e.inputs} />`)}
    <${Pn} table=${e} model=${s?.id??null} />
  `}function Cn({now:e}){const t=A.problem();if(!D().sample)return r`<div class="message">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">Pick one from the gallery<span class="writes">, or bring one of your own</span>.</p>
    </div>`;if(t&&!e)return r`<${_} title=${t.title} detail=${t.message} /><${E} act=${A.again}
        >Try again<//
      >`;if(!e)return r`<div class="skeleton skeleton-sample"></div>`;const{picture:s,table:n,data:a}=e;if(n)return r`<${An} key=${n.id} table=${n} chosen=${e} />`;if(!s)return r`<${_}
      title="This sample is not there any more"
      detail="It was deleted, or the address names another one."
    />`;const i=e.model===v()?Je():null,o=e.model&&e.model!==v()?null:r`<${le} to="paths" words="See its path" />`;return r`
    <${xn}
      key=${s.id+s.name+s.label}
      sample=${s}
      data=${a}
      see=${!i&&o}
    />
    ${i&&r`<${_} ...${i} unread=${!0} />`}
  `}function Dn(){const e=D().sample?A.latest():null,t=A.waits()||ie.waits()||v()===void 0,s=e!==null&&(v()===void 0||A.answer()===null);return r`<${$e} id="sample" title="Chosen sample" reads=${e?.table?gn:$n}>
    <div id="sample-body" aria-busy=${String(!!D().sample&&t)}>
      <div id="sample-facts" data-former=${s?"true":void 0}><${Cn} now=${e} /></div>
      <${Tn} />
    </div>
  <//>`}const _n={numbers:"Pick a point, or set one.",points:"Pick a cloud of points, or bring one.",top_experts:"Pick a text, type one, or bring a file.",listops:"Pick an expression, or type one.",bytes:"Pick a review, type one, or bring a file.",matrices:"Pick a matrix, bring one, or swap panels of one.",statements:"Pick a statement.",blocks:"Pick a sample.","":"Pick a digit, bring a picture, or draw one."},dt={file:0,text:0},In=()=>r`
  <div class="page-head">
    <h1>Samples</h1>
    <div class="caption writes">${ue(_n)}</div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${Fe("link")}Copy link</button>
    </div>
  </div>
  <div class="samples-grid">
    <${rn} />
    <div class="samples-side"><${Dn} /><${Bs} most=${dt} /></div>
  </div>
`,Rn=e=>new Promise(t=>{const s=ee(()=>{z().sample===e&&queueMicrotask(()=>t(s()))})});Ut("samples",({model:e,sample:t,pin:s,...n})=>(_e({model:e,sample:t}),ve(n),Rn(t)));const Fn=Lt({Tree:In,choice:()=>$.value,take:ve,open(e,t){const{maxBytes:s,maxTextBytes:n}=t.closest(".page").dataset;return Object.assign(dt,{file:Number(s),text:Number(n)}),ve(e),Ts()}});export{Fn as mount};
