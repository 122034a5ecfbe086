/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{af as pt,ae as mt,n as ht,ai as M,E as x,ay as Ce,a5 as ce,B as ft,U as Ae,b4 as $t,ac as z,ax as gt,V as bt,bk as wt,Y as de,aW as ue,X as De,bj as vt,bl as yt,aE as Q,R as ee,an as pe,ah as kt,aC as _e,aS as xt,ba as St,a0 as Tt,d as H,c as Re,m as te,s as i,bm as Et,u as Nt,$ as se,P as G,D as S,ao as j,T as N,Q as me,aX as ne,p as Ot,aL as Pt,am as Ct,H as Ie,k as At,o as Dt,i as he,aa as fe,b6 as Me,bn as _t,at as Rt,v as It,S as Mt,r as jt,av as Ft,aw as Ut}from"../../boot.js";import{bZ as je,b_ as Lt,b$ as $e,P as ge,c0 as Bt,c1 as Jt,c2 as Fe,aR as Gt,A as be,bW as Wt,c3 as qt,aS as zt,R as Ht,bw as Ue,c4 as Yt,c5 as we,bO as Xt,j as Vt,bM as Zt,bU as Kt,bv as ae,bG as Qt,c6 as es,c7 as ts,c8 as ss,c9 as Le,ca as ns,cb as as,bI as os}from"../../shared.js";const A="behaviour",is={mute:[],drop:[],edges:null,iterations:null},Be=pt("samples","mute","drop","edges","iterations","source","set","label","wrong","find","order","to","samples","page"),{offered:rs}=mt("samples","samples"),[ls,cs,ds,us]=[96,24,8,60],ve=["images","statements","blocks"],ps="statements",$=ht({...Be}),ye=e=>$.value={...Be,...e};function E(e){const t=$.value,n=e.order==="nearest"&&t.order!=="nearest"?t.to??z().sample:t.to,a={...t,page:1,to:n,...e};Object.entries(a).filter(([o,c])=>JSON.stringify(c)!==JSON.stringify(t[o])).some(([o])=>o!=="page"||e.page)&&($.value=a)}function D(){const{model:e,sample:t}=z(),s=gt(location.search);return e?{model:e,sample:t}:{model:s.model,sample:t??s.sample}}const W=()=>$.value.order!=="given",O=M(()=>"all",async()=>{const[e,t]=await Promise.all([x("GET","/data"),x("GET","/inputs")]);return{sets:e.items,kinds:t.items}}),ke=M(()=>{const{model:e}=D();return e&&(!Ce()||ce(e))?e:null},e=>x("GET","/models/"+encodeURIComponent(e)));function v(){const{model:e}=D();if(!e||Ce()&&!ce(e)||ke.problem())return null;const t=ke.answer();return t?.id===e?t:void 0}function xe(e){let t=null;return()=>{const s=e();return s===void 0?t:t=s}}const oe=e=>O.answer()?.kinds.find(t=>t.name===e)??null;function Je(){const{model:e}=D(),t=e?v():null;return t&&!t.samples?ce(t.id)?.refused??null:null}function Ge({set:e,samples:t,order:s,to:n,mute:a,drop:r,edges:o,iterations:c},{id:l,units:u}){const d={mute:de(u,a),drop:de(u,r),iterations:c,keep_edges:o};return{model:l,data:e?[e]:[],samples:t,order:s,to:s==="nearest"?n:null,intervention:d}}function ms(e){const{data:t,samples:s,...n}=Ge($.value,e);return n}function hs({order:e,to:t,mute:s,drop:n,edges:a,iterations:r}){return e==="rerouted"&&!s.length&&!n.length&&a===null&&r===null?{title:"Nothing reroutes them yet",detail:ue({"":"Mute or drop {units} on Paths or Drop, then come back: the change stays chosen."})}:e==="nearest"&&!t?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const Y=M(xe(()=>{const e=v();if(!(e===void 0||e&&!We(e)))return e&&W()&&$.value.source==="data"?JSON.stringify([Ge($.value,e),hs($.value)]):null}),async e=>{const[t,s]=JSON.parse(e),n=await ft(t.model)||s;return n?{body:null,title:n.title,detail:n.detail}:{body:t}}),Se=e=>e.filter(t=>!De(t)),We=({units:e})=>!wt(e,Se([...$.value.mute,...$.value.drop])).length;function fs(e){for(const s of["mute","drop"])Tt(s,e,Se($.value[s]));const t=s=>[...de(e.units,Se(s)),...s.filter(De)];E({mute:t($.value.mute),drop:t($.value.drop)})}function qe(){const e=Y.answer()?.body,t=Q(A);return e&&JSON.stringify(t.request?.body)===JSON.stringify(e)?t:null}function ze(){const e=qe()?.job;return e?.state==="done"?vt(e):null}const $s=[403,404,422],He={title:"Measuring the order",detail:"Samples appear when they are measured.",waits:!0};function gs(){const e=v();if(e===void 0)return He;if(e===null)return{title:"No model chosen",detail:"A model gives samples their order."};const t=Y.answer();if(t&&!t.body)return{title:t.title??"",detail:t.detail??"",refused:!0};const s=qe(),n=s?.problem??(s?.job?.state==="failed"?yt(s.job):null);if(n){const{status:a=0}=n,r=$s.includes(a),o=r?"There is no such order here":"The order was not measured";return{title:a===403&&n.title||o,detail:n.message??"",refused:r}}return s?.job?.state==="cancelled"?{title:"Cancelled",detail:"Resume it above."}:ze()?null:He}function bs({source:e,set:t,order:s},n,a,r){if(e==="own")return r.find(({name:l})=>l===n?.inputs)?.written?n?.inputs??null:null;const o=t?a.find(({name:l})=>l===t)?.inputs:n?.inputs;return!o||o==="images"?null:t||!(s==="given"&&ve.includes(o))&&a.some(l=>l.inputs===o)?o:null}const ie=()=>{const{sets:e,kinds:t}=O.answer()??{sets:[],kinds:[]};return bs($.value,v()??null,e,t)};function q(){const{source:e,wrong:t}=$.value;if(!O.answer())return null;const[s,n]=[ie(),e==="data"],a=s===null&&(W()||t&&n)?Je():null;return a?{...a,unread:!0}:s!==null&&t&&n?{title:"Nothing is right or wrong here",detail:"Show all samples, and choose one to see its score."}:W()&&(n||v()===null)?gs():null}const Te=Ae,Ye={sample:null,table:null,value:null};function ws({unit:e,order:t},s){if(e==="bit")return{short:s.toFixed(2)+" bit",words:"heads disagree by "+s.toFixed(2)+" bit"};const n=(100*s).toFixed(1)+" %",a=t==="rerouted"?"goes elsewhere":"goes elsewhere than that of the named sample";return{short:n,words:n+" of the routing weight "+a}}const P=M(xe(()=>{const[e,t]=[v(),q()];if(!O.answer()||e===void 0||t?.waits)return;if(t)return null;const s=ie(),n=W()&&$.value.source==="data"?ze():null,a=W()&&$.value.source==="own"&&e?ms(e):null;return JSON.stringify([$.value,s,e?.id,e?.samples,n,a,je.value])}),async(e,t)=>{const[s,n,a,r,o,c]=JSON.parse(e),{source:l,set:u,find:d,page:g,order:m}=s,p=l==="own",b=n===null?ls:cs,y=(g-1)*b,k=n===null?null:n===ps?us:ds,T=p?null:s.label,F=s.wrong&&!p&&r,V=r?a:null,U={kind:n,start:y,size:b,ranked:null},R=(h,f)=>x("GET",h+Te(f),void 0,{signal:t});if(m!=="given"){const h={label:T,wrong:F,find:d,limit:b,offset:y,rows:k},f=c?await x("POST","/behaviours/own"+Te(h),c):await R("/behaviours/"+o,h),I=f.items.map(({table:L=null,value:B,...J})=>({...J,table:L,value:ws(f,B)}));return{...U,items:I,total:f.total,ranked:f}}if(n!==null){const{items:h,total:f}=p?await R("/samples/written",{inputs:n,limit:b,offset:y,rows:k}):await R("/tables",{inputs:n,set:u,label:T,find:d,limit:b,offset:y,rows:k});return{...U,items:h.map(I=>({...Ye,id:I.id,table:I})),total:f}}const[Z,...K]=await Promise.all([R("/samples",{origin:p?null:"data",set:p?null:u,model:V,label:T,wrong:F,find:d,limit:b,offset:y}),...(p?["upload","drawing"]:[]).map(h=>R("/samples",{origin:h,find:d,limit:0}))]),w=Z.items.filter(({origin:h})=>!p||h!=="data");return{...U,items:w.map(h=>({...Ye,id:h.id,sample:h})),total:p?K.reduce((h,{total:f})=>h+f,0):Z.total}}),vs=()=>P.latest()!==null&&(P.answer()===null||v()===void 0||!!q()?.waits),Ee=new Set,Xe=e=>e instanceof bt&&e.status===404,C=M(xe(()=>{const[{sample:e},t]=[D(),v()];if(!e||Ee.has(e))return null;if(!(t===void 0||!O.answer()))return JSON.stringify([e,t?.id,je.value])}),async e=>{const[t]=JSON.parse(e),[s,n]=[v()??null,O.answer()?.sets??[]],a=n.find(({name:p})=>p===t.split(".")[0]),r={id:t,picture:null,table:null,data:a,model:s},o=encodeURIComponent(t),c=async()=>({...r,picture:await x("GET","/samples/"+o)});async function l(){const p=await x("GET","/tables/"+o),b=s?.inputs===p.inputs;return{...r,table:b?await x("GET","/tables/"+o+Te({model:s?.id})):p}}const u=a?a.inputs!=="images":!!oe(s?.inputs)?.written,[d,g]=u?[l,c]:[c,l],m=p=>{if(!Xe(p))throw p;return t.includes(".")?r:g()};return d().catch(m).catch(p=>Xe(p)?r:Promise.reject(p))}),re=M(()=>{const[e,t]=[C.answer(),v()];return e?.picture&&t?.samples&&e.model?.id===t.id?JSON.stringify([t.id,e.id]):null},e=>{const[t,s]=JSON.parse(e);return x("POST","/traces",{model:t,sample:s,fields:[]})}),Ne="read_in",Ve=M(()=>{const[e,t]=[C.answer(),v()];return e?.table?.writing&&t&&e.model===t&&t.inputs===e.table.inputs&&t.fields.includes(Ne)?JSON.stringify([t.id,e.id]):null},async e=>{const[t,s]=JSON.parse(e),n=await x("POST","/traces",{model:t,sample:s,fields:[Ne]});return{weights:(await $t(n.id,Ne)).data,units:n.units}});async function Oe(e){try{await e()}catch(t){const{title:s="It was not changed",message:n}=t;H(s,n,"bad")}}const Ze=()=>Re({sample:null}),ys=(e,t)=>Oe(async()=>{await x("PATCH","/samples/"+encodeURIComponent(e),t),H("Saved",t.name+": "+(t.label===null?"no label":"label "+t.label),"good"),$e()}),Ke=e=>Oe(async()=>{await x("DELETE","/samples/"+encodeURIComponent(e)),H("Deleted","The sample and its pictures are gone.","good"),Ee.add(e),Ze(),$e()}),ks=()=>Oe(async()=>{const{count:e}=await x("DELETE","/samples?owner=you");if(!e)return H("Nothing to delete","There is nothing of yours.","good");H("Deleted",e===1?"1 sample is gone.":e+" samples are gone.","good");const{sample:t}=z();t&&!t.includes(".")&&(Ee.add(t),Ze()),$e()});function xs(){const[e,t]=[Y.answer()?.body??null,Y.waits()];pe(()=>{if(!e){!t&&Q(A).request&&_e(A);return}const{job:s,request:n}=Q(A);JSON.stringify(n?.body)!==JSON.stringify(e)&&xt(A,"/behaviours",e).then(async()=>{Q(A).job?.id!==s?.id&&await St(s)})})}function Ss(){Lt();const e=[...[O,ke,Y,P,C,re,Ve].map(t=>t.follow()),ee(xs),ee(()=>{const t=v();t&&!We(t)&&pe(()=>fs(t))}),ee(()=>{const t={...$.value,...D()};pe(()=>kt("samples",t))})];return()=>{e.forEach(t=>t()),_e(A)}}const Qe=[".txt","text/plain"],Ts=80,Es="points",Ns={points:"A cloud of yours becomes a sample, scaled to the unit ball; up to 1,024 of its points are taken.",numbers:"A point of yours becomes a sample: Paths shows which functions it goes through.",top_experts:"A text of yours becomes a sample: Paths shows which experts its tokens take.",listops:"An expression of yours becomes a sample: Paths shows which modules read it.",bytes:"A text of yours becomes a sample: Paths shows which modules read it.",matrices:"A matrix of yours becomes a sample: Paths shows how its panels go.","":"Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels."};function Os(e,t){if(!e.trim())return"Type or paste a text first.";const s=new TextEncoder().encode(e).length;return s>t?"The text has "+S(s)+" bytes; up to "+S(t)+" are accepted.":""}function et({name:e,size:t},{suffixes:s,files:n},a){return s.some(r=>e.toLowerCase().endsWith(r))?t>a?"The file has "+S(t)+" bytes; up to "+S(a)+" are accepted.":"":e+" cannot be read; accepted are "+n+"."}function Ps(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}function Cs({most:e}){const[t,s]=[G(null),G(null)];me(()=>{const a=new Bt(t.current),r=Jt(s.current,e.file);return()=>{a.stop(),r()}},[]);const n=(a,r,o)=>i`<button type="button" class=${o} data-pad=${a}>${r}</button>`;return i`<div class="bring">
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
  </div>`}const As="numbers",Ds=.01,tt="number:",_s=e=>e.filter(t=>t.startsWith(tt)).map(t=>t.slice(tt.length));function Rs(e,t){const s=t.findIndex(a=>!(a.trim()&&Number(a)>=0&&Number(a)<=1));if(s<0)return"";const n=t[s].trim()?"\u201C"+t[s].trim()+"\u201D":"empty";return e[s]+" is "+n+"; a number from 0 to 1 is accepted, such as 0.25."}function Is(e,t){const s=e.trim().split(/[\s,;]+/);return t>1&&s.length===t?s:null}function Ms({name:e,at:t,written:s}){const n=l=>s.value=s.value.map((u,d)=>d===t?l:u),a=l=>n(l.currentTarget.value),r=l=>{const u=Is(l.clipboardData?.getData("text")??"",s.value.length);u&&(l.preventDefault(),s.value=u)},o=s.value[t],c=Number.isFinite(Number(o))?Number(o):0;return i`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${Ds}
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
      onPaste=${r}
    />
  </div>`}function js({send:e}){const t=v(),s=_s(t?.tokens??[]),n=(O.answer()?.sets??[]).filter(({name:l})=>t?.domains.includes(l)),a=ne(s.map(()=>"0.5")),[r,o]=se(n[0]?.name??""),c=()=>{const l=a.value.map(u=>u.trim()).join(", ");e(Rs(s,a.value),{inputs:As,content:l,set:r})};return i`
    <div class="number-rows" role="group" aria-label="Numbers of the point">
      ${s.map((l,u)=>i`<${Ms} key=${l} name=${l} at=${u} written=${a} />`)}
    </div>
    <div class="number-tools">
      <label class="control-name" for="number-function">function</label>
      <${j}
        id="number-function"
        look="small-input"
        options=${n.map(({name:l,title:u})=>[l,u])}
        chosen=${r}
        onChoose=${o}
      />
      <${N} id="number-random" act=${()=>a.value=s.map(()=>Math.random().toFixed(2))}>At random<//>
      <${N} id="number-send" look="button" act=${c}>Use point<//>
    </div>
  `}function Fs({kind:e,most:t}){const{name:s,suffixes:n,files:a,answers:r,words:o,written:c,example:l,of_set:u}=e,[d,g]=se(""),[m,p]=se(""),[b,y]=se(""),k=G(!1),T=!a||s===Es;async function F(w,h){if(k.current||(y(w||"Reading \u2026"),w))return!1;k.current=!0;try{const f=await h();return Fe(f),y("Added: "+f.set_title+(f.space?.length?", "+S(f.total_rows)+" points":"")),!0}catch(f){return y(f instanceof Error?f.message:String(f)),!1}finally{k.current=!1}}const V=w=>x("POST","/samples/written",w),U=(w,h)=>F(Os(w,a?1/0:t.text),()=>V({inputs:s,content:w,name:h}));async function R(){await U(d,null)&&g(w=>w===d?"":w)}async function Z(w){const h=w.currentTarget,f=h.files?.[0];if(h.value="",!f)return;const I=f.name.slice(0,Ts);if(!a){const B=et(f,{suffixes:[""],files:a},t.text);if(B)return y(B);const J=await f.arrayBuffer().then(Ps).catch(ut=>y(ut.message));return J===void 0?void 0:void U(J,I)}const L=new FormData;for(const[B,J]of Object.entries({inputs:s,name:I}))L.append(B,J);L.append("file",f,f.name),r&&m&&L.append("answer",m),await F(et(f,e,t.file),()=>Ot("/samples/files",L))&&p("")}const K=i`
    <label class=${a?"button":"tool tool-text"} for="bring-file">
      ${"Choose a "+(a?n.join(", "):Qe[0])+" file"}
    </label>
    <input
      type="file"
      id="bring-file"
      class="hidden-visually"
      accept=${(a?n:Qe).join(",")}
      aria-describedby="bring-said"
      onChange=${Z}
    />
  `;return u?i`
      <${js}
        key=${v()?.id}
        send=${(w,h)=>{F(w,()=>V(h))}}
      />
      <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
    `:i`
    ${a&&i`<div class="text-tools">
          ${K}<span class="hint">${"of up to "+S(t.file)+" bytes"}</span>
          ${r>0&&i`<span class="hint"
              ><label for="bring-answer">right answer </label>
              <${j}
                id="bring-answer"
                look="small-input"
                options=${[["","as the file says"],...Array.from({length:r},(w,h)=>[String(h+1),String(h+1)])]}
                chosen=${m}
                onChoose=${p}
              />
            </span>`}
        </div>
        ${!T&&i`<p class="hint">${"Accepted are "+a+"."}</p>`}`}
    ${T&&i`<label class="control-name" for="bring-typed">
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
          <${N} id="bring-send" look="button" wait=${!d.trim()} act=${R}>
            ${"Use "+(a?"points":o.replace(/^an? /,""))}
          <//>
          ${!a&&[K,i`<span class="hint">${S(new TextEncoder().encode(d).length)+" of up to "+S(t.text)+" bytes"}</span>`]}
        </div>`}
    <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
  `}const Us=()=>i`<div class="delete-all">
    <details class="menu">
      <summary id="samples-delete-menu" class="tool tool-text tool-danger" aria-label="Delete all samples of mine">
        Delete all of mine
      </summary>
      <div class="menu-items">
        <p class="hint panel-more">
          ${Et(Nt.value.name)+", with its traces. Links to it lead nowhere then. This cannot be undone."}
        </p>
        <button id="samples-delete" type="button" class="menu-item danger" onClick=${ks}>
          Delete them all
        </button>
      </div>
    </details>
  </div>`;function Ls({most:e}){const t=oe(te()?.inputs),s=t&&!ve.includes(t.name)&&!t.written;return i`<${ge} id="bring" title="Your own" reads=${ue(Ns)} look="writes">
    ${s&&i`<p id="bring-note" class="hint">${t.refusal}</p>`}
    ${t?.written?i`<${Fs} key=${t.name} kind=${t} most=${e} />`:i`<${Cs} most=${e} />`}
    <${Us} />
  <//>`}const Bs=400,X="",Js=Array.from({length:10},(e,t)=>[String(t),String(t)]),Gs=[["given","as given"],["rerouted","most rerouted first"],["heads","heads disagree most first"],["nearest","nearest in routing first"]],st={"":"Each digit with its label; red is a wrong prediction of the model's head for that data set.",text:"Each text with its length.",numbers:"Each point with its five numbers, and the value of its data set's function there.",points:"Each cloud of points with its class, seen from above at a slant; nearer points are lighter.",matrices:"Each matrix with its right answer: the eight panels before the gap.",statements:"Each statement with its pictures, and whether it is true.",blocks:"Each sample with its label and its digits, or its blocks, one a row.",listops:"Each expression with its value.",bytes:"Each text with its label."},Ws="Each sample with its label, one row a token.",nt="share of the routing weight that goes elsewhere (total variation, mean over steps and all that is routed).",at={given:"",rerouted:"Distance of routings with and without the intervention: "+nt,nearest:"Distance of routings from that of the named sample: "+nt,heads:"Disagreement of heads: entropy of their mean answer less the mean of their entropies."},qs={given:"",rerouted:" Number: share of the routing weight that goes elsewhere.",nearest:" Number: share of the routing weight that goes elsewhere than that of the named sample.",heads:" Number: disagreement of the heads."},zs={given:"",rerouted:"goes elsewhere",nearest:"goes elsewhere than that",heads:"disagreement"},ot={images:"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",matrices:"find: small 12",listops:"find: short 12",bytes:"find: reviews positive",statements:"find: scenes true",blocks:"find: algo 12"};function Hs(){const e=G({timer:null,text:null});me(()=>()=>clearTimeout(e.current.timer),[]);function t(s){const{value:n}=s.currentTarget;clearTimeout(e.current.timer),e.current={text:n,timer:setTimeout(()=>{e.current.text=null,E({find:n})},Bs)}}return i`<input
    type="search"
    id="gallery-find"
    class="small-input"
    maxlength="80"
    aria-label="Find samples by data set, label, name or id"
    placeholder=${ot[te()?.inputs??""]??ot.images}
    value=${e.current.text??$.value.find}
    onInput=${t}
  />`}const Ys=({name:e,title:t,stand_in:s})=>[e,s&&!t.includes("stand-in")?t+" (stand-in)":t];function Xs(){const{source:e,set:t,label:s,wrong:n,order:a,samples:r}=$.value,o=O.answer()?.sets??[],c=[...o.filter(({inputs:d})=>d==="images"),...o.filter(({inputs:d})=>d!=="images")],l=e==="own",u=[...new Set([...rs,r])].sort((d,g)=>d-g);return i`
    <div class="gallery-controls">
      <${Ct}
        id="gallery-source"
        label="Whose samples"
        options=${[["data","Data sets"],["own","Yours"]]}
        chosen=${e}
        onChoose=${d=>E({source:d})}
      />
      <${j}
        id="gallery-set"
        look="small-input"
        label="Data set"
        hidden=${l}
        options=${[[X,"all sets"],...c.map(Ys)]}
        chosen=${t??X}
        onChoose=${d=>E({set:d||null})}
      />
      <span class="gallery-filters" hidden=${l||te()?.labels?.length===0}>
        <${j}
          id="gallery-label"
          look="small-input"
          label="Label"
          options=${[[X,"any label"],...Js]}
          chosen=${s===null?X:String(s)}
          onChoose=${d=>E({label:d===X?null:Number(d)})}
        />
        <label class="gallery-wrong">
          <input
            type="checkbox"
            id="gallery-wrong"
            checked=${n}
            onChange=${({currentTarget:d})=>E({wrong:d.checked})}
          />wrong only
        </label>
      </span>
    </div>
    <div class="gallery-ordering">
      <${Hs} />
      <div class="control">
        <label class="control-name" for="gallery-order">order</label>
        <${j}
          id="gallery-order"
          look="small-input"
          options=${Gs}
          chosen=${a}
          onChoose=${d=>E({order:d})}
        />
      </div>
      <${j}
        id="gallery-samples"
        look="small-input"
        label="Number of samples of the data sets that are measured for the order"
        hidden=${a==="given"||l}
        options=${u.map(d=>[String(d),"of "+S(d)+" samples"])}
        chosen=${String(r)}
        onChoose=${d=>E({samples:Number(d)})}
      />
    </div>
  `}function Vs({mute:e,drop:t,edges:s,iterations:n}){const a=[];if(e.length&&a.push(["muted: "+Ie(e),{mute:[]}]),t.length&&a.push(["dropped: "+Ie(t),{drop:[]}]),s!==null&&a.push([At(s)+" % of the links",{edges:null}]),n!==null){const{pass:r,passes:o}=Dt(te());a.push([n+" "+(n===1?r:o),{iterations:null}])}return a}const it=({text:e,remove:t})=>i`<span class="chip search-part"
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
  >`;function Zs(){const e=$.value,[t,{order:s,to:n},{sample:a}]=[Vs(e),e,z()],r=s==="nearest";return!t.length&&!r?null:i`<div class="gallery-search">
    ${r&&n&&i`<span class="control-name">near to</span>${" "}<${it}
          text=${n}
          remove=${()=>E({to:null})}
        />`}
    ${r&&a&&a!==n&&i`<${N} id="gallery-near" act=${()=>E({to:a})}>Near to the chosen sample<//>`}
    ${t.length>0&&i`<span class="control-name">${s==="given"?"kept for other pages and orders":"under"}</span>`}
    ${t.map(([o,c])=>i`<${it} key=${o} text=${o} remove=${()=>E(c)} />`)}
    ${t.length>1&&i`<${N} act=${()=>E(is)}>Nothing<//>`}
  </div>`}function Ks({ranked:{count:e,data:t,model:s,revision:n}}){const a=t.map(({name:o})=>o),r=t.filter(o=>o.held_out).map(({name:o})=>o);return i`<div id="gallery-measured" class="gallery-measured" role="status">
    <span>${S(e)+" measured of "+(a.join(", ")||"your own samples")}</span>
    <${zt} sets=${t} used=${a} />
    ${r.length>0&&i`<span class="tag" title="The model was never trained on it."
        >${"out of distribution: "+r.join(", ")}</span
      >`}
    <${Ht} id=${s} revision=${n} />
  </div>`}function Qs({items:e,start:t,ranked:s}){const n=e.some(({sample:o})=>o?.prediction),a=["place","sample","label",...n?["predicted"]:[],zs[s?.order??"given"]],r=e.map(({id:o,sample:c,table:l,value:u},d)=>{const g=l?Ue(l).replace(/^label /,""):String(c?.label??"none"),{prediction:m}=c??{},p=m?m.label+" by the "+m.domain+" head":"";return[S(t+d+1),o,g,...n?[p]:[],u?.short??""]});return[a,...r]}function en({source:e,find:t,wrong:s,order:n},a){return t?["No samples match","None of these is called \u201C"+t+"\u201D."]:e==="own"&&n!=="given"?["Nothing of yours yet","You have no other sample to put in order."]:e==="own"?["Nothing of yours yet",a?"Make one at the right; it stays until you delete it.":"Bring a picture or draw a digit at the right; it stays until you delete it."]:s?["Nothing wrong here","The model labels every matching sample as the data set does."]:["No samples match","Choose another set or label."]}const _=({title:e,detail:t,unread:s=!1,inputs:n})=>i`<div class=${s?"message unread":"message"} role="status">
    <p class="message-title">${e}</p>
    <p class="message-detail">${t}</p>
    ${s&&i`<span class="reader" data-widget="reader" data-inputs=${n}></span>`}
  </div>`;function tn(){const e=P.problem();if(!e)return null;const t=e.status===404&&W(),[s,n]=t?["The order is no longer kept","Choose the order again to have it measured again."]:[e.title,e.message];return P.latest()?i`<div class="outage-note" role="alert">
    <span>${s+". "+n}</span> <${N} act=${P.again}>Try again<//>
  </div>`:i`<${_} title=${s} detail=${n} />`}function sn(){const e=q(),t=P.latest();if(e&&!(e.waits&&t))return i`<${_} ...${e} />`;if(!t)return P.problem()?null:i`<div class="skeleton skeleton-gallery"></div>`;if(t.items.length)return i`<${Wt} items=${t.items} />`;const[s,n]=en($.value,t.kind);return i`<${_} title=${s} detail=${n} />`}function nn(){const{items:e=[],total:t=0,start:s=0,size:n=1}=!q()&&P.latest()||{},{page:a}=$.value,r=Math.max(1,Math.ceil(t/n)),o=e.length?S(s+1)+" to "+S(s+e.length):"0",c=(l,u)=>{const d=l[0].toUpperCase()+l.slice(1)+" page",g=u<1||u>r,m=()=>E({page:u});return i`<${N} ...${{id:"gallery-"+l,look:"tool",title:d,label:d,wait:g,act:m}}
      >${he(l)}<//
    >`};return i`<div class="pager">
    <div id="gallery-count" class="caption" role="status">${o+" of "+S(t)}</div>
    ${c("previous",Math.min(a-1,r))}${c("next",a+1)}
  </div>`}function an(){const{source:e,set:t}=$.value,s=ie(),n=(O.answer()?.sets??[]).filter(({inputs:o,name:c})=>o===(s??"images")&&(!t||c===t)),r=new Set(n.map(o=>[o.licence,o.stand_in,o.stand_in_for].join())).size===1?qt(n):n.map(o=>({stem:"",sets:[o]}));return e==="own"?null:i`<div id="gallery-licences" class="licences">
    ${r.map(({stem:o,sets:[c,...l]})=>{const u=p=>p.slice(p.lastIndexOf(" ")+1),d=l.at(-1),g=o&&d?o+" "+u(c.title)+" to "+u(d.title):c.title,m=c.stand_in_for?"stand-in for "+c.stand_in_for:"stand-in";return i`<p key=${c.name}>
        <strong>${g}</strong>
        ${c.stand_in&&i`<span class="tag tag-warn">${m}</span>`}
        <span>${c.licence}</span>
      </p>`})}
  </div>`}function on(){const{order:e}=$.value,t=ie(),s=q()?null:P.latest(),n=vs(),a=(t===null?st[""]:st[t]??Ws)+qs[e],r=!!q()?.refused;return i`<${ge} id="gallery" title="Gallery" reads=${a} more=${at[e]} look="panel-gallery">
    <${Gt}><${Xs} /><//>
    <${Zs} />
    ${!r&&i`<${Pt} name=${A} what="Measuring samples for their order" />`}
    ${s?.ranked&&i`<${Ks} ranked=${s.ranked} />`}
    <${tn} />
    <div id="gallery" class="gallery" data-former=${n?"true":void 0} aria-busy=${String(n)}>
      <${sn} />
    </div>
    <${nn} />
    <div id="gallery-table" hidden=${!s?.ranked}>
      <${be}
        words="The order as a table"
        caption=${()=>at[s?.ranked?.order??e]}
        rows=${s?.ranked?()=>Qs(s):null}
        data=${{id:"gallery-order-table"}}
      />
    </div>
    <${an} />
  <//>`}const rn=80,rt=new Map,ln=(e,t)=>e.includes(t)?e.filter(s=>s!==t):[...e,t].slice(-2);function cn({right:e,chosen:t},s){return[...s===e?["right"]:[],...s===t?["network"]:[]]}function dn(e,{chosen:t,probabilities:s}){if(!e)return"";const n=(r,o)=>"answer "+(r+1)+" ("+fe(o)+")";if(t===null||!s)return e.swap+" swapped.";const a=n(t,s[t]);return e.swap+" swapped. Before: "+n(e.chosen,e.probability)+"; now: "+a+"."}const un=e=>(e.replace(/\.(npz|png)$/i,"").replace(/[^\w.-]+/g,"-")||"matrix")+".png";function pn(e){const{id:t,panels:s,probabilities:n}=e,a=s.names.length,r=a-s.answers,o=ne([]),c=ne(dn(rt.get(t),e)),l=ne(!1);async function u(){const[m,p]=o.value;if(l.value||p===void 0)return;l.value=!0,c.value="Answering \u2026";const b=we(s.names[m])+" and "+we(s.names[p]),y=(b+" swapped: "+e.name).slice(0,rn);try{const k=await x("POST","/tables/"+encodeURIComponent(t)+"/exchanged",{one:m,other:p,name:y}),{chosen:T}=e;T!==null&&n&&rt.set(k.id,{chosen:T,probability:n[T],swap:b[0].toUpperCase()+b.slice(1)}),Fe(k)}catch(k){c.value=k instanceof Error?k.message:String(k)}finally{l.value=!1}}function d(m){const p=m-r,b=p>=0?cn(e,p):[],y=p>=0?n?.[p]:void 0,k=[we(s.names[m]),...b.includes("right")?["right"]:[],...b.includes("network")?["the network's answer"]:[],...y===void 0?[]:[fe(y)]].join(", ");return i`
      <button
        key=${m}
        type="button"
        class="matrix-panel"
        data-panel=${m}
        data-marks=${b.join(" ")}
        aria-pressed=${String(o.value.includes(m))}
        aria-label=${k}
        title=${k}
        onClick=${()=>o.value=ln(o.value,m)}
      >
        <span class="matrix-picture" style=${Xt(t,m,a)}></span>
        ${p>=0&&i`<span class="matrix-caption">
            <span>${p+1}</span>
            ${y!==void 0&&i`<span class="matrix-share">${fe(y)}</span>`}
            ${b.map(T=>i`<span class="matrix-mark" data-mark=${T}>${T}</span>`)}
          </span>`}
      </button>
    `}const g=s.names.map((m,p)=>p);return i`
    <div class="matrix">
      <div
        class="matrix-grid"
        role="group"
        aria-label="The matrix"
        style=${{gridTemplateColumns:"repeat("+s.columns+", 1fr)"}}
      >
        ${g.slice(0,r).map(d)}
        <span class="matrix-gap" role="img" aria-label="the gap">?</span>
      </div>
      <div class="matrix-answers" role="group" aria-label="Answers for the gap">
        ${g.slice(r).map(d)}
      </div>
    </div>
    <div class="text-tools writes">
      <button
        type="button"
        class="button"
        id="panels-swap"
        disabled=${l.value||o.value.length<2}
        onClick=${u}
      >
        Swap two panels
      </button>
      <span class="hint">Pick two; the swapped matrix becomes a sample of yours.</span>
    </div>
    <div class="text-tools">
      <a class="tool tool-text" id="panels-sheet" href=${Yt(t)} download=${un(e.name)}>PNG sheet</a>
      <span class="hint">All panels as one picture, which can be brought again.</span>
    </div>
    <p class="hint" id="panels-said" role="status" aria-live="polite">${c.value}</p>
  `}const mn=5,hn=.005,fn="Probability of each label by each head; the triangle marks the true label.",$n="The model's answer, its loss, and the sample.",gn="Products of the variables (\xACa is 1 - a), joined by x \u2295 y = 1 - (1 - x)(1 - y): the \u201Cor\u201D of product fuzzy logic.",lt={another:"Another user's sample: everybody with its link can look at it, and its owner can change it.",everybody:"Everybody who uses this service can change it: a program sent it, or it is older than owners."},bn=[["","no label"],...Array.from({length:10},(e,t)=>[String(t),String(t)])];function wn(e,t){const[s,n]=e.split("?");return s+Ae({...Object.fromEntries(new URLSearchParams(n)),...t})}function le({to:e,words:t,more:s}){const n=Me().find(({key:r})=>r===e);if(!n)return null;const a=wn(_t(n,n.samples||!s?{}:{sample:null}),s??{});return i`<a id="see-path" class="button" href=${a} onClick=${Rt}>${he(n.icon)}${t}</a>`}function vn({table:{id:e,inputs:t,rows:s,blocks:n}}){if(Me().find(({key:o})=>o==="paths")?.inputs.includes(t)&&!ve.includes(t))return i`<${le} to="paths" words="Its path" />`;if(t==="statements"){const o={statement:e,s1:s.map(([,c])=>c).join(" ")};return i`<${le} to="circuits" words="Its circuit" more=${o} />`}if(!n)return null;const r=n.program.map(o=>o+1).join(",");return i`<${le} to="blocks" words="Its blocks" more=${{digits:n.digits.join(","),program:r}} />`}const ct=({standIn:e,data:t})=>i`
  ${e&&i`<p><span class="tag tag-warn">stand-in data</span></p>`}
  ${t&&i`<p class="licence">${t.licence}</p>`}
`,yn=({sample:{name:e,label:t,owner:s},edit:n})=>i`
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
    <${j}
      id="sample-label"
      look="small-input"
      options=${bn}
      chosen=${String(t??"")}
      onChoose=${a=>n.label=a===""?null:Number(a)}
    />
  </label>
  ${s==="everybody"&&i`<p class="hint">${lt.everybody}</p>`}
`;function kn({sample:e,data:t,see:s}){const{id:n,name:a,label:r,origin:o,owner:c,image:l}=e,{current:u}=G({name:a,label:r}),d=o!=="data"&&c!=="another",m=d&&i`<${N} id="sample-save" look="tool tool-text writes" act=${()=>{u.name.trim()&&ys(n,{...u,name:u.name.trim()})}}>Save<//>
      <details class="menu writes">
        <summary id="sample-delete-menu" class="tool tool-text tool-danger" aria-label=${"Delete "+a}>
          Delete
        </summary>
        <div class="menu-items">
          <p class="hint">This cannot be undone.</p>
          <${N} id="sample-delete" look="menu-item danger" act=${()=>Ke(n)}>Delete this sample<//>
        </div>
      </details>`,p=d?"read-only":void 0;return i`<div class="facts">
    <img src=${l} alt=${a+", as the network sees it"} width="128" height="128" class="pixels sample-image" />
    <div class="about">
      <p class=${p}><strong>${a}</strong></p>
      <p class=${p}>${r===null?"no label":"labelled "+r}</p>
      ${d&&i`<${yn} sample=${e} edit=${u} />`}
      ${c==="another"&&i`<p class="hint">${lt.another}</p>`}
      <${ct} standIn=${e.stand_in} data=${t} />
      <div class="actions">${s}${m}</div>
    </div>
  </div>`}function Pe(){const[e,t,s]=[re.answer(),C.answer(),v()];if(!e||!t?.picture||e.model!==s?.id)return null;const{label:n,set:a,name:r}=t.picture,o=a&&e.domains.includes(a)?a:null;return e.predictions.length||e.numbers.length?{current:e,baseline:null,label:n,domain:o,name:r}:null}function xn({current:e,label:t}){const s=Qt(e.predictions);return[["head",...(s[0]?.labels??[]).map((a,r)=>a+(r===t?" (true)":""))],...s.map(({shared:a,domain:r,probabilities:o})=>[a?"one head":r,...o.map(c=>c.toFixed(3))])]}function Sn(){const e=Pe();return i`<div class="predictions" hidden=${!e}>
    <${Vt}
      scene=${t=>{const s=Pe();return s&&Zt(s,t)}}
      drawn=${()=>re.answer()?.id??""}
      label=${()=>{const t=Pe();return t?Kt(t):""}}
      data=${{"data-key":"sample"}}
    />
    <${be}
      words="Probabilities as a table"
      caption=${()=>"Probability of each label by each head."}
      rows=${e&&(()=>xn(e))}
    />
  </div>`}function Tn({score:e,model:t}){if(!e)return i`<${_} title="No answer" detail=${t+" has no head for this data set."} />`;const{answer:s=null,target:n=null,measure:a,predicted:r,domain:o,value:c,loss:l}=e;let[u,d]=[o+" head",t],g;if(s!==null&&n!==null){const m=Math.abs(s-n);g="network "+s.toFixed(2)+", expression "+n.toFixed(2),d="off by "+(m<hn?String(Number(m.toPrecision(2))):m.toFixed(2))+"; "+t}else{const m=e.predicted_name??String(r);r===null?[u,g]=[a.name,(Le(c)+" "+a.unit).trim()]:g=c===null?m:m+", "+(c?"right":"wrong");const p=r!==null||a.higher_is_better?"":"less is better; ";l!==null&&(d=p+"loss "+It(l)+"; "+t)}return i`<div class="number sample-score" id="sample-score" role="status">
    <span class="number-name">${u}</span>
    <span class="number-value">${g}</span>
    <span class="number-range">${d}</span>
  </div>`}function En({point:{set_title:e,value:t,expression:s,products:n}}){const a=n.filter(l=>l.true),r=[...a].sort((l,u)=>u.value-l.value).slice(0,mn),o=Math.max(...r.map(l=>l.value),0)||1,c=[["product","in the function","value here"],...n.map(l=>[l.name,Number(l.true),l.value.toFixed(4)])];return i`<div class="function">
    <p><strong>${e}</strong>${": "+t.toFixed(3)+" at this point"}</p>
    <p class="expression" tabindex="0">${s}</p>
    <p class="hint">${gn}</p>
    <table class="figures products">
      <caption>
        ${"The largest here of "+a.length+" of "+n.length+" products."}
      </caption>
      <tbody>
        ${r.map(l=>i`<tr key=${l.name}>
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
        <${ns} rows=${c} caption="" />
      </div>
    </details>
  </div>`}function Nn({table:e}){const t=G(null);return me(()=>{const s=t.current,n=new os(s),a=as(e),r=a.x.map((l,u)=>"point "+(u+1)),o=()=>n.show(e.id,a,jt().accent,r).catch(l=>s.textContent=l.message);o();const c=Mt(o);return()=>{c(),n.dispose()}},[e.id]),i`<div ref=${t} class="cloud" key=${e.id}></div>
    <${be}
      words=${ae(e)+" as a table"}
      caption=${()=>"Points of the sample."}
      rows=${()=>[["point",...e.columns],...e.rows.map((s,n)=>[n+1,...s.map(Le)])]}
    />`}function On({table:e,model:t}){const{point:s,panels:n,score:a,writing:r}=e;if(s)return[i`<${es} ...${s} />`,i`<${En} point=${s} />`];if(e.space?.length)return i`<${Nn} key=${e.id} table=${e} />`;if(n)return[i`<p class="rules">
        ${n.rules.length?["Rules: ",i`<strong>${n.rules.join("; ")}</strong>`]:"The rules are unknown."}
      </p>`,i`<${pn} key=${e.id+t} ...${{id:e.id,name:ae(e),panels:n}} right=${e.label}
        chosen=${a?.predicted??null} probabilities=${a?.probabilities??null} />`];const o=Ve.answer(),c=ts(e);return i`<div
    class="table-scroll sample-table-whole"
    tabindex="0"
    role="region"
    aria-label=${ae(e)+" as "+(r?"it is written":"a table")}
  >
    <${ss} table=${e} whole=${!0} readers=${o} />
    ${c&&i`<p class="hint">${c}</p>`}
  </div>`}function Pn({table:e,chosen:{data:t,model:s}}){const[n,a]=[oe(e.inputs),e.set===null],r=a&&e.point?"yours, under "+e.point.set_title:a?"yours":e.set_title,o=s?.inputs===e.inputs,l=a&&i`<${N} id="sample-delete" look="tool tool-text writes" act=${()=>Ke(e.id)}>Delete<//>`,u=s&&{title:"This model does not read samples",detail:`${s.id} reads samples that are each ${oe(s.inputs)?.words??s.inputs}; this one is ${n?.words??e.inputs}.`};return i`
    <div class="facts">
      <div class="about">
        <p><strong>${ae(e)}</strong>${", "+Ue(e)}</p>
        <p>${n?r+": "+n.words:r}</p>
        <${ct} standIn=${e.stand_in} data=${t} />
        <div class="actions">${o&&i`<${vn} table=${e} />`}${l}</div>
      </div>
    </div>
    ${s&&(o?i`<${Tn} score=${e.score??null} model=${s.id} />`:i`<${_} ...${u} unread=${!0} inputs=${e.inputs} />`)}
    <${On} table=${e} model=${s?.id??null} />
  `}function Cn({now:e}){const t=C.problem();if(!D().sample)return i`<div class="message">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">Pick one from the gallery<span class="writes">, or bring one of your own</span>.</p>
    </div>`;if(t&&!e)return i`<${_} title=${t.title} detail=${t.message} /><${N} act=${C.again}
        >Try again<//
      >`;if(!e)return i`<div class="skeleton skeleton-sample"></div>`;const{picture:s,table:n,data:a}=e;if(n)return i`<${Pn} key=${n.id} table=${n} chosen=${e} />`;if(!s)return i`<${_}
      title="This sample is not there any more"
      detail="It was deleted, or the address names another one."
    />`;const r=e.model===v()?Je():null,o=e.model&&e.model!==v()?null:i`<${le} to="paths" words="See its path" />`;return i`
    <${kn}
      key=${s.id+s.name+s.label}
      sample=${s}
      data=${a}
      see=${!r&&o}
    />
    ${r&&i`<${_} ...${r} unread=${!0} />`}
  `}function An(){const e=D().sample?C.latest():null,t=C.waits()||re.waits()||v()===void 0,s=e!==null&&(v()===void 0||C.answer()===null);return i`<${ge} id="sample" title="Chosen sample" reads=${e?.table?$n:fn}>
    <div id="sample-body" aria-busy=${String(!!D().sample&&t)}>
      <div id="sample-facts" data-former=${s?"true":void 0}><${Cn} now=${e} /></div>
      <${Sn} />
    </div>
  <//>`}const Dn={numbers:"Pick a point, or set one.",points:"Pick a cloud of points, or bring one.",top_experts:"Pick a text, type one, or bring a file.",listops:"Pick an expression, or type one.",bytes:"Pick a review, type one, or bring a file.",matrices:"Pick a matrix, bring one, or swap panels of one.",statements:"Pick a statement.",blocks:"Pick a sample.","":"Pick a digit, bring a picture, or draw one."},dt={file:0,text:0},_n=()=>i`
  <div class="page-head">
    <h1>Samples</h1>
    <div class="caption writes">${ue(Dn)}</div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${he("link")}Copy link</button>
    </div>
  </div>
  <div class="samples-grid">
    <${on} />
    <div class="samples-side"><${An} /><${Ls} most=${dt} /></div>
  </div>
`,Rn=e=>new Promise(t=>{const s=ee(()=>{z().sample===e&&queueMicrotask(()=>t(s()))})});Ft("samples",({model:e,sample:t,pin:s,...n})=>(Re({model:e,sample:t}),ye(n),Rn(t)));const In=Ut({Tree:_n,choice:()=>$.value,take:ye,open(e,t){const{maxBytes:s,maxTextBytes:n}=t.closest(".page").dataset;return Object.assign(dt,{file:Number(s),text:Number(n)}),ye(e),Ss()}});export{In as mount};
