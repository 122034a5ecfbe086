/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{t as qt,K as zt,A as at,X as Ft,P as Ht,G as B,k as L,s as i,N as Gt,i as mt,y as O,as as Jt,aQ as Kt,r as W,C as x,L as rt,H as ft,ac as lt,ah as gt,ad as $t,a8 as bt,aR as yt,aS as Vt,a4 as Xt,a6 as Qt,J as Yt}from"../../boot.js";import{F as Zt,bj as q,bk as te,a$ as ee,o as ne,a as se,r as oe,bl as ae,bm as X,bn as re,aC as wt,bo as le,bp as ie}from"../../shared.js";const ce=100,Q=200,kt={logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,unshown:null,apart:null,unread:null,untold:null},{state:c,update:$,subscribe:ue}=qt(kt);let v=0,E=0,xt=0;const P=t=>t instanceof Error?t.message:String(t),F=t=>c.logs?.find(e=>e.id===t)??null,I=t=>at("GET",t),it=()=>"?a="+encodeURIComponent(c.a??"")+"&b="+encodeURIComponent(c.b??"");async function H(t,e){const[n,s]=[v,xt+=1],o=()=>n===v&&s===xt,a=t===null?"":"&sequence="+t;try{const r=await I("/logs/comparison/tokens"+it()+a+"&limit="+Q+"&offset="+e);o()&&$({text:{...r,offset:e},unread:null})}catch(r){if(!o())return;const u=t!==null&&r instanceof Ht&&r.status===404?{sequence:t,name:"",items:[],total:0,offset:0}:c.text;$({text:u,unread:P(r)})}}async function vt(t){const e=v;$({token:t,untold:null});try{const n=await I("/logs/comparison/token"+it()+"&token="+t);return e!==v||c.token!==t?null:($({decision:n}),n)}catch(n){return e===v&&c.token===t&&$({token:null,decision:null,untold:P(n)}),null}}async function de(t){const e=v;try{const n=await I("/logs/"+encodeURIComponent(t)+"/usage");e===v&&$({usage:n})}catch(n){e===v&&$({unshown:P(n)})}}async function pe(t){const e=v;try{const n=await I("/logs/comparison"+it());if(e!==v)return;$({comparison:n});const s=t===null?null:await vt(t);if(e!==v)return;await H(s&&s.sequence,s?s.at-s.at%Q:0)}catch(n){e===v&&$({apart:P(n)})}}async function A(t,e,n=null){v+=1;const s=t===e?null:e,o=t===c.a&&c.usage;$({a:t,b:s,...{comparison:null,text:null,token:n,decision:null,unshown:null,apart:null,unread:null,untold:null},...o?{}:{usage:null}}),await Promise.all([t&&!o?de(t):null,t&&s?pe(n):null])}async function he(t,e,n=null){const s=v+=1,o=E+=1,a=new Set(c.logs?.map(({id:r})=>r));$({a:t,b:e,token:n});try{const{items:r}=await I("/logs?limit="+ce);if(o!==E)return;const l=d=>d===null||r.some(w=>w.id===d),u=await Promise.all([t,e].filter(d=>!l(d)).map(d=>I("/logs/"+d).catch(()=>null)));if(o!==E)return;const p=[...r,...u.filter(Boolean)],g=new Set(p.map(({id:d})=>d)),m=[...(c.logs??[]).filter(({id:d})=>!g.has(d)&&!a.has(d)),...p];if(s!==v){$({logs:m});return}const f=d=>m.some(w=>w.id===d)?d:null;$({logs:m,problem:null}),await A(f(t)??m[0]?.id??null,f(e),f(t)&&f(e)?n:null)}catch(r){s===v&&$({logs:[],problem:P(r)})}}function me(){v+=1,E+=1,$(kt)}function fe(t){return $({logs:[t,...c.logs??[]],problem:null}),A(t.id,null)}const _t={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer"},ge=(t,e)=>{const n=s=>"\u201C"+_t[s]+"\u201D";return t.replace(/^log\b/i,()=>e).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(s,o)=>"as "+n(o)+", then bring it again").replace(/\(--(top-k|layers|experts)\)/g,(s,o)=>"("+n(o.replace("-","_"))+")")};async function $e(t,e,n){if(c.sending)return;if(t.size>e){$({problem:t.name+" has "+ct(t.size)+"; up to "+ct(e)+" are accepted."});return}const s=E,o=l=>s===E&&$(l);o({sending:{name:t.name,share:0},problem:null});const a=Object.entries(n).filter(([,l])=>l),r=new URLSearchParams([["name",t.name.slice(0,80)],...a]);try{const l=new Blob([t],{type:"application/octet-stream"}),u=g=>o({sending:{name:t.name,share:g}}),p=await zt("/logs?"+r.toString(),l,u);s===E&&await fe(p)}catch(l){o({problem:ge(P(l),t.name)})}finally{o({sending:null})}}const ct=t=>(t/1024/1024).toFixed(t<10*1024*1024?1:0)+" MiB";async function be(t){const{model:e="",drop:n=[]}=t;if(!n.some(a=>a.includes("..")))return t;const{units:s}=await I("/models/"+encodeURIComponent(e)),o=a=>a.includes("..")?Ft(s,[a]):[];return{...t,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function Et(t,e){const n=E;$({recording:!0,problem:null});try{const s=[];for(const o of t)s.push(await at("POST","/logs/recordings",await be(o)));if(n!==E)return;$({logs:[...s,...c.logs??[]]}),await e(s)}catch(s){n===E&&$({problem:P(s)})}finally{n===E&&$({recording:!1})}}const ye=()=>Et(["float32","bfloat16"].map(t=>({model:"moe-bytes",precision:t})),([t,e])=>A(t.id,e.id)),we=t=>Et([t],([e])=>c.a?A(c.a,e.id):A(e.id,null));async function ke(t){const e=E;try{if(await at("DELETE","/logs/"+encodeURIComponent(t)),e!==E)return;$({logs:(c.logs??[]).filter(s=>s.id!==t),problem:null});const n=s=>s===t?null:s;await A(n(c.a)??c.logs?.[0]?.id??null,n(c.b))}catch(n){e===E&&$({problem:P(n)})}}const xe=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise"]],Y={};function ve({most:t,take:e}){const{sending:n,recording:s,problem:o}=c;return i`<div class="logs-drop">
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!n}
        onChange=${a=>{const r=a.target;e(r.files),r.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${mt("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npz or parquet, up to ${ct(t)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${xe.map(([a,r])=>i`<label title=${r}
              >${_t[a]}
              <input
                type="number"
                min="1"
                max="32768"
                inputmode="numeric"
                onInput=${l=>Y[a]=l.target.value}
            /></label>`)}
      </fieldset>
      <button type="button" class="button" disabled=${s} onClick=${ye}>
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
    </div>`}function _e(t,e){const n=o=>t.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),e(o.dataTransfer?.files))]];return s.forEach(([o,a])=>t.addEventListener(o,a)),()=>s.forEach(([o,a])=>t.removeEventListener(o,a))}B("logs-bring",t=>{const e=Number(t.dataset.maxBytes),n=a=>{a?.[0]&&!Gt.value.read_only&&$e(a[0],e,Y)},s=t.closest(".page"),o=[L(t,()=>i`<${ve} most=${e} take=${n} />`),_e(s,n)];return()=>{o.forEach(a=>a()),Object.keys(Y).forEach(a=>delete Y[a])}});function D({label:t,columns:e,rows:n}){const s=e.map(o=>o?i`<th scope="col">${o}</th>`:i`<td></td>`);return i`<div class="table-scroll" tabindex="0" role="group" aria-label=${t}>
    <${Zt} heads=${s} rows=${n} look="logs-table" />
  </div>`}function Ee({log:{id:t,name:e}}){const[n,s]=Jt(!1),o=i`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+e}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?i`${o}<button type="button" class="tool tool-text danger" onClick=${()=>ke(t)}>
      Delete this log
    </button>`:o}function Se({log:t}){const{facts:e}=t,n=s=>{const o=c[s]===t.id,a=()=>{if(s==="a")return A(t.id,c.b===t.id?c.a:c.b);if(c.a!==t.id)return A(c.a,o?null:t.id);const r=c.b??c.logs?.find(({id:l})=>l!==t.id)?.id;return r?A(r,t.id):null};return i`<button
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
    <td>${O(e.tokens)}</td>
    <td>${e.layers.length} × ${e.experts}${e.experts_counted?"*":""}</td>
    <td>${e.top_k}</td>
    <td class="writes">${t.owner!=="another"&&i`<${Ee} log=${t} />`}</td>
  </tr>`}const Me=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function Te(){const{logs:t}=c;if(!t)return i`<p class="hint">Asking which logs there are.</p>`;if(!t.length)return i`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const e=t.map(s=>i`<${Se} key=${s.id} log=${s} />`),n=t.some(({facts:s})=>s.experts_counted);return i`<${D} label="Logs" columns=${Me} rows=${e} />
    ${n&&i`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}B("logs-list",t=>L(t,()=>i`<${Te} />`));const Ce="top_experts",St=["its own","float64","float32","bfloat16","float16"];function Oe({model:t,precision:e,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=St.indexOf(String(e))>0?String(e):null;return{model:String(t),precision:a,drop:o,top_k:s?Number(s):null}}function Re(t){t.preventDefault(),we(Oe(Object.fromEntries(new FormData(t.currentTarget))))}function Ae(){const t=(Kt()??[]).filter(({fields:e})=>e.includes(Ce));return t.length?i`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${Re}>
      <label
        >Model<select name="model" class="small-input">
          ${t.map(({id:e})=>i`<option key=${e}>${e}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${St.map(e=>i`<option key=${e}>${e}</option>`)}
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
  </details>`:null}B("logs-record",t=>L(t,()=>i`<${Ae} />`));const[S,j]=[58,26],G=7.6,Z=20,M=(t,e,n,s,o)=>({shape:"text",x:t,y:e,text:n,size:11,fill:s,...o}),tt=(t,e)=>[1,2,4,5,8,10,16,20,32,64].find(n=>n*t>=e)??128,ut=t=>t.reduce((e,n)=>n.reduce((s,o)=>Math.max(s,o),e),Number.EPSILON),Be=(t,e)=>e===1?t:Array.from({length:Math.ceil(t.length/e)},(n,s)=>Math.max(...t.slice(s*e,(s+1)*e)));function Pe({layers:t},e,n,s){const o=W(),a=ut(e),r=(s-S-8)/e[0].length,l=Math.max(6,Math.min(22,420/t.length)),u=[],[p,g]=[tt(r,28),tt(l,13)],h=Math.ceil(1/r);e[0].forEach((w,y)=>{y%p===0&&u.push(M(S+(y+.5)*r,18,"e"+(y+1),o.dim,{anchor:"middle"}))}),e.forEach((w,y)=>{const _=j+y*l;y%g===0&&u.push(M(S-8,_+l/2+4,t[y],o.ink,{anchor:"end"}));const b=Be(w,h),k=r>6?1:0;k||u.push({shape:"rect",x:S,y:_,w:r*w.length,h:l-1,fill:o.hair}),b.forEach((T,C)=>{const R={x:S+C*h*r,y:_,w:h*r-k,h:l-1};k&&u.push({shape:"rect",...R,fill:o.hair}),T&&u.push({shape:"rect",...R,fill:o.accent,opacity:T/a})})});const m=j+t.length*l+22,f=x(1/e[0].length)+" % is even use, "+x(a)+" % the most"+(h>1?"; a cell is the most used of "+h+" experts":"");return u.push(M(S,m-6,f,o.dim)),{width:s,height:m,background:o.surface,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",items:u}}function dt(t,{x:e,y:n,value:s,interval:[o,a],full:r}){if(s===null)return[];const l=r?t.accent:t.dim,u=[];return o!==null&&a!==null&&u.push({shape:"path",d:`M${e},${n(o)}V${n(a)}M${e-3},${n(o)}h6M${e-3},${n(a)}h6`,stroke:l,width:1.4}),u.push({shape:"circle",cx:e,cy:n(s),r:3.4,fill:r?l:t.surface,stroke:l,width:1.4}),u}const Mt=(t,{from:e,to:n,y:s,ticks:o})=>o.flatMap(a=>[{shape:"path",d:`M${e},${s(a)}H${n}`,stroke:t.hair,width:1},M(e-6,s(a)+4,x(a),t.dim,{anchor:"end"})]),Tt=(t,e)=>[0,.25,.5,.75,1].map(n=>t+n*(e-t));function Le({layers:t,margins:e,margin_of:n},s,o){const a=W(),[r,l]=[150,64],u=t.flatMap(({same:b,same_interval:[k]})=>[k??b??1,b??1]),p=Math.max(0,Math.floor(Math.min(...u)*20-.5)/20),g=b=>j+8+r*(1-(Math.max(b,p)-p)/(1-p||1)),[h,m]=[S,o-12],f=(m-h)/t.length,d=[M(12,16,"tokens with the same experts, % (dot), experts in common, % (ring)",a.ink)];d.push(...Mt(a,{from:h,to:m,y:g,ticks:Tt(p,1)}));const w=tt(f,30);t.forEach((b,k)=>{const T=h+(k+.5)*f,C=Math.min(6,f/4);d.push(...dt(a,{x:T+C,y:g,value:b.overlap,interval:b.overlap_interval,full:!1})),d.push(...dt(a,{x:T-C,y:g,value:b.same,interval:b.same_interval,full:!0})),k%w===0&&d.push(M(T,j+r+26,b.layer,a.dim,{anchor:"middle"}))});let y=j+r+36;if(e.length){const b=y+l/2,k=Math.max(...e.map(({differ:R,interval:[,z]})=>z??R??0),.001),T=R=>b+r*(1-R/k);d.push(M(12,b-12,"that differ, %, by the router's margin in A ("+n+")",a.ink)),d.push(...Mt(a,{from:h,to:m,y:T,ticks:Tt(0,k)}));const C=(m-h)/e.length;e.forEach(({low:R,high:z,differ:K,interval:N},U)=>{const V=h+(U+.5)*C,Wt=(R??0).toPrecision(2)+" to "+(z??0).toPrecision(2);d.push(...dt(a,{x:V,y:T,value:K,interval:N,full:!0})),U%tt(C,84)===0&&d.push(M(V,b+r+18,Wt,a.dim,{anchor:"middle"}))}),y=b+r+30}return{width:o,height:y,background:a.surface,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",items:d}}const Ie={nearly:"accent",most:"warn",few:"bad"};function De({items:t,name:e},n,s){const o=W(),a=Math.max(10,Math.floor((s-24)/G)),r=t.map(({text:h,place:m})=>h??m+" "),{rows:l,places:u}=te(r,a),p=[];return u.forEach(({row:h,column:m,span:f},d)=>{const w=Ie[n(t[d].agreement)],[y,_]=[12+m*G,12+h*Z],b=w&&{accent:o.accent,warn:o.marker,bad:o.bad}[w];b&&(p.push({shape:"rect",x:y,y:_,w:f*G,h:Z-2,fill:b,opacity:w==="accent"?.12:.3}),p.push({shape:"rect",x:y,y:_+Z-4,w:f*G,h:2,fill:b})),[...q(r[d])].slice(0,f).forEach((k,T)=>{k.trim()&&p.push(M(y+(T+.5)*G,_+14,k,o.ink,{anchor:"middle",size:12.5}))})}),{width:s,height:24+l*Z,background:o.surface,title:"A and B in "+e,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",items:p}}function Ct({layers:t,text:e,token:n,name:s},o){const a=W(),r=(o-S-28)/2,[l,u]=[18,24],p=[M(S,16,"A",a.ink,{weight:700}),M(S+r+16,16,"B",a.ink,{weight:700})];t.forEach(({a:f,b:d,same:w},y)=>{const _=j+y*u,b=w===!1?700:450;p.push(M(S-8,_+13,f.layer,a.ink,{anchor:"end",weight:b})),[f,d].forEach(({taken:k},T)=>{let C=S+T*(r+16);k.length||p.push(M(C,_+13,"none",a.dim));for(const{unit:R,index:z,share:K}of k){const N=K*r,U=R.split(".").at(-1)??R;p.push({shape:"rect",x:C,y:_,w:Math.max(0,N-1),h:l,fill:a.unit(z),opacity:.55});const V=N>64?U+" "+x(K)+" %":U;N>7*U.length+4&&p.push(M(C+4,_+13,V,a.ink,{halo:a.surface})),C+=N}}),w===!1&&p.push({shape:"rect",x:S-3,y:_-3,w:o-S-6,h:u,rx:3,stroke:a.bad,width:1.4})});const g=e===null?"":" \u201C"+q(e)+"\u201D",h="Token "+n+g+" of "+s+" in A and B";return{width:o,height:j+t.length*u+8,background:a.surface,title:h,desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",items:p}}const je=12,Ne=420,pt=64,J=rt(null),Ot=rt(0);function et(t){return t.map(e=>{const n=e.reduce((s,o)=>s+o,0);return e.map(s=>n?s/n:0)})}function Ue(t,e){const n=t.getContext("2d");if(!n)return;const s=W(),{live:o}=ee(s),a=ut(e),r=window.devicePixelRatio||1;t.width=Math.round(t.clientWidth*r),t.height=Math.round(t.clientHeight*r);const l=new ImageData(e[0].length,e.length),u=new Uint32Array(l.data.buffer);e.forEach((f,d)=>f.forEach((w,y)=>u[d*f.length+y]=o[Math.round(255*w/a)]));const p=new OffscreenCanvas(l.width,l.height);p.getContext("2d")?.putImageData(l,0,0),n.imageSmoothingEnabled=!1,n.drawImage(p,0,0,t.width,t.height);const g=J.value;if(!g)return;const[h,m]=[t.width/l.width,t.height/l.height];n.strokeStyle=s.ink,n.lineWidth=2*r,n.strokeRect(g[1]*h,g[0]*m,h,m)}function We({usage:t}){const e=bt(null),n=et(t.counts),s=[t,J.value,Ot.value];yt(()=>{e.current&&Ue(e.current,n)},s);function o(l){const u=l.currentTarget,{left:p,top:g,width:h,height:m}=u.getBoundingClientRect(),f=Math.floor(n.length*(l.clientY-g)/m),d=Math.floor(n[0].length*(l.clientX-p)/h);J.value=n[f]?.[d]===void 0?null:[f,d]}const a=Math.min(Ne,Math.max(t.layers.length*je,96)),r=t.layers.length+" layers by "+n[0].length+" experts; the figures stand below";return i`<canvas
      ref=${e}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${r}
      onPointermove=${o}
      onPointerleave=${()=>J.value=null}
    ></canvas>
    <p class="readout logs-readout">${qe(t,n)}</p>`}function qe({layers:t,indices:e,counts:n},s){const o=J.value;if(!o||!n[o[0]]){const g=ut(s);return"Even use is "+x(1/s[0].length)+" % for each expert; the most is "+x(g)+" %."}const[a,r]=o,l=t[a]+".e"+(r+1),u="layer "+e[a]+", expert "+r+" in the log",p=x(s[a][r]);return l+" ("+u+"): "+O(n[a][r])+" tokens, "+p+" % of the layer's use"}function ze({layers:t}){const e=["layer","evenness","never used","most used"],n=t.map(s=>i`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td class="words">
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+x(a)+" %").join(", ")}
        </td>
      </tr>`);return i`<${D} label="Layers of A" columns=${e} rows=${n} />`}function Fe({usage:{layers:t,counts:e}}){const n=et(e),s=["layer",...n[0].slice(0,pt).map((r,l)=>"e"+(l+1))],o=n.map((r,l)=>i`<tr key=${t[l]}>
        <th scope="row">${t[l]}</th>
        ${r.slice(0,pt).map(u=>i`<td>${x(u)}</td>`)}
      </tr>`),a=n[0].length-pt;return i`<details class="as-table">
    <summary>The same as a table</summary>
    <p class="hint">
      ${"Shares of a layer's use, in percent"+(a>0?"; the other "+a+" experts are in the files.":".")}
    </p>
    <${D} label="Use of experts" columns=${s} rows=${o} />
  </details>`}function He(t){const{model:e,sample:n}=gt();return[["Its tokens on Paths",$t("paths",{model:e,sample:n,log:t,step:0})],["Its experts on Observe",$t("observe",{model:e,sample:n,log:t})]]}function Ge(){const t=F(c.a);return t?i`<p class="logs-opens">
      ${He(t.id).map(([e,n])=>i`<a key=${e} class="button" href=${n} onClick=${lt}>${e}</a>`)}
    </p>
    ${c.usage?i`<${We} usage=${c.usage} />`:i`<p class=${c.unshown?"logs-problem":"hint"} role="status">${c.unshown??"On its way."}</p>`}
    <${ze} layers=${t.facts.layers} />
    ${c.usage&&i`<${Fe} usage=${c.usage} />`}
    ${t.facts.notes.map(e=>i`<p class="hint">${e}</p>`)}`:i`<p class="hint">${c.a?"On its way.":"Choose a log as A."}</p>`}B("logs-usage",t=>{const e=()=>Ot.value+=1,n=[L(t,()=>i`<${Ge} />`),ft(e)],s=new ResizeObserver(e);return s.observe(t),()=>{s.disconnect(),n.forEach(o=>o())}});const Rt=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],At=t=>t===null?"":(Rt.find(([e])=>t<e)??[1,"",""])[1];function nt(t,[e,n]){return t===null?"none":e===null||n===null?x(t):x(t)+" ("+x(e)+" to "+x(n)+")"}const Bt=({share:t})=>i`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(t??0)+"%"}}></span></span>`;function Je({comparison:t}){const e=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=t.layers.map(s=>i`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Bt} share=${s.same} /></td>
        <td>${nt(s.same,s.same_interval)}</td>
        <td>${nt(s.overlap,s.overlap_interval)}</td>
        <td>${O(s.first_differs)}</td>
        <td>${nt(s.began,s.began_interval)}</td>
      </tr>`);return i`<${D} label="By layer" columns=${e} rows=${n} />`}function Ke({comparison:t}){const{margins:e,margin_of:n}=t;if(!e.length)return i`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...e.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=e.map(r=>i`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${Bt} share=${(r.differ??0)/s} /></td>
        <td>${nt(r.differ,r.interval)}</td>
        <td>${O(r.count)}</td>
      </tr>`);return i`<${D} label="By margin" columns=${o} rows=${a} />`}const Pt=()=>c.b?c.apart??"Being compared.":"Choose another log as B.";function Ve(){const{comparison:t}=c;if(!t)return i`<p class="hint">${Pt()}</p>`;const{tokens:e,sequences:n,same_at_every_layer:s,interval_over:o}=t;return i`<p class="logs-headline">
      <strong>${s===null?"none":x(s)} %</strong> of ${O(e)} tokens
      (${O(n)} sequences) take the same experts at every layer.
    </p>
    <${Je} comparison=${t} />
    <${Ke} comparison=${t} />
    <p class="hint">
      A is ${F(c.a)?.name??t.a}, B is ${F(c.b)?.name??t.b}. Intervals: 95 %, over
      ${" "+o}. ${t.notes.join(" ")}
    </p>`}function Xe({text:t,agreement:e,first:n,place:s}){const a=(e===null?"not compared":x(e)+" % of the layers agree")+(n?", the first that differs is "+n:""),r=At(e),l=t===null?"token "+s+" ":t.split(`
`).map(q).join(q(`
`)+`
`);return r?i`<button
    type="button"
    class=${"logs-token is-"+r}
    title=${a}
    aria-label=${"token "+s+" "+(t??"")+": "+a}
    aria-pressed=${String(c.token===s)}
    onClick=${()=>{vt(s)}}
  >
    ${l}
  </button>`:i`<span class="logs-token" title=${a}>${l}</span>`}function Lt({text:{sequence:t,items:e,total:n,offset:s}}){const o=F(c.a)?.facts.sequences??1,a=[["previous","Sequence before",t>0,()=>{H(t-1,0)}],["next","Sequence behind",t+1<o,()=>{H(t+1,0)}],["previous","Tokens before",s>0,()=>{H(t,Math.max(0,s-Q))}],["next","Tokens behind",s+e.length<n,()=>{H(t,s+Q)}]],[r,l,u,p]=a.map(([h,m,f,d])=>i`<button type="button" class="tool" title=${m} aria-label=${m} disabled=${!f} onClick=${d}>
        ${mt(h)}
      </button>`),g=e.length?O(s+1)+" to "+O(s+e.length)+" of "+O(n):"none";return i`<p class="logs-part">
    sequence ${r} ${O(t+1)+" of "+O(o)} ${l} tokens ${u} ${g} ${p}
  </p>`}function Qe(){const{text:t,unread:e}=c;if(!t)return i`<p class="hint">${e??Pt()}</p>`;const n=e&&i`<p class="logs-problem" role="status">${e}</p>`;if(!t.items.length)return i`<${Lt} text=${t} />${n}`;const s=Rt.map(([,r,l])=>i`<span class=${"logs-token is-"+r}>${l}</span> `),o=t.items.map(({place:r,text:l,agreement:u,first:p})=>i`<tr key=${r}>
        <th scope="row">${r}</th>
        <td class="words">${l===null?"":q(l)}</td>
        <td>${u===null?"unknown":x(u)}</td>
        <td>${p??""}</td>
      </tr>`),a=["token of A","text","layers that agree, %","first that differs"];return i`<p class="hint">${t.name}, ${O(t.total)} tokens. ${s}</p>
    <${Lt} text=${t} />
    ${n}
    <pre class="logs-tokens">${t.items.map(r=>i`<${Xe} key=${r.place} ...${r} />`)}</pre>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${D} label="Tokens and how many layers agree" columns=${a} rows=${o} />
    </details>`}B("logs-compared",t=>L(t,()=>i`<${Ve} />`)),B("logs-text",t=>L(t,()=>i`<${Qe} />`));const Ye=760,It=rt(0);function Ze({found:t}){const e=bt(null),n=It.value;return yt(()=>{const s=e.current?.parentElement;if(!e.current||!s)return;const o=Ct(t,Math.max(240,Math.min(Ye,s.clientWidth)));se({...o,background:null},W().font,e.current),Object.assign(e.current.style,{width:o.width+"px",height:o.height+"px"}),e.current.dataset.painted=String(t.token)},[t,n]),i`<canvas
    ref=${e}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`}const Dt=({taken:t})=>t.map(({unit:e,share:n})=>e+" "+x(n)+" %").join(", ")||"none",jt=t=>t===null?"unknown":t.toPrecision(3);function tn({found:t}){const e=t.layers.map(({a:s,b:o,same:a})=>i`<tr key=${s.layer} data-same=${String(a)}>
        <th scope="row">${s.layer}</th>
        <td class="words">${Dt(s)}</td>
        <td>${jt(s.margin)}</td>
        <td class="words">${Dt(o)}</td>
        <td>${jt(o.margin)}</td>
        <td>${a===null?"unknown":a?"same":"differs"}</td>
      </tr>`);return i`<${D} label="Experts of the token in A and B" columns=${["layer","A","margin of A","B","margin of B","experts"]} rows=${e} />`}function en(){const{decision:t,a:e,b:n}=c;if(!t&&c.untold)return i`<p class="logs-problem" role="status">${c.untold}</p>`;if(!t)return i`<p class="hint">${c.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=t.layers.filter(({same:u})=>u===!1).map(u=>u.a.layer),{model:o,sample:a}=gt(),r=(u,p,g)=>Vt({model:o,sample:a,log:u,sequence:p,token:g,step:0}),l=t.text===null?"":" \u201C"+q(t.text)+"\u201D";return i`<p class="logs-headline">
      <strong>${"Token "+t.place+l}</strong>${" of "+t.name+". "}${s.length?s.length+" of "+t.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${t.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${Ze} found=${t} /></div>
    <p class="logs-opens">
      <a class="button" href=${r(e,t.sequence,t.place)} onClick=${lt}>A on Paths</a>
      <a class="button" href=${r(n,t.sequence_b,t.place_b)} onClick=${lt}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${tn} found=${t} />
    </details>`}B("logs-token",t=>{const e=()=>It.value+=1,n=[L(t,()=>i`<${en} />`),ft(e),ne(t,e)];return()=>n.forEach(s=>s())});const st=860;function nn({layers:t,indices:e,counts:n}){const s=et(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,l)=>[t[a],t[a]+".e"+(l+1),e[a],l,r,s[a][l]]))]}const sn=({layers:t,margins:e})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...t.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...e.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(l=>l??""),"","","","",r])],on=({items:t})=>[["token","text","layers_that_agree","first_that_differs"],...t.map(({place:e,text:n,agreement:s,first:o})=>[e,n??"",s??"",o??""])],an=({layers:t})=>[["layer","routing","expert","share","margin","same"],...t.flatMap(({same:e,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",e??""])))];function ot(t){const e=t.map(F);return e.every(n=>n!==null)?e.map(n=>n):null}const rn={"logs-usage":()=>{const{usage:t}=c,e=ot([c.a]);if(!t||!e)return null;const n=nn(t);return{name:"log-usage",title:"Use of experts in "+e[0].name,facts:{...X(e),tokens:e[0].facts.tokens},rows:()=>n,json:()=>wt(n),python:ie,picture:{scene:()=>Pe(t,et(t.counts),e[0].name,st)}}},"logs-compared":()=>{const{comparison:t}=c,e=ot([c.a,c.b]);if(!t||!e)return null;const n=sn(t),{tokens:s,sequences:o}=t;return{name:"logs-compared",facts:{...X(e),tokens:s,sequences:o,interval_over:t.interval_over},rows:()=>n,json:()=>({...t}),python:le,picture:{scene:()=>Le(t,e.map(({name:a})=>a).join(" beside "),st)}}},"logs-text":()=>{const{text:t}=c,e=ot([c.a,c.b]);if(!t||!t.items.length||!e)return null;const n=on(t);return{name:"logs-text",facts:{...X(e),sequence:t.sequence,sequence_name:t.name},rows:()=>n,json:()=>wt(n),python:re,picture:{scene:()=>De(t,At,st)}}},"logs-token":()=>{const{decision:t}=c,e=ot([c.a,c.b]);if(!t||!e)return null;const n=an(t);return{name:"logs-token",facts:{...X(e),sequence_name:t.name,token:t.token},rows:()=>n,json:()=>({...t}),python:ae,picture:{scene:()=>Ct(t,st)}}}};for(const[t,e]of Object.entries(rn))oe(t,e);let Nt={},ht=!1;const Ut=()=>ht&&Qt("logs",{...Nt,a:c.a,b:c.b,token:c.token}),ln={show(t){return Nt={model:t?.model,sample:t?.sample},Ut(),Yt()}};B("logs-page",t=>{ht=!0;const{a:e,b:n}=Xt("logs","a","b"),{token:s}=t.dataset;he(t.dataset.a||e,t.dataset.b||n,s===void 0?null:Number(s));const o=ue((a,r)=>{["a","b","token"].some(l=>r.has(l))&&Ut()});return()=>{ht=!1,o(),me()}});export{ln as callbacks};
