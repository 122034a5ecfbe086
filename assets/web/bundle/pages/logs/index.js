/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{v as Jt,J as Kt,d as lt,X as Vt,P as Xt,F as P,l as D,s as l,M as Yt,i as yt,z as C,au as Qt,aV as Zt,r as F,aW as te,B as v,K as it,G as wt,ae as ct,aj as kt,af as xt,aa as vt,aX as _t,aY as ee,a6 as ne,a8 as se,I as oe}from"../../boot.js";import{F as ae,a_ as z,a$ as re,aL as le,o as ie,a as ce,r as ue,b0 as X,ap as Et}from"../../shared.js";const pe=100,Y=200,St={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,unshown:null,apart:null,unread:null,untold:null},{state:c,update:g,subscribe:de}=Jt(St);let k=0,E=0,Mt=0;const I=t=>t instanceof Error?t.message:String(t),N=t=>c.logs?.find(e=>e.id===t)??null,Tt=()=>[c.a,c.b].map(t=>N(t)?.facts),L=t=>lt("GET",t),ut=()=>"?a="+encodeURIComponent(c.a??"")+"&b="+encodeURIComponent(c.b??"");async function G(t,e){const[n,s]=[k,Mt+=1],o=()=>n===k&&s===Mt,a=t===null?"":"&sequence="+t;try{const r=await L("/logs/comparison/tokens"+ut()+a+"&limit="+Y+"&offset="+e);o()&&g({text:{...r,offset:e},unread:null})}catch(r){if(!o())return;const u=t!==null&&r instanceof Xt&&r.status===404?{sequence:t,name:"",start:0,items:[],total:0,offset:0}:c.text;g({text:u,unread:I(r)})}}async function Ct(t){const e=k;g({token:t,untold:null});try{const n=await L("/logs/comparison/token"+ut()+"&token="+t);return e!==k||c.token!==t?null:(g({decision:n}),n)}catch(n){return e===k&&c.token===t&&g({token:null,decision:null,untold:I(n)}),null}}async function he(t){const e=k;try{const n=await L("/logs/"+encodeURIComponent(t)+"/usage");e===k&&g({usage:n})}catch(n){e===k&&g({unshown:I(n)})}}async function fe(t){const e=k,{facts:n}=N(t)??{};if(!n||n.layers.length===n.layer_count&&(n.notes.length||!n.note_count))return;const s=await L("/logs/"+encodeURIComponent(t)).catch(()=>null);s&&e===k&&g({logs:(c.logs??[]).map(o=>o.id===t?s:o)})}async function me(t){const e=k;try{const n=await L("/logs/comparison"+ut());if(e!==k)return;g({comparison:n});const s=t===null?null:await Ct(t);if(e!==k)return;await G(s&&s.sequence,s?s.at-s.at%Y:0)}catch(n){e===k&&g({apart:I(n)})}}async function A(t,e,n=null){k+=1;const s=t===e?null:e,o=t===c.a&&c.usage;g({a:t,b:s,...{comparison:null,text:null,token:n,decision:null,unshown:null,apart:null,unread:null,untold:null},...o?{}:{usage:null}}),await Promise.all([t&&!o?he(t):null,t&&s?me(n):null,...[t,s].map(r=>r&&fe(r))])}async function ge(t,e,n=null){const s=k+=1,o=E+=1,a=new Set(c.logs?.map(({id:r})=>r));g({a:t,b:e,token:n,problem:null});try{const{items:r}=await L("/logs?limit="+pe);if(o!==E)return;const i=p=>p===null||r.some(w=>w.id===p),u=await Promise.all([t,e].filter(p=>!i(p)).map(p=>L("/logs/"+p).catch(()=>null)));if(o!==E)return;const h=[...r,...u.filter(Boolean)],d=new Set(h.map(({id:p})=>p)),m=[...(c.logs??[]).filter(({id:p})=>!d.has(p)&&!a.has(p)),...h];if(s!==k){g({logs:m});return}const b=p=>m.some(w=>w.id===p)?p:null;g({logs:m}),await A(b(t)??m[0]?.id??null,b(e),b(t)&&b(e)?n:null)}catch(r){s===k&&g({logs:[],problem:I(r)})}}function $e(){k+=1,E+=1,g(St)}function be(t){return g({logs:[t,...c.logs??[]],problem:null}),A(t.id,null)}const pt={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer",start:"Tokens left out at the start",ranks:"Ranks"},dt=t=>"\u201C"+pt[t.replace("-","_")]+"\u201D",ht=t=>t.replace(/\(--(top-k|layers|experts|start|ranks)\)/g,(e,n)=>"("+dt(n)+")").replace(/--(top-k|layers|experts|start|ranks)\b/g,(e,n)=>dt(n)),ye=(t,e)=>ht(t.replace(/^log\b/i,()=>e).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(n,s)=>"as "+dt(s)+", then bring it again"));async function we(t,e,n){if(c.sending){g({problem:"Wait until "+c.sending.name+" is read, then bring "+t.name+" again."});return}if(t.size>e){g({problem:t.name+" has "+ft(t.size)+"; up to "+ft(e)+" are accepted."});return}const s=E,o=i=>s===E&&g(i);o({sending:{name:t.name,share:0},problem:null});const a=Object.entries(n).filter(([,i])=>i),r=new URLSearchParams([["name",t.name.slice(0,80)],...a]);try{const i=new Blob([t],{type:"application/octet-stream"}),u=d=>o({sending:{name:t.name,share:d}}),h=await Kt("/logs?"+r.toString(),i,u);s===E&&await be(h)}catch(i){o({problem:ye(I(i),t.name)})}finally{o({sending:null})}}const ft=t=>(t/1024/1024).toFixed(t<10*1024*1024?1:0)+" MiB";async function ke(t){const{model:e="",drop:n=[]}=t;if(!n.some(a=>a.includes("..")))return t;const{units:s}=await L("/models/"+encodeURIComponent(e)),o=a=>a.includes("..")?Vt(s,[a]):[];return{...t,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function Ot(t,e){const n=E;g({recording:!0,problem:null});try{const s=[];for(const o of t)s.push(await lt("POST","/logs/recordings",await ke(o)));if(n!==E)return;g({logs:[...s,...c.logs??[]]}),await e(s)}catch(s){n===E&&g({problem:I(s)})}finally{n===E&&g({recording:!1})}}const xe=()=>Ot(["float32","bfloat16"].map(t=>({model:"moe-bytes",precision:t})),([t,e])=>A(t.id,e.id)),ve=t=>Ot([t],([e])=>c.a?A(c.a,e.id):A(e.id,null));async function _e(t){const e=E;try{if(await lt("DELETE","/logs/"+encodeURIComponent(t)),e!==E)return;g({logs:(c.logs??[]).filter(s=>s.id!==t),problem:null});const n=s=>s===t?null:s;await A(n(c.a)??c.logs?.[0]?.id??null,n(c.b))}catch(n){e===E&&g({problem:I(n)})}}const Ee=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],["start","tokens at the start of each response that are not in the log"]],Se=["pipeline","tensor","data","expert"],H={};function Me({most:t,take:e}){const{sending:n,recording:s,problem:o}=c;return l`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!n}
        onChange=${a=>{const r=a.target;e(r.files),r.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${yt("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${ft(t)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${Ee.map(([a,r])=>l`<label title=${r}
              >${pt[a]}
              <input
                type="number"
                min=${a==="start"?"0":"1"}
                max=${a==="start"?"10000000":"32768"}
                inputmode="numeric"
                onInput=${i=>H[a]=i.target.value}
            /></label>`)}
        <label title="where a log joins the ranks of a job"
          >${pt.ranks}
          <select
            onChange=${a=>H.ranks=a.target.value}
          >
            <option value=""></option>
            ${Se.map(a=>l`<option key=${a}>${a}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${xe}>
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
    </div>`}function Te(t,e){const n=o=>t.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),e(o.dataTransfer?.files))]];return s.forEach(([o,a])=>t.addEventListener(o,a)),()=>s.forEach(([o,a])=>t.removeEventListener(o,a))}P("logs-bring",t=>{const e=Number(t.dataset.maxBytes),n=a=>{a?.[0]&&!Yt.value.read_only&&we(a[0],e,H)},s=t.closest(".page"),o=[D(t,()=>l`<${Me} most=${e} take=${n} />`),Te(s,n)];return()=>{o.forEach(a=>a()),Object.keys(H).forEach(a=>delete H[a])}});function U({label:t,columns:e,rows:n}){const s=e.map(o=>o?l`<th scope="col">${o}</th>`:l`<td></td>`);return l`<div class="table-scroll" tabindex="0" role="group" aria-label=${t}>
    <${ae} heads=${s} rows=${n} look="logs-table" />
  </div>`}function Ce({log:{id:t,name:e}}){const[n,s]=Qt(!1),o=l`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+e}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?l`${o}<button type="button" class="tool tool-text danger" onClick=${()=>_e(t)}>
      Delete this log
    </button>`:o}function Oe({log:t}){const{facts:e}=t,n=s=>{const o=c[s]===t.id,a=()=>{if(s==="a")return A(t.id,c.b===t.id?c.a:c.b);if(c.a!==t.id)return A(c.a,o?null:t.id);const r=c.b??c.logs?.find(({id:i})=>i!==t.id)?.id;return r?A(r,t.id):null};return l`<button
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
    <td>${e.counts_only?"counts":C(e.tokens)}</td>
    <td>${e.layer_count} × ${e.experts}${e.experts_counted?"*":""}</td>
    <td>${e.top_k??"unknown"}</td>
    <td class="writes">${t.owner!=="another"&&l`<${Ce} log=${t} />`}</td>
  </tr>`}const Re=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function Ae(){const{logs:t}=c;if(!t)return l`<p class="hint">Asking which logs there are.</p>`;if(!t.length)return l`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const e=t.map(s=>l`<${Oe} key=${s.id} log=${s} />`),n=t.some(({facts:s})=>s.experts_counted);return l`<${U} label="Logs" columns=${Re} rows=${e} />
    ${n&&l`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}P("logs-list",t=>D(t,()=>l`<${Ae} />`));const Be="top_experts",Rt=["its own","float64","float32","bfloat16","float16"];function Pe({model:t,precision:e,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=Rt.indexOf(String(e))>0?String(e):null;return{model:String(t),precision:a,drop:o,top_k:s?Number(s):null}}function Ie(t){t.preventDefault(),ve(Pe(Object.fromEntries(new FormData(t.currentTarget))))}function Le(){const t=(Zt()??[]).filter(({fields:e})=>e.includes(Be));return t.length?l`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${Ie}>
      <label
        >Model<select name="model" class="small-input">
          ${t.map(({id:e})=>l`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${Rt.map(e=>l`<option key=${e}>${e}</option>`)}
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
  </details>`:null}P("logs-record",t=>D(t,()=>l`<${Le} />`));const[S,W]=[58,26],J=7.6,Q=20,M=(t,e,n,s,o)=>({shape:"text",x:t,y:e,text:n,size:11,fill:s,...o}),Z=(t,e)=>[1,2,4,5,8,10,16,20,32,64].find(n=>n*t>=e)??128,mt=t=>t.reduce((e,n)=>n.reduce((s,o)=>Math.max(s,o),e),Number.EPSILON),je=(t,e)=>e===1?t:Array.from({length:Math.ceil(t.length/e)},(n,s)=>Math.max(...t.slice(s*e,(s+1)*e)));function De({layers:t},e,n,s){const o=F(),a=mt(e),r=(s-S-8)/e[0].length,i=Math.max(6,Math.min(22,420/t.length)),u=[],[h,d]=[Z(r,28),Z(i,13)],$=Math.ceil(1/r);e[0].forEach((w,y)=>{y%h===0&&u.push(M(S+(y+.5)*r,18,"e"+(y+1),o.dim,{anchor:"middle"}))}),e.forEach((w,y)=>{const R=W+y*i;y%d===0&&u.push(M(S-8,R+i/2+4,t[y],o.ink,{anchor:"end"}));const f=je(w,$),x=r>6?1:0;x||u.push({shape:"rect",x:S,y:R,w:r*w.length,h:i-1,fill:o.hair}),f.forEach((_,T)=>{const O={x:S+T*$*r,y:R,w:$*r-x,h:i-1};x&&u.push({shape:"rect",...O,fill:o.hair}),_&&u.push({shape:"rect",...O,fill:o.accent,opacity:_/a})})});const m=W+t.length*i+22,b=v(1/e[0].length)+" % is even use, "+v(a)+" % the most"+($>1?"; a cell is the most used of "+$+" experts":"");return u.push(M(S,m-6,b,o.dim)),{width:s,height:m,background:o.surface,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",items:u}}function gt(t,{x:e,y:n,value:s,interval:[o,a],full:r}){if(s===null)return[];const i=r?t.accent:t.dim,u=[];return o!==null&&a!==null&&u.push({shape:"path",d:`M${e},${n(o)}V${n(a)}M${e-3},${n(o)}h6M${e-3},${n(a)}h6`,stroke:i,width:1.4}),u.push({shape:"circle",cx:e,cy:n(s),r:3.4,fill:r?i:t.surface,stroke:i,width:1.4}),u}const At=(t,{from:e,to:n,y:s,ticks:o})=>o.flatMap(a=>[{shape:"path",d:`M${e},${s(a)}H${n}`,stroke:t.hair,width:1},M(e-6,s(a)+4,v(a),t.dim,{anchor:"end"})]),Bt=(t,e)=>[0,.25,.5,.75,1].map(n=>t+n*(e-t));function Ne({layers:t,margins:e,margin_of:n},s,o){const a=F(),[r,i]=[150,64],u=t.flatMap(({same:f,same_interval:[x]})=>[x??f??1,f??1]),h=Math.max(0,Math.floor(Math.min(...u)*20-.5)/20),d=f=>W+8+r*(1-(Math.max(f,h)-h)/(1-h||1)),[$,m]=[S,o-12],b=(m-$)/t.length,p=[M(12,16,"tokens with the same experts, % (dot), experts in common, % (ring)",a.ink)];p.push(...At(a,{from:$,to:m,y:d,ticks:Bt(h,1)}));const w=Z(b,30);t.forEach((f,x)=>{const _=$+(x+.5)*b,T=Math.min(6,b/4);p.push(...gt(a,{x:_+T,y:d,value:f.overlap,interval:f.overlap_interval,full:!1})),p.push(...gt(a,{x:_-T,y:d,value:f.same,interval:f.same_interval,full:!0})),x%w===0&&p.push(M(_,W+r+26,f.layer,a.dim,{anchor:"middle"}))});let y=W+r+36;if(e.length){const f=y+i/2,x=Math.max(...e.map(({differ:O,interval:[,B]})=>B??O??0),.001),_=O=>f+r*(1-O/x);p.push(M(12,f-12,"that differ, %, by the router's margin in A ("+n+")",a.ink)),p.push(...At(a,{from:$,to:m,y:_,ticks:Bt(0,x)}));const T=(m-$)/e.length;e.forEach(({low:O,high:B,differ:V,interval:ot},q)=>{const j=$+(q+.5)*T,at=(O??0).toPrecision(2)+" to "+(B??0).toPrecision(2);p.push(...gt(a,{x:j,y:_,value:V,interval:ot,full:!0})),q%Z(T,84)===0&&p.push(M(j,f+r+18,at,a.dim,{anchor:"middle"}))}),y=f+r+30}return{width:o,height:y,background:a.surface,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",items:p}}const Ue={nearly:"accent",most:"warn",few:"bad"};function We({items:t,name:e,start:n},s,o){const a=F(),r=Math.max(10,Math.floor((o-24)/J)),i=t.map(({text:m,place:b})=>m??b-n+" "),{rows:u,places:h}=re(i,r),d=[];return h.forEach(({row:m,column:b,span:p},w)=>{const y=Ue[s(t[w].agreement)],[R,f]=[12+b*J,12+m*Q],x=y&&{accent:a.accent,warn:a.marker,bad:a.bad}[y];x&&(d.push({shape:"rect",x:R,y:f,w:p*J,h:Q-2,fill:x,opacity:y==="accent"?.12:.3}),d.push({shape:"rect",x:R,y:f+Q-4,w:p*J,h:2,fill:x})),[...z(i[w])].slice(0,p).forEach((_,T)=>{_.trim()&&d.push(M(R+(T+.5)*J,f+14,_,a.ink,{anchor:"middle",size:12.5}))})}),{width:o,height:24+u*Q,background:a.surface,title:"A and B in "+e,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",items:d}}function Pt({layers:t,text:e,place:n,name:s},o,a=[]){const r=F(),i=(o-S-28)/2,[u,h]=[18,24],d=[M(S,16,"A",r.ink,{weight:700}),M(S+i+16,16,"B",r.ink,{weight:700})];t.forEach(({a:p,b:w,same:y},R)=>{const f=W+R*h,x=y===!1?700:450;d.push(M(S-8,f+13,p.layer,r.ink,{anchor:"end",weight:x})),[p,w].forEach(({layer:_,taken:T},O)=>{let B=S+O*(i+16);T.length||d.push(M(B,f+13,"none",r.dim));for(const{unit:V,index:ot,share:q}of T){const j=q*i,at=r.unit(te(a[O],_,ot)),rt=V.split(".").at(-1)??V;d.push({shape:"rect",x:B,y:f,w:Math.max(0,j-1),h:u,fill:at,opacity:.55});const Ht=j>64?rt+" "+v(q)+" %":rt;j>7*rt.length+4&&d.push(M(B+4,f+13,Ht,r.ink,{halo:r.surface})),B+=j}}),y===!1&&d.push({shape:"rect",x:S-3,y:f-3,w:o-S-6,h,rx:3,stroke:r.bad,width:1.4})});const $=e===null?"":" \u201C"+z(e)+"\u201D",m="Token "+n+$+" of "+s+" in A and B";return{width:o,height:W+t.length*h+8,background:r.surface,title:m,desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",items:d}}const Fe=12,ze=420,$t=64,K=it(null),It=it(0);function tt(t){return t.map(e=>{const n=e.reduce((s,o)=>s+o,0);return e.map(s=>n?s/n:0)})}function qe(t,e){const n=t.getContext("2d");if(!n)return;const s=F(),{live:o}=le(s),a=mt(e),r=window.devicePixelRatio||1;t.width=Math.round(t.clientWidth*r),t.height=Math.round(t.clientHeight*r);const i=new ImageData(e[0].length,e.length),u=new Uint32Array(i.data.buffer);e.forEach((b,p)=>b.forEach((w,y)=>u[p*b.length+y]=o[Math.round(255*w/a)]));const h=new OffscreenCanvas(i.width,i.height);h.getContext("2d")?.putImageData(i,0,0),n.imageSmoothingEnabled=!1,n.drawImage(h,0,0,t.width,t.height);const d=K.value;if(!d)return;const[$,m]=[t.width/i.width,t.height/i.height];n.strokeStyle=s.ink,n.lineWidth=2*r,n.strokeRect(d[1]*$,d[0]*m,$,m)}function Ge({usage:t}){const e=vt(null),n=tt(t.counts),s=[t,K.value,It.value];_t(()=>{e.current&&qe(e.current,n)},s);function o(u){const h=u.currentTarget,{left:d,top:$,width:m,height:b}=h.getBoundingClientRect(),p=Math.floor(n.length*(u.clientY-$)/b),w=Math.floor(n[0].length*(u.clientX-d)/m);K.value=n[p]?.[w]===void 0?null:[p,w]}const a=Math.min(ze,Math.max(t.layers.length*Fe,96)),i=(t.layers.length<t.total?"the first "+t.layers.length+" of "+t.total:t.total)+" layers by "+n[0].length+" experts; the figures stand below";return l`<canvas
      ref=${e}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${i}
      onPointermove=${o}
      onPointerleave=${()=>K.value=null}
    ></canvas>
    <p class="readout logs-readout">${He(t,n)}</p>
    ${t.layers.length<t.total&&l`<p class="hint">
        ${"The first "+t.layers.length+" of "+t.total+" layers are shown; the file has all of them."}
      </p>`}`}function He({layers:t,indices:e,counts:n},s){const o=K.value;if(!o||!n[o[0]]){const d=mt(s);return"Even use is "+v(1/s[0].length)+" % for each expert; the most is "+v(d)+" %."}const[a,r]=o,i=t[a]+".e"+(r+1),u="layer "+e[a]+", expert "+r+" in the log",h=v(s[a][r]);return i+" ("+u+"): "+C(n[a][r])+" tokens, "+h+" % of the layer's use"}function Je({layers:t}){const e=["layer","evenness","never used","most used"],n=t.map(s=>l`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+v(a)+" %").join(", ")}
        </td>
      </tr>`);return l`<${U} label="Layers of A" columns=${e} rows=${n} />`}function Ke({usage:{layers:t,counts:e}}){const n=tt(e),s=["layer",...n[0].slice(0,$t).map((r,i)=>"e"+(i+1))],o=n.map((r,i)=>l`<tr key=${t[i]}>
        <th scope="row">${t[i]}</th>
        ${r.slice(0,$t).map(u=>l`<td>${v(u)}</td>`)}
      </tr>`),a=n[0].length-$t;return l`<details class="as-table">
    <summary>The same as a table</summary>
    <p class="hint">
      ${"Shares of a layer's use, in percent"+(a>0?"; the other "+a+" experts are in the files.":".")}
    </p>
    <${U} label="Use of experts" columns=${s} rows=${o} />
  </details>`}function Ve({id:t,facts:e}){const{model:n,sample:s}=kt(),o=[["Its experts on Observe",xt("observe",{model:n,sample:s,log:t})]];return e.counts_only?o:[["Its tokens on Paths",xt("paths",{model:n,sample:s,log:t,step:0})],...o]}function Xe({facts:{assumed:t=[],notes:e,note_count:n}}){const s=e.slice(t.length),o=e.length?n-e.length:0;return l`${t.length>0&&l`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to say otherwise, bring the file again with the field)</p>
      <ul>
        ${t.map(a=>l`<li key=${a}>${ht(a)}</li>`)}
      </ul>
    </div>`}
  ${s.map(a=>l`<p class="hint" key=${a}>${ht(a)}</p>`)}
  ${o>0&&l`<p class="hint">${"Further notes: "+o+". `routescope import` prints all of them."}</p>`}`}function Ye(){const t=N(c.a);return t?l`<p class="logs-opens">
      ${Ve(t).map(([e,n])=>l`<a key=${e} class="button" href=${n} onClick=${ct}>${e}</a>`)}
    </p>
    <${Xe} facts=${t.facts} />
    ${c.usage?l`<${Ge} usage=${c.usage} />`:l`<p class=${c.unshown?"logs-problem":"hint"} role="status">${c.unshown??"On its way."}</p>`}
    <${Je} layers=${t.facts.layers} />
    ${c.usage&&l`<${Ke} usage=${c.usage} />`}`:l`<p class="hint">${c.a?"On its way.":"Choose a log as A."}</p>`}P("logs-usage",t=>{const e=()=>It.value+=1,n=[D(t,()=>l`<${Ye} />`),wt(e)],s=new ResizeObserver(e);return s.observe(t),()=>{s.disconnect(),n.forEach(o=>o())}});const Lt=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],jt=t=>t===null?"":(Lt.find(([e])=>t<e)??[1,"",""])[1];function et(t,[e,n]){return t===null?"none":e===null||n===null?v(t):v(t)+" ("+v(e)+" to "+v(n)+")"}const Dt=({share:t})=>l`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(t??0)+"%"}}></span></span>`;function Qe({comparison:t}){const e=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=t.layers.map(s=>l`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Dt} share=${s.same} /></td>
        <td>${et(s.same,s.same_interval)}</td>
        <td>${et(s.overlap,s.overlap_interval)}</td>
        <td>${C(s.first_differs)}</td>
        <td>${et(s.began,s.began_interval)}</td>
      </tr>`);return l`<${U} label="By layer" columns=${e} rows=${n} />`}function Ze({comparison:t}){const{margins:e,margin_of:n}=t;if(!e.length)return l`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...e.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=e.map(r=>l`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${Dt} share=${(r.differ??0)/s} /></td>
        <td>${et(r.differ,r.interval)}</td>
        <td>${C(r.count)}</td>
      </tr>`);return l`<${U} label="By margin" columns=${o} rows=${a} />`}const Nt=()=>c.b?c.apart??"Being compared.":"Choose another log as B.";function tn(){const{comparison:t}=c;if(!t)return l`<p class="hint">${Nt()}</p>`;const{tokens:e,sequences:n,same_at_every_layer:s,interval_over:o}=t;return l`<p class="logs-headline">
      <strong>${s===null?"none":v(s)} %</strong> of ${C(e)} tokens
      (${C(n)} sequences) take the same experts at every layer.
    </p>
    <${Qe} comparison=${t} />
    <${Ze} comparison=${t} />
    <p class="hint">
      A is ${N(c.a)?.name??t.a}, B is ${N(c.b)?.name??t.b}. Intervals: 95 %, over
      ${" "+o}. ${t.notes.join(" ")}
    </p>`}function en({text:t,agreement:e,first:n,place:s,number:o}){const r=(e===null?"not compared":v(e)+" % of the layers agree")+(n?", the first that differs is "+n:""),i=jt(e),u=t===null?"token "+o+" ":t.split(`
`).map(z).join(z(`
`)+`
`);return i?l`<button
    type="button"
    class=${"logs-token is-"+i}
    title=${r}
    aria-label=${"token "+o+" "+(t??"")+": "+r}
    aria-pressed=${String(c.token===s)}
    onClick=${()=>{Ct(s)}}
  >
    ${u}
  </button>`:l`<span class="logs-token" title=${r}>${u}</span>`}function Ut({text:{sequence:t,items:e,total:n,offset:s}}){const o=N(c.a)?.facts.sequences??1,a=[["previous","Sequence before",t>0,()=>{G(t-1,0)}],["next","Sequence behind",t+1<o,()=>{G(t+1,0)}],["previous","Tokens before",s>0,()=>{G(t,Math.max(0,s-Y))}],["next","Tokens behind",s+e.length<n,()=>{G(t,s+Y)}]],[r,i,u,h]=a.map(([$,m,b,p])=>l`<button type="button" class="tool" title=${m} aria-label=${m} disabled=${!b} onClick=${p}>
        ${yt($)}
      </button>`),d=e.length?C(s+1)+" to "+C(s+e.length)+" of "+C(n):"none";return l`<p class="logs-part">
    sequence ${r} ${C(t+1)+" of "+C(o)} ${i} tokens ${u} ${d} ${h}
  </p>`}function nn(){const{text:t,unread:e}=c;if(!t)return l`<p class="hint">${e??Nt()}</p>`;const n=e&&l`<p class="logs-problem" role="status">${e}</p>`;if(!t.items.length)return l`<${Ut} text=${t} />${n}`;const s=Lt.map(([,r,i])=>l`<span class=${"logs-token is-"+r}>${i}</span> `),o=t.items.map(({place:r,text:i,agreement:u,first:h})=>l`<tr key=${r}>
        <th scope="row">${r-t.start}</th>
        <td class="words">${i===null?"":z(i)}</td>
        <td>${u===null?"unknown":v(u)}</td>
        <td>${h??""}</td>
      </tr>`),a=["token","text","layers that agree, %","first that differs"];return l`<p class="hint">${t.name}, ${C(t.total)} tokens. ${s}</p>
    <${Ut} text=${t} />
    ${n}
    <pre class="logs-tokens">
${t.items.map(r=>l`<${en} key=${r.place} number=${r.place-t.start} ...${r} />`)}</pre>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${U} label="Tokens and how many layers agree" columns=${a} rows=${o} />
    </details>`}P("logs-compared",t=>D(t,()=>l`<${tn} />`)),P("logs-text",t=>D(t,()=>l`<${nn} />`));const sn=760,Wt=it(0);function on({found:t}){const e=vt(null),n=Wt.value;return _t(()=>{const s=e.current?.parentElement;if(!e.current||!s)return;const o=Pt(t,Math.max(240,Math.min(sn,s.clientWidth)),Tt());ce({...o,background:null},F().font,e.current),Object.assign(e.current.style,{width:o.width+"px",height:o.height+"px"}),e.current.dataset.painted=String(t.token)},[t,n]),l`<canvas
    ref=${e}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`}const Ft=({taken:t})=>t.map(({unit:e,share:n})=>e+" "+v(n)+" %").join(", ")||"none",zt=t=>t===null?"unknown":t.toPrecision(3);function an({found:t}){const e=t.layers.map(({a:s,b:o,same:a})=>l`<tr key=${s.layer} data-same=${String(a)}>
        <th scope="row">${s.layer}</th>
        <td class="words">${Ft(s)}</td>
        <td>${zt(s.margin)}</td>
        <td class="words">${Ft(o)}</td>
        <td>${zt(o.margin)}</td>
        <td>${a===null?"unknown":a?"same":"differs"}</td>
      </tr>`);return l`<${U} label="Experts of the token in A and B" columns=${["layer","A","margin of A","B","margin of B","experts"]} rows=${e} />`}function rn(){const{decision:t,a:e,b:n}=c;if(!t&&c.untold)return l`<p class="logs-problem" role="status">${c.untold}</p>`;if(!t)return l`<p class="hint">${c.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=t.layers.filter(({same:u})=>u===!1).map(u=>u.a.layer),{model:o,sample:a}=kt(),r=(u,h,d)=>ee({model:o,sample:a,log:u,sequence:h,token:d,step:0}),i=t.text===null?"":" \u201C"+z(t.text)+"\u201D";return l`<p class="logs-headline">
      <strong>${"Token "+t.place+i}</strong>${" of "+t.name+". "}${s.length?s.length+" of "+t.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${t.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${on} found=${t} /></div>
    <p class="logs-opens">
      <a class="button" href=${r(e,t.sequence,t.place)} onClick=${ct}>A on Paths</a>
      <a class="button" href=${r(n,t.sequence_b,t.place_b)} onClick=${ct}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${an} found=${t} />
    </details>`}P("logs-token",t=>{const e=()=>Wt.value+=1,n=[D(t,()=>l`<${rn} />`),wt(e),ie(t,e)];return()=>n.forEach(s=>s())});const nt=860;function ln({layers:t,indices:e,counts:n}){const s=tt(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,i)=>[t[a],t[a]+".e"+(i+1),e[a],i,r,s[a][i]]))]}const cn=({layers:t,margins:e})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...t.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...e.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(i=>i??""),"","","","",r])],un=({items:t})=>[["token","text","layers_that_agree","first_that_differs"],...t.map(({place:e,text:n,agreement:s,first:o})=>[e,n??"",s??"",o??""])],pn=({layers:t})=>[["layer","routing","expert","share","margin","same"],...t.flatMap(({same:e,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",e??""])))];function st(t){const e=t.map(N);return e.every(n=>n!==null)?e.map(n=>n):null}const dn={"logs-usage":()=>{const{usage:t}=c,e=st([c.a]);if(!t||!e)return null;const n=ln(t);return{name:"log-usage",title:"Use of experts in "+e[0].name,facts:{...X(e),tokens:e[0].facts.tokens},rows:()=>n,json:()=>Et(n),python:{figure:"log-usage"},picture:{scene:()=>De(t,tt(t.counts),e[0].name,nt)}}},"logs-compared":()=>{const{comparison:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=cn(t),{tokens:s,sequences:o}=t;return{name:"logs-compared",facts:{...X(e),tokens:s,sequences:o,interval_over:t.interval_over},rows:()=>n,json:()=>({...t}),python:{figure:"logs-compared"},picture:{scene:()=>Ne(t,e.map(({name:a})=>a).join(" beside "),nt)}}},"logs-text":()=>{const{text:t}=c,e=st([c.a,c.b]);if(!t||!t.items.length||!e)return null;const n=un(t);return{name:"logs-text",facts:{...X(e),sequence:t.sequence,sequence_name:t.name},rows:()=>n,json:()=>Et(n),python:{figure:"logs-agreement"},picture:{scene:()=>We(t,jt,nt)}}},"logs-token":()=>{const{decision:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=pn(t);return{name:"logs-token",facts:{...X(e),sequence_name:t.name,token:t.token},rows:()=>n,json:()=>({...t}),python:{figure:"logs-decision"},picture:{scene:()=>Pt(t,nt,Tt())}}}};for(const[t,e]of Object.entries(dn))ue(t,e);let qt={},bt=!1;const Gt=()=>bt&&se("logs",{...qt,a:c.a,b:c.b,token:c.token}),hn={show(t){return qt={model:t?.model,sample:t?.sample},Gt(),oe()}};P("logs-page",t=>{bt=!0;const{a:e,b:n}=ne("logs","a","b"),{token:s}=t.dataset;ge(t.dataset.a||e,t.dataset.b||n,s===void 0?null:Number(s));const o=de((a,r)=>{["a","b","token"].some(i=>r.has(i))&&Gt()});return()=>{bt=!1,o(),$e()}});export{hn as callbacks};
