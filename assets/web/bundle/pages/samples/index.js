/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ak as ft,aj as ht,n as $t,am as A,G as x,m as Ce,ab as de,C as gt,Z as Ae,b9 as bt,ah as z,aA as wt,a0 as vt,bq as yt,a3 as ue,a_ as pe,a2 as De,bp as kt,br as xt,aH as Q,U as ee,ar as me,al as St,aF as _e,aX as Tt,bg as Et,a6 as Nt,d as te,c as Re,q as se,s as i,bs as Ot,u as Pt,$ as ne,R as G,F as S,X as j,T as N,S as fe,b0 as ae,p as Ct,aQ as At,aq as Dt,au as _t,J as Ie,k as Rt,o as It,af as he,bb as Fe,bt as Ft,aw as jt,i as je,w as Mt,V as Ut,r as Bt,ay as Lt,az as Jt}from"../../boot.js";import{c6 as $e,c7 as Gt,c8 as ge,P as be,c9 as Wt,ca as qt,cb as Me,aV as zt,A as we,c3 as Ht,cc as Xt,aX as Vt,R as Yt,bF as Ue,cd as Zt,ce as ve,bX as Kt,n as Qt,cf as es,bV as ts,c1 as ss,cg as ns,bE as oe,ch as as,ci as os,cj as is,ck as Be,bP as rs,cl as ls,bR as cs}from"../../shared.js";const D="behaviour",ds={mute:[],drop:[],edges:null,iterations:null},Le=ft("samples","mute","drop","edges","iterations","source","set","label","wrong","find","order","to","samples","page"),{offered:us}=ht("samples","samples"),[Je,ps,ms,fs]=[96,24,8,60],ye=["images","statements","blocks"],hs="statements",$=$t({...Le}),ke=e=>$.value={...Le,...e};function E(e){const t=$.value,n=e.order==="nearest"&&t.order!=="nearest"?t.to??z().sample:t.to,a={...t,page:1,to:n,...e};Object.entries(a).filter(([o,c])=>JSON.stringify(c)!==JSON.stringify(t[o])).some(([o])=>o!=="page"||e.page)&&($.value=a)}function _(){const{model:e,sample:t}=z(),s=wt(location.search);return e?{model:e,sample:t}:{model:s.model,sample:t??s.sample}}const W=()=>$.value.order!=="given",O=A(()=>"all",async()=>{const[e,t]=await Promise.all([x("GET","/data"),x("GET","/inputs")]);return{sets:e.items,kinds:t.items}}),xe=A(()=>{const{model:e}=_();return e&&(!Ce()||de(e))?e:null},e=>x("GET","/models/"+encodeURIComponent(e)));function v(){const{model:e}=_();if(!e||Ce()&&!de(e)||xe.problem())return null;const t=xe.answer();return t?.id===e?t:void 0}function Se(e){let t=null;return()=>{const s=e();return s===void 0?t:t=s}}const ie=e=>O.answer()?.kinds.find(t=>t.name===e)??null;function Ge(){const{model:e}=_(),t=e?v():null;return t&&!t.samples?de(t.id)?.refused??null:null}function We({set:e,samples:t,order:s,to:n,mute:a,drop:r,edges:o,iterations:c},{id:l,units:p}){const d={mute:ue(p,a),drop:ue(p,r),iterations:c,keep_edges:o};return{model:l,data:e?[e]:[],samples:t,order:s,to:s==="nearest"?n:null,intervention:d}}function $s(e){const{data:t,samples:s,...n}=We($.value,e);return n}function gs({order:e,to:t,mute:s,drop:n,edges:a,iterations:r}){return e==="rerouted"&&!s.length&&!n.length&&a===null&&r===null?{title:"No intervention is chosen",detail:pe({"":"Mute or drop {units} on Paths or Drop, then come back."})}:e==="nearest"&&!t?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const H=A(Se(()=>{const e=v();if(!(e===void 0||e&&!qe(e)))return e&&W()&&$.value.source==="data"?JSON.stringify([We($.value,e),gs($.value)]):null}),async e=>{const[t,s]=JSON.parse(e),n=await gt(t.model)||s;return n?{body:null,title:n.title,detail:n.detail}:{body:t}}),Te=e=>e.filter(t=>!De(t)),qe=({units:e})=>!yt(e,Te([...$.value.mute,...$.value.drop])).length;function bs(e){for(const s of["mute","drop"])Nt(s,e,Te($.value[s]));const t=s=>[...ue(e.units,Te(s)),...s.filter(De)];E({mute:t($.value.mute),drop:t($.value.drop)})}function ze(){const e=H.answer()?.body,t=Q(D);return e&&JSON.stringify(t.request?.body)===JSON.stringify(e)?t:null}function He(){const e=ze()?.job;return e?.state==="done"?kt(e):null}const ws=[403,404,422],Xe={title:"Measuring the order",detail:"Samples appear when they are measured.",waits:!0};function vs(){const e=v();if(e===void 0)return Xe;if(e===null)return{title:"No model chosen",detail:"A model gives samples their order."};const t=H.answer();if(t&&!t.body)return{title:t.title??"",detail:t.detail??"",refused:!0};const s=ze(),n=s?.problem??(s?.job?.state==="failed"?xt(s.job):null);if(n){const{status:a=0}=n,r=ws.includes(a),o=r?"There is no such order here":"The order was not measured";return{title:a===403&&n.title||o,detail:n.message??"",refused:r}}return s?.job?.state==="cancelled"?{title:"Cancelled",detail:"Resume it above."}:He()?null:Xe}function ys({source:e,set:t,order:s},n,a,r){if(e==="own")return r.find(({name:l})=>l===n?.inputs)?.written?n?.inputs??null:null;const o=t?a.find(({name:l})=>l===t)?.inputs:n?.inputs;return!o||o==="images"?null:t||!(s==="given"&&ye.includes(o))&&a.some(l=>l.inputs===o)?o:null}const re=()=>{const{sets:e,kinds:t}=O.answer()??{sets:[],kinds:[]};return ys($.value,v()??null,e,t)};function q(){const{source:e,wrong:t}=$.value;if(!O.answer())return null;const[s,n]=[re(),e==="data"],a=s===null&&(W()||t&&n)?Ge():null;return a?{...a,unread:!0}:s!==null&&t&&n?{title:"Nothing is right or wrong here",detail:"Show all samples, and choose one to see its score."}:W()&&(n||v()===null)?vs():null}const X=Ae,Ve={sample:null,table:null,value:null};function ks({unit:e,order:t},s){if(e==="bit")return{short:s.toFixed(2)+" bit",words:"heads disagree by "+s.toFixed(2)+" bit"};const n=(100*s).toFixed(1)+" %";return{short:n,words:"distance of routings "+(t==="rerouted"?"with and without the intervention":"from the named sample")+": "+n}}const P=A(Se(()=>{const[e,t]=[v(),q()];if(!O.answer()||e===void 0||t?.waits)return;if(t)return null;const s=re(),n=W()&&$.value.source==="data"?He():null,a=W()&&$.value.source==="own"&&e?$s(e):null;return JSON.stringify([$.value,s,e?.id,e?.samples,n,a,$e.value])}),async(e,t)=>{const[s,n,a,r,o,c]=JSON.parse(e),{source:l,set:p,find:d,page:g,order:m}=s,u=l==="own",b=n===null?Je:ps,y=(g-1)*b,k=n===null?null:n===hs?fs:ms,T=u?null:s.label,M=s.wrong&&!u&&r,Y=r?a:null,U={kind:n,start:y,size:b,ranked:null},I=(f,h)=>x("GET",f+X(h),void 0,{signal:t});if(m!=="given"){const f={label:T,wrong:M,find:d,limit:b,offset:y,rows:k},h=c?await x("POST","/behaviours/own"+X(f),c):await I("/behaviours/"+o,f),F=h.items.map(({table:B=null,value:L,...J})=>({...J,table:B,value:ks(h,L)}));return{...U,items:F,total:h.total,ranked:h}}if(n!==null){const{items:f,total:h}=u?await I("/samples/written",{inputs:n,limit:b,offset:y,rows:k}):await I("/tables",{inputs:n,set:p,label:T,find:d,limit:b,offset:y,rows:k});return{...U,items:f.map(F=>({...Ve,id:F.id,table:F})),total:h}}const[Z,...K]=await Promise.all([I("/samples",{origin:u?null:"data",set:u?null:p,model:Y,label:T,wrong:M,find:d,limit:b,offset:y}),...(u?["upload","drawing"]:[]).map(f=>I("/samples",{origin:f,find:d,limit:0}))]),w=Z.items.filter(({origin:f})=>!u||f!=="data");return{...U,items:w.map(f=>({...Ve,id:f.id,sample:f})),total:u?K.reduce((f,{total:h})=>f+h,0):Z.total}}),xs=()=>P.latest()!==null&&(P.answer()===null||v()===void 0||!!q()?.waits),Ee=new Set,Ye=e=>e instanceof vt&&e.status===404,C=A(Se(()=>{const[{sample:e},t]=[_(),v()];if(!e||Ee.has(e))return null;if(!(t===void 0||!O.answer()))return JSON.stringify([e,t?.id,$e.value])}),async e=>{const[t]=JSON.parse(e),[s,n]=[v()??null,O.answer()?.sets??[]],a=n.find(({name:u})=>u===t.split(".")[0]),r={id:t,picture:null,table:null,data:a,model:s},o=encodeURIComponent(t),c=async()=>({...r,picture:await x("GET","/samples/"+o)});async function l(){const u=await x("GET","/tables/"+o),b=s?.inputs===u.inputs;return{...r,table:b?await x("GET","/tables/"+o+X({model:s?.id})):u}}const p=a?a.inputs!=="images":!!ie(s?.inputs)?.written,[d,g]=p?[l,c]:[c,l],m=u=>{if(!Ye(u))throw u;return t.includes(".")?r:g()};return d().catch(m).catch(u=>Ye(u)?r:Promise.reject(u))}),le=A(()=>{const[e,t]=[C.answer(),v()];return e?.picture&&t?.samples&&e.model?.id===t.id?JSON.stringify([t.id,e.id]):null},e=>{const[t,s]=JSON.parse(e);return x("POST","/traces",{model:t,sample:s,fields:[]})}),Ne="read_in",Ze=A(()=>{const[e,t]=[C.answer(),v()];return e?.table?.writing&&t&&e.model===t&&t.inputs===e.table.inputs&&t.fields.includes(Ne)?JSON.stringify([t.id,e.id]):null},async e=>{const[t,s]=JSON.parse(e),n=await x("POST","/traces",{model:t,sample:s,fields:[Ne]});return{weights:(await bt(n.id,Ne)).data,units:n.units}}),Ke=A(()=>String($e.value),async()=>{const[{items:e},{total:t}]=await Promise.all([x("GET","/samples"+X({limit:Je})),x("GET","/samples/written"+X({limit:1,rows:1}))]);return t>0||e.some(({owner:s})=>s==="you")||e.every(({owner:s})=>s!==null)});async function Oe(e){try{await e()}catch(t){const{title:s="It was not changed",message:n}=t;te(s,n,"bad")}}const Qe=()=>Re({sample:null}),Ss=(e,t)=>Oe(async()=>{await x("PATCH","/samples/"+encodeURIComponent(e),t),te("Saved",t.name+": "+(t.label===null?"no label":"label "+t.label),"good"),ge()}),et=e=>Oe(async()=>{await x("DELETE","/samples/"+encodeURIComponent(e)),te("Deleted","The sample and its pictures are gone.","good"),Ee.add(e),Qe(),ge()}),Ts=()=>Oe(async()=>{const{count:e}=await x("DELETE","/samples?owner=you");te("Deleted",e===1?"1 sample is gone.":e+" samples are gone.","good");const{sample:t}=z();t&&!t.includes(".")&&(Ee.add(t),Qe()),ge()});function Es(){const[e,t]=[H.answer()?.body??null,H.waits()];me(()=>{if(!e){!t&&Q(D).request&&_e(D);return}const{job:s,request:n}=Q(D);JSON.stringify(n?.body)!==JSON.stringify(e)&&Tt(D,"/behaviours",e).then(async()=>{Q(D).job?.id!==s?.id&&await Et(s)})})}function Ns(){Gt();const e=[...[O,xe,H,P,C,le,Ze,Ke].map(t=>t.follow()),ee(Es),ee(()=>{const t=v();t&&!qe(t)&&me(()=>bs(t))}),ee(()=>{const t={...$.value,..._()};me(()=>St("samples",t))})];return()=>{e.forEach(t=>t()),_e(D)}}const tt=[".txt","text/plain"],Os=80,Ps="points",Cs={points:"Bring a cloud of points. It is scaled to the unit ball and reduced to 1,024 points.",numbers:"Set a point. Paths then shows the functions that it goes through.",top_experts:"Write or bring a text. Paths then shows the experts of its tokens.",listops:"Write an expression. Paths then shows the modules that read it.",bytes:"Write or bring a text. Paths then shows the modules that read it.",matrices:"Bring a matrix. Paths then shows the way of its panels.","":"Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels."};function As(e,t){if(!e.trim())return"Type or paste a text first.";const s=new TextEncoder().encode(e).length;return s>t?"The text has "+S(s)+" bytes; up to "+S(t)+" are accepted.":""}function st({name:e,size:t},{suffixes:s,files:n},a){return s.some(r=>e.toLowerCase().endsWith(r))?t>a?"The file has "+S(t)+" bytes; up to "+S(a)+" are accepted.":"":e+" cannot be read; accepted are "+n+"."}function Ds(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is not UTF-8 text. Save it as UTF-8 and bring it again.")}}function _s({most:e}){const[t,s]=[G(null),G(null)];fe(()=>{const a=new Wt(t.current),r=qt(s.current,e.file);return()=>{a.stop(),r()}},[]);const n=(a,r,o)=>i`<button type="button" class=${o} data-pad=${a}>${r}</button>`;return i`<div class="bring">
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
  </div>`}const Rs="numbers",Is=.01,nt="number:",Fs=e=>e.filter(t=>t.startsWith(nt)).map(t=>t.slice(nt.length));function js(e,t){const s=t.findIndex(a=>!(a.trim()&&Number(a)>=0&&Number(a)<=1));if(s<0)return"";const n=t[s].trim()?"\u201C"+t[s].trim()+"\u201D":"empty";return e[s]+" is "+n+"; a number from 0 to 1 is accepted, such as 0.25."}function Ms(e,t){const s=e.trim().split(/[\s,;]+/);return t>1&&s.length===t?s:null}function Us({name:e,at:t,written:s}){const n=l=>s.value=s.value.map((p,d)=>d===t?l:p),a=l=>n(l.currentTarget.value),r=l=>{const p=Ms(l.clipboardData?.getData("text")??"",s.value.length);p&&(l.preventDefault(),s.value=p)},o=s.value[t],c=Number.isFinite(Number(o))?Number(o):0;return i`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${Is}
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
  </div>`}function Bs({send:e}){const t=v(),s=Fs(t?.tokens??[]),n=(O.answer()?.sets??[]).filter(({name:l})=>t?.domains.includes(l)),a=ae(s.map(()=>"0.5")),[r,o]=ne(n[0]?.name??""),c=()=>{const l=a.value.map(p=>p.trim()).join(", ");e(js(s,a.value),{inputs:Rs,content:l,set:r})};return i`
    <div class="number-rows" role="group" aria-label="Numbers of the point">
      ${s.map((l,p)=>i`<${Us} key=${l} name=${l} at=${p} written=${a} />`)}
    </div>
    <div class="number-tools">
      <label class="control-name" for="number-function">function</label>
      <${j}
        id="number-function"
        look="small-input"
        options=${n.map(({name:l,title:p})=>[l,p])}
        chosen=${r}
        onChoose=${o}
      />
      <${N} id="number-random" act=${()=>a.value=s.map(()=>Math.random().toFixed(2))}>At random<//>
      <${N} id="number-send" look="button" act=${c}>Use point<//>
    </div>
  `}function Ls({kind:e,most:t}){const{name:s,suffixes:n,files:a,answers:r,words:o,written:c,example:l,of_set:p}=e,[d,g]=ne(""),[m,u]=ne(""),[b,y]=ne(""),k=G(!1),T=!a||s===Ps;async function M(w,f){if(k.current||(y(w||"Reading \u2026"),w))return!1;k.current=!0;try{const h=await f();return Me(h),y("Added: "+h.set_title+(h.space?.length?", "+S(h.total_rows)+" points":"")),!0}catch(h){return y(h instanceof Error?h.message:String(h)),!1}finally{k.current=!1}}const Y=w=>x("POST","/samples/written",w),U=(w,f)=>M(As(w,a?1/0:t.text),()=>Y({inputs:s,content:w,name:f}));async function I(){await U(d,null)&&g(w=>w===d?"":w)}async function Z(w){const f=w.currentTarget,h=f.files?.[0];if(f.value="",!h)return;const F=h.name.slice(0,Os);if(!a){const L=st(h,{suffixes:[""],files:a},t.text);if(L)return y(L);const J=await h.arrayBuffer().then(Ds).catch(mt=>y(mt.message));return J===void 0?void 0:void U(J,F)}const B=new FormData;for(const[L,J]of Object.entries({inputs:s,name:F}))B.append(L,J);B.append("file",h,h.name),r&&m&&B.append("answer",m),await M(st(h,e,t.file),()=>Ct("/samples/files",B))&&u("")}const K=i`
    <label class=${a?"button":"tool tool-text"} for="bring-file">
      ${"Choose a "+(a?n.join(", "):tt[0])+" file"}
    </label>
    <input
      type="file"
      id="bring-file"
      class="hidden-visually"
      accept=${(a?n:tt).join(",")}
      aria-describedby="bring-said"
      onChange=${Z}
    />
  `;return p?i`
      <${Bs}
        key=${v()?.id}
        send=${(w,f)=>{M(w,()=>Y(f))}}
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
                options=${[["","as the file says"],...Array.from({length:r},(w,f)=>[String(f+1),String(f+1)])]}
                chosen=${m}
                onChoose=${u}
              />
            </span>`}
        </div>
        ${!T&&i`<p class="hint">${"Accepted are "+a+"."}</p>`}`}
    ${T&&i`<label class="control-name" for="bring-typed">
          ${a?"Or paste points, one a line: x y z":"Type or paste "+o}
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
          <${N} id="bring-send" look="button" wait=${!d.trim()} act=${I}>
            ${"Use "+(a?"points":o.replace(/^an? /,""))}
          <//>
          ${!a&&[K,i`<span class="hint">${S(new TextEncoder().encode(d).length)+" of up to "+S(t.text)+" bytes"}</span>`]}
        </div>`}
    <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
  `}const Js=()=>Ke.latest()&&i`<div class="delete-all">
    <details class="menu">
      <summary id="samples-delete-menu" class="tool tool-text tool-danger" aria-label="Delete all samples of mine">
        Delete all of mine
      </summary>
      <div class="menu-items">
        <p class="hint panel-more">
          ${Ot(Pt.value.name)+" is deleted, with its traces and links. This cannot be undone."}
        </p>
        <button id="samples-delete" type="button" class="menu-item danger" onClick=${Ts}>
          Delete them all
        </button>
      </div>
    </details>
  </div>`;function Gs({most:e}){const t=ie(se()?.inputs),s=t&&!ye.includes(t.name)&&!t.written;return i`<${be} id="bring" title="Your own" reads=${pe(Cs)} look="writes">
    ${s&&i`<p id="bring-note" class="hint">${t.refusal}</p>`}
    ${t?.written?i`<${Ls} key=${t.name} kind=${t} most=${e} />`:i`<${_s} most=${e} />`}
    <${Js} />
  <//>`}const Ws=400,V="",qs=Array.from({length:10},(e,t)=>[String(t),String(t)]),zs=[["given","as given"],["rerouted","most rerouted first"],["heads","heads disagree most first"],["nearest","nearest in routing first"]],at={"":"Each digit with its label. Red: a wrong prediction by the head of its data set.",text:"Each text with its length.",numbers:"Each point with its five numbers, and the value of its data set's function there.",points:"Each cloud of points with its class, seen from above at a slant; nearer points are lighter.",matrices:"Each matrix with its right answer: the eight panels before the gap.",statements:"Each statement with its pictures, and whether it is true.",blocks:"Each sample with its label and its digits, or its blocks, one a row.",listops:"Each expression with its value.",bytes:"Each text with its label."},Hs="Each sample with its label; a row is a token.",ot="share of routing weight that goes to other units (total variation, mean over steps and tokens).",it={given:"",rerouted:"Distance of routings with and without the intervention: "+ot,nearest:"Distance of routings from the named sample: "+ot,heads:"Disagreement of heads: entropy of their mean answer less the mean of their entropies."},Xs={given:"",rerouted:" Number: distance of routings with and without the intervention.",nearest:" Number: distance of routings from the named sample.",heads:" Number: disagreement of the heads."},Vs={given:"",rerouted:"distance of routings",nearest:"distance of routings",heads:"disagreement"},rt={images:"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",matrices:"find: small 12",listops:"find: short 12",bytes:"find: reviews positive",statements:"find: scenes true",blocks:"find: algo 12"};function Ys(){const e=G({timer:null,text:null});fe(()=>()=>clearTimeout(e.current.timer),[]);function t(s){const{value:n}=s.currentTarget;clearTimeout(e.current.timer),e.current={text:n,timer:setTimeout(()=>{e.current.text=null,E({find:n})},Ws)}}return i`<input
    type="search"
    id="gallery-find"
    class="small-input"
    maxlength="80"
    aria-label="Find samples by data set, label, name or id"
    placeholder=${rt[se()?.inputs??""]??rt.images}
    value=${e.current.text??$.value.find}
    onInput=${t}
  />`}const Zs=({name:e,title:t,stand_in:s})=>[e,s&&!t.includes("stand-in")?t+" (stand-in)":t];function Ks(){const{source:e,set:t,label:s,wrong:n,order:a,samples:r}=$.value,o=O.answer()?.sets??[],c=[...o.filter(({inputs:d})=>d==="images"),...o.filter(({inputs:d})=>d!=="images")],l=e==="own",p=[...new Set([...us,r])].sort((d,g)=>d-g);return i`
    <div class="gallery-controls">
      <${Dt}
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
        options=${[[V,"all sets"],...c.map(Zs)]}
        chosen=${t??V}
        onChoose=${d=>E({set:d||null})}
      />
      <span class="gallery-filters" hidden=${l||se()?.labels?.length===0}>
        <${j}
          id="gallery-label"
          look="small-input"
          label="Label"
          options=${[[V,"any label"],...qs]}
          chosen=${s===null?V:String(s)}
          onChoose=${d=>E({label:d===V?null:Number(d)})}
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
      <${Ys} />
      <div class="control">
        <label class="control-name" for="gallery-order">order</label>
        <${j}
          id="gallery-order"
          look="small-input"
          options=${zs}
          chosen=${a}
          onChoose=${d=>E({order:d})}
        />
      </div>
      <${j}
        id="gallery-samples"
        look="small-input"
        label="Number of samples of the data sets that are measured for the order"
        hidden=${a==="given"||l}
        options=${p.map(d=>[String(d),"of "+S(d)+" samples"])}
        chosen=${String(r)}
        onChoose=${d=>E({samples:Number(d)})}
      />
    </div>
  `}function Qs({mute:e,drop:t,edges:s,iterations:n}){const a=[];if(e.length&&a.push(["muted: "+Ie(e),{mute:[]}]),t.length&&a.push(["dropped: "+Ie(t),{drop:[]}]),s!==null&&a.push([Rt(s)+" % of the links",{edges:null}]),n!==null){const{pass:r,passes:o}=It(se());a.push([n+" "+(n===1?r:o),{iterations:null}])}return a}const lt=({text:e,remove:t})=>i`<span class="chip search-part"
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
  >`;function en(){const e=$.value,[t,{order:s,to:n},{sample:a}]=[Qs(e),e,z()],r=s==="nearest";return!t.length&&!r?null:i`<div class="gallery-search">
    ${r&&n&&i`<span class="control-name">near to</span>${" "}<${lt}
          text=${n}
          remove=${()=>E({to:null})}
        />`}
    ${r&&a&&a!==n&&i`<${N} id="gallery-near" act=${()=>E({to:a})}>Near to the chosen sample<//>`}
    ${t.length>0&&i`<span class="control-name">${s==="given"?"kept for other pages":"under"}</span>`}
    ${t.map(([o,c])=>i`<${lt} key=${o} text=${o} remove=${()=>E(c)} />`)}
    ${t.length>1&&i`<${N} act=${()=>E(ds)}>Nothing<//>`}
  </div>`}function tn({ranked:{count:e,data:t,model:s,revision:n}}){const a=t.map(({name:o})=>o),r=t.filter(o=>o.held_out).map(({name:o})=>o);return i`<div id="gallery-measured" class="gallery-measured" role="status">
    <span>${S(e)+" measured of "+(a.join(", ")||"your own samples")}</span>
    <${Vt} sets=${t} used=${a} />
    ${r.length>0&&i`<span class="tag" title="The model was never trained on it."
        >${"out of distribution: "+r.join(", ")}</span
      >`}
    <${Yt} id=${s} revision=${n} />
  </div>`}function sn({items:e,start:t,ranked:s}){const n=e.some(({sample:o})=>o?.prediction),a=["place","sample","label",...n?["predicted"]:[],Vs[s?.order??"given"]],r=e.map(({id:o,sample:c,table:l,value:p},d)=>{const g=l?Ue(l).replace(/^label /,""):String(c?.label??"none"),{prediction:m}=c??{},u=m?m.label+" by the "+m.domain+" head":"";return[S(t+d+1),o,g,...n?[u]:[],p?.short??""]});return[a,...r]}function nn({source:e,find:t,wrong:s,order:n},a){return t?["No samples match","None of these is called \u201C"+t+"\u201D."]:e==="own"&&n!=="given"?["No samples of yours yet","You have no other sample to put in order."]:e==="own"?["No samples of yours yet",a?"Make one at the right; it stays until you delete it.":"Bring a picture or draw a digit at the right; it stays until you delete it."]:s?["No wrong answers","The model labels every matching sample correctly."]:["No samples match","Choose another set or label."]}const R=({title:e,detail:t,unread:s=!1,inputs:n})=>i`<div class=${s?"message unread":"message"} role="status">
    <p class="message-title">${e}</p>
    <p class="message-detail">${t}</p>
    ${s&&i`<span class="reader" data-widget="reader" data-inputs=${n}></span>`}
  </div>`;function an(){const e=P.problem();if(!e)return null;const t=e.status===404&&W(),[s,n]=t?["The order is no longer kept","Choose the order again to measure it again."]:[e.title,e.message];return P.latest()?i`<div class="outage-note" role="alert">
    <span>${s+". "+n}</span> <${N} act=${P.again}>Try again<//>
  </div>`:i`<${R} title=${s} detail=${n} />`}function on(){const e=q(),t=P.latest();if(e&&!(e.waits&&t))return i`<${R} ...${e} />`;if(!t)return P.problem()?null:i`<div class="skeleton skeleton-gallery"></div>`;if(t.items.length)return i`<${Ht} items=${t.items} />`;const[s,n]=nn($.value,t.kind);return i`<${R} title=${s} detail=${n} />`}function rn(){const{items:e=[],total:t=0,start:s=0,size:n=1}=!q()&&P.latest()||{},a=e.length?S(s+1)+" to "+S(s+e.length):"0",r=Math.min($.value.page,Math.ceil(t/n)+1);return i`<${_t}
    id="gallery"
    words=${a+" of "+S(t)}
    start=${n*(r-1)}
    step=${n}
    total=${t}
    before="Previous page"
    after="Next page"
    go=${o=>E({page:1+o/n})}
  />`}function ln(){const{source:e,set:t}=$.value,s=re(),n=(O.answer()?.sets??[]).filter(({inputs:o,name:c})=>o===(s??"images")&&(!t||c===t)),r=new Set(n.map(o=>[o.licence,o.stand_in,o.stand_in_for].join())).size===1?Xt(n):n.map(o=>({stem:"",sets:[o]}));return e==="own"?null:i`<div id="gallery-licences" class="licences">
    ${r.map(({stem:o,sets:[c,...l]})=>{const p=u=>u.slice(u.lastIndexOf(" ")+1),d=l.at(-1),g=o&&d?o+" "+p(c.title)+" to "+p(d.title):c.title,m=c.stand_in_for?"stand-in for "+c.stand_in_for:"stand-in";return i`<p key=${c.name}>
        <strong>${g}</strong>
        ${c.stand_in&&i`<span class="tag tag-warn">${m}</span>`}
        <span>${c.licence}</span>
      </p>`})}
  </div>`}function cn(){const{order:e}=$.value,t=re(),s=q()?null:P.latest(),n=xs(),a=(t===null?at[""]:at[t]??Hs)+Xs[e],r=!!q()?.refused;return i`<${be} id="gallery" title="Gallery" reads=${a} more=${it[e]} look="panel-gallery">
    <${zt}><${Ks} /><//>
    <${en} />
    ${!r&&i`<${At} name=${D} what="Measuring samples for their order" />`}
    ${s?.ranked&&i`<${tn} ranked=${s.ranked} />`}
    <${an} />
    <div id="gallery" class="gallery" data-former=${n?"true":void 0} aria-busy=${String(n)}>
      <${on} />
    </div>
    <${rn} />
    <div id="gallery-table" hidden=${!s?.ranked}>
      <${we}
        words="The order as a table"
        caption=${()=>it[s?.ranked?.order??e]}
        rows=${s?.ranked?()=>sn(s):null}
        data=${{id:"gallery-order-table"}}
      />
    </div>
    <${ln} />
  <//>`}const dn=80,ct=new Map,un=(e,t)=>e.includes(t)?e.filter(s=>s!==t):[...e,t].slice(-2);function pn({right:e,chosen:t},s){return[...s===e?["right"]:[],...s===t?["network"]:[]]}function mn(e,{chosen:t,probabilities:s}){if(!e)return"";const n=(r,o)=>"answer "+(r+1)+" ("+he(o)+")";if(t===null||!s)return e.swap+" swapped.";const a=n(t,s[t]);return e.swap+" swapped. Before: "+n(e.chosen,e.probability)+"; now: "+a+"."}const fn=e=>(e.replace(/\.(npz|png)$/i,"").replace(/[^\w.-]+/g,"-")||"matrix")+".png";function hn(e){const{id:t,panels:s,probabilities:n}=e,a=s.names.length,r=a-s.answers,o=ae([]),c=ae(mn(ct.get(t),e)),l=ae(!1);async function p(){const[m,u]=o.value;if(l.value||u===void 0)return;l.value=!0,c.value="Answering \u2026";const b=ve(s.names[m])+" and "+ve(s.names[u]),y=(b+" swapped: "+e.name).slice(0,dn);try{const k=await x("POST","/tables/"+encodeURIComponent(t)+"/exchanged",{one:m,other:u,name:y}),{chosen:T}=e;T!==null&&n&&ct.set(k.id,{chosen:T,probability:n[T],swap:b[0].toUpperCase()+b.slice(1)}),Me(k)}catch(k){c.value=k instanceof Error?k.message:String(k)}finally{l.value=!1}}function d(m){const u=m-r,b=u>=0?pn(e,u):[],y=u>=0?n?.[u]:void 0,k=[ve(s.names[m]),...b.includes("right")?["right"]:[],...b.includes("network")?["the network's answer"]:[],...y===void 0?[]:[he(y)]].join(", ");return i`
      <button
        key=${m}
        type="button"
        class="matrix-panel"
        data-panel=${m}
        data-marks=${b.join(" ")}
        aria-pressed=${String(o.value.includes(m))}
        aria-label=${k}
        title=${k}
        onClick=${()=>o.value=un(o.value,m)}
      >
        <span class="matrix-picture" style=${Kt(t,m,a)}></span>
        ${u>=0&&i`<span class="matrix-caption">
            <span>${u+1}</span>
            ${y!==void 0&&i`<span class="matrix-share">${he(y)}</span>`}
            ${b.map(T=>i`<span class="matrix-mark" data-mark=${T}>${T}</span>`)}
          </span>`}
      </button>
    `}const g=s.names.map((m,u)=>u);return i`
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
        onClick=${p}
      >
        Swap two panels
      </button>
      <span class="hint">Pick two panels. The swapped matrix becomes your sample.</span>
    </div>
    <div class="text-tools">
      <a class="tool tool-text" id="panels-sheet" href=${Zt(t)} download=${fn(e.name)}>PNG sheet</a>
      <span class="hint">All panels in one picture, which you can bring again.</span>
    </div>
    <p class="hint" id="panels-said" role="status" aria-live="polite">${c.value}</p>
  `}const $n=5,gn=.005,bn="Probability of each label by each head; the triangle marks the true label.",wn="The model's answer, its loss, and the sample.",vn="Products of the variables (\xACa is 1 - a), joined by x \u2295 y = 1 - (1 - x)(1 - y): the \u201Cor\u201D of product fuzzy logic.",dt={another:"Another user's sample. Everybody with its link can see it; only its owner can change it.",everybody:"Every user can change this sample, because it has no owner."},yn=[["","no label"],...Array.from({length:10},(e,t)=>[String(t),String(t)])];function kn(e,t){const[s,n]=e.split("?");return s+Ae({...Object.fromEntries(new URLSearchParams(n)),...t})}function ce({to:e,words:t,more:s}){const n=Fe().find(({key:r})=>r===e);if(!n)return null;const a=kn(Ft(n,n.samples||!s?{}:{sample:null}),s??{});return i`<a id="see-path" class="button" href=${a} onClick=${jt}>${je(n.icon)}${t}</a>`}function xn({table:{id:e,inputs:t,rows:s,blocks:n}}){if(Fe().find(({key:o})=>o==="paths")?.inputs.includes(t)&&!ye.includes(t))return i`<${ce} to="paths" words="Its path" />`;if(t==="statements"){const o={statement:e,s1:s.map(([,c])=>c).join(" ")};return i`<${ce} to="circuits" words="Its circuit" more=${o} />`}if(!n)return null;const r=n.program.map(o=>o+1).join(",");return i`<${ce} to="blocks" words="Its blocks" more=${{digits:n.digits.join(","),program:r}} />`}const ut=({standIn:e,data:t})=>i`
  ${e&&i`<p><span class="tag tag-warn">stand-in data</span></p>`}
  ${t&&i`<p class="licence">${t.licence}</p>`}
`,Sn=({sample:{name:e,label:t,owner:s},edit:n})=>i`
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
      options=${yn}
      chosen=${String(t??"")}
      onChoose=${a=>n.label=a===""?null:Number(a)}
    />
  </label>
  ${s==="everybody"&&i`<p class="hint">${dt.everybody}</p>`}
`;function Tn({sample:e,data:t,see:s}){const{id:n,name:a,label:r,origin:o,owner:c,image:l}=e,{current:p}=G({name:a,label:r}),d=o!=="data"&&c!=="another",m=d&&i`<${N} id="sample-save" look="tool tool-text writes" act=${()=>{p.name.trim()&&Ss(n,{...p,name:p.name.trim()})}}>Save<//>
      <details class="menu writes">
        <summary id="sample-delete-menu" class="tool tool-text tool-danger" aria-label=${"Delete "+a}>
          Delete
        </summary>
        <div class="menu-items">
          <p class="hint">This cannot be undone.</p>
          <${N} id="sample-delete" look="menu-item danger" act=${()=>et(n)}>Delete this sample<//>
        </div>
      </details>`,u=d?"read-only":void 0;return i`<div class="facts">
    <img src=${l} alt=${a+", as the network sees it"} width="128" height="128" class="pixels sample-image" />
    <div class="about">
      <p class=${u}><strong>${a}</strong></p>
      <p class=${u}>${r===null?"no label":"labelled "+r}</p>
      ${d&&i`<${Sn} sample=${e} edit=${p} />`}
      ${c==="another"&&i`<p class="hint">${dt.another}</p>`}
      <${ut} standIn=${e.stand_in} data=${t} />
      <div class="actions">${s}${m}</div>
    </div>
  </div>`}function Pe(){const[e,t,s]=[le.answer(),C.answer(),v()];if(!e||!t?.picture||e.model!==s?.id)return null;const{label:n,set:a,name:r}=t.picture,o=a&&e.domains.includes(a)?a:null;return e.predictions.length||e.numbers.length?{current:e,baseline:null,label:n,domain:o,name:r}:null}function En(){const e=Pe();return i`<div class="predictions" hidden=${!e}>
    <${Qt}
      scene=${t=>{const s=Pe();return s&&ts(s,t)}}
      drawn=${()=>le.answer()?.id??""}
      label=${()=>{const t=Pe();return t?ss(t):""}}
      data=${{"data-key":"sample"}}
    />
    <${we} words="Probabilities as a table" caption=${()=>es} rows=${e&&(()=>ns(e))} />
  </div>`}function Nn({score:e,model:t}){if(!e)return i`<${R} title="No answer" detail=${t+" has no head for this data set."} />`;const{answer:s=null,target:n=null,measure:a,predicted:r,domain:o,value:c,loss:l}=e;let[p,d]=[o+" head",t],g;if(s!==null&&n!==null){const m=Math.abs(s-n);g="network "+s.toFixed(2)+", expression "+n.toFixed(2),d="off by "+(m<gn?String(Number(m.toPrecision(2))):m.toFixed(2))+"; "+t}else{const m=e.predicted_name??String(r);r===null?[p,g]=[a.name,(Be(c)+" "+a.unit).trim()]:g=c===null?m:m+", "+(c?"right":"wrong");const u=r!==null||a.higher_is_better?"":"less is better; ";l!==null&&(d=u+"loss "+Mt(l)+"; "+t)}return i`<div class="number sample-score" id="sample-score" role="status">
    <span class="number-name">${p}</span>
    <span class="number-value">${g}</span>
    <span class="number-range">${d}</span>
  </div>`}function On({point:{set_title:e,value:t,expression:s,products:n}}){const a=n.filter(l=>l.true),r=[...a].sort((l,p)=>p.value-l.value).slice(0,$n),o=Math.max(...r.map(l=>l.value),0)||1,c=[["product","in the function","value here"],...n.map(l=>[l.name,Number(l.true),l.value.toFixed(4)])];return i`<div class="function">
    <p><strong>${e}</strong>${": "+t.toFixed(3)+" at this point"}</p>
    <p class="expression" tabindex="0">${s}</p>
    <p class="hint">${vn}</p>
    <table class="figures products">
      <caption>
        ${"Largest of "+a.length+" products in the function, of "+n.length+" in all."}
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
        <${rs} rows=${c} caption="" />
      </div>
    </details>
  </div>`}function Pn({table:e}){const t=G(null);return fe(()=>{const s=t.current,n=new cs(s),a=ls(e),r=a.x.map((l,p)=>"point "+(p+1)),o=()=>n.show(e.id,a,Bt().accent,r).catch(l=>s.textContent=l.message);o();const c=Ut(o);return()=>{c(),n.dispose()}},[e.id]),i`<div ref=${t} class="cloud" key=${e.id}></div>
    <${we}
      words=${oe(e)+" as a table"}
      caption=${()=>"Points of the sample."}
      rows=${()=>[["point",...e.columns],...e.rows.map((s,n)=>[n+1,...s.map(Be)])]}
    />`}function Cn({table:e,model:t}){const{point:s,panels:n,score:a,writing:r}=e;if(s)return[i`<${as} ...${s} />`,i`<${On} point=${s} />`];if(e.space?.length)return i`<${Pn} key=${e.id} table=${e} />`;if(n)return[i`<p class="rules">
        ${n.rules.length?["Rules: ",i`<strong>${n.rules.join("; ")}</strong>`]:"The rules are unknown."}
      </p>`,i`<${hn} key=${e.id+t} ...${{id:e.id,name:oe(e),panels:n}} right=${e.label}
        chosen=${a?.predicted??null} probabilities=${a?.probabilities??null} />`];const o=Ze.answer(),c=os(e);return i`<div
    class="table-scroll sample-table-whole"
    tabindex="0"
    role="region"
    aria-label=${oe(e)+" as "+(r?"it is written":"a table")}
  >
    <${is} table=${e} whole=${!0} readers=${o} />
    ${c&&i`<p class="hint">${c}</p>`}
  </div>`}function An({table:e,chosen:{data:t,model:s}}){const[n,a]=[ie(e.inputs),e.set===null],r=a&&e.point?"yours, under "+e.point.set_title:a?"yours":e.set_title,o=s?.inputs===e.inputs,l=a&&i`<${N} id="sample-delete" look="tool tool-text writes" act=${()=>et(e.id)}>Delete<//>`,p=s&&{title:"This model does not read samples",detail:`${s.id} reads samples that are each ${ie(s.inputs)?.words??s.inputs}; this one is ${n?.words??e.inputs}.`};return i`
    <div class="facts">
      <div class="about">
        <p><strong>${oe(e)}</strong>${", "+Ue(e)}</p>
        <p>${n?r+": "+n.words:r}</p>
        <${ut} standIn=${e.stand_in} data=${t} />
        <div class="actions">${o&&i`<${xn} table=${e} />`}${l}</div>
      </div>
    </div>
    ${s&&(o?i`<${Nn} score=${e.score??null} model=${s.id} />`:i`<${R} ...${p} unread=${!0} inputs=${e.inputs} />`)}
    <${Cn} table=${e} model=${s?.id??null} />
  `}function Dn({now:e}){const t=C.problem();if(!_().sample)return i`<div class="message">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">Pick one from the gallery<span class="writes">, or bring one of your own</span>.</p>
    </div>`;if(t&&!e)return i`<${R} title=${t.title} detail=${t.message} /><${N} act=${C.again}
        >Try again<//
      >`;if(!e)return i`<div class="skeleton skeleton-sample"></div>`;const{picture:s,table:n,data:a}=e;if(n)return i`<${An} key=${n.id} table=${n} chosen=${e} />`;if(!s)return i`<${R}
      title="This sample no longer exists"
      detail="It was deleted, or the link has a wrong id."
    />`;const r=e.model===v()?Ge():null,o=e.model&&e.model!==v()?null:i`<${ce} to="paths" words="See its path" />`;return i`
    <${Tn}
      key=${s.id+s.name+s.label}
      sample=${s}
      data=${a}
      see=${!r&&o}
    />
    ${r&&i`<${R} ...${r} unread=${!0} />`}
  `}function _n(){const e=_().sample?C.latest():null,t=C.waits()||le.waits()||v()===void 0,s=e!==null&&(v()===void 0||C.answer()===null);return i`<${be} id="sample" title="Chosen sample" reads=${e?.table?wn:bn}>
    <div id="sample-body" aria-busy=${String(!!_().sample&&t)}>
      <div id="sample-facts" data-former=${s?"true":void 0}><${Dn} now=${e} /></div>
      <${En} />
    </div>
  <//>`}const Rn={numbers:"Pick a point, or set one.",points:"Pick a cloud of points, or bring one.",top_experts:"Pick a text, type one, or bring a file.",listops:"Pick an expression, or type one.",bytes:"Pick a review, type one, or bring a file.",matrices:"Pick a matrix, bring one, or swap panels of one.",statements:"Pick a statement.",blocks:"Pick a sample.","":"Pick a digit, bring a picture, or draw one."},pt={file:0,text:0},In=()=>i`
  <div class="page-head">
    <h1>Samples</h1>
    <div class="caption writes">${pe(Rn)}</div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${je("link")}Copy link</button>
    </div>
  </div>
  <div class="samples-grid">
    <${cn} />
    <div class="samples-side"><${_n} /><${Gs} most=${pt} /></div>
  </div>
`,Fn=e=>new Promise(t=>{const s=ee(()=>{z().sample===e&&queueMicrotask(()=>t(s()))})});Lt("samples",({model:e,sample:t,pin:s,...n})=>(Re({model:e,sample:t}),ke(n),Fn(t)));const jn=Jt({Tree:In,choice:()=>$.value,take:ke,open(e,t){const{maxBytes:s,maxTextBytes:n}=t.closest(".page").dataset;return Object.assign(pt,{file:Number(s),text:Number(n)}),ke(e),Ns()}});export{jn as mount};
