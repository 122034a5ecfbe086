/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{t as Gt,J as Ht,A as lt,X as Jt,P as Kt,F as P,k as D,s as c,M as Vt,i as gt,y as C,au as Xt,aV as Yt,r as W,aW as Qt,B as k,K as it,G as $t,ae as ct,aj as bt,af as yt,aa as wt,aX as kt,aY as Zt,a6 as te,a8 as ee,I as ne}from"../../boot.js";import{F as se,bl as q,bm as oe,b1 as ae,o as re,a as le,r as ie,bn as ce,bo as V,bp as ue,aD as xt,bq as de,br as pe}from"../../shared.js";const he=100,X=200,vt={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,unshown:null,apart:null,unread:null,untold:null},{state:i,update:g,subscribe:me}=Gt(vt);let x=0,E=0,_t=0;const I=t=>t instanceof Error?t.message:String(t),z=t=>i.logs?.find(e=>e.id===t)??null,Et=()=>[i.a,i.b].map(t=>z(t)?.facts),j=t=>lt("GET",t),ut=()=>"?a="+encodeURIComponent(i.a??"")+"&b="+encodeURIComponent(i.b??"");async function G(t,e){const[n,s]=[x,_t+=1],o=()=>n===x&&s===_t,a=t===null?"":"&sequence="+t;try{const r=await j("/logs/comparison/tokens"+ut()+a+"&limit="+X+"&offset="+e);o()&&g({text:{...r,offset:e},unread:null})}catch(r){if(!o())return;const u=t!==null&&r instanceof Kt&&r.status===404?{sequence:t,name:"",start:0,items:[],total:0,offset:0}:i.text;g({text:u,unread:I(r)})}}async function St(t){const e=x;g({token:t,untold:null});try{const n=await j("/logs/comparison/token"+ut()+"&token="+t);return e!==x||i.token!==t?null:(g({decision:n}),n)}catch(n){return e===x&&i.token===t&&g({token:null,decision:null,untold:I(n)}),null}}async function fe(t){const e=x;try{const n=await j("/logs/"+encodeURIComponent(t)+"/usage");e===x&&g({usage:n})}catch(n){e===x&&g({unshown:I(n)})}}async function ge(t){const e=x;try{const n=await j("/logs/comparison"+ut());if(e!==x)return;g({comparison:n});const s=t===null?null:await St(t);if(e!==x)return;await G(s&&s.sequence,s?s.at-s.at%X:0)}catch(n){e===x&&g({apart:I(n)})}}async function R(t,e,n=null){x+=1;const s=t===e?null:e,o=t===i.a&&i.usage;g({a:t,b:s,...{comparison:null,text:null,token:n,decision:null,unshown:null,apart:null,unread:null,untold:null},...o?{}:{usage:null}}),await Promise.all([t&&!o?fe(t):null,t&&s?ge(n):null])}async function $e(t,e,n=null){const s=x+=1,o=E+=1,a=new Set(i.logs?.map(({id:r})=>r));g({a:t,b:e,token:n});try{const{items:r}=await j("/logs?limit="+he);if(o!==E)return;const l=d=>d===null||r.some(v=>v.id===d),u=await Promise.all([t,e].filter(d=>!l(d)).map(d=>j("/logs/"+d).catch(()=>null)));if(o!==E)return;const h=[...r,...u.filter(Boolean)],p=new Set(h.map(({id:d})=>d)),f=[...(i.logs??[]).filter(({id:d})=>!p.has(d)&&!a.has(d)),...h];if(s!==x){g({logs:f});return}const b=d=>f.some(v=>v.id===d)?d:null;g({logs:f,problem:null}),await R(b(t)??f[0]?.id??null,b(e),b(t)&&b(e)?n:null)}catch(r){s===x&&g({logs:[],problem:I(r)})}}function be(){x+=1,E+=1,g(vt)}function ye(t){return g({logs:[t,...i.logs??[]],problem:null}),R(t.id,null)}const Mt={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer"},we=(t,e)=>{const n=s=>"\u201C"+Mt[s]+"\u201D";return t.replace(/^log\b/i,()=>e).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(s,o)=>"as "+n(o)+", then bring it again").replace(/\(--(top-k|layers|experts)\)/g,(s,o)=>"("+n(o.replace("-","_"))+")")};async function ke(t,e,n){if(i.sending)return;if(t.size>e){g({problem:t.name+" has "+dt(t.size)+"; up to "+dt(e)+" are accepted."});return}const s=E,o=l=>s===E&&g(l);o({sending:{name:t.name,share:0},problem:null});const a=Object.entries(n).filter(([,l])=>l),r=new URLSearchParams([["name",t.name.slice(0,80)],...a]);try{const l=new Blob([t],{type:"application/octet-stream"}),u=p=>o({sending:{name:t.name,share:p}}),h=await Ht("/logs?"+r.toString(),l,u);s===E&&await ye(h)}catch(l){o({problem:we(I(l),t.name)})}finally{o({sending:null})}}const dt=t=>(t/1024/1024).toFixed(t<10*1024*1024?1:0)+" MiB";async function xe(t){const{model:e="",drop:n=[]}=t;if(!n.some(a=>a.includes("..")))return t;const{units:s}=await j("/models/"+encodeURIComponent(e)),o=a=>a.includes("..")?Jt(s,[a]):[];return{...t,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function Tt(t,e){const n=E;g({recording:!0,problem:null});try{const s=[];for(const o of t)s.push(await lt("POST","/logs/recordings",await xe(o)));if(n!==E)return;g({logs:[...s,...i.logs??[]]}),await e(s)}catch(s){n===E&&g({problem:I(s)})}finally{n===E&&g({recording:!1})}}const ve=()=>Tt(["float32","bfloat16"].map(t=>({model:"moe-bytes",precision:t})),([t,e])=>R(t.id,e.id)),_e=t=>Tt([t],([e])=>i.a?R(i.a,e.id):R(e.id,null));async function Ee(t){const e=E;try{if(await lt("DELETE","/logs/"+encodeURIComponent(t)),e!==E)return;g({logs:(i.logs??[]).filter(s=>s.id!==t),problem:null});const n=s=>s===t?null:s;await R(n(i.a)??i.logs?.[0]?.id??null,n(i.b))}catch(n){e===E&&g({problem:I(n)})}}const Se=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise"]],Y={};function Me({most:t,take:e}){const{sending:n,recording:s,problem:o}=i;return c`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!n}
        onChange=${a=>{const r=a.target;e(r.files),r.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${gt("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npz or parquet, up to ${dt(t)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${Se.map(([a,r])=>c`<label title=${r}
              >${Mt[a]}
              <input
                type="number"
                min="1"
                max="32768"
                inputmode="numeric"
                onInput=${l=>Y[a]=l.target.value}
            /></label>`)}
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${ve}>
        ${s?"Recording":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${n&&c`<p class="logs-sending">
          ${n.share<1?"Sending ":"Reading "}${n.name}
          <progress
            max="1"
            value=${n.share<1?n.share:void 0}
            aria-label=${n.name}
          ></progress>
        </p>`}
      ${o&&c`<p class="logs-problem" role="alert">${o}</p>`}
    </div>`}function Te(t,e){const n=o=>t.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),e(o.dataTransfer?.files))]];return s.forEach(([o,a])=>t.addEventListener(o,a)),()=>s.forEach(([o,a])=>t.removeEventListener(o,a))}P("logs-bring",t=>{const e=Number(t.dataset.maxBytes),n=a=>{a?.[0]&&!Vt.value.read_only&&ke(a[0],e,Y)},s=t.closest(".page"),o=[D(t,()=>c`<${Me} most=${e} take=${n} />`),Te(s,n)];return()=>{o.forEach(a=>a()),Object.keys(Y).forEach(a=>delete Y[a])}});function U({label:t,columns:e,rows:n}){const s=e.map(o=>o?c`<th scope="col">${o}</th>`:c`<td></td>`);return c`<div class="table-scroll" tabindex="0" role="group" aria-label=${t}>
    <${se} heads=${s} rows=${n} look="logs-table" />
  </div>`}function Ce({log:{id:t,name:e}}){const[n,s]=Xt(!1),o=c`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+e}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?c`${o}<button type="button" class="tool tool-text danger" onClick=${()=>Ee(t)}>
      Delete this log
    </button>`:o}function Oe({log:t}){const{facts:e}=t,n=s=>{const o=i[s]===t.id,a=()=>{if(s==="a")return R(t.id,i.b===t.id?i.a:i.b);if(i.a!==t.id)return R(i.a,o?null:t.id);const r=i.b??i.logs?.find(({id:l})=>l!==t.id)?.id;return r?R(r,t.id):null};return c`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${t.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return c`<tr data-log=${t.id}>
    <td class="logs-sides">${n("a")} ${n("b")}</td>
    <th scope="row">${t.name}</th>
    <td class="words">${e.format}, ${e.version}</td>
    <td>${C(e.tokens)}</td>
    <td>${e.layers.length} × ${e.experts}${e.experts_counted?"*":""}</td>
    <td>${e.top_k}</td>
    <td class="writes">${t.owner!=="another"&&c`<${Ce} log=${t} />`}</td>
  </tr>`}const Be=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function Re(){const{logs:t}=i;if(!t)return c`<p class="hint">Asking which logs there are.</p>`;if(!t.length)return c`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const e=t.map(s=>c`<${Oe} key=${s.id} log=${s} />`),n=t.some(({facts:s})=>s.experts_counted);return c`<${U} label="Logs" columns=${Be} rows=${e} />
    ${n&&c`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}P("logs-list",t=>D(t,()=>c`<${Re} />`));const Ae="top_experts",Ct=["its own","float64","float32","bfloat16","float16"];function Pe({model:t,precision:e,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=Ct.indexOf(String(e))>0?String(e):null;return{model:String(t),precision:a,drop:o,top_k:s?Number(s):null}}function Ie(t){t.preventDefault(),_e(Pe(Object.fromEntries(new FormData(t.currentTarget))))}function Le(){const t=(Yt()??[]).filter(({fields:e})=>e.includes(Ae));return t.length?c`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${Ie}>
      <label
        >Model<select name="model" class="small-input">
          ${t.map(({id:e})=>c`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${Ct.map(e=>c`<option key=${e}>${e}</option>`)}
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
      <button type="submit" class="button" disabled=${i.recording}>Record</button>
    </form>
  </details>`:null}P("logs-record",t=>D(t,()=>c`<${Le} />`));const[S,N]=[58,26],H=7.6,Q=20,M=(t,e,n,s,o)=>({shape:"text",x:t,y:e,text:n,size:11,fill:s,...o}),Z=(t,e)=>[1,2,4,5,8,10,16,20,32,64].find(n=>n*t>=e)??128,pt=t=>t.reduce((e,n)=>n.reduce((s,o)=>Math.max(s,o),e),Number.EPSILON),De=(t,e)=>e===1?t:Array.from({length:Math.ceil(t.length/e)},(n,s)=>Math.max(...t.slice(s*e,(s+1)*e)));function je({layers:t},e,n,s){const o=W(),a=pt(e),r=(s-S-8)/e[0].length,l=Math.max(6,Math.min(22,420/t.length)),u=[],[h,p]=[Z(r,28),Z(l,13)],$=Math.ceil(1/r);e[0].forEach((v,y)=>{y%h===0&&u.push(M(S+(y+.5)*r,18,"e"+(y+1),o.dim,{anchor:"middle"}))}),e.forEach((v,y)=>{const B=N+y*l;y%p===0&&u.push(M(S-8,B+l/2+4,t[y],o.ink,{anchor:"end"}));const m=De(v,$),w=r>6?1:0;w||u.push({shape:"rect",x:S,y:B,w:r*v.length,h:l-1,fill:o.hair}),m.forEach((_,T)=>{const O={x:S+T*$*r,y:B,w:$*r-w,h:l-1};w&&u.push({shape:"rect",...O,fill:o.hair}),_&&u.push({shape:"rect",...O,fill:o.accent,opacity:_/a})})});const f=N+t.length*l+22,b=k(1/e[0].length)+" % is even use, "+k(a)+" % the most"+($>1?"; a cell is the most used of "+$+" experts":"");return u.push(M(S,f-6,b,o.dim)),{width:s,height:f,background:o.surface,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",items:u}}function ht(t,{x:e,y:n,value:s,interval:[o,a],full:r}){if(s===null)return[];const l=r?t.accent:t.dim,u=[];return o!==null&&a!==null&&u.push({shape:"path",d:`M${e},${n(o)}V${n(a)}M${e-3},${n(o)}h6M${e-3},${n(a)}h6`,stroke:l,width:1.4}),u.push({shape:"circle",cx:e,cy:n(s),r:3.4,fill:r?l:t.surface,stroke:l,width:1.4}),u}const Ot=(t,{from:e,to:n,y:s,ticks:o})=>o.flatMap(a=>[{shape:"path",d:`M${e},${s(a)}H${n}`,stroke:t.hair,width:1},M(e-6,s(a)+4,k(a),t.dim,{anchor:"end"})]),Bt=(t,e)=>[0,.25,.5,.75,1].map(n=>t+n*(e-t));function Ue({layers:t,margins:e,margin_of:n},s,o){const a=W(),[r,l]=[150,64],u=t.flatMap(({same:m,same_interval:[w]})=>[w??m??1,m??1]),h=Math.max(0,Math.floor(Math.min(...u)*20-.5)/20),p=m=>N+8+r*(1-(Math.max(m,h)-h)/(1-h||1)),[$,f]=[S,o-12],b=(f-$)/t.length,d=[M(12,16,"tokens with the same experts, % (dot), experts in common, % (ring)",a.ink)];d.push(...Ot(a,{from:$,to:f,y:p,ticks:Bt(h,1)}));const v=Z(b,30);t.forEach((m,w)=>{const _=$+(w+.5)*b,T=Math.min(6,b/4);d.push(...ht(a,{x:_+T,y:p,value:m.overlap,interval:m.overlap_interval,full:!1})),d.push(...ht(a,{x:_-T,y:p,value:m.same,interval:m.same_interval,full:!0})),w%v===0&&d.push(M(_,N+r+26,m.layer,a.dim,{anchor:"middle"}))});let y=N+r+36;if(e.length){const m=y+l/2,w=Math.max(...e.map(({differ:O,interval:[,A]})=>A??O??0),.001),_=O=>m+r*(1-O/w);d.push(M(12,m-12,"that differ, %, by the router's margin in A ("+n+")",a.ink)),d.push(...Ot(a,{from:$,to:f,y:_,ticks:Bt(0,w)}));const T=(f-$)/e.length;e.forEach(({low:O,high:A,differ:K,interval:ot},F)=>{const L=$+(F+.5)*T,at=(O??0).toPrecision(2)+" to "+(A??0).toPrecision(2);d.push(...ht(a,{x:L,y:_,value:K,interval:ot,full:!0})),F%Z(T,84)===0&&d.push(M(L,m+r+18,at,a.dim,{anchor:"middle"}))}),y=m+r+30}return{width:o,height:y,background:a.surface,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",items:d}}const Ne={nearly:"accent",most:"warn",few:"bad"};function We({items:t,name:e,start:n},s,o){const a=W(),r=Math.max(10,Math.floor((o-24)/H)),l=t.map(({text:f,place:b})=>f??b-n+" "),{rows:u,places:h}=oe(l,r),p=[];return h.forEach(({row:f,column:b,span:d},v)=>{const y=Ne[s(t[v].agreement)],[B,m]=[12+b*H,12+f*Q],w=y&&{accent:a.accent,warn:a.marker,bad:a.bad}[y];w&&(p.push({shape:"rect",x:B,y:m,w:d*H,h:Q-2,fill:w,opacity:y==="accent"?.12:.3}),p.push({shape:"rect",x:B,y:m+Q-4,w:d*H,h:2,fill:w})),[...q(l[v])].slice(0,d).forEach((_,T)=>{_.trim()&&p.push(M(B+(T+.5)*H,m+14,_,a.ink,{anchor:"middle",size:12.5}))})}),{width:o,height:24+u*Q,background:a.surface,title:"A and B in "+e,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",items:p}}function Rt({layers:t,text:e,place:n,name:s},o,a=[]){const r=W(),l=(o-S-28)/2,[u,h]=[18,24],p=[M(S,16,"A",r.ink,{weight:700}),M(S+l+16,16,"B",r.ink,{weight:700})];t.forEach(({a:d,b:v,same:y},B)=>{const m=N+B*h,w=y===!1?700:450;p.push(M(S-8,m+13,d.layer,r.ink,{anchor:"end",weight:w})),[d,v].forEach(({layer:_,taken:T},O)=>{let A=S+O*(l+16);T.length||p.push(M(A,m+13,"none",r.dim));for(const{unit:K,index:ot,share:F}of T){const L=F*l,at=r.unit(Qt(a[O],_,ot)),rt=K.split(".").at(-1)??K;p.push({shape:"rect",x:A,y:m,w:Math.max(0,L-1),h:u,fill:at,opacity:.55});const Ft=L>64?rt+" "+k(F)+" %":rt;L>7*rt.length+4&&p.push(M(A+4,m+13,Ft,r.ink,{halo:r.surface})),A+=L}}),y===!1&&p.push({shape:"rect",x:S-3,y:m-3,w:o-S-6,h,rx:3,stroke:r.bad,width:1.4})});const $=e===null?"":" \u201C"+q(e)+"\u201D",f="Token "+n+$+" of "+s+" in A and B";return{width:o,height:N+t.length*h+8,background:r.surface,title:f,desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",items:p}}const qe=12,ze=420,mt=64,J=it(null),At=it(0);function tt(t){return t.map(e=>{const n=e.reduce((s,o)=>s+o,0);return e.map(s=>n?s/n:0)})}function Fe(t,e){const n=t.getContext("2d");if(!n)return;const s=W(),{live:o}=ae(s),a=pt(e),r=window.devicePixelRatio||1;t.width=Math.round(t.clientWidth*r),t.height=Math.round(t.clientHeight*r);const l=new ImageData(e[0].length,e.length),u=new Uint32Array(l.data.buffer);e.forEach((b,d)=>b.forEach((v,y)=>u[d*b.length+y]=o[Math.round(255*v/a)]));const h=new OffscreenCanvas(l.width,l.height);h.getContext("2d")?.putImageData(l,0,0),n.imageSmoothingEnabled=!1,n.drawImage(h,0,0,t.width,t.height);const p=J.value;if(!p)return;const[$,f]=[t.width/l.width,t.height/l.height];n.strokeStyle=s.ink,n.lineWidth=2*r,n.strokeRect(p[1]*$,p[0]*f,$,f)}function Ge({usage:t}){const e=wt(null),n=tt(t.counts),s=[t,J.value,At.value];kt(()=>{e.current&&Fe(e.current,n)},s);function o(l){const u=l.currentTarget,{left:h,top:p,width:$,height:f}=u.getBoundingClientRect(),b=Math.floor(n.length*(l.clientY-p)/f),d=Math.floor(n[0].length*(l.clientX-h)/$);J.value=n[b]?.[d]===void 0?null:[b,d]}const a=Math.min(ze,Math.max(t.layers.length*qe,96)),r=t.layers.length+" layers by "+n[0].length+" experts; the figures stand below";return c`<canvas
      ref=${e}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${r}
      onPointermove=${o}
      onPointerleave=${()=>J.value=null}
    ></canvas>
    <p class="readout logs-readout">${He(t,n)}</p>`}function He({layers:t,indices:e,counts:n},s){const o=J.value;if(!o||!n[o[0]]){const p=pt(s);return"Even use is "+k(1/s[0].length)+" % for each expert; the most is "+k(p)+" %."}const[a,r]=o,l=t[a]+".e"+(r+1),u="layer "+e[a]+", expert "+r+" in the log",h=k(s[a][r]);return l+" ("+u+"): "+C(n[a][r])+" tokens, "+h+" % of the layer's use"}function Je({layers:t}){const e=["layer","evenness","never used","most used"],n=t.map(s=>c`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+k(a)+" %").join(", ")}
        </td>
      </tr>`);return c`<${U} label="Layers of A" columns=${e} rows=${n} />`}function Ke({usage:{layers:t,counts:e}}){const n=tt(e),s=["layer",...n[0].slice(0,mt).map((r,l)=>"e"+(l+1))],o=n.map((r,l)=>c`<tr key=${t[l]}>
        <th scope="row">${t[l]}</th>
        ${r.slice(0,mt).map(u=>c`<td>${k(u)}</td>`)}
      </tr>`),a=n[0].length-mt;return c`<details class="as-table">
    <summary>The same as a table</summary>
    <p class="hint">
      ${"Shares of a layer's use, in percent"+(a>0?"; the other "+a+" experts are in the files.":".")}
    </p>
    <${U} label="Use of experts" columns=${s} rows=${o} />
  </details>`}function Ve(t){const{model:e,sample:n}=bt();return[["Its tokens on Paths",yt("paths",{model:e,sample:n,log:t,step:0})],["Its experts on Observe",yt("observe",{model:e,sample:n,log:t})]]}function Xe(){const t=z(i.a);return t?c`<p class="logs-opens">
      ${Ve(t.id).map(([e,n])=>c`<a key=${e} class="button" href=${n} onClick=${ct}>${e}</a>`)}
    </p>
    ${i.usage?c`<${Ge} usage=${i.usage} />`:c`<p class=${i.unshown?"logs-problem":"hint"} role="status">${i.unshown??"On its way."}</p>`}
    <${Je} layers=${t.facts.layers} />
    ${i.usage&&c`<${Ke} usage=${i.usage} />`}
    ${t.facts.notes.map(e=>c`<p class="hint">${e}</p>`)}`:c`<p class="hint">${i.a?"On its way.":"Choose a log as A."}</p>`}P("logs-usage",t=>{const e=()=>At.value+=1,n=[D(t,()=>c`<${Xe} />`),$t(e)],s=new ResizeObserver(e);return s.observe(t),()=>{s.disconnect(),n.forEach(o=>o())}});const Pt=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],It=t=>t===null?"":(Pt.find(([e])=>t<e)??[1,"",""])[1];function et(t,[e,n]){return t===null?"none":e===null||n===null?k(t):k(t)+" ("+k(e)+" to "+k(n)+")"}const Lt=({share:t})=>c`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(t??0)+"%"}}></span></span>`;function Ye({comparison:t}){const e=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=t.layers.map(s=>c`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Lt} share=${s.same} /></td>
        <td>${et(s.same,s.same_interval)}</td>
        <td>${et(s.overlap,s.overlap_interval)}</td>
        <td>${C(s.first_differs)}</td>
        <td>${et(s.began,s.began_interval)}</td>
      </tr>`);return c`<${U} label="By layer" columns=${e} rows=${n} />`}function Qe({comparison:t}){const{margins:e,margin_of:n}=t;if(!e.length)return c`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...e.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=e.map(r=>c`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${Lt} share=${(r.differ??0)/s} /></td>
        <td>${et(r.differ,r.interval)}</td>
        <td>${C(r.count)}</td>
      </tr>`);return c`<${U} label="By margin" columns=${o} rows=${a} />`}const Dt=()=>i.b?i.apart??"Being compared.":"Choose another log as B.";function Ze(){const{comparison:t}=i;if(!t)return c`<p class="hint">${Dt()}</p>`;const{tokens:e,sequences:n,same_at_every_layer:s,interval_over:o}=t;return c`<p class="logs-headline">
      <strong>${s===null?"none":k(s)} %</strong> of ${C(e)} tokens
      (${C(n)} sequences) take the same experts at every layer.
    </p>
    <${Ye} comparison=${t} />
    <${Qe} comparison=${t} />
    <p class="hint">
      A is ${z(i.a)?.name??t.a}, B is ${z(i.b)?.name??t.b}. Intervals: 95 %, over
      ${" "+o}. ${t.notes.join(" ")}
    </p>`}function tn({text:t,agreement:e,first:n,place:s,number:o}){const r=(e===null?"not compared":k(e)+" % of the layers agree")+(n?", the first that differs is "+n:""),l=It(e),u=t===null?"token "+o+" ":t.split(`
`).map(q).join(q(`
`)+`
`);return l?c`<button
    type="button"
    class=${"logs-token is-"+l}
    title=${r}
    aria-label=${"token "+o+" "+(t??"")+": "+r}
    aria-pressed=${String(i.token===s)}
    onClick=${()=>{St(s)}}
  >
    ${u}
  </button>`:c`<span class="logs-token" title=${r}>${u}</span>`}function jt({text:{sequence:t,items:e,total:n,offset:s}}){const o=z(i.a)?.facts.sequences??1,a=[["previous","Sequence before",t>0,()=>{G(t-1,0)}],["next","Sequence behind",t+1<o,()=>{G(t+1,0)}],["previous","Tokens before",s>0,()=>{G(t,Math.max(0,s-X))}],["next","Tokens behind",s+e.length<n,()=>{G(t,s+X)}]],[r,l,u,h]=a.map(([$,f,b,d])=>c`<button type="button" class="tool" title=${f} aria-label=${f} disabled=${!b} onClick=${d}>
        ${gt($)}
      </button>`),p=e.length?C(s+1)+" to "+C(s+e.length)+" of "+C(n):"none";return c`<p class="logs-part">
    sequence ${r} ${C(t+1)+" of "+C(o)} ${l} tokens ${u} ${p} ${h}
  </p>`}function en(){const{text:t,unread:e}=i;if(!t)return c`<p class="hint">${e??Dt()}</p>`;const n=e&&c`<p class="logs-problem" role="status">${e}</p>`;if(!t.items.length)return c`<${jt} text=${t} />${n}`;const s=Pt.map(([,r,l])=>c`<span class=${"logs-token is-"+r}>${l}</span> `),o=t.items.map(({place:r,text:l,agreement:u,first:h})=>c`<tr key=${r}>
        <th scope="row">${r-t.start}</th>
        <td class="words">${l===null?"":q(l)}</td>
        <td>${u===null?"unknown":k(u)}</td>
        <td>${h??""}</td>
      </tr>`),a=["token","text","layers that agree, %","first that differs"];return c`<p class="hint">${t.name}, ${C(t.total)} tokens. ${s}</p>
    <${jt} text=${t} />
    ${n}
    <pre class="logs-tokens">
${t.items.map(r=>c`<${tn} key=${r.place} number=${r.place-t.start} ...${r} />`)}</pre>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${U} label="Tokens and how many layers agree" columns=${a} rows=${o} />
    </details>`}P("logs-compared",t=>D(t,()=>c`<${Ze} />`)),P("logs-text",t=>D(t,()=>c`<${en} />`));const nn=760,Ut=it(0);function sn({found:t}){const e=wt(null),n=Ut.value;return kt(()=>{const s=e.current?.parentElement;if(!e.current||!s)return;const o=Rt(t,Math.max(240,Math.min(nn,s.clientWidth)),Et());le({...o,background:null},W().font,e.current),Object.assign(e.current.style,{width:o.width+"px",height:o.height+"px"}),e.current.dataset.painted=String(t.token)},[t,n]),c`<canvas
    ref=${e}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`}const Nt=({taken:t})=>t.map(({unit:e,share:n})=>e+" "+k(n)+" %").join(", ")||"none",Wt=t=>t===null?"unknown":t.toPrecision(3);function on({found:t}){const e=t.layers.map(({a:s,b:o,same:a})=>c`<tr key=${s.layer} data-same=${String(a)}>
        <th scope="row">${s.layer}</th>
        <td class="words">${Nt(s)}</td>
        <td>${Wt(s.margin)}</td>
        <td class="words">${Nt(o)}</td>
        <td>${Wt(o.margin)}</td>
        <td>${a===null?"unknown":a?"same":"differs"}</td>
      </tr>`);return c`<${U} label="Experts of the token in A and B" columns=${["layer","A","margin of A","B","margin of B","experts"]} rows=${e} />`}function an(){const{decision:t,a:e,b:n}=i;if(!t&&i.untold)return c`<p class="logs-problem" role="status">${i.untold}</p>`;if(!t)return c`<p class="hint">${i.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=t.layers.filter(({same:u})=>u===!1).map(u=>u.a.layer),{model:o,sample:a}=bt(),r=(u,h,p)=>Zt({model:o,sample:a,log:u,sequence:h,token:p,step:0}),l=t.text===null?"":" \u201C"+q(t.text)+"\u201D";return c`<p class="logs-headline">
      <strong>${"Token "+t.place+l}</strong>${" of "+t.name+". "}${s.length?s.length+" of "+t.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${t.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${sn} found=${t} /></div>
    <p class="logs-opens">
      <a class="button" href=${r(e,t.sequence,t.place)} onClick=${ct}>A on Paths</a>
      <a class="button" href=${r(n,t.sequence_b,t.place_b)} onClick=${ct}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${on} found=${t} />
    </details>`}P("logs-token",t=>{const e=()=>Ut.value+=1,n=[D(t,()=>c`<${an} />`),$t(e),re(t,e)];return()=>n.forEach(s=>s())});const nt=860;function rn({layers:t,indices:e,counts:n}){const s=tt(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,l)=>[t[a],t[a]+".e"+(l+1),e[a],l,r,s[a][l]]))]}const ln=({layers:t,margins:e})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...t.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...e.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(l=>l??""),"","","","",r])],cn=({items:t})=>[["token","text","layers_that_agree","first_that_differs"],...t.map(({place:e,text:n,agreement:s,first:o})=>[e,n??"",s??"",o??""])],un=({layers:t})=>[["layer","routing","expert","share","margin","same"],...t.flatMap(({same:e,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",e??""])))];function st(t){const e=t.map(z);return e.every(n=>n!==null)?e.map(n=>n):null}const dn={"logs-usage":()=>{const{usage:t}=i,e=st([i.a]);if(!t||!e)return null;const n=rn(t);return{name:"log-usage",title:"Use of experts in "+e[0].name,facts:{...V(e),tokens:e[0].facts.tokens},rows:()=>n,json:()=>xt(n),python:pe,picture:{scene:()=>je(t,tt(t.counts),e[0].name,nt)}}},"logs-compared":()=>{const{comparison:t}=i,e=st([i.a,i.b]);if(!t||!e)return null;const n=ln(t),{tokens:s,sequences:o}=t;return{name:"logs-compared",facts:{...V(e),tokens:s,sequences:o,interval_over:t.interval_over},rows:()=>n,json:()=>({...t}),python:de,picture:{scene:()=>Ue(t,e.map(({name:a})=>a).join(" beside "),nt)}}},"logs-text":()=>{const{text:t}=i,e=st([i.a,i.b]);if(!t||!t.items.length||!e)return null;const n=cn(t);return{name:"logs-text",facts:{...V(e),sequence:t.sequence,sequence_name:t.name},rows:()=>n,json:()=>xt(n),python:ue,picture:{scene:()=>We(t,It,nt)}}},"logs-token":()=>{const{decision:t}=i,e=st([i.a,i.b]);if(!t||!e)return null;const n=un(t);return{name:"logs-token",facts:{...V(e),sequence_name:t.name,token:t.token},rows:()=>n,json:()=>({...t}),python:ce,picture:{scene:()=>Rt(t,nt,Et())}}}};for(const[t,e]of Object.entries(dn))ie(t,e);let qt={},ft=!1;const zt=()=>ft&&ee("logs",{...qt,a:i.a,b:i.b,token:i.token}),pn={show(t){return qt={model:t?.model,sample:t?.sample},zt(),ne()}};P("logs-page",t=>{ft=!0;const{a:e,b:n}=te("logs","a","b"),{token:s}=t.dataset;$e(t.dataset.a||e,t.dataset.b||n,s===void 0?null:Number(s));const o=me((a,r)=>{["a","b","token"].some(l=>r.has(l))&&zt()});return()=>{ft=!1,o(),be()}});export{pn as callbacks};
