/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ad as xt,ac as St,n as Tt,ag as M,E as S,ax as Ie,a6 as de,B as Et,V as De,b4 as Nt,aw as j,av as Ot,W as Pt,bk as Ct,_ as pe,aT as me,Z as Re,bl as At,bm as _t,aN as te,R as se,al as he,af as It,aF as Me,aQ as Dt,bb as Rt,a2 as Mt,e as z,c as je,t as ne,s as r,bn as jt,u as Ft,$ as ae,P as W,D as x,am as F,a as N,Q as fe,aU as oe,p as Ut,bo as ie,ay as Lt,N as Fe,a9 as Bt,bp as Gt,ak as Jt,H as Ue,l as Wt,o as Ht,i as $e,b6 as Le,bq as qt,ar as zt,w as Yt,S as Zt,r as Qt,at as Vt,au as Xt}from"../../boot.js";import{bX as Be,bY as Kt,bZ as ge,P as be,b_ as es,b$ as ts,c0 as Ge,c1 as Je,aQ as ss,A as we,c2 as ns,aR as as,R as os,c3 as is,c4 as ve,bG as rs,i as ls,c5 as cs,c6 as us,by as ds,c7 as ps,bI as ms}from"../../shared.js";const A="behaviour",hs={mute:[],drop:[],edges:null,iterations:null},We=xt("samples","mute","drop","edges","iterations","source","set","label","wrong","find","order","to","samples","page"),{offered:fs}=St("samples","samples"),[$s,gs,bs,ws]=[96,24,8,60],ye=["images","statements","blocks"],vs="statements",g=Tt({...We}),ke=e=>g.value={...We,...e};function E(e){const t=g.value,n=e.order==="nearest"&&t.order!=="nearest"?t.to??j().sample:t.to,a={...t,page:1,to:n,...e};Object.entries(a).filter(([i,c])=>JSON.stringify(c)!==JSON.stringify(t[i])).some(([i])=>i!=="page"||e.page)&&(g.value=a)}function _(){const{model:e,sample:t}=j(),s=Ot(location.search);return e?{model:e,sample:t}:{model:s.model,sample:t??s.sample}}const H=()=>g.value.order!=="given",O=M(()=>"all",async()=>{const[e,t]=await Promise.all([S("GET","/data"),S("GET","/inputs")]);return{sets:e.items,kinds:t.items}}),xe=M(()=>{const{model:e}=_();return e&&(!Ie()||de(e))?e:null},e=>S("GET","/models/"+encodeURIComponent(e)));function v(){const{model:e}=_();if(!e||Ie()&&!de(e)||xe.problem())return null;const t=xe.answer();return t?.id===e?t:void 0}function Se(e){let t=null;return()=>{const s=e();return s===void 0?t:t=s}}const re=e=>O.answer()?.kinds.find(t=>t.name===e)??null;function He(){const{model:e}=_(),t=e?v():null;return t&&!t.samples?de(t.id)?.refused??null:null}function qe({set:e,samples:t,order:s,to:n,mute:a,drop:o,edges:i,iterations:c},{id:l,units:u}){const d={mute:pe(u,a),drop:pe(u,o),iterations:c,keep_edges:i};return{model:l,data:e?[e]:[],samples:t,order:s,to:s==="nearest"?n:null,intervention:d}}function ys(e){const{data:t,samples:s,...n}=qe(g.value,e);return n}function ks({order:e,to:t,mute:s,drop:n,edges:a,iterations:o}){return e==="rerouted"&&!s.length&&!n.length&&a===null&&o===null?{title:"Nothing reroutes them yet",detail:me({"":"Mute or drop {units} on Paths or Drop, then come back: the change stays chosen."})}:e==="nearest"&&!t?{title:"Near to which sample?",detail:"Choose one, and press \u201CNear to the chosen sample\u201D."}:null}const Y=M(Se(()=>{const e=v();if(!(e===void 0||e&&!ze(e)))return e&&H()&&g.value.source==="data"?JSON.stringify([qe(g.value,e),ks(g.value)]):null}),async e=>{const[t,s]=JSON.parse(e),n=await Et(t.model)||s;return n?{body:null,title:n.title,detail:n.detail}:{body:t}}),Te=e=>e.filter(t=>!Re(t)),ze=({units:e})=>!Ct(e,Te([...g.value.mute,...g.value.drop])).length;function xs(e){for(const s of["mute","drop"])Mt(s,e,Te(g.value[s]));const t=s=>[...pe(e.units,Te(s)),...s.filter(Re)];E({mute:t(g.value.mute),drop:t(g.value.drop)})}function Ye(){const e=Y.answer()?.body,t=te(A);return e&&JSON.stringify(t.request?.body)===JSON.stringify(e)?t:null}function Ze(){const e=Ye()?.job;return e?.state==="done"?At(e):null}const Ss=[403,404,422],Qe={title:"Measuring the order",detail:"Samples appear when they are measured.",waits:!0};function Ts(){const e=v();if(e===void 0)return Qe;if(e===null)return{title:"No model chosen",detail:"A model gives samples their order."};const t=Y.answer();if(t&&!t.body)return{title:t.title??"",detail:t.detail??"",refused:!0};const s=Ye(),n=s?.problem??(s?.job?.state==="failed"?_t(s.job):null);if(n){const{status:a=0}=n,o=Ss.includes(a),i=o?"There is no such order here":"The order was not measured";return{title:a===403&&n.title||i,detail:n.message??"",refused:o}}return s?.job?.state==="cancelled"?{title:"Cancelled",detail:"Resume it above."}:Ze()?null:Qe}function Es({source:e,set:t,order:s},n,a,o){if(e==="own")return o.find(({name:l})=>l===n?.inputs)?.written?n?.inputs??null:null;const i=t?a.find(({name:l})=>l===t)?.inputs:n?.inputs;return!i||i==="images"?null:t||!(s==="given"&&ye.includes(i))&&a.some(l=>l.inputs===i)?i:null}const le=()=>{const{sets:e,kinds:t}=O.answer()??{sets:[],kinds:[]};return Es(g.value,v()??null,e,t)};function q(){const{source:e,wrong:t}=g.value;if(!O.answer())return null;const[s,n]=[le(),e==="data"],a=s===null&&(H()||t&&n)?He():null;return a?{...a,unread:!0}:s!==null&&t&&n?{title:"Nothing is right or wrong here",detail:"Show all samples, and choose one to see its score."}:H()&&(n||v()===null)?Ts():null}const Ee=De,Ve={sample:null,table:null,value:null};function Ns({unit:e,order:t},s){if(e==="bit")return{short:s.toFixed(2)+" bit",words:"heads disagree by "+s.toFixed(2)+" bit"};const n=(100*s).toFixed(1)+" %",a=t==="rerouted"?"goes elsewhere":"goes elsewhere than that of the named sample";return{short:n,words:n+" of the routing weight "+a}}const P=M(Se(()=>{const[e,t]=[v(),q()];if(!O.answer()||e===void 0||t?.waits)return;if(t)return null;const s=le(),n=H()&&g.value.source==="data"?Ze():null,a=H()&&g.value.source==="own"&&e?ys(e):null;return JSON.stringify([g.value,s,e?.id,e?.samples,n,a,Be.value])}),async(e,t)=>{const[s,n,a,o,i,c]=JSON.parse(e),{source:l,set:u,find:d,page:h,order:m}=s,p=l==="own",b=n===null?$s:gs,y=(h-1)*b,k=n===null?null:n===vs?ws:bs,T=p?null:s.label,U=s.wrong&&!p&&o,X=o?a:null,L={kind:n,start:y,size:b,ranked:null},D=(f,$)=>S("GET",f+Ee($),void 0,{signal:t});if(m!=="given"){const f={label:T,wrong:U,find:d,limit:b,offset:y,rows:k},$=c?await S("POST","/behaviours/own"+Ee(f),c):await D("/behaviours/"+i,f),R=$.items.map(({table:B=null,value:G,...J})=>({...J,table:B,value:Ns($,G)}));return{...L,items:R,total:$.total,ranked:$}}if(n!==null){const{items:f,total:$}=p?await D("/samples/written",{inputs:n,limit:b,offset:y,rows:k}):await D("/tables",{inputs:n,set:u,label:T,find:d,limit:b,offset:y,rows:k});return{...L,items:f.map(R=>({...Ve,id:R.id,table:R})),total:$}}const[K,...ee]=await Promise.all([D("/samples",{origin:p?null:"data",set:p?null:u,model:X,label:T,wrong:U,find:d,limit:b,offset:y}),...(p?["upload","drawing"]:[]).map(f=>D("/samples",{origin:f,find:d,limit:0}))]),w=K.items.filter(({origin:f})=>!p||f!=="data");return{...L,items:w.map(f=>({...Ve,id:f.id,sample:f})),total:p?ee.reduce((f,{total:$})=>f+$,0):K.total}}),Os=()=>P.latest()!==null&&(P.answer()===null||v()===void 0||!!q()?.waits),Ne=new Set,Xe=e=>e instanceof Pt&&e.status===404,C=M(Se(()=>{const[{sample:e},t]=[_(),v()];if(!e||Ne.has(e))return null;if(!(t===void 0||!O.answer()))return JSON.stringify([e,t?.id,Be.value])}),async e=>{const[t]=JSON.parse(e),[s,n]=[v()??null,O.answer()?.sets??[]],a=n.find(({name:p})=>p===t.split(".")[0]),o={id:t,picture:null,table:null,data:a,model:s},i=encodeURIComponent(t),c=async()=>({...o,picture:await S("GET","/samples/"+i)});async function l(){const p=await S("GET","/tables/"+i),b=s?.inputs===p.inputs;return{...o,table:b?await S("GET","/tables/"+i+Ee({model:s?.id})):p}}const u=a?a.inputs!=="images":!!re(s?.inputs)?.written,[d,h]=u?[l,c]:[c,l],m=p=>{if(!Xe(p))throw p;return t.includes(".")?o:h()};return d().catch(m).catch(p=>Xe(p)?o:Promise.reject(p))}),ce=M(()=>{const[e,t]=[C.answer(),v()];return e?.picture&&t?.samples&&e.model?.id===t.id?JSON.stringify([t.id,e.id]):null},e=>{const[t,s]=JSON.parse(e);return S("POST","/traces",{model:t,sample:s,fields:[]})}),Oe="read_in",Ke=M(()=>{const[e,t]=[C.answer(),v()];return e?.table?.writing&&t&&e.model===t&&t.inputs===e.table.inputs&&t.fields.includes(Oe)?JSON.stringify([t.id,e.id]):null},async e=>{const[t,s]=JSON.parse(e),n=await S("POST","/traces",{model:t,sample:s,fields:[Oe]});return{weights:(await Nt(n.id,Oe)).data,units:n.units}});async function Pe(e){try{await e()}catch(t){const{title:s="It was not changed",message:n}=t;z(s,n,"bad")}}const et=()=>je({sample:null}),Ps=(e,t)=>Pe(async()=>{await S("PATCH","/samples/"+encodeURIComponent(e),t),z("Saved",t.name+": "+(t.label===null?"no label":"label "+t.label),"good"),ge()}),tt=e=>Pe(async()=>{await S("DELETE","/samples/"+encodeURIComponent(e)),z("Deleted","The sample and its pictures are gone.","good"),Ne.add(e),et(),ge()}),Cs=()=>Pe(async()=>{const{count:e}=await S("DELETE","/samples?owner=you");if(!e)return z("Nothing to delete","There is nothing of yours.","good");z("Deleted",e===1?"1 sample is gone.":e+" samples are gone.","good");const{sample:t}=j();t&&!t.includes(".")&&(Ne.add(t),et()),ge()});function As(){const[e,t]=[Y.answer()?.body??null,Y.waits()];he(()=>{if(!e){!t&&te(A).request&&Me(A);return}const{job:s,request:n}=te(A);JSON.stringify(n?.body)!==JSON.stringify(e)&&Dt(A,"/behaviours",e).then(async()=>{te(A).job?.id!==s?.id&&await Rt(s)})})}function _s(){Kt();const e=[...[O,xe,Y,P,C,ce,Ke].map(t=>t.follow()),se(As),se(()=>{const t=v();t&&!ze(t)&&he(()=>xs(t))}),se(()=>{const t={...g.value,..._()};he(()=>It("samples",t))})];return()=>{e.forEach(t=>t()),Me(A)}}const st=[".txt","text/plain"],Is=80,Ds="points",Rs={points:"A cloud of yours becomes a sample, scaled to the unit ball; up to 1,024 of its points are taken.",numbers:"A point of yours becomes a sample: Paths shows which functions it goes through.",top_experts:"A text of yours becomes a sample: Paths shows which experts its tokens take.",listops:"An expression of yours becomes a sample: Paths shows which modules read it.",bytes:"A text of yours becomes a sample: Paths shows which modules read it.",matrices:"A matrix of yours becomes a sample: Paths shows how its panels go.","":"Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels."};function Ms(e,t){if(!e.trim())return"Type or paste a text first.";const s=new TextEncoder().encode(e).length;return s>t?"The text has "+x(s)+" bytes; up to "+x(t)+" are accepted.":""}function nt({name:e,size:t},{suffixes:s,files:n},a){return s.some(o=>e.toLowerCase().endsWith(o))?t>a?"The file has "+x(t)+" bytes; up to "+x(a)+" are accepted.":"":e+" cannot be read; accepted are "+n+"."}function js(e){try{return new TextDecoder("utf-8",{fatal:!0}).decode(e)}catch{throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.")}}function Fs({most:e}){const[t,s]=[W(null),W(null)];fe(()=>{const a=new es(t.current),o=ts(s.current,e.file);return()=>{a.stop(),o()}},[]);const n=(a,o,i)=>r`<button type="button" class=${i} data-pad=${a}>${o}</button>`;return r`<div class="bring">
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
  </div>`}const Us="numbers",Ls=.01,at="number:",Bs=e=>e.filter(t=>t.startsWith(at)).map(t=>t.slice(at.length));function Gs(e,t){const s=t.findIndex(a=>!(a.trim()&&Number(a)>=0&&Number(a)<=1));if(s<0)return"";const n=t[s].trim()?"\u201C"+t[s].trim()+"\u201D":"empty";return e[s]+" is "+n+"; a number from 0 to 1 is accepted, such as 0.25."}function Js(e,t){const s=e.trim().split(/[\s,;]+/);return t>1&&s.length===t?s:null}function Ws({name:e,at:t,written:s}){const n=l=>s.value=s.value.map((u,d)=>d===t?l:u),a=l=>n(l.currentTarget.value),o=l=>{const u=Js(l.clipboardData?.getData("text")??"",s.value.length);u&&(l.preventDefault(),s.value=u)},i=s.value[t],c=Number.isFinite(Number(i))?Number(i):0;return r`<div class="number-row">
    <label for=${"number-"+e}>${e}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${Ls}
      value=${c}
      aria-label=${e+" from 0 to 1"}
      onInput=${a}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-"+e}
      value=${i}
      onInput=${a}
      onPaste=${o}
    />
  </div>`}function Hs({send:e}){const t=v(),s=Bs(t?.tokens??[]),n=(O.answer()?.sets??[]).filter(({name:l})=>t?.domains.includes(l)),a=oe(s.map(()=>"0.5")),[o,i]=ae(n[0]?.name??""),c=()=>{const l=a.value.map(u=>u.trim()).join(", ");e(Gs(s,a.value),{inputs:Us,content:l,set:o})};return r`
    <div class="number-rows" role="group" aria-label="Numbers of the point">
      ${s.map((l,u)=>r`<${Ws} key=${l} name=${l} at=${u} written=${a} />`)}
    </div>
    <div class="number-tools">
      <label class="control-name" for="number-function">function</label>
      <${F}
        id="number-function"
        look="small-input"
        options=${n.map(({name:l,title:u})=>[l,u])}
        chosen=${o}
        onChoose=${i}
      />
      <${N} id="number-random" act=${()=>a.value=s.map(()=>Math.random().toFixed(2))}>At random<//>
      <${N} id="number-send" look="button" act=${c}>Use point<//>
    </div>
  `}function qs({kind:e,most:t}){const{name:s,suffixes:n,files:a,answers:o,words:i,written:c,example:l,of_set:u}=e,[d,h]=ae(""),[m,p]=ae(""),[b,y]=ae(""),k=W(!1),T=!a||s===Ds;async function U(w,f){if(k.current||(y(w||"Reading \u2026"),w))return!1;k.current=!0;try{const $=await f();return Ge($),y("Added: "+$.set_title+($.space?.length?", "+x($.total_rows)+" points":"")),!0}catch($){return y($ instanceof Error?$.message:String($)),!1}finally{k.current=!1}}const X=w=>S("POST","/samples/written",w),L=(w,f)=>U(Ms(w,a?1/0:t.text),()=>X({inputs:s,content:w,name:f}));async function D(){await L(d,null)&&h(w=>w===d?"":w)}async function K(w){const f=w.currentTarget,$=f.files?.[0];if(f.value="",!$)return;const R=$.name.slice(0,Is);if(!a){const G=nt($,{suffixes:[""],files:a},t.text);if(G)return y(G);const J=await $.arrayBuffer().then(js).catch(kt=>y(kt.message));return J===void 0?void 0:void L(J,R)}const B=new FormData;for(const[G,J]of Object.entries({inputs:s,name:R}))B.append(G,J);B.append("file",$,$.name),o&&m&&B.append("answer",m),await U(nt($,e,t.file),()=>Ut("/samples/files",B))&&p("")}const ee=r`
    <label class=${a?"button":"tool tool-text"} for="bring-file">
      ${"Choose a "+(a?n.join(", "):st[0])+" file"}
    </label>
    <input
      type="file"
      id="bring-file"
      class="hidden-visually"
      accept=${(a?n:st).join(",")}
      aria-describedby="bring-said"
      onChange=${K}
    />
  `;return u?r`
      <${Hs}
        key=${v()?.id}
        send=${(w,f)=>{U(w,()=>X(f))}}
      />
      <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
    `:r`
    ${a&&r`<div class="text-tools">
          ${ee}<span class="hint">${"of up to "+x(t.file)+" bytes"}</span>
          ${o>0&&r`<span class="hint"
              ><label for="bring-answer">right answer </label>
              <${F}
                id="bring-answer"
                look="small-input"
                options=${[["","as the file says"],...Array.from({length:o},(w,f)=>[String(f+1),String(f+1)])]}
                chosen=${m}
                onChoose=${p}
              />
            </span>`}
        </div>
        ${!T&&r`<p class="hint">${"Accepted are "+a+"."}</p>`}`}
    ${T&&r`<label class="control-name" for="bring-typed">
          ${a?"Or paste points, a line with x y z each":"Type or paste "+i}
        </label>
        <textarea
          id="bring-typed"
          class="text-typed"
          rows="6"
          spellcheck=${!1}
          placeholder=${l}
          title=${c}
          value=${d}
          onInput=${({currentTarget:w})=>h(w.value)}
        ></textarea>
        <div class="text-tools">
          <${N} id="bring-send" look="button" wait=${!d.trim()} act=${D}>
            ${"Use "+(a?"points":i.replace(/^an? /,""))}
          <//>
          ${!a&&[ee,r`<span class="hint">${x(new TextEncoder().encode(d).length)+" of up to "+x(t.text)+" bytes"}</span>`]}
        </div>`}
    <p class="hint" id="bring-said" role="status" aria-live="polite">${b}</p>
  `}const zs=()=>r`<div class="delete-all">
    <details class="menu">
      <summary id="samples-delete-menu" class="tool tool-text tool-danger" aria-label="Delete all samples of mine">
        Delete all of mine
      </summary>
      <div class="menu-items">
        <p class="hint panel-more">
          ${jt(Ft.value.name)+", with its traces. Links to it lead nowhere then. This cannot be undone."}
        </p>
        <button id="samples-delete" type="button" class="menu-item danger" onClick=${Cs}>
          Delete them all
        </button>
      </div>
    </details>
  </div>`;function Ys({most:e}){const t=re(ne()?.inputs),s=t&&!ye.includes(t.name)&&!t.written;return r`<${be} id="bring" title="Your own" reads=${me(Rs)} look="writes">
    ${s&&r`<p id="bring-note" class="hint">${t.refusal}</p>`}
    ${t?.written?r`<${qs} key=${t.name} kind=${t} most=${e} />`:r`<${Fs} most=${e} />`}
    <${zs} />
  <//>`}const Zs=3,Qs=40,Vs=120,Xs=6,ot=160;function Ks(e,t,s,n){const a=e.length/t;let o={unit:-1,share:0};for(let i=0;i<t;i+=1){let c=0;for(let l=s;l<Math.min(n,a);l+=1){const u=e[i*a+l];Number.isFinite(u)&&(c+=u)}c>o.share&&(o={unit:i,share:c})}return o}function en(e){let t=0;return(e.match(/\s*\S+\s*|\s+/g)??[]).map(s=>{const n=t+new TextEncoder().encode(s).length,a={text:s,from:t,to:n};return t=n,a})}function it(e,t,s,n){const[a,o]=s,i=[];let c=0;for(;t<e.length&&(c||e[t]!==o);){const l={text:e[t],from:t,to:t+1};if(!e[t].startsWith(a)||n>Qs){c+=e[t]===o?-1:Number(e[t].startsWith(a)),i.push(l),t+=1;continue}const[u,d]=it(e,t+1,s,n+1),h=d<e.length?{text:o,from:d,to:d+1}:null;i.push({open:l,inside:u,close:h,depth:n,count:d-t-1}),t=d+1}return[i,t]}const tn=({text:e,brackets:t})=>t?it(e.split(/\s+/).filter(Boolean),0,t,1)[0]:en(e),rt=e=>e.flatMap(t=>"open"in t?[t.open,...rt(t.inside),...t.close?[t.close]:[]]:[t]);function sn(e,{weights:t,units:s}){const n=e.map(({from:o,to:i})=>Ks(t,s.length,o,i)),a=Math.max(...n.map(({share:o})=>o),1e-9);return n.map(o=>({reader:o,name:s[o.unit]??"",strength:o.share/a}))}function nn({text:e},t){if(!t?.name)return r`<span class="piece">${e}</span>`;const{reader:s,name:n,strength:a}=t,o=n+" reads it most, with "+ie(s.share)+" of its attention",i={"--reader":Lt(s.unit),"--share":Math.round(100*a)+"%"};return r`<span class="piece" data-reader=${n} title=${o} style=${i}>${e}</span>`}function an({writing:e,readers:t}){const s=tn(e),n=rt(s),a=t?sn(n,t):[],o=n.length>Vs?Zs:1/0,i=new Map(a.map((u,d)=>[n[d],u])),c=u=>nn(u,i.get(u)),l=u=>"open"in u?r`<details class="list" open=${u.depth<=o}>
          <summary>
            ${c(u.open)}
            <span class="folded">${u.count.toLocaleString("en")+(u.count===1?" symbol":" symbols")}</span>
          </summary>
          <div class="list-body">${u.inside.map(l)}${u.close&&c(u.close)}</div>
        </details>`:c(u);return r`
    ${t&&r`<p class="hint readers">
        ${"Shade: the unit that reads each piece most, stronger with its attention. Most pieces: "+on(a)+"."}
      </p>`}
    ${e.brackets?r`<div class="written nested">${s.map(l)}</div>`:r`<pre class="sample-text written">${s.map(l)}</pre>`}
  `}function on(e){const t=new Map;for(const{name:n}of e)n&&t.set(n,(t.get(n)??0)+1);return[...t].sort(([,n],[,a])=>a-n).slice(0,Xs).map(([n,a])=>n+" ("+a+")").join(", ")}function rn({text:e}){return e.length<=ot?e:e.slice(0,ot).trimEnd()+"\u2026"}const Z=16,ln=6;function Ce(e){return e===null?"\u2013":typeof e=="number"&&!Number.isInteger(e)?String(Number(e.toPrecision(4))):String(e)}const Q=({id:e,set:t,set_title:s})=>t===null?s:e;function Ae({inputs:e,label:t,label_name:s,label_word:n,point:a}){return e==="text"?x(t)+" bytes":a?"function "+a.value.toFixed(2):t<0?"no "+n:n+" "+(s??t)}function lt({names:e,values:t}){const s=e.map((n,a)=>n+" "+t[a].toFixed(2)).join(", ");return r`<div class="point-bars" role="img" aria-label=${s}>
    ${e.map((n,a)=>r`<div key=${n} class="point-variable" aria-hidden="true">
          <span class="point-value">${t[a].toFixed(2)}</span>
          <span class="point-bar"><span style=${{height:100*t[a]+"%"}}></span></span>
          <span class="point-name">${n}</span>
        </div>`)}
  </div>`}const ct=(e,t)=>Fe+e.replace("{}",encodeURIComponent(t));function ut({table:e,whole:t=!1,readers:s=null}){const{id:n,inputs:a,rows:o,point:i,pictured:c,writing:l,blocks:u}=e;if(a==="text")return r`<pre class="sample-text">${o.map(([,p])=>p).join(`
`)}</pre>`;if(a==="statements")return r`<div class="sample-sentence">
      <div class="sample-pictures">
        ${[0,1].map(p=>r`<img key=${p} src=${ct("/statements/{}/pictures/"+p,n)} alt="" class="pixels" />`)}
      </div>
      <p>${o.map(([,p])=>p).join(" ")}</p>
    </div>`;if(i)return r`<${lt} ...${i} />`;if(c)return r`<img
      src=${ct("/tables/{}/picture",n)}
      alt=""
      class="sample-picture"
      width="128"
      height="128"
    />`;if(l)return t?r`<${an} writing=${l} readers=${s} />`:r`<pre class="sample-text">${rn(l)}</pre>`;if(u)return r`<p class="sample-digits">${u.digits.join(" ")}</p>`;const d=e.columns.slice(0,t?void 0:ln),h=e.columns.length-d.length,m=h?[...d,"+ "+h]:d;return r`<${Je} rows=${[m,...o.map(p=>p.slice(0,d.length).map(Ce))]} caption="" />`}function dt({pictured:e,writing:t,point:s,rows:n,total_rows:a}){const o=e||t||s?0:a-n.length;return o>0?"and "+x(o)+" more row"+(o===1?"":"s"):""}function cn(e,t,s){const n=Math.ceil(s/Z),[a,o]=[Math.floor(t/Z),t%Z];return{backgroundImage:'url("'+e+'")',backgroundSize:100*Z+"% "+100*n+"%",backgroundPosition:100*o/(Z-1)+"% "+100*a/Math.max(1,n-1)+"%"}}const pt=(e,t,s)=>({type:"button",tabIndex:t?0:-1,"data-pick-sample":e,"aria-pressed":String(e===j().sample),"aria-label":s});function un({sample:{id:e,name:t,label:s,prediction:n},value:a,look:o,first:i}){const c=n&&s!==null&&n.label!==s,l=[t,s===null?"no label":"label "+s];n&&l.push(`predicted ${n.label} (${Bt(n.probability)}) by the ${n.domain} head`),a&&l.push(a.words);const u=l.join(", ");return r`<button class="thumb" title=${u} ...${pt(e,i,u)}>
    <span class="thumb-picture pixels" style=${o}></span>
    <span class="thumb-caption">
      <span class="thumb-label">${s??"?"}</span>
      ${c&&r`<span class="thumb-wrong">${"\u2192 "+n.label}</span>`}
    </span>
    ${a&&r`<span class="thumb-value">${a.short}</span>`}
  </button>`}function dn({table:e,value:t,first:s}){const[n,a]=[Q(e),Ae(e)],o=e.set===null?n:e.set+" \xB7 "+e.id.slice(e.id.lastIndexOf(".")+1),i=dt(e);return r`<div class="table-card">
    <button class="table-pick" ...${pt(e.id,s,[n,a,...t?[t.words]:[]].join(", "))}>
      <strong title=${n}>${o}</strong><span>${a}</span>
      ${t&&r`<span class="thumb-value">${t.short}</span>`}
    </button>
    <${ut} table=${e} />
    ${i&&r`<p class="hint">${i}</p>`}
  </div>`}function pn({items:e}){const t=e.map(({id:a})=>a),s=Math.max(0,t.indexOf(j().sample??"")),n=Fe+"/samples/images?"+t.map(a=>"id="+encodeURIComponent(a)).join("&");return r`<div
    class=${e[0].sample?"thumbs":"table-cards"}
    role="group"
    aria-label="Samples"
    data-gallery="true"
  >
    ${e.map(({id:a,sample:o,table:i,value:c},l)=>o?r`<${un}
            key=${a}
            ...${{sample:o,value:c,first:l===s}}
            look=${cn(n,l,e.length)}
          />`:r`<${dn} key=${a} ...${{table:i,value:c,first:l===s}} />`)}
  </div>`}const mn=400,V="",hn=Array.from({length:10},(e,t)=>[String(t),String(t)]),fn=[["given","as given"],["rerouted","most rerouted first"],["heads","heads disagree most first"],["nearest","nearest in routing first"]],mt={"":"Each digit with its label; red is a wrong prediction of the model's head for that data set.",text:"Each text with its length.",numbers:"Each point with its five numbers, and the value of its data set's function there.",points:"Each cloud of points with its class, seen from above at a slant; nearer points are lighter.",matrices:"Each matrix with its right answer: the eight panels before the gap.",statements:"Each statement with its pictures, and whether it is true.",blocks:"Each sample with its label and its digits, or its blocks, one a row.",listops:"Each expression with its value.",bytes:"Each text with its label."},$n="Each sample with its label, one row a token.",ht="share of the routing weight that goes elsewhere (total variation, mean over steps and all that is routed).",ft={given:"",rerouted:"Distance of routings with and without the intervention: "+ht,nearest:"Distance of routings from that of the named sample: "+ht,heads:"Disagreement of heads: entropy of their mean answer less the mean of their entropies."},gn={given:"",rerouted:" Number: share of the routing weight that goes elsewhere.",nearest:" Number: share of the routing weight that goes elsewhere than that of the named sample.",heads:" Number: disagreement of the heads."},bn={given:"",rerouted:"goes elsewhere",nearest:"goes elsewhere than that",heads:"disagreement"},$t={images:"find: mnist seven",text:"find: sums 12",numbers:"find: boolean-03 12",points:"find: torus",matrices:"find: small 12",listops:"find: short 12",bytes:"find: reviews positive",statements:"find: scenes true",blocks:"find: algo 12"};function wn(){const e=W({timer:null,text:null});fe(()=>()=>clearTimeout(e.current.timer),[]);function t(s){const{value:n}=s.currentTarget;clearTimeout(e.current.timer),e.current={text:n,timer:setTimeout(()=>{e.current.text=null,E({find:n})},mn)}}return r`<input
    type="search"
    id="gallery-find"
    class="small-input"
    maxlength="80"
    aria-label="Find samples by data set, label, name or id"
    placeholder=${$t[ne()?.inputs??""]??$t.images}
    value=${e.current.text??g.value.find}
    onInput=${t}
  />`}const vn=({name:e,title:t,stand_in:s})=>[e,s&&!t.includes("stand-in")?t+" (stand-in)":t];function yn(){const{source:e,set:t,label:s,wrong:n,order:a,samples:o}=g.value,i=O.answer()?.sets??[],c=[...i.filter(({inputs:d})=>d==="images"),...i.filter(({inputs:d})=>d!=="images")],l=e==="own",u=[...new Set([...fs,o])].sort((d,h)=>d-h);return r`
    <div class="gallery-controls">
      <${Jt}
        id="gallery-source"
        label="Whose samples"
        options=${[["data","Data sets"],["own","Yours"]]}
        chosen=${e}
        onChoose=${d=>E({source:d})}
      />
      <${F}
        id="gallery-set"
        look="small-input"
        label="Data set"
        hidden=${l}
        options=${[[V,"all sets"],...c.map(vn)]}
        chosen=${t??V}
        onChoose=${d=>E({set:d||null})}
      />
      <span class="gallery-filters" hidden=${l||ne()?.labels?.length===0}>
        <${F}
          id="gallery-label"
          look="small-input"
          label="Label"
          options=${[[V,"any label"],...hn]}
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
      <${wn} />
      <div class="control">
        <label class="control-name" for="gallery-order">order</label>
        <${F}
          id="gallery-order"
          look="small-input"
          options=${fn}
          chosen=${a}
          onChoose=${d=>E({order:d})}
        />
      </div>
      <${F}
        id="gallery-samples"
        look="small-input"
        label="Number of samples of the data sets that are measured for the order"
        hidden=${a==="given"||l}
        options=${u.map(d=>[String(d),"of "+x(d)+" samples"])}
        chosen=${String(o)}
        onChoose=${d=>E({samples:Number(d)})}
      />
    </div>
  `}function kn({mute:e,drop:t,edges:s,iterations:n}){const a=[];if(e.length&&a.push(["muted: "+Ue(e),{mute:[]}]),t.length&&a.push(["dropped: "+Ue(t),{drop:[]}]),s!==null&&a.push([Wt(s)+" % of the links",{edges:null}]),n!==null){const{pass:o,passes:i}=Ht(ne());a.push([n+" "+(n===1?o:i),{iterations:null}])}return a}const gt=({text:e,remove:t})=>r`<span class="chip search-part"
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
  >`;function xn(){const e=g.value,[t,{order:s,to:n},{sample:a}]=[kn(e),e,j()],o=s==="nearest";return!t.length&&!o?null:r`<div class="gallery-search">
    ${o&&n&&r`<span class="control-name">near to</span>${" "}<${gt}
          text=${n}
          remove=${()=>E({to:null})}
        />`}
    ${o&&a&&a!==n&&r`<${N} id="gallery-near" act=${()=>E({to:a})}>Near to the chosen sample<//>`}
    ${t.length>0&&r`<span class="control-name">${s==="given"?"kept for other pages and orders":"under"}</span>`}
    ${t.map(([i,c])=>r`<${gt} key=${i} text=${i} remove=${()=>E(c)} />`)}
    ${t.length>1&&r`<${N} act=${()=>E(hs)}>Nothing<//>`}
  </div>`}function Sn({ranked:{count:e,data:t,model:s,revision:n}}){const a=t.map(({name:i})=>i),o=t.filter(i=>i.held_out).map(({name:i})=>i);return r`<div id="gallery-measured" class="gallery-measured" role="status">
    <span>${x(e)+" measured of "+(a.join(", ")||"your own samples")}</span>
    <${as} sets=${t} used=${a} />
    ${o.length>0&&r`<span class="tag" title="The model was never trained on it."
        >${"out of distribution: "+o.join(", ")}</span
      >`}
    <${os} id=${s} revision=${n} />
  </div>`}function Tn({items:e,start:t,ranked:s}){const n=e.some(({sample:i})=>i?.prediction),a=["place","sample","label",...n?["predicted"]:[],bn[s?.order??"given"]],o=e.map(({id:i,sample:c,table:l,value:u},d)=>{const h=l?Ae(l).replace(/^label /,""):String(c?.label??"none"),{prediction:m}=c??{},p=m?m.label+" by the "+m.domain+" head":"";return[x(t+d+1),i,h,...n?[p]:[],u?.short??""]});return[a,...o]}function En({source:e,find:t,wrong:s,order:n},a){return t?["No samples match","None of these is called \u201C"+t+"\u201D."]:e==="own"&&n!=="given"?["Nothing of yours yet","You have no other sample to put in order."]:e==="own"?["Nothing of yours yet",a?"Make one at the right; it stays until you delete it.":"Bring a picture or draw a digit at the right; it stays until you delete it."]:s?["Nothing wrong here","The model labels every matching sample as the data set does."]:["No samples match","Choose another set or label."]}const I=({title:e,detail:t,unread:s=!1,inputs:n})=>r`<div class=${s?"message unread":"message"} role="status">
    <p class="message-title">${e}</p>
    <p class="message-detail">${t}</p>
    ${s&&r`<span class="reader" data-widget="reader" data-inputs=${n}></span>`}
  </div>`;function Nn(){const e=P.problem();if(!e)return null;const t=e.status===404&&H(),[s,n]=t?["The order is no longer kept","Choose the order again to have it measured again."]:[e.title,e.message];return P.latest()?r`<div class="outage-note" role="alert">
    <span>${s+". "+n}</span> <${N} act=${P.again}>Try again<//>
  </div>`:r`<${I} title=${s} detail=${n} />`}function On(){const e=q(),t=P.latest();if(e&&!(e.waits&&t))return r`<${I} ...${e} />`;if(!t)return P.problem()?null:r`<div class="skeleton skeleton-gallery"></div>`;if(t.items.length)return r`<${pn} items=${t.items} />`;const[s,n]=En(g.value,t.kind);return r`<${I} title=${s} detail=${n} />`}function Pn(){const{items:e=[],total:t=0,start:s=0,size:n=1}=!q()&&P.latest()||{},{page:a}=g.value,o=Math.max(1,Math.ceil(t/n)),i=e.length?x(s+1)+" to "+x(s+e.length):"0",c=(l,u)=>{const d=l[0].toUpperCase()+l.slice(1)+" page",h=u<1||u>o,m=()=>E({page:u});return r`<${N} ...${{id:"gallery-"+l,look:"tool",title:d,label:d,wait:h,act:m}}
      >${$e(l)}<//
    >`};return r`<div class="pager">
    <div id="gallery-count" class="caption" role="status">${i+" of "+x(t)}</div>
    ${c("previous",Math.min(a-1,o))}${c("next",a+1)}
  </div>`}function Cn(){const{source:e,set:t}=g.value,s=le(),n=(O.answer()?.sets??[]).filter(({inputs:i,name:c})=>i===(s??"images")&&(!t||c===t)),o=new Set(n.map(i=>[i.licence,i.stand_in,i.stand_in_for].join())).size===1?ns(n):n.map(i=>({stem:"",sets:[i]}));return e==="own"?null:r`<div id="gallery-licences" class="licences">
    ${o.map(({stem:i,sets:[c,...l]})=>{const u=p=>p.slice(p.lastIndexOf(" ")+1),d=l.at(-1),h=i&&d?i+" "+u(c.title)+" to "+u(d.title):c.title,m=c.stand_in_for?"stand-in for "+c.stand_in_for:"stand-in";return r`<p key=${c.name}>
        <strong>${h}</strong>
        ${c.stand_in&&r`<span class="tag tag-warn">${m}</span>`}
        <span>${c.licence}</span>
      </p>`})}
  </div>`}function An(){const{order:e}=g.value,t=le(),s=q()?null:P.latest(),n=Os(),a=(t===null?mt[""]:mt[t]??$n)+gn[e],o=!!q()?.refused;return r`<${be} id="gallery" title="Gallery" reads=${a} more=${ft[e]} look="panel-gallery">
    <${ss}><${yn} /><//>
    <${xn} />
    ${!o&&r`<${Gt} name=${A} what="Measuring samples for their order" />`}
    ${s?.ranked&&r`<${Sn} ranked=${s.ranked} />`}
    <${Nn} />
    <div id="gallery" class="gallery" data-former=${n?"true":void 0} aria-busy=${String(n)}>
      <${On} />
    </div>
    <${Pn} />
    <div id="gallery-table" hidden=${!s?.ranked}>
      <${we}
        words="The order as a table"
        caption=${()=>ft[s?.ranked?.order??e]}
        rows=${s?.ranked?()=>Tn(s):null}
        data=${{id:"gallery-order-table"}}
      />
    </div>
    <${Cn} />
  <//>`}const _n=80,bt=new Map,In=(e,t)=>e.includes(t)?e.filter(s=>s!==t):[...e,t].slice(-2);function Dn({right:e,chosen:t},s){return[...s===e?["right"]:[],...s===t?["network"]:[]]}function Rn(e,{chosen:t,probabilities:s}){if(!e)return"";const n=(o,i)=>"answer "+(o+1)+" ("+ie(i)+")";if(t===null||!s)return e.swap+" swapped.";const a=n(t,s[t]);return e.swap+" swapped. Before: "+n(e.chosen,e.probability)+"; now: "+a+"."}const Mn=e=>(e.replace(/\.(npz|png)$/i,"").replace(/[^\w.-]+/g,"-")||"matrix")+".png";function jn(e){const{id:t,panels:s,probabilities:n}=e,a=s.names.length,o=a-s.answers,i=oe([]),c=oe(Rn(bt.get(t),e)),l=oe(!1);async function u(){const[m,p]=i.value;if(l.value||p===void 0)return;l.value=!0,c.value="Answering \u2026";const b=ve(s.names[m])+" and "+ve(s.names[p]),y=(b+" swapped: "+e.name).slice(0,_n);try{const k=await S("POST","/tables/"+encodeURIComponent(t)+"/exchanged",{one:m,other:p,name:y}),{chosen:T}=e;T!==null&&n&&bt.set(k.id,{chosen:T,probability:n[T],swap:b[0].toUpperCase()+b.slice(1)}),Ge(k)}catch(k){c.value=k instanceof Error?k.message:String(k)}finally{l.value=!1}}function d(m){const p=m-o,b=p>=0?Dn(e,p):[],y=p>=0?n?.[p]:void 0,k=[ve(s.names[m]),...b.includes("right")?["right"]:[],...b.includes("network")?["the network's answer"]:[],...y===void 0?[]:[ie(y)]].join(", ");return r`
      <button
        key=${m}
        type="button"
        class="matrix-panel"
        data-panel=${m}
        data-marks=${b.join(" ")}
        aria-pressed=${String(i.value.includes(m))}
        aria-label=${k}
        title=${k}
        onClick=${()=>i.value=In(i.value,m)}
      >
        <span class="matrix-picture" style=${rs(t,m,a)}></span>
        ${p>=0&&r`<span class="matrix-caption">
            <span>${p+1}</span>
            ${y!==void 0&&r`<span class="matrix-share">${ie(y)}</span>`}
            ${b.map(T=>r`<span class="matrix-mark" data-mark=${T}>${T}</span>`)}
          </span>`}
      </button>
    `}const h=s.names.map((m,p)=>p);return r`
    <div class="matrix">
      <div
        class="matrix-grid"
        role="group"
        aria-label="The matrix"
        style=${{gridTemplateColumns:"repeat("+s.columns+", 1fr)"}}
      >
        ${h.slice(0,o).map(d)}
        <span class="matrix-gap" role="img" aria-label="the gap">?</span>
      </div>
      <div class="matrix-answers" role="group" aria-label="Answers for the gap">
        ${h.slice(o).map(d)}
      </div>
    </div>
    <div class="text-tools writes">
      <button
        type="button"
        class="button"
        id="panels-swap"
        disabled=${l.value||i.value.length<2}
        onClick=${u}
      >
        Swap two panels
      </button>
      <span class="hint">Pick two; the swapped matrix becomes a sample of yours.</span>
    </div>
    <div class="text-tools">
      <a class="tool tool-text" id="panels-sheet" href=${is(t)} download=${Mn(e.name)}>PNG sheet</a>
      <span class="hint">All panels as one picture, which can be brought again.</span>
    </div>
    <p class="hint" id="panels-said" role="status" aria-live="polite">${c.value}</p>
  `}const Fn=5,Un=.005,Ln="Probability of each label by each head; the triangle marks the true label.",Bn="The model's answer, its loss, and the sample.",Gn="Products of the variables (\xACa is 1 - a), joined by x \u2295 y = 1 - (1 - x)(1 - y): the \u201Cor\u201D of product fuzzy logic.",wt={another:"Another user's sample: everybody with its link can look at it, and its owner can change it.",everybody:"Everybody who uses this service can change it: a program sent it, or it is older than owners."},Jn=[["","no label"],...Array.from({length:10},(e,t)=>[String(t),String(t)])];function Wn(e,t){const[s,n]=e.split("?");return s+De({...Object.fromEntries(new URLSearchParams(n)),...t})}function ue({to:e,words:t,more:s}){const n=Le().find(({key:o})=>o===e);if(!n)return null;const a=Wn(qt(n,n.samples||!s?{}:{sample:null}),s??{});return r`<a id="see-path" class="button" href=${a} onClick=${zt}>${$e(n.icon)}${t}</a>`}function Hn({table:{id:e,inputs:t,rows:s,blocks:n}}){if(Le().find(({key:i})=>i==="paths")?.inputs.includes(t)&&!ye.includes(t))return r`<${ue} to="paths" words="Its path" />`;if(t==="statements"){const i={statement:e,s1:s.map(([,c])=>c).join(" ")};return r`<${ue} to="circuits" words="Its circuit" more=${i} />`}if(!n)return null;const o=n.program.map(i=>i+1).join(",");return r`<${ue} to="blocks" words="Its blocks" more=${{digits:n.digits.join(","),program:o}} />`}const vt=({standIn:e,data:t})=>r`
  ${e&&r`<p><span class="tag tag-warn">stand-in data</span></p>`}
  ${t&&r`<p class="licence">${t.licence}</p>`}
`,qn=({sample:{name:e,label:t,owner:s},edit:n})=>r`
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
    <${F}
      id="sample-label"
      look="small-input"
      options=${Jn}
      chosen=${String(t??"")}
      onChoose=${a=>n.label=a===""?null:Number(a)}
    />
  </label>
  ${s==="everybody"&&r`<p class="hint">${wt.everybody}</p>`}
`;function zn({sample:e,data:t,see:s}){const{id:n,name:a,label:o,origin:i,owner:c,image:l}=e,{current:u}=W({name:a,label:o}),d=i!=="data"&&c!=="another",m=d&&r`<${N} id="sample-save" look="tool tool-text writes" act=${()=>{u.name.trim()&&Ps(n,{...u,name:u.name.trim()})}}>Save<//>
      <details class="menu writes">
        <summary id="sample-delete-menu" class="tool tool-text tool-danger" aria-label=${"Delete "+a}>
          Delete
        </summary>
        <div class="menu-items">
          <p class="hint">This cannot be undone.</p>
          <${N} id="sample-delete" look="menu-item danger" act=${()=>tt(n)}>Delete this sample<//>
        </div>
      </details>`,p=d?"read-only":void 0;return r`<div class="facts">
    <img src=${l} alt=${a+", as the network sees it"} width="128" height="128" class="pixels sample-image" />
    <div class="about">
      <p class=${p}><strong>${a}</strong></p>
      <p class=${p}>${o===null?"no label":"labelled "+o}</p>
      ${d&&r`<${qn} sample=${e} edit=${u} />`}
      ${c==="another"&&r`<p class="hint">${wt.another}</p>`}
      <${vt} standIn=${e.stand_in} data=${t} />
      <div class="actions">${s}${m}</div>
    </div>
  </div>`}function _e(){const[e,t,s]=[ce.answer(),C.answer(),v()];if(!e||!t?.picture||e.model!==s?.id)return null;const{label:n,set:a,name:o}=t.picture,i=a&&e.domains.includes(a)?a:null;return e.predictions.length||e.numbers.length?{current:e,baseline:null,label:n,domain:i,name:o}:null}function Yn({current:e,label:t}){const s=ds(e.predictions);return[["head",...(s[0]?.labels??[]).map((a,o)=>a+(o===t?" (true)":""))],...s.map(({shared:a,domain:o,probabilities:i})=>[a?"one head":o,...i.map(c=>c.toFixed(3))])]}function Zn(){const e=_e();return r`<div class="predictions" hidden=${!e}>
    <${ls}
      scene=${t=>{const s=_e();return s&&cs(s,t)}}
      drawn=${()=>ce.answer()?.id??""}
      label=${()=>{const t=_e();return t?us(t):""}}
      data=${{"data-key":"sample"}}
    />
    <${we}
      words="Probabilities as a table"
      caption=${()=>"Probability of each label by each head."}
      rows=${e&&(()=>Yn(e))}
    />
  </div>`}function Qn({score:e,model:t}){if(!e)return r`<${I} title="No answer" detail=${t+" has no head for this data set."} />`;const{answer:s=null,target:n=null,measure:a,predicted:o,domain:i,value:c,loss:l}=e;let[u,d]=[i+" head",t],h;if(s!==null&&n!==null){const m=Math.abs(s-n);h="network "+s.toFixed(2)+", expression "+n.toFixed(2),d="off by "+(m<Un?String(Number(m.toPrecision(2))):m.toFixed(2))+"; "+t}else{const m=e.predicted_name??String(o);o===null?[u,h]=[a.name,(Ce(c)+" "+a.unit).trim()]:h=c===null?m:m+", "+(c?"right":"wrong");const p=o!==null||a.higher_is_better?"":"less is better; ";l!==null&&(d=p+"loss "+Yt(l)+"; "+t)}return r`<div class="number sample-score" id="sample-score" role="status">
    <span class="number-name">${u}</span>
    <span class="number-value">${h}</span>
    <span class="number-range">${d}</span>
  </div>`}function Vn({point:{set_title:e,value:t,expression:s,products:n}}){const a=n.filter(l=>l.true),o=[...a].sort((l,u)=>u.value-l.value).slice(0,Fn),i=Math.max(...o.map(l=>l.value),0)||1,c=[["product","in the function","value here"],...n.map(l=>[l.name,Number(l.true),l.value.toFixed(4)])];return r`<div class="function">
    <p><strong>${e}</strong>${": "+t.toFixed(3)+" at this point"}</p>
    <p class="expression" tabindex="0">${s}</p>
    <p class="hint">${Gn}</p>
    <table class="figures products">
      <caption>
        ${"The largest here of "+a.length+" of "+n.length+" products."}
      </caption>
      <tbody>
        ${o.map(l=>r`<tr key=${l.name}>
              <th scope="row">${l.name}</th>
              <td class="product-bar">
                <span style=${{width:100*l.value/i+"%"}} aria-hidden="true"></span>
              </td>
              <td>${l.value.toFixed(3)}</td>
            </tr>`)}
      </tbody>
    </table>
    <details class="as-table">
      <summary>Its truth table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="Truth table of the function">
        <${Je} rows=${c} caption="" />
      </div>
    </details>
  </div>`}function Xn({table:e}){const t=W(null);return fe(()=>{const s=t.current,n=new ms(s),a=ps(e),o=a.x.map((l,u)=>"point "+(u+1)),i=()=>n.show(e.id,a,Qt().accent,o).catch(l=>s.textContent=l.message);i();const c=Zt(i);return()=>{c(),n.dispose()}},[e.id]),r`<div ref=${t} class="cloud" key=${e.id}></div>
    <${we}
      words=${Q(e)+" as a table"}
      caption=${()=>"Points of the sample."}
      rows=${()=>[["point",...e.columns],...e.rows.map((s,n)=>[n+1,...s.map(Ce)])]}
    />`}function Kn({table:e,model:t}){const{point:s,panels:n,score:a,writing:o}=e;if(s)return[r`<${lt} ...${s} />`,r`<${Vn} point=${s} />`];if(e.space?.length)return r`<${Xn} key=${e.id} table=${e} />`;if(n)return[r`<p class="rules">
        ${n.rules.length?["Rules: ",r`<strong>${n.rules.join("; ")}</strong>`]:"The rules are unknown."}
      </p>`,r`<${jn} key=${e.id+t} ...${{id:e.id,name:Q(e),panels:n}} right=${e.label}
        chosen=${a?.predicted??null} probabilities=${a?.probabilities??null} />`];const i=Ke.answer(),c=dt(e);return r`<div
    class="table-scroll sample-table-whole"
    tabindex="0"
    role="region"
    aria-label=${Q(e)+" as "+(o?"it is written":"a table")}
  >
    <${ut} table=${e} whole=${!0} readers=${i} />
    ${c&&r`<p class="hint">${c}</p>`}
  </div>`}function ea({table:e,chosen:{data:t,model:s}}){const[n,a]=[re(e.inputs),e.set===null],o=a&&e.point?"yours, under "+e.point.set_title:a?"yours":e.set_title,i=s?.inputs===e.inputs,l=a&&r`<${N} id="sample-delete" look="tool tool-text writes" act=${()=>tt(e.id)}>Delete<//>`,u=s&&{title:"This model does not read samples",detail:`${s.id} reads samples that are each ${re(s.inputs)?.words??s.inputs}; this one is ${n?.words??e.inputs}.`};return r`
    <div class="facts">
      <div class="about">
        <p><strong>${Q(e)}</strong>${", "+Ae(e)}</p>
        <p>${n?o+": "+n.words:o}</p>
        <${vt} standIn=${e.stand_in} data=${t} />
        <div class="actions">${i&&r`<${Hn} table=${e} />`}${l}</div>
      </div>
    </div>
    ${s&&(i?r`<${Qn} score=${e.score??null} model=${s.id} />`:r`<${I} ...${u} unread=${!0} inputs=${e.inputs} />`)}
    <${Kn} table=${e} model=${s?.id??null} />
  `}function ta({now:e}){const t=C.problem();if(!_().sample)return r`<div class="message">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">Pick one from the gallery<span class="writes">, or bring one of your own</span>.</p>
    </div>`;if(t&&!e)return r`<${I} title=${t.title} detail=${t.message} /><${N} act=${C.again}
        >Try again<//
      >`;if(!e)return r`<div class="skeleton skeleton-sample"></div>`;const{picture:s,table:n,data:a}=e;if(n)return r`<${ea} key=${n.id} table=${n} chosen=${e} />`;if(!s)return r`<${I}
      title="This sample is not there any more"
      detail="It was deleted, or the address names another one."
    />`;const o=e.model===v()?He():null,i=e.model&&e.model!==v()?null:r`<${ue} to="paths" words="See its path" />`;return r`
    <${zn}
      key=${s.id+s.name+s.label}
      sample=${s}
      data=${a}
      see=${!o&&i}
    />
    ${o&&r`<${I} ...${o} unread=${!0} />`}
  `}function sa(){const e=_().sample?C.latest():null,t=C.waits()||ce.waits()||v()===void 0,s=e!==null&&(v()===void 0||C.answer()===null);return r`<${be} id="sample" title="Chosen sample" reads=${e?.table?Bn:Ln}>
    <div id="sample-body" aria-busy=${String(!!_().sample&&t)}>
      <div id="sample-facts" data-former=${s?"true":void 0}><${ta} now=${e} /></div>
      <${Zn} />
    </div>
  <//>`}const na={numbers:"Pick a point, or set one.",points:"Pick a cloud of points, or bring one.",top_experts:"Pick a text, type one, or bring a file.",listops:"Pick an expression, or type one.",bytes:"Pick a review, type one, or bring a file.",matrices:"Pick a matrix, bring one, or swap panels of one.",statements:"Pick a statement.",blocks:"Pick a sample.","":"Pick a digit, bring a picture, or draw one."},yt={file:0,text:0},aa=()=>r`
  <div class="page-head">
    <h1>Samples</h1>
    <div class="caption writes">${me(na)}</div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${$e("link")}Copy link</button>
    </div>
  </div>
  <div class="samples-grid">
    <${An} />
    <div class="samples-side"><${sa} /><${Ys} most=${yt} /></div>
  </div>
`,oa=e=>new Promise(t=>{const s=se(()=>{j().sample===e&&queueMicrotask(()=>t(s()))})});Vt("samples",({model:e,sample:t,pin:s,...n})=>(je({model:e,sample:t}),ke(n),oa(t)));const ia=Xt({Tree:aa,choice:()=>g.value,take:ke,open(e,t){const{maxBytes:s,maxTextBytes:n}=t.closest(".page").dataset;return Object.assign(yt,{file:Number(s),text:Number(n)}),ke(e),_s()}});export{ia as mount};
