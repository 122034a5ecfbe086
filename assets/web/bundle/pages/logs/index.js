/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{x as Xt,N as Yt,d as st,$ as Zt,S as Qt,J as R,m as L,s as l,Q as Vt,i as xt,C as S,ax as te,aZ as ee,r as ot,a_ as ne,E as _,O as at,K as wt,ah as rt,am as kt,ai as vt,ad as _t,a$ as Mt,b0 as se,a9 as oe,ab as ae,M as re}from"../../boot.js";import{F as le,X as lt,a6 as q,bc as z,v as K,x as D,$ as N,bd as ie,Y as St,T as ce,ao as it,_ as ct,a0 as ue,a1 as de,aZ as pe,o as me,a as fe,r as he,be as X,aD as Et}from"../../shared.js";const ge=100,Y=200,Tt={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,unshown:null,apart:null,unread:null,untold:null},{state:c,update:$,subscribe:$e}=Xt(Tt);let v=0,M=0,Ct=0;const A=t=>t instanceof Error?t.message:String(t),j=t=>c.logs?.find(e=>e.id===t)??null,Ot=()=>[c.a,c.b].map(t=>j(t)?.facts),B=t=>st("GET",t),ut=()=>"?a="+encodeURIComponent(c.a??"")+"&b="+encodeURIComponent(c.b??"");async function F(t,e){const[n,s]=[v,Ct+=1],o=()=>n===v&&s===Ct,a=t===null?"":"&sequence="+t;try{const r=await B("/logs/comparison/tokens"+ut()+a+"&limit="+Y+"&offset="+e);o()&&$({text:{...r,offset:e},unread:null})}catch(r){if(!o())return;const p=t!==null&&r instanceof Qt&&r.status===404?{sequence:t,name:"",start:0,items:[],total:0,offset:0}:c.text;$({text:p,unread:A(r)})}}async function Rt(t){const e=v;$({token:t,untold:null});try{const n=await B("/logs/comparison/token"+ut()+"&token="+t);return e!==v||c.token!==t?null:($({decision:n}),n)}catch(n){return e===v&&c.token===t&&$({token:null,decision:null,untold:A(n)}),null}}async function be(t){const e=v;try{const n=await B("/logs/"+encodeURIComponent(t)+"/usage");e===v&&$({usage:n})}catch(n){e===v&&$({unshown:A(n)})}}async function ye(t){const e=v,{facts:n}=j(t)??{};if(!n||n.layers.length===n.layer_count&&(n.notes.length||!n.note_count))return;const s=await B("/logs/"+encodeURIComponent(t)).catch(()=>null);s&&e===v&&$({logs:(c.logs??[]).map(o=>o.id===t?s:o)})}async function xe(t){const e=v;try{const n=await B("/logs/comparison"+ut());if(e!==v)return;$({comparison:n});const s=t===null?null:await Rt(t);if(e!==v)return;await F(s&&s.sequence,s?s.at-s.at%Y:0)}catch(n){e===v&&$({apart:A(n)})}}async function O(t,e,n=null){v+=1;const s=t===e?null:e,o=t===c.a&&c.usage;$({a:t,b:s,...{comparison:null,text:null,token:n,decision:null,unshown:null,apart:null,unread:null,untold:null},...o?{}:{usage:null}}),await Promise.all([t&&!o?be(t):null,t&&s?xe(n):null,...[t,s].map(r=>r&&ye(r))])}async function we(t,e,n=null){const s=v+=1,o=M+=1,a=new Set(c.logs?.map(({id:r})=>r));$({a:t,b:e,token:n,problem:null});try{const{items:r}=await B("/logs?limit="+ge);if(o!==M)return;const u=f=>f===null||r.some(w=>w.id===f),p=await Promise.all([t,e].filter(f=>!u(f)).map(f=>B("/logs/"+f).catch(()=>null)));if(o!==M)return;const m=[...r,...p.filter(Boolean)],g=new Set(m.map(({id:f})=>f)),d=[...(c.logs??[]).filter(({id:f})=>!g.has(f)&&!a.has(f)),...m];if(s!==v){$({logs:d});return}const b=f=>d.some(w=>w.id===f)?f:null;$({logs:d}),await O(b(t)??d[0]?.id??null,b(e),b(t)&&b(e)?n:null)}catch(r){s===v&&$({logs:[],problem:A(r)})}}function ke(){v+=1,M+=1,$(Tt)}function ve(t){return $({logs:[t,...c.logs??[]],problem:null}),O(t.id,null)}const dt={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer",start:"Tokens left out at the start",ranks:"Ranks"},pt=t=>"\u201C"+dt[t.replace("-","_")]+"\u201D",mt=t=>t.replace(/\(--(top-k|layers|experts|start|ranks)\)/g,(e,n)=>"("+pt(n)+")").replace(/--(top-k|layers|experts|start|ranks)\b/g,(e,n)=>pt(n)),_e=(t,e)=>mt(t.replace(/^log\b/i,()=>e).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(n,s)=>"as "+pt(s)+", then bring it again"));async function Me(t,e,n){if(c.sending){$({problem:"Wait until "+c.sending.name+" is read, then bring "+t.name+" again."});return}if(t.size>e){$({problem:t.name+" has "+ft(t.size)+"; up to "+ft(e)+" are accepted."});return}const s=M,o=u=>s===M&&$(u);o({sending:{name:t.name,share:0},problem:null});const a=Object.entries(n).filter(([,u])=>u),r=new URLSearchParams([["name",t.name.slice(0,80)],...a]);try{const u=new Blob([t],{type:"application/octet-stream"}),p=g=>o({sending:{name:t.name,share:g}}),m=await Yt("/logs?"+r.toString(),u,p);s===M&&await ve(m)}catch(u){o({problem:_e(A(u),t.name)})}finally{o({sending:null})}}const ft=t=>(t/1024/1024).toFixed(t<10*1024*1024?1:0)+" MiB";async function Se(t){const{model:e="",drop:n=[]}=t;if(!n.some(a=>a.includes("..")))return t;const{units:s}=await B("/models/"+encodeURIComponent(e)),o=a=>a.includes("..")?Zt(s,[a]):[];return{...t,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function At(t,e){const n=M;$({recording:!0,problem:null});try{const s=[];for(const o of t)s.push(await st("POST","/logs/recordings",await Se(o)));if(n!==M)return;$({logs:[...s,...c.logs??[]]}),await e(s)}catch(s){n===M&&$({problem:A(s)})}finally{n===M&&$({recording:!1})}}const Ee=()=>At(["float32","bfloat16"].map(t=>({model:"moe-bytes",precision:t})),([t,e])=>O(t.id,e.id)),Te=t=>At([t],([e])=>c.a?O(c.a,e.id):O(e.id,null));async function Ce(t){const e=M;try{if(await st("DELETE","/logs/"+encodeURIComponent(t)),e!==M)return;$({logs:(c.logs??[]).filter(s=>s.id!==t),problem:null});const n=s=>s===t?null:s;await O(n(c.a)??c.logs?.[0]?.id??null,n(c.b))}catch(n){e===M&&$({problem:A(n)})}}const Oe=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],["start","tokens at the start of each response that are not in the log"]],Re=["pipeline","tensor","data","expert"],G={};function Ae({most:t,take:e}){const{sending:n,recording:s,problem:o}=c;return l`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!n}
        onChange=${a=>{const r=a.target;e(r.files),r.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${xt("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${ft(t)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${Oe.map(([a,r])=>l`<label title=${r}
              >${dt[a]}
              <input
                type="number"
                min=${a==="start"?"0":"1"}
                max=${a==="start"?"10000000":"32768"}
                inputmode="numeric"
                onInput=${u=>G[a]=u.target.value}
            /></label>`)}
        <label title="where a log joins the ranks of a job"
          >${dt.ranks}
          <select
            onChange=${a=>G.ranks=a.target.value}
          >
            <option value=""></option>
            ${Re.map(a=>l`<option key=${a}>${a}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${Ee}>
        ${s?"Recording":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${n&&l`<p class="logs-sending">
          ${n.share<1?"Sending ":"Reading "}${n.name}
          <progress
            max="1"
            value=${n.share<1?n.share:void 0}
            aria-label=${n.name}
          ></progress>
        </p>`}
      ${o&&l`<p class="logs-problem" role="alert">${o}</p>`}
    </div>`}function Be(t,e){const n=o=>t.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),e(o.dataTransfer?.files))]];return s.forEach(([o,a])=>t.addEventListener(o,a)),()=>s.forEach(([o,a])=>t.removeEventListener(o,a))}R("logs-bring",t=>{const e=Number(t.dataset.maxBytes),n=a=>{a?.[0]&&!Vt.value.read_only&&Me(a[0],e,G)},s=t.closest(".page"),o=[L(t,()=>l`<${Ae} most=${e} take=${n} />`),Be(s,n)];return()=>{o.forEach(a=>a()),Object.keys(G).forEach(a=>delete G[a])}});function U({label:t,columns:e,rows:n}){const s=e.map(o=>o?l`<th scope="col">${o}</th>`:l`<td></td>`);return l`<div class="table-scroll" tabindex="0" role="group" aria-label=${t}>
    <${le} heads=${s} rows=${n} look="logs-table" />
  </div>`}function Pe({log:{id:t,name:e}}){const[n,s]=te(!1),o=l`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+e}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?l`${o}<button type="button" class="tool tool-text danger" onClick=${()=>Ce(t)}>
      Delete this log
    </button>`:o}function Ie({log:t}){const{facts:e}=t,n=s=>{const o=c[s]===t.id,a=()=>{if(s==="a")return O(t.id,c.b===t.id?c.a:c.b);if(c.a!==t.id)return O(c.a,o?null:t.id);const r=c.b??c.logs?.find(({id:u})=>u!==t.id)?.id;return r?O(r,t.id):null};return l`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${t.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return l`<tr data-log=${t.id}>
    <td class="logs-sides">${n("a")} ${n("b")}</td>
    <th scope="row">${t.name}</th>
    <td class="words">${e.format}, ${e.version}</td>
    <td>${e.counts_only?"counts":S(e.tokens)}</td>
    <td>${e.layer_count} × ${e.experts}${e.experts_counted?"*":""}</td>
    <td>${e.top_k??"unknown"}</td>
    <td class="writes">${t.owner!=="another"&&l`<${Pe} log=${t} />`}</td>
  </tr>`}const Le=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function De(){const{logs:t}=c;if(!t)return l`<p class="hint">Asking which logs there are.</p>`;if(!t.length)return l`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const e=t.map(s=>l`<${Ie} key=${s.id} log=${s} />`),n=t.some(({facts:s})=>s.experts_counted);return l`<${U} label="Logs" columns=${Le} rows=${e} />
    ${n&&l`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}R("logs-list",t=>L(t,()=>l`<${De} />`));const Ne="top_experts",Bt=["its own","float64","float32","bfloat16","float16"];function je({model:t,precision:e,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=Bt.indexOf(String(e))>0?String(e):null;return{model:String(t),precision:a,drop:o,top_k:s?Number(s):null}}function Ue(t){t.preventDefault(),Te(je(Object.fromEntries(new FormData(t.currentTarget))))}function ze(){const t=(ee()??[]).filter(({fields:e})=>e.includes(Ne));return t.length?l`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${Ue}>
      <label
        >Model<select name="model" class="small-input">
          ${t.map(({id:e})=>l`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${Bt.map(e=>l`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Without<input name="drop" class="small-input" type="text" placeholder="l2.e1, l3.e1..l3.e4" maxlength="400"
      /></label>
      <label
        >Experts a token<input
          name="top_k"
          class="small-input"
          type="number"
          min="1"
          max="1024"
          placeholder="as trained"
      /></label>
      <button type="submit" class="button" disabled=${c.recording}>Record</button>
    </form>
  </details>`:null}R("logs-record",t=>L(t,()=>l`<${ze} />`));const[Pt,E]=[58,26],Z=7.6,H=20,ht=t=>t.reduce((e,n)=>n.reduce((s,o)=>Math.max(s,o),e),Number.EPSILON),We=(t,e)=>e===1?t:Array.from({length:Math.ceil(t.length/e)},(n,s)=>Math.max(...t.slice(s*e,(s+1)*e)));function qe({layers:t},e,n,s){const o=ht(e),a=Math.ceil(lt(t,11))+16,r=(s-a-8)/e[0].length,u=Math.max(6,Math.min(22,420/t.length)),p=Math.ceil(1/r),m=r>6?1:0,g=q(e[0].map((i,k)=>"e"+(k+1)),[a,s-8]),y=q(t,[E,E+t.length*u],1),d=e.flatMap((i,k)=>We(i,p).map((h,x)=>({share:h,y:y.extent(k),x:[a+x*p*r,a+(x+1)*p*r-m]}))),b={x:i=>i.x,y:i=>i.y},f=y.range[1]+22,w=_(1/e[0].length)+" % is even use, "+_(o)+" % the most"+(p>1?"; a cell is the most used of "+p+" experts":"");return K({width:s,height:f,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",marks:[ct(g,[0,3],{grid:!1}),it(y,[a,s],{grid:!1,fill:"ink"}),m?N(d,{...b,fill:"hair"}):N(y.ticks,{x:[a,s-8],y:y.extent,fill:"hair"}),N(d.filter(({share:i})=>i),{...b,fill:"accent",opacity:({share:i})=>i/o}),D([w],{x:a,y:f-6,down:0,size:11,fill:"dim"})]})}const gt=(t,{x:e,y:n,of:s,stroke:o,fill:a})=>[ue(t,{x:e,y:r=>s(r).interval.map(n),r:3,stroke:o,width:1.4}),de(t,{x:e,y:r=>n(s(r).value),r:3.4,fill:a,stroke:o,width:1.4})];function Fe({layers:t,margins:e,margin_of:n},s,o){const[a,r]=[150,64],u=t.flatMap(({same:h,same_interval:[x]})=>[x??h??1,h??1]),p=Math.max(0,Math.floor(Math.min(...u)*20-.5)/20),m=[Pt,o-12],g=(h,x)=>[0,.25,.5,.75,1].map(P=>h+P*(x-h)),y=q(t.map(({layer:h})=>h),m),d=St([p,1],[E+8+a,E+8],{ticks:g(p,1),named:_}),b=Math.min(6,y.step/4),f={x:12,down:0,size:11},w=[ce([{text:"tokens with the same experts, %",key:"dot",fill:"accent"},{text:"experts in common, %",key:"dot",fill:"surface",stroke:"dim"}],{x:12,y:12,width:o}).marks,it(d,m),ct(y,[E,E+a+11],{grid:!1}),gt(t,{x:(h,x)=>y(x)+b,y:d,of:({overlap:h,overlap_interval:x})=>({value:h,interval:x}),stroke:"dim",fill:"surface"}),gt(t,{x:(h,x)=>y(x)-b,y:d,of:({same:h,same_interval:x})=>({value:h,interval:x}),stroke:"accent",fill:"accent"})];let i=E+a+36;if(e.length){const h=i+r/2,x=Math.max(...e.map(({differ:T,interval:[,C]})=>C??T??0),.001),P=e.map(({low:T,high:C})=>(T??0).toPrecision(2)+" to "+(C??0).toPrecision(2)),W=q(P,m),I=St([0,x],[h+a,h],{ticks:g(0,x),named:_});w.push(D(["that differ, %, by the router's margin in A ("+n+")"],{...f,y:h-12}),it(I,m),ct(W,[h,h+a+3],{grid:!1}),gt(e,{x:(T,C)=>W(C),y:I,of:({differ:T,interval:C})=>({value:T,interval:C}),stroke:"accent",fill:"accent"})),i=h+a+30}return K({width:o,height:i,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",marks:w})}const Ge={nearly:"accent",most:"marker",few:"bad"};function He({items:t,name:e,start:n},s,o){const a=Math.max(10,Math.floor((o-24)/Z)),r=t.map(({text:d,place:b})=>d??b-n+" "),{rows:u,places:p}=ie(r,a),m=p.map(({row:d,column:b,span:f},w)=>{const[i,k]=[12+b*Z,12+d*H],h=Ge[s(t[w].agreement)],x=[...z(r[w])].slice(0,f);return{x:i,y:k,wide:[i,i+f*Z],paint:h,letters:x}}),g=m.filter(({paint:d})=>d),y=m.flatMap(({x:d,y:b,letters:f})=>f.flatMap((w,i)=>w.trim()?[{letter:w,x:d+(i+.5)*Z,y:b}]:[]));return K({width:o,height:24+u*H,title:"A and B in "+e,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",marks:[N(g,{x:({wide:d})=>d,y:({y:d})=>[d,d+H-2],fill:({paint:d})=>d,opacity:({paint:d})=>d==="accent"?.12:.3}),N(g,{x:({wide:d})=>d,y:({y:d})=>[d+H-4,d+H-2],fill:({paint:d})=>d}),D(y,{x:({x:d})=>d,y:({y:d})=>d+14,down:0,text:({letter:d})=>d,size:12.5,anchor:"middle"})]})}function It({layers:t,text:e,place:n,name:s},o,a=[]){const r=ot(),u=Math.max(Pt,Math.ceil(lt(t.map(({a:i})=>i.layer),11,700))+16),p=(o-u-28)/2,m=q(t.map(({a:i})=>i.layer),[E-3,E-3+24*t.length],6),g=["A","B"].map((i,k)=>({letter:i,x:u+k*(p+16)})),y=t.flatMap(({a:i,b:k},h)=>[i,k].flatMap(({layer:x,taken:P},W)=>{let{x:I}=g[W];return P.map(({unit:T,index:C,share:nt})=>{const yt=T.split(".").at(-1)??T,Jt=r.unit(ne(a[W],x,C)),Kt={x:[I,Math.max(I,I+nt*p-1)],l:h,fill:Jt,words:[yt+" "+_(nt)+" %",yt]};return I+=nt*p,Kt})})),d=t.flatMap(({a:i,b:k},h)=>[i,k].flatMap(({taken:x},P)=>x.length?[]:[{l:h,side:P}])),b=t.flatMap(({same:i},k)=>i===!1?[k]:[]),f=y.flatMap(i=>{const k=i.words.find(h=>lt([h],11)+8<i.x[1]-i.x[0]);return k?[{...i,words:k}]:[]}),w=e===null?"":" \u201C"+z(e)+"\u201D";return K({width:o,height:E+t.length*24+8,title:"Token "+n+w+" of "+s+" in A and B",desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",marks:[D(g,{x:({x:i})=>i,y:16,down:0,text:({letter:i})=>i,size:11,weight:700}),D(t,{x:u-8,y:(i,k)=>m(k),text:({a:i})=>i.layer,size:11,anchor:"end",weight:({same:i})=>i===!1?700:450}),N(y,{x:({x:i})=>i,y:({l:i})=>m.extent(i),fill:({fill:i})=>i,opacity:.55,words:({words:i})=>i[0]}),D(f,{x:({x:i})=>i[0]+4,y:({l:i})=>m(i),text:({words:i})=>i,size:11,halo:"surface"}),D(d,{x:({side:i})=>g[i].x,y:({l:i})=>m(i),text:"none",size:11,fill:"dim"}),N(b,{x:[u-3,o-9],y:i=>[m(i)-12,m(i)+12],rx:3,stroke:"bad",width:1.4})]})}const Je=12,Ke=420,$t=64,J=at(null),Lt=at(0);function Q(t){return t.map(e=>{const n=e.reduce((s,o)=>s+o,0);return e.map(s=>n?s/n:0)})}function Xe(t,e){const n=t.getContext("2d");if(!n)return;const s=ot(),{live:o}=pe(s),a=ht(e),r=window.devicePixelRatio||1;t.width=Math.round(t.clientWidth*r),t.height=Math.round(t.clientHeight*r);const u=new ImageData(e[0].length,e.length),p=new Uint32Array(u.data.buffer);e.forEach((b,f)=>b.forEach((w,i)=>p[f*b.length+i]=o[Math.round(255*w/a)]));const m=new OffscreenCanvas(u.width,u.height);m.getContext("2d")?.putImageData(u,0,0),n.imageSmoothingEnabled=!1,n.drawImage(m,0,0,t.width,t.height);const g=J.value;if(!g)return;const[y,d]=[t.width/u.width,t.height/u.height];n.strokeStyle=s.ink,n.lineWidth=2*r,n.strokeRect(g[1]*y,g[0]*d,y,d)}function Ye({usage:t}){const e=_t(null),n=Q(t.counts),s=[t,J.value,Lt.value];Mt(()=>{e.current&&Xe(e.current,n)},s);function o(p){const m=p.currentTarget,{left:g,top:y,width:d,height:b}=m.getBoundingClientRect(),f=Math.floor(n.length*(p.clientY-y)/b),w=Math.floor(n[0].length*(p.clientX-g)/d);J.value=n[f]?.[w]===void 0?null:[f,w]}const a=Math.min(Ke,Math.max(t.layers.length*Je,96)),u=(t.layers.length<t.total?"the first "+t.layers.length+" of "+t.total:t.total)+" layers by "+n[0].length+" experts; the figures stand below";return l`<canvas
      ref=${e}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${u}
      onPointermove=${o}
      onPointerleave=${()=>J.value=null}
    ></canvas>
    <p class="readout logs-readout">${Ze(t,n)}</p>
    ${t.layers.length<t.total&&l`<p class="hint">
        ${"The first "+t.layers.length+" of "+t.total+" layers are shown; the file has all of them."}
      </p>`}`}function Ze({layers:t,indices:e,counts:n},s){const o=J.value;if(!o||!n[o[0]]){const g=ht(s);return"Even use is "+_(1/s[0].length)+" % for each expert; the most is "+_(g)+" %."}const[a,r]=o,u=t[a]+".e"+(r+1),p="layer "+e[a]+", expert "+r+" in the log",m=_(s[a][r]);return u+" ("+p+"): "+S(n[a][r])+" tokens, "+m+" % of the layer's use"}function Qe({layers:t}){const e=["layer","evenness","never used","most used"],n=t.map(s=>l`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+_(a)+" %").join(", ")}
        </td>
      </tr>`);return l`<${U} label="Layers of A" columns=${e} rows=${n} />`}function Ve({usage:{layers:t,counts:e}}){const n=Q(e),s=["layer",...n[0].slice(0,$t).map((r,u)=>"e"+(u+1))],o=n.map((r,u)=>l`<tr key=${t[u]}>
        <th scope="row">${t[u]}</th>
        ${r.slice(0,$t).map(p=>l`<td>${_(p)}</td>`)}
      </tr>`),a=n[0].length-$t;return l`<details class="as-table">
    <summary>The same as a table</summary>
    <p class="hint">
      ${"Shares of a layer's use, in percent"+(a>0?"; the other "+a+" experts are in the files.":".")}
    </p>
    <${U} label="Use of experts" columns=${s} rows=${o} />
  </details>`}function tn({id:t,facts:e}){const{model:n,sample:s}=kt(),o=[["Its experts on Observe",vt("observe",{model:n,sample:s,log:t})]];return e.counts_only?o:[["Its tokens on Paths",vt("paths",{model:n,sample:s,log:t,step:0})],...o]}function en({facts:{assumed:t=[],notes:e,note_count:n}}){const s=e.slice(t.length),o=e.length?n-e.length:0;return l`${t.length>0&&l`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to say otherwise, bring the file again with the field)</p>
      <ul>
        ${t.map(a=>l`<li key=${a}>${mt(a)}</li>`)}
      </ul>
    </div>`}
  ${s.map(a=>l`<p class="hint" key=${a}>${mt(a)}</p>`)}
  ${o>0&&l`<p class="hint">${"Further notes: "+o+". `routescope import` prints all of them."}</p>`}`}function nn(){const t=j(c.a);return t?l`<p class="logs-opens">
      ${tn(t).map(([e,n])=>l`<a key=${e} class="button" href=${n} onClick=${rt}>${e}</a>`)}
    </p>
    <${en} facts=${t.facts} />
    ${c.usage?l`<${Ye} usage=${c.usage} />`:l`<p class=${c.unshown?"logs-problem":"hint"} role="status">${c.unshown??"On its way."}</p>`}
    <${Qe} layers=${t.facts.layers} />
    ${c.usage&&l`<${Ve} usage=${c.usage} />`}`:l`<p class="hint">${c.a?"On its way.":"Choose a log as A."}</p>`}R("logs-usage",t=>{const e=()=>Lt.value+=1,n=[L(t,()=>l`<${nn} />`),wt(e)],s=new ResizeObserver(e);return s.observe(t),()=>{s.disconnect(),n.forEach(o=>o())}});const Dt=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],Nt=t=>t===null?"":(Dt.find(([e])=>t<e)??[1,"",""])[1];function V(t,[e,n]){return t===null?"none":e===null||n===null?_(t):_(t)+" ("+_(e)+" to "+_(n)+")"}const jt=({share:t})=>l`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(t??0)+"%"}}></span></span>`;function sn({comparison:t}){const e=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=t.layers.map(s=>l`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${jt} share=${s.same} /></td>
        <td>${V(s.same,s.same_interval)}</td>
        <td>${V(s.overlap,s.overlap_interval)}</td>
        <td>${S(s.first_differs)}</td>
        <td>${V(s.began,s.began_interval)}</td>
      </tr>`);return l`<${U} label="By layer" columns=${e} rows=${n} />`}function on({comparison:t}){const{margins:e,margin_of:n}=t;if(!e.length)return l`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...e.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=e.map(r=>l`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${jt} share=${(r.differ??0)/s} /></td>
        <td>${V(r.differ,r.interval)}</td>
        <td>${S(r.count)}</td>
      </tr>`);return l`<${U} label="By margin" columns=${o} rows=${a} />`}const Ut=()=>c.b?c.apart??"Being compared.":"Choose another log as B.";function an(){const{comparison:t}=c;if(!t)return l`<p class="hint">${Ut()}</p>`;const{tokens:e,sequences:n,same_at_every_layer:s,interval_over:o}=t;return l`<p class="logs-headline">
      <strong>${s===null?"none":_(s)} %</strong> of ${S(e)} tokens
      (${S(n)} sequences) take the same experts at every layer.
    </p>
    <${sn} comparison=${t} />
    <${on} comparison=${t} />
    <p class="hint">
      A is ${j(c.a)?.name??t.a}, B is ${j(c.b)?.name??t.b}. Intervals: 95 %, over
      ${" "+o}. ${t.notes.join(" ")}
    </p>`}function rn({text:t,agreement:e,first:n,place:s,number:o}){const r=(e===null?"not compared":_(e)+" % of the layers agree")+(n?", the first that differs is "+n:""),u=Nt(e),p=t===null?"token "+o+" ":t.split(`
`).map(z).join(z(`
`)+`
`);return u?l`<button
    type="button"
    class=${"logs-token is-"+u}
    title=${r}
    aria-label=${"token "+o+" "+(t??"")+": "+r}
    aria-pressed=${String(c.token===s)}
    onClick=${()=>{Rt(s)}}
  >
    ${p}
  </button>`:l`<span class="logs-token" title=${r}>${p}</span>`}function zt({text:{sequence:t,items:e,total:n,offset:s}}){const o=j(c.a)?.facts.sequences??1,a=[["previous","Sequence before",t>0,()=>{F(t-1,0)}],["next","Sequence behind",t+1<o,()=>{F(t+1,0)}],["previous","Tokens before",s>0,()=>{F(t,Math.max(0,s-Y))}],["next","Tokens behind",s+e.length<n,()=>{F(t,s+Y)}]],[r,u,p,m]=a.map(([y,d,b,f])=>l`<button type="button" class="tool" title=${d} aria-label=${d} disabled=${!b} onClick=${f}>
        ${xt(y)}
      </button>`),g=e.length?S(s+1)+" to "+S(s+e.length)+" of "+S(n):"none";return l`<p class="logs-part">
    sequence ${r} ${S(t+1)+" of "+S(o)} ${u} tokens ${p} ${g} ${m}
  </p>`}function ln(){const{text:t,unread:e}=c;if(!t)return l`<p class="hint">${e??Ut()}</p>`;const n=e&&l`<p class="logs-problem" role="status">${e}</p>`;if(!t.items.length)return l`<${zt} text=${t} />${n}`;const s=Dt.map(([,r,u])=>l`<span class=${"logs-token is-"+r}>${u}</span> `),o=t.items.map(({place:r,text:u,agreement:p,first:m})=>l`<tr key=${r}>
        <th scope="row">${r-t.start}</th>
        <td class="words">${u===null?"":z(u)}</td>
        <td>${p===null?"unknown":_(p)}</td>
        <td>${m??""}</td>
      </tr>`),a=["token","text","layers that agree, %","first that differs"];return l`<p class="hint">${t.name}, ${S(t.total)} tokens. ${s}</p>
    <${zt} text=${t} />
    ${n}
    <pre class="logs-tokens">
${t.items.map(r=>l`<${rn} key=${r.place} number=${r.place-t.start} ...${r} />`)}</pre>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${U} label="Tokens and how many layers agree" columns=${a} rows=${o} />
    </details>`}R("logs-compared",t=>L(t,()=>l`<${an} />`)),R("logs-text",t=>L(t,()=>l`<${ln} />`));const cn=760,Wt=at(0);function un({found:t}){const e=_t(null),n=Wt.value;return Mt(()=>{const s=e.current?.parentElement;if(!e.current||!s)return;const o=It(t,Math.max(240,Math.min(cn,s.clientWidth)),Ot());fe({...o,background:null},ot().font,e.current),Object.assign(e.current.style,{width:o.width+"px",height:o.height+"px"}),e.current.dataset.painted=String(t.token)},[t,n]),l`<canvas
    ref=${e}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`}const qt=({taken:t})=>t.map(({unit:e,share:n})=>e+" "+_(n)+" %").join(", ")||"none",Ft=t=>t===null?"unknown":t.toPrecision(3);function dn({found:t}){const e=t.layers.map(({a:s,b:o,same:a})=>l`<tr key=${s.layer} data-same=${String(a)}>
        <th scope="row">${s.layer}</th>
        <td class="words">${qt(s)}</td>
        <td>${Ft(s.margin)}</td>
        <td class="words">${qt(o)}</td>
        <td>${Ft(o.margin)}</td>
        <td>${a===null?"unknown":a?"same":"differs"}</td>
      </tr>`);return l`<${U} label="Experts of the token in A and B" columns=${["layer","A","margin of A","B","margin of B","experts"]} rows=${e} />`}function pn(){const{decision:t,a:e,b:n}=c;if(!t&&c.untold)return l`<p class="logs-problem" role="status">${c.untold}</p>`;if(!t)return l`<p class="hint">${c.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=t.layers.filter(({same:p})=>p===!1).map(p=>p.a.layer),{model:o,sample:a}=kt(),r=(p,m,g)=>se({model:o,sample:a,log:p,sequence:m,token:g,step:0}),u=t.text===null?"":" \u201C"+z(t.text)+"\u201D";return l`<p class="logs-headline">
      <strong>${"Token "+t.place+u}</strong>${" of "+t.name+". "}${s.length?s.length+" of "+t.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${t.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${un} found=${t} /></div>
    <p class="logs-opens">
      <a class="button" href=${r(e,t.sequence,t.place)} onClick=${rt}>A on Paths</a>
      <a class="button" href=${r(n,t.sequence_b,t.place_b)} onClick=${rt}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${dn} found=${t} />
    </details>`}R("logs-token",t=>{const e=()=>Wt.value+=1,n=[L(t,()=>l`<${pn} />`),wt(e),me(t,e)];return()=>n.forEach(s=>s())});const tt=860;function mn({layers:t,indices:e,counts:n}){const s=Q(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,u)=>[t[a],t[a]+".e"+(u+1),e[a],u,r,s[a][u]]))]}const fn=({layers:t,margins:e})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...t.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...e.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(u=>u??""),"","","","",r])],hn=({items:t})=>[["token","text","layers_that_agree","first_that_differs"],...t.map(({place:e,text:n,agreement:s,first:o})=>[e,n??"",s??"",o??""])],gn=({layers:t})=>[["layer","routing","expert","share","margin","same"],...t.flatMap(({same:e,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",e??""])))];function et(t){const e=t.map(j);return e.every(n=>n!==null)?e.map(n=>n):null}const $n={"logs-usage":()=>{const{usage:t}=c,e=et([c.a]);if(!t||!e)return null;const n=mn(t);return{name:"log-usage",title:"Use of experts in "+e[0].name,facts:{...X(e),tokens:e[0].facts.tokens},rows:()=>n,json:()=>Et(n),python:{figure:"log-usage"},picture:{scene:(s=tt)=>qe(t,Q(t.counts),e[0].name,s)}}},"logs-compared":()=>{const{comparison:t}=c,e=et([c.a,c.b]);if(!t||!e)return null;const n=fn(t),{tokens:s,sequences:o}=t;return{name:"logs-compared",facts:{...X(e),tokens:s,sequences:o,interval_over:t.interval_over},rows:()=>n,json:()=>({...t}),python:{figure:"logs-compared"},picture:{scene:(a=tt)=>Fe(t,e.map(({name:r})=>r).join(" beside "),a)}}},"logs-text":()=>{const{text:t}=c,e=et([c.a,c.b]);if(!t||!t.items.length||!e)return null;const n=hn(t);return{name:"logs-text",facts:{...X(e),sequence:t.sequence,sequence_name:t.name},rows:()=>n,json:()=>Et(n),python:{figure:"logs-agreement"},picture:{scene:(s=tt)=>He(t,Nt,s)}}},"logs-token":()=>{const{decision:t}=c,e=et([c.a,c.b]);if(!t||!e)return null;const n=gn(t);return{name:"logs-token",facts:{...X(e),sequence_name:t.name,token:t.token},rows:()=>n,json:()=>({...t}),python:{figure:"logs-decision"},picture:{scene:()=>It(t,tt,Ot())}}}};for(const[t,e]of Object.entries($n))he(t,e);let Gt={},bt=!1;const Ht=()=>bt&&ae("logs",{...Gt,a:c.a,b:c.b,token:c.token}),bn={show(t){return Gt={model:t?.model,sample:t?.sample},Ht(),re()}};R("logs-page",t=>{bt=!0;const{a:e,b:n}=oe("logs","a","b"),{token:s}=t.dataset;we(t.dataset.a||e,t.dataset.b||n,s===void 0?null:Number(s));const o=$e((a,r)=>{["a","b","token"].some(u=>r.has(u))&&Ht()});return()=>{bt=!1,o(),ke()}});export{bn as callbacks};
