/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{t as Jt,J as Kt,A as lt,X as Vt,P as Xt,F as P,k as j,s as i,M as Yt,i as yt,y as C,au as Qt,aV as Zt,r as W,aW as te,B as k,K as it,G as wt,ae as ct,aj as kt,af as xt,aa as vt,aX as _t,aY as ee,a6 as ne,a8 as se,I as oe}from"../../boot.js";import{F as ae,bn as F,bo as re,b3 as le,o as ie,a as ce,r as ue,bp as de,bq as X,br as pe,aF as Et,bs as he,bt as me}from"../../shared.js";const fe=100,Y=200,St={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,unshown:null,apart:null,unread:null,untold:null},{state:c,update:g,subscribe:ge}=Jt(St);let x=0,E=0,Mt=0;const I=t=>t instanceof Error?t.message:String(t),q=t=>c.logs?.find(e=>e.id===t)??null,Tt=()=>[c.a,c.b].map(t=>q(t)?.facts),D=t=>lt("GET",t),ut=()=>"?a="+encodeURIComponent(c.a??"")+"&b="+encodeURIComponent(c.b??"");async function G(t,e){const[n,s]=[x,Mt+=1],o=()=>n===x&&s===Mt,a=t===null?"":"&sequence="+t;try{const r=await D("/logs/comparison/tokens"+ut()+a+"&limit="+Y+"&offset="+e);o()&&g({text:{...r,offset:e},unread:null})}catch(r){if(!o())return;const u=t!==null&&r instanceof Xt&&r.status===404?{sequence:t,name:"",start:0,items:[],total:0,offset:0}:c.text;g({text:u,unread:I(r)})}}async function Ct(t){const e=x;g({token:t,untold:null});try{const n=await D("/logs/comparison/token"+ut()+"&token="+t);return e!==x||c.token!==t?null:(g({decision:n}),n)}catch(n){return e===x&&c.token===t&&g({token:null,decision:null,untold:I(n)}),null}}async function $e(t){const e=x;try{const n=await D("/logs/"+encodeURIComponent(t)+"/usage");e===x&&g({usage:n})}catch(n){e===x&&g({unshown:I(n)})}}async function be(t){const e=x;try{const n=await D("/logs/comparison"+ut());if(e!==x)return;g({comparison:n});const s=t===null?null:await Ct(t);if(e!==x)return;await G(s&&s.sequence,s?s.at-s.at%Y:0)}catch(n){e===x&&g({apart:I(n)})}}async function A(t,e,n=null){x+=1;const s=t===e?null:e,o=t===c.a&&c.usage;g({a:t,b:s,...{comparison:null,text:null,token:n,decision:null,unshown:null,apart:null,unread:null,untold:null},...o?{}:{usage:null}}),await Promise.all([t&&!o?$e(t):null,t&&s?be(n):null])}async function ye(t,e,n=null){const s=x+=1,o=E+=1,a=new Set(c.logs?.map(({id:r})=>r));g({a:t,b:e,token:n});try{const{items:r}=await D("/logs?limit="+fe);if(o!==E)return;const l=d=>d===null||r.some(v=>v.id===d),u=await Promise.all([t,e].filter(d=>!l(d)).map(d=>D("/logs/"+d).catch(()=>null)));if(o!==E)return;const h=[...r,...u.filter(Boolean)],p=new Set(h.map(({id:d})=>d)),f=[...(c.logs??[]).filter(({id:d})=>!p.has(d)&&!a.has(d)),...h];if(s!==x){g({logs:f});return}const b=d=>f.some(v=>v.id===d)?d:null;g({logs:f,problem:null}),await A(b(t)??f[0]?.id??null,b(e),b(t)&&b(e)?n:null)}catch(r){s===x&&g({logs:[],problem:I(r)})}}function we(){x+=1,E+=1,g(St)}function ke(t){return g({logs:[t,...c.logs??[]],problem:null}),A(t.id,null)}const dt={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer",start:"Tokens left out at the start",ranks:"Ranks"},pt=t=>"\u201C"+dt[t.replace("-","_")]+"\u201D",ht=t=>t.replace(/\(--(top-k|layers|experts|start|ranks)\)/g,(e,n)=>"("+pt(n)+")").replace(/--(top-k|layers|experts|start|ranks)\b/g,(e,n)=>pt(n)),xe=(t,e)=>ht(t.replace(/^log\b/i,()=>e).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(n,s)=>"as "+pt(s)+", then bring it again"));async function ve(t,e,n){if(c.sending){g({problem:"Wait until "+c.sending.name+" is read, then bring "+t.name+" again."});return}if(t.size>e){g({problem:t.name+" has "+mt(t.size)+"; up to "+mt(e)+" are accepted."});return}const s=E,o=l=>s===E&&g(l);o({sending:{name:t.name,share:0},problem:null});const a=Object.entries(n).filter(([,l])=>l),r=new URLSearchParams([["name",t.name.slice(0,80)],...a]);try{const l=new Blob([t],{type:"application/octet-stream"}),u=p=>o({sending:{name:t.name,share:p}}),h=await Kt("/logs?"+r.toString(),l,u);s===E&&await ke(h)}catch(l){o({problem:xe(I(l),t.name)})}finally{o({sending:null})}}const mt=t=>(t/1024/1024).toFixed(t<10*1024*1024?1:0)+" MiB";async function _e(t){const{model:e="",drop:n=[]}=t;if(!n.some(a=>a.includes("..")))return t;const{units:s}=await D("/models/"+encodeURIComponent(e)),o=a=>a.includes("..")?Vt(s,[a]):[];return{...t,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function Ot(t,e){const n=E;g({recording:!0,problem:null});try{const s=[];for(const o of t)s.push(await lt("POST","/logs/recordings",await _e(o)));if(n!==E)return;g({logs:[...s,...c.logs??[]]}),await e(s)}catch(s){n===E&&g({problem:I(s)})}finally{n===E&&g({recording:!1})}}const Ee=()=>Ot(["float32","bfloat16"].map(t=>({model:"moe-bytes",precision:t})),([t,e])=>A(t.id,e.id)),Se=t=>Ot([t],([e])=>c.a?A(c.a,e.id):A(e.id,null));async function Me(t){const e=E;try{if(await lt("DELETE","/logs/"+encodeURIComponent(t)),e!==E)return;g({logs:(c.logs??[]).filter(s=>s.id!==t),problem:null});const n=s=>s===t?null:s;await A(n(c.a)??c.logs?.[0]?.id??null,n(c.b))}catch(n){e===E&&g({problem:I(n)})}}const Te=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],["start","tokens at the start of each response that are not in the log"]],Ce=["pipeline","tensor","data","expert"],H={};function Oe({most:t,take:e}){const{sending:n,recording:s,problem:o}=c;return i`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!n}
        onChange=${a=>{const r=a.target;e(r.files),r.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${yt("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${mt(t)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${Te.map(([a,r])=>i`<label title=${r}
              >${dt[a]}
              <input
                type="number"
                min=${a==="start"?"0":"1"}
                max=${a==="start"?"10000000":"32768"}
                inputmode="numeric"
                onInput=${l=>H[a]=l.target.value}
            /></label>`)}
        <label title="where a log joins the ranks of a job"
          >${dt.ranks}
          <select
            onChange=${a=>H.ranks=a.target.value}
          >
            <option value=""></option>
            ${Ce.map(a=>i`<option key=${a}>${a}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${Ee}>
        ${s?"Recording":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${n&&i`<p class="logs-sending">
          ${n.share<1?"Sending ":"Reading "}${n.name}
          <progress
            max="1"
            value=${n.share<1?n.share:void 0}
            aria-label=${n.name}
          ></progress>
        </p>`}
      ${o&&i`<p class="logs-problem" role="alert">${o}</p>`}
    </div>`}function Re(t,e){const n=o=>t.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),e(o.dataTransfer?.files))]];return s.forEach(([o,a])=>t.addEventListener(o,a)),()=>s.forEach(([o,a])=>t.removeEventListener(o,a))}P("logs-bring",t=>{const e=Number(t.dataset.maxBytes),n=a=>{a?.[0]&&!Yt.value.read_only&&ve(a[0],e,H)},s=t.closest(".page"),o=[j(t,()=>i`<${Oe} most=${e} take=${n} />`),Re(s,n)];return()=>{o.forEach(a=>a()),Object.keys(H).forEach(a=>delete H[a])}});function N({label:t,columns:e,rows:n}){const s=e.map(o=>o?i`<th scope="col">${o}</th>`:i`<td></td>`);return i`<div class="table-scroll" tabindex="0" role="group" aria-label=${t}>
    <${ae} heads=${s} rows=${n} look="logs-table" />
  </div>`}function Ae({log:{id:t,name:e}}){const[n,s]=Qt(!1),o=i`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+e}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?i`${o}<button type="button" class="tool tool-text danger" onClick=${()=>Me(t)}>
      Delete this log
    </button>`:o}function Be({log:t}){const{facts:e}=t,n=s=>{const o=c[s]===t.id,a=()=>{if(s==="a")return A(t.id,c.b===t.id?c.a:c.b);if(c.a!==t.id)return A(c.a,o?null:t.id);const r=c.b??c.logs?.find(({id:l})=>l!==t.id)?.id;return r?A(r,t.id):null};return i`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${t.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return i`<tr data-log=${t.id}>
    <td class="logs-sides">${n("a")} ${n("b")}</td>
    <th scope="row">${t.name}</th>
    <td class="words">${e.format}, ${e.version}</td>
    <td>${e.counts_only?"counts":C(e.tokens)}</td>
    <td>${e.layers.length} × ${e.experts}${e.experts_counted?"*":""}</td>
    <td>${e.top_k??"unknown"}</td>
    <td class="writes">${t.owner!=="another"&&i`<${Ae} log=${t} />`}</td>
  </tr>`}const Pe=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function Ie(){const{logs:t}=c;if(!t)return i`<p class="hint">Asking which logs there are.</p>`;if(!t.length)return i`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const e=t.map(s=>i`<${Be} key=${s.id} log=${s} />`),n=t.some(({facts:s})=>s.experts_counted);return i`<${N} label="Logs" columns=${Pe} rows=${e} />
    ${n&&i`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}P("logs-list",t=>j(t,()=>i`<${Ie} />`));const Le="top_experts",Rt=["its own","float64","float32","bfloat16","float16"];function je({model:t,precision:e,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=Rt.indexOf(String(e))>0?String(e):null;return{model:String(t),precision:a,drop:o,top_k:s?Number(s):null}}function De(t){t.preventDefault(),Se(je(Object.fromEntries(new FormData(t.currentTarget))))}function Ne(){const t=(Zt()??[]).filter(({fields:e})=>e.includes(Le));return t.length?i`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${De}>
      <label
        >Model<select name="model" class="small-input">
          ${t.map(({id:e})=>i`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${Rt.map(e=>i`<option key=${e}>${e}</option>`)}
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
  </details>`:null}P("logs-record",t=>j(t,()=>i`<${Ne} />`));const[S,U]=[58,26],J=7.6,Q=20,M=(t,e,n,s,o)=>({shape:"text",x:t,y:e,text:n,size:11,fill:s,...o}),Z=(t,e)=>[1,2,4,5,8,10,16,20,32,64].find(n=>n*t>=e)??128,ft=t=>t.reduce((e,n)=>n.reduce((s,o)=>Math.max(s,o),e),Number.EPSILON),Ue=(t,e)=>e===1?t:Array.from({length:Math.ceil(t.length/e)},(n,s)=>Math.max(...t.slice(s*e,(s+1)*e)));function We({layers:t},e,n,s){const o=W(),a=ft(e),r=(s-S-8)/e[0].length,l=Math.max(6,Math.min(22,420/t.length)),u=[],[h,p]=[Z(r,28),Z(l,13)],$=Math.ceil(1/r);e[0].forEach((v,y)=>{y%h===0&&u.push(M(S+(y+.5)*r,18,"e"+(y+1),o.dim,{anchor:"middle"}))}),e.forEach((v,y)=>{const R=U+y*l;y%p===0&&u.push(M(S-8,R+l/2+4,t[y],o.ink,{anchor:"end"}));const m=Ue(v,$),w=r>6?1:0;w||u.push({shape:"rect",x:S,y:R,w:r*v.length,h:l-1,fill:o.hair}),m.forEach((_,T)=>{const O={x:S+T*$*r,y:R,w:$*r-w,h:l-1};w&&u.push({shape:"rect",...O,fill:o.hair}),_&&u.push({shape:"rect",...O,fill:o.accent,opacity:_/a})})});const f=U+t.length*l+22,b=k(1/e[0].length)+" % is even use, "+k(a)+" % the most"+($>1?"; a cell is the most used of "+$+" experts":"");return u.push(M(S,f-6,b,o.dim)),{width:s,height:f,background:o.surface,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",items:u}}function gt(t,{x:e,y:n,value:s,interval:[o,a],full:r}){if(s===null)return[];const l=r?t.accent:t.dim,u=[];return o!==null&&a!==null&&u.push({shape:"path",d:`M${e},${n(o)}V${n(a)}M${e-3},${n(o)}h6M${e-3},${n(a)}h6`,stroke:l,width:1.4}),u.push({shape:"circle",cx:e,cy:n(s),r:3.4,fill:r?l:t.surface,stroke:l,width:1.4}),u}const At=(t,{from:e,to:n,y:s,ticks:o})=>o.flatMap(a=>[{shape:"path",d:`M${e},${s(a)}H${n}`,stroke:t.hair,width:1},M(e-6,s(a)+4,k(a),t.dim,{anchor:"end"})]),Bt=(t,e)=>[0,.25,.5,.75,1].map(n=>t+n*(e-t));function Fe({layers:t,margins:e,margin_of:n},s,o){const a=W(),[r,l]=[150,64],u=t.flatMap(({same:m,same_interval:[w]})=>[w??m??1,m??1]),h=Math.max(0,Math.floor(Math.min(...u)*20-.5)/20),p=m=>U+8+r*(1-(Math.max(m,h)-h)/(1-h||1)),[$,f]=[S,o-12],b=(f-$)/t.length,d=[M(12,16,"tokens with the same experts, % (dot), experts in common, % (ring)",a.ink)];d.push(...At(a,{from:$,to:f,y:p,ticks:Bt(h,1)}));const v=Z(b,30);t.forEach((m,w)=>{const _=$+(w+.5)*b,T=Math.min(6,b/4);d.push(...gt(a,{x:_+T,y:p,value:m.overlap,interval:m.overlap_interval,full:!1})),d.push(...gt(a,{x:_-T,y:p,value:m.same,interval:m.same_interval,full:!0})),w%v===0&&d.push(M(_,U+r+26,m.layer,a.dim,{anchor:"middle"}))});let y=U+r+36;if(e.length){const m=y+l/2,w=Math.max(...e.map(({differ:O,interval:[,B]})=>B??O??0),.001),_=O=>m+r*(1-O/w);d.push(M(12,m-12,"that differ, %, by the router's margin in A ("+n+")",a.ink)),d.push(...At(a,{from:$,to:f,y:_,ticks:Bt(0,w)}));const T=(f-$)/e.length;e.forEach(({low:O,high:B,differ:V,interval:ot},z)=>{const L=$+(z+.5)*T,at=(O??0).toPrecision(2)+" to "+(B??0).toPrecision(2);d.push(...gt(a,{x:L,y:_,value:V,interval:ot,full:!0})),z%Z(T,84)===0&&d.push(M(L,m+r+18,at,a.dim,{anchor:"middle"}))}),y=m+r+30}return{width:o,height:y,background:a.surface,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",items:d}}const qe={nearly:"accent",most:"warn",few:"bad"};function ze({items:t,name:e,start:n},s,o){const a=W(),r=Math.max(10,Math.floor((o-24)/J)),l=t.map(({text:f,place:b})=>f??b-n+" "),{rows:u,places:h}=re(l,r),p=[];return h.forEach(({row:f,column:b,span:d},v)=>{const y=qe[s(t[v].agreement)],[R,m]=[12+b*J,12+f*Q],w=y&&{accent:a.accent,warn:a.marker,bad:a.bad}[y];w&&(p.push({shape:"rect",x:R,y:m,w:d*J,h:Q-2,fill:w,opacity:y==="accent"?.12:.3}),p.push({shape:"rect",x:R,y:m+Q-4,w:d*J,h:2,fill:w})),[...F(l[v])].slice(0,d).forEach((_,T)=>{_.trim()&&p.push(M(R+(T+.5)*J,m+14,_,a.ink,{anchor:"middle",size:12.5}))})}),{width:o,height:24+u*Q,background:a.surface,title:"A and B in "+e,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",items:p}}function Pt({layers:t,text:e,place:n,name:s},o,a=[]){const r=W(),l=(o-S-28)/2,[u,h]=[18,24],p=[M(S,16,"A",r.ink,{weight:700}),M(S+l+16,16,"B",r.ink,{weight:700})];t.forEach(({a:d,b:v,same:y},R)=>{const m=U+R*h,w=y===!1?700:450;p.push(M(S-8,m+13,d.layer,r.ink,{anchor:"end",weight:w})),[d,v].forEach(({layer:_,taken:T},O)=>{let B=S+O*(l+16);T.length||p.push(M(B,m+13,"none",r.dim));for(const{unit:V,index:ot,share:z}of T){const L=z*l,at=r.unit(te(a[O],_,ot)),rt=V.split(".").at(-1)??V;p.push({shape:"rect",x:B,y:m,w:Math.max(0,L-1),h:u,fill:at,opacity:.55});const Ht=L>64?rt+" "+k(z)+" %":rt;L>7*rt.length+4&&p.push(M(B+4,m+13,Ht,r.ink,{halo:r.surface})),B+=L}}),y===!1&&p.push({shape:"rect",x:S-3,y:m-3,w:o-S-6,h,rx:3,stroke:r.bad,width:1.4})});const $=e===null?"":" \u201C"+F(e)+"\u201D",f="Token "+n+$+" of "+s+" in A and B";return{width:o,height:U+t.length*h+8,background:r.surface,title:f,desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",items:p}}const Ge=12,He=420,$t=64,K=it(null),It=it(0);function tt(t){return t.map(e=>{const n=e.reduce((s,o)=>s+o,0);return e.map(s=>n?s/n:0)})}function Je(t,e){const n=t.getContext("2d");if(!n)return;const s=W(),{live:o}=le(s),a=ft(e),r=window.devicePixelRatio||1;t.width=Math.round(t.clientWidth*r),t.height=Math.round(t.clientHeight*r);const l=new ImageData(e[0].length,e.length),u=new Uint32Array(l.data.buffer);e.forEach((b,d)=>b.forEach((v,y)=>u[d*b.length+y]=o[Math.round(255*v/a)]));const h=new OffscreenCanvas(l.width,l.height);h.getContext("2d")?.putImageData(l,0,0),n.imageSmoothingEnabled=!1,n.drawImage(h,0,0,t.width,t.height);const p=K.value;if(!p)return;const[$,f]=[t.width/l.width,t.height/l.height];n.strokeStyle=s.ink,n.lineWidth=2*r,n.strokeRect(p[1]*$,p[0]*f,$,f)}function Ke({usage:t}){const e=vt(null),n=tt(t.counts),s=[t,K.value,It.value];_t(()=>{e.current&&Je(e.current,n)},s);function o(l){const u=l.currentTarget,{left:h,top:p,width:$,height:f}=u.getBoundingClientRect(),b=Math.floor(n.length*(l.clientY-p)/f),d=Math.floor(n[0].length*(l.clientX-h)/$);K.value=n[b]?.[d]===void 0?null:[b,d]}const a=Math.min(He,Math.max(t.layers.length*Ge,96)),r=t.layers.length+" layers by "+n[0].length+" experts; the figures stand below";return i`<canvas
      ref=${e}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${r}
      onPointermove=${o}
      onPointerleave=${()=>K.value=null}
    ></canvas>
    <p class="readout logs-readout">${Ve(t,n)}</p>`}function Ve({layers:t,indices:e,counts:n},s){const o=K.value;if(!o||!n[o[0]]){const p=ft(s);return"Even use is "+k(1/s[0].length)+" % for each expert; the most is "+k(p)+" %."}const[a,r]=o,l=t[a]+".e"+(r+1),u="layer "+e[a]+", expert "+r+" in the log",h=k(s[a][r]);return l+" ("+u+"): "+C(n[a][r])+" tokens, "+h+" % of the layer's use"}function Xe({layers:t}){const e=["layer","evenness","never used","most used"],n=t.map(s=>i`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+k(a)+" %").join(", ")}
        </td>
      </tr>`);return i`<${N} label="Layers of A" columns=${e} rows=${n} />`}function Ye({usage:{layers:t,counts:e}}){const n=tt(e),s=["layer",...n[0].slice(0,$t).map((r,l)=>"e"+(l+1))],o=n.map((r,l)=>i`<tr key=${t[l]}>
        <th scope="row">${t[l]}</th>
        ${r.slice(0,$t).map(u=>i`<td>${k(u)}</td>`)}
      </tr>`),a=n[0].length-$t;return i`<details class="as-table">
    <summary>The same as a table</summary>
    <p class="hint">
      ${"Shares of a layer's use, in percent"+(a>0?"; the other "+a+" experts are in the files.":".")}
    </p>
    <${N} label="Use of experts" columns=${s} rows=${o} />
  </details>`}function Qe({id:t,facts:e}){const{model:n,sample:s}=kt(),o=[["Its experts on Observe",xt("observe",{model:n,sample:s,log:t})]];return e.counts_only?o:[["Its tokens on Paths",xt("paths",{model:n,sample:s,log:t,step:0})],...o]}function Ze({facts:{assumed:t=[],notes:e}}){const n=e.slice(t.length);return i`${t.length>0&&i`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to say otherwise, bring the file again with the field)</p>
      <ul>
        ${t.map(s=>i`<li key=${s}>${ht(s)}</li>`)}
      </ul>
    </div>`}
  ${n.map(s=>i`<p class="hint" key=${s}>${ht(s)}</p>`)}`}function tn(){const t=q(c.a);return t?i`<p class="logs-opens">
      ${Qe(t).map(([e,n])=>i`<a key=${e} class="button" href=${n} onClick=${ct}>${e}</a>`)}
    </p>
    <${Ze} facts=${t.facts} />
    ${c.usage?i`<${Ke} usage=${c.usage} />`:i`<p class=${c.unshown?"logs-problem":"hint"} role="status">${c.unshown??"On its way."}</p>`}
    <${Xe} layers=${t.facts.layers} />
    ${c.usage&&i`<${Ye} usage=${c.usage} />`}`:i`<p class="hint">${c.a?"On its way.":"Choose a log as A."}</p>`}P("logs-usage",t=>{const e=()=>It.value+=1,n=[j(t,()=>i`<${tn} />`),wt(e)],s=new ResizeObserver(e);return s.observe(t),()=>{s.disconnect(),n.forEach(o=>o())}});const Lt=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],jt=t=>t===null?"":(Lt.find(([e])=>t<e)??[1,"",""])[1];function et(t,[e,n]){return t===null?"none":e===null||n===null?k(t):k(t)+" ("+k(e)+" to "+k(n)+")"}const Dt=({share:t})=>i`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(t??0)+"%"}}></span></span>`;function en({comparison:t}){const e=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=t.layers.map(s=>i`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Dt} share=${s.same} /></td>
        <td>${et(s.same,s.same_interval)}</td>
        <td>${et(s.overlap,s.overlap_interval)}</td>
        <td>${C(s.first_differs)}</td>
        <td>${et(s.began,s.began_interval)}</td>
      </tr>`);return i`<${N} label="By layer" columns=${e} rows=${n} />`}function nn({comparison:t}){const{margins:e,margin_of:n}=t;if(!e.length)return i`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...e.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=e.map(r=>i`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${Dt} share=${(r.differ??0)/s} /></td>
        <td>${et(r.differ,r.interval)}</td>
        <td>${C(r.count)}</td>
      </tr>`);return i`<${N} label="By margin" columns=${o} rows=${a} />`}const Nt=()=>c.b?c.apart??"Being compared.":"Choose another log as B.";function sn(){const{comparison:t}=c;if(!t)return i`<p class="hint">${Nt()}</p>`;const{tokens:e,sequences:n,same_at_every_layer:s,interval_over:o}=t;return i`<p class="logs-headline">
      <strong>${s===null?"none":k(s)} %</strong> of ${C(e)} tokens
      (${C(n)} sequences) take the same experts at every layer.
    </p>
    <${en} comparison=${t} />
    <${nn} comparison=${t} />
    <p class="hint">
      A is ${q(c.a)?.name??t.a}, B is ${q(c.b)?.name??t.b}. Intervals: 95 %, over
      ${" "+o}. ${t.notes.join(" ")}
    </p>`}function on({text:t,agreement:e,first:n,place:s,number:o}){const r=(e===null?"not compared":k(e)+" % of the layers agree")+(n?", the first that differs is "+n:""),l=jt(e),u=t===null?"token "+o+" ":t.split(`
`).map(F).join(F(`
`)+`
`);return l?i`<button
    type="button"
    class=${"logs-token is-"+l}
    title=${r}
    aria-label=${"token "+o+" "+(t??"")+": "+r}
    aria-pressed=${String(c.token===s)}
    onClick=${()=>{Ct(s)}}
  >
    ${u}
  </button>`:i`<span class="logs-token" title=${r}>${u}</span>`}function Ut({text:{sequence:t,items:e,total:n,offset:s}}){const o=q(c.a)?.facts.sequences??1,a=[["previous","Sequence before",t>0,()=>{G(t-1,0)}],["next","Sequence behind",t+1<o,()=>{G(t+1,0)}],["previous","Tokens before",s>0,()=>{G(t,Math.max(0,s-Y))}],["next","Tokens behind",s+e.length<n,()=>{G(t,s+Y)}]],[r,l,u,h]=a.map(([$,f,b,d])=>i`<button type="button" class="tool" title=${f} aria-label=${f} disabled=${!b} onClick=${d}>
        ${yt($)}
      </button>`),p=e.length?C(s+1)+" to "+C(s+e.length)+" of "+C(n):"none";return i`<p class="logs-part">
    sequence ${r} ${C(t+1)+" of "+C(o)} ${l} tokens ${u} ${p} ${h}
  </p>`}function an(){const{text:t,unread:e}=c;if(!t)return i`<p class="hint">${e??Nt()}</p>`;const n=e&&i`<p class="logs-problem" role="status">${e}</p>`;if(!t.items.length)return i`<${Ut} text=${t} />${n}`;const s=Lt.map(([,r,l])=>i`<span class=${"logs-token is-"+r}>${l}</span> `),o=t.items.map(({place:r,text:l,agreement:u,first:h})=>i`<tr key=${r}>
        <th scope="row">${r-t.start}</th>
        <td class="words">${l===null?"":F(l)}</td>
        <td>${u===null?"unknown":k(u)}</td>
        <td>${h??""}</td>
      </tr>`),a=["token","text","layers that agree, %","first that differs"];return i`<p class="hint">${t.name}, ${C(t.total)} tokens. ${s}</p>
    <${Ut} text=${t} />
    ${n}
    <pre class="logs-tokens">
${t.items.map(r=>i`<${on} key=${r.place} number=${r.place-t.start} ...${r} />`)}</pre>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${N} label="Tokens and how many layers agree" columns=${a} rows=${o} />
    </details>`}P("logs-compared",t=>j(t,()=>i`<${sn} />`)),P("logs-text",t=>j(t,()=>i`<${an} />`));const rn=760,Wt=it(0);function ln({found:t}){const e=vt(null),n=Wt.value;return _t(()=>{const s=e.current?.parentElement;if(!e.current||!s)return;const o=Pt(t,Math.max(240,Math.min(rn,s.clientWidth)),Tt());ce({...o,background:null},W().font,e.current),Object.assign(e.current.style,{width:o.width+"px",height:o.height+"px"}),e.current.dataset.painted=String(t.token)},[t,n]),i`<canvas
    ref=${e}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`}const Ft=({taken:t})=>t.map(({unit:e,share:n})=>e+" "+k(n)+" %").join(", ")||"none",qt=t=>t===null?"unknown":t.toPrecision(3);function cn({found:t}){const e=t.layers.map(({a:s,b:o,same:a})=>i`<tr key=${s.layer} data-same=${String(a)}>
        <th scope="row">${s.layer}</th>
        <td class="words">${Ft(s)}</td>
        <td>${qt(s.margin)}</td>
        <td class="words">${Ft(o)}</td>
        <td>${qt(o.margin)}</td>
        <td>${a===null?"unknown":a?"same":"differs"}</td>
      </tr>`);return i`<${N} label="Experts of the token in A and B" columns=${["layer","A","margin of A","B","margin of B","experts"]} rows=${e} />`}function un(){const{decision:t,a:e,b:n}=c;if(!t&&c.untold)return i`<p class="logs-problem" role="status">${c.untold}</p>`;if(!t)return i`<p class="hint">${c.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=t.layers.filter(({same:u})=>u===!1).map(u=>u.a.layer),{model:o,sample:a}=kt(),r=(u,h,p)=>ee({model:o,sample:a,log:u,sequence:h,token:p,step:0}),l=t.text===null?"":" \u201C"+F(t.text)+"\u201D";return i`<p class="logs-headline">
      <strong>${"Token "+t.place+l}</strong>${" of "+t.name+". "}${s.length?s.length+" of "+t.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${t.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${ln} found=${t} /></div>
    <p class="logs-opens">
      <a class="button" href=${r(e,t.sequence,t.place)} onClick=${ct}>A on Paths</a>
      <a class="button" href=${r(n,t.sequence_b,t.place_b)} onClick=${ct}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${cn} found=${t} />
    </details>`}P("logs-token",t=>{const e=()=>Wt.value+=1,n=[j(t,()=>i`<${un} />`),wt(e),ie(t,e)];return()=>n.forEach(s=>s())});const nt=860;function dn({layers:t,indices:e,counts:n}){const s=tt(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,l)=>[t[a],t[a]+".e"+(l+1),e[a],l,r,s[a][l]]))]}const pn=({layers:t,margins:e})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...t.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...e.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(l=>l??""),"","","","",r])],hn=({items:t})=>[["token","text","layers_that_agree","first_that_differs"],...t.map(({place:e,text:n,agreement:s,first:o})=>[e,n??"",s??"",o??""])],mn=({layers:t})=>[["layer","routing","expert","share","margin","same"],...t.flatMap(({same:e,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",e??""])))];function st(t){const e=t.map(q);return e.every(n=>n!==null)?e.map(n=>n):null}const fn={"logs-usage":()=>{const{usage:t}=c,e=st([c.a]);if(!t||!e)return null;const n=dn(t);return{name:"log-usage",title:"Use of experts in "+e[0].name,facts:{...X(e),tokens:e[0].facts.tokens},rows:()=>n,json:()=>Et(n),python:me,picture:{scene:()=>We(t,tt(t.counts),e[0].name,nt)}}},"logs-compared":()=>{const{comparison:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=pn(t),{tokens:s,sequences:o}=t;return{name:"logs-compared",facts:{...X(e),tokens:s,sequences:o,interval_over:t.interval_over},rows:()=>n,json:()=>({...t}),python:he,picture:{scene:()=>Fe(t,e.map(({name:a})=>a).join(" beside "),nt)}}},"logs-text":()=>{const{text:t}=c,e=st([c.a,c.b]);if(!t||!t.items.length||!e)return null;const n=hn(t);return{name:"logs-text",facts:{...X(e),sequence:t.sequence,sequence_name:t.name},rows:()=>n,json:()=>Et(n),python:pe,picture:{scene:()=>ze(t,jt,nt)}}},"logs-token":()=>{const{decision:t}=c,e=st([c.a,c.b]);if(!t||!e)return null;const n=mn(t);return{name:"logs-token",facts:{...X(e),sequence_name:t.name,token:t.token},rows:()=>n,json:()=>({...t}),python:de,picture:{scene:()=>Pt(t,nt,Tt())}}}};for(const[t,e]of Object.entries(fn))ue(t,e);let zt={},bt=!1;const Gt=()=>bt&&se("logs",{...zt,a:c.a,b:c.b,token:c.token}),gn={show(t){return zt={model:t?.model,sample:t?.sample},Gt(),oe()}};P("logs-page",t=>{bt=!0;const{a:e,b:n}=ne("logs","a","b"),{token:s}=t.dataset;ye(t.dataset.a||e,t.dataset.b||n,s===void 0?null:Number(s));const o=ge((a,r)=>{["a","b","token"].some(l=>r.has(l))&&Gt()});return()=>{bt=!1,o(),we()}});export{gn as callbacks};
