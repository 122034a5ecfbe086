/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{A as lt,am as X,G as de,U as fe,ar as Ce,p as it,a3 as ct,R as me,S as Le,i as he,s as c,u as ut,H as w,F as A,r as Be,be as pt,aw as ge,ah as $e,ax as Oe,b0 as dt,V as ft,$ as mt,m as ht,bf as gt,ay as $t,az as bt,c as yt,al as kt,aA as xt}from"../../boot.js";import{_ as wt,A as be,bm as N,w as ye,ai as F,D as Y,E as U,a7 as R,bn as vt,H as _t,I as Pe,J as ke,K as xe,aw as Re,ag as Mt,M as St,o as At,b4 as Et,a4 as Tt,bo as Ct,n as Lt,P as Ie}from"../../shared.js";const Bt=100,W=200,qe={most:0,logs:null,a:null,b:null,token:null,part:null,untold:null,sending:null,recording:!1,problem:null},{state:u,update:y,subscribe:Ot}=lt(qe);let H=0,_=0;const Q=e=>e instanceof Error?e.message:String(e),E=e=>u.logs?.find(t=>t.id===e)??null,we=()=>[u.a,u.b].map(e=>E(e)?.facts),P=(e,t)=>de("GET",e,void 0,{signal:t}),ve=e=>"/logs/comparison"+e+"?a="+u.a+"&b="+u.b,G=X(()=>E(u.a)&&"/logs/"+u.a+"/usage",P),I=X(()=>E(u.a)&&E(u.b)&&ve(""),P),T=X(()=>I.answer()&&u.token!==null?ve("/token")+"&token="+u.token:null,P);function Z(){if(u.part)return u.part;const e=T.answer();return e?{sequence:e.sequence,offset:e.at-e.at%W}:u.token===null||T.problem()&&!T.waits()?{sequence:null,offset:0}:null}const ee=X(()=>{const e=I.answer()&&Z();if(!e)return null;const t=e.sequence===null?"":"&sequence="+e.sequence;return ve("/tokens")+t+"&limit="+W+"&offset="+e.offset},async(e,t)=>({...await P(e,t),offset:Number(e.split("=").at(-1))}));function J(){const{sequence:e=null}=u.part??{};return e!==null&&ee.problem()?.status===404?{sequence:e,name:"",start:0,items:[],total:0,offset:0}:ee.latest()}const Ne=()=>ee.problem()?.message??null,K=(e,t)=>y({part:{sequence:e,offset:t}}),De=e=>y({token:e,part:Z(),untold:null});async function Pt(e){const t=_,{facts:n}=E(e)??{};if(!n||n.layers.length===n.layer_count&&(n.notes.length||!n.note_count))return;const s=await P("/logs/"+encodeURIComponent(e)).catch(()=>null);s&&t===_&&y({logs:(u.logs??[]).map(o=>o.id===e?s:o)})}async function C(e,t,n=null){H+=1;const s=e===t?null:t,o=n===null||J()?.items.some(({place:r})=>r===n),a=e===u.a&&s===u.b&&o;y({a:e,b:s,token:n,part:a?Z():null,untold:null}),await Promise.all([e,s].map(r=>r&&Pt(r)))}function je(){const e=[...[G,I,T,ee].map(t=>t.follow()),fe(()=>{const t=T.waits()?null:T.problem();t&&Ce(()=>y({token:null,part:Z(),untold:t.message}))})];return()=>e.forEach(t=>t())}async function ze(e,t,n=null){const s=H+=1,o=_+=1,a=new Set(u.logs?.map(({id:r})=>r));y({a:e,b:t,token:n,problem:null});try{const{items:r}=await P("/logs?limit="+Bt);if(o!==_)return;const l=m=>m===null||r.some(b=>b.id===m),p=await Promise.all([e,t].filter(m=>!l(m)).map(m=>P("/logs/"+m).catch(()=>null)));if(o!==_)return;const f=[...r,...p.filter(Boolean)],h=new Set(f.map(({id:m})=>m)),d=[...(u.logs??[]).filter(({id:m})=>!h.has(m)&&!a.has(m)),...f];if(s!==H){y({logs:d});return}const $=m=>d.some(b=>b.id===m)?m:null;y({logs:d}),await C($(e)??d[0]?.id??null,$(t),$(e)&&$(t)?n:null)}catch(r){s===H&&y({logs:[],problem:Q(r)})}}function Fe(){H+=1,_+=1,y(qe)}function Rt(e){return y({logs:[e,...u.logs??[]],problem:null}),C(e.id,null)}const te={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer",start:"Tokens left out at the start",ranks:"Ranks"},_e=e=>"\u201C"+te[e.replace("-","_")]+"\u201D",ne=e=>e.replace(/\(--(top-k|layers|experts|start|ranks)\)/g,(t,n)=>"("+_e(n)+")").replace(/--(top-k|layers|experts|start|ranks)\b/g,(t,n)=>_e(n)),Ue=(e,t)=>ne(e.replace(/^log\b/i,()=>t).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(n,s)=>"as "+_e(s)+", then bring it again"));async function We(e,t,n){if(u.sending){y({problem:"Wait until "+u.sending.name+" is read, then bring "+e.name+" again."});return}if(e.size>t){y({problem:e.name+" has "+se(e.size)+"; up to "+se(t)+" are accepted."});return}const s=_,o=l=>s===_&&y(l);o({sending:{name:e.name,share:0},problem:null});const a=Object.entries(n).filter(([,l])=>l),r=new URLSearchParams([["name",e.name.slice(0,80)],...a]);try{const l=new Blob([e],{type:"application/octet-stream"}),p=h=>o({sending:{name:e.name,share:h}}),f=await it("/logs?"+r.toString(),l,p);s===_&&await Rt(f)}catch(l){o({problem:Ue(Q(l),e.name)})}finally{o({sending:null})}}const se=e=>(e/1024/1024).toFixed(e<10*1024*1024?1:0)+" MiB";async function It(e){const{model:t="",drop:n=[]}=e;if(!n.some(a=>a.includes("..")))return e;const{units:s}=await P("/models/"+encodeURIComponent(t)),o=a=>a.includes("..")?ct(s,[a]):[];return{...e,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function He(e,t){const n=_;y({recording:!0,problem:null});try{const s=[];for(const o of e)s.push(await de("POST","/logs/recordings",await It(o)));if(n!==_)return;y({logs:[...s,...u.logs??[]]}),await t(s)}catch(s){n===_&&y({problem:Q(s)})}finally{n===_&&y({recording:!1})}}const Ge=()=>He(["float32","bfloat16"].map(e=>({model:"moe-bytes",precision:e})),([e,t])=>C(e.id,t.id)),Je=e=>He([e],([t])=>u.a?C(u.a,t.id):C(t.id,null));async function Ke(e){const t=_;try{if(await de("DELETE","/logs/"+encodeURIComponent(e)),t!==_)return;y({logs:(u.logs??[]).filter(s=>s.id!==e),problem:null});const n=s=>s===e?null:s;await C(n(u.a)??u.logs?.[0]?.id??null,n(u.b))}catch(n){t===_&&y({problem:Q(n)})}}var qt=Object.freeze({__proto__:null,SAID:te,SHOWN:W,bring:We,choose:C,close:Fe,comparison:I,decision:T,demonstrate:Ge,factsOf:we,follow:je,forget:Ke,inFields:ne,logOf:E,open:ze,pick:De,read:K,recordModel:Je,refusalOf:Ue,size:se,state:u,subscribe:Ot,text:J,unread:Ne,update:y,usage:G});const Nt=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],["start","tokens at the start of each response that are not in the log"]],Dt=["pipeline","tensor","data","expert"];function jt(){const{sending:e,recording:t,problem:n,most:s}=u,o=me(null),{current:a}=me({}),r=l=>{l?.[0]&&!ut.value.read_only&&We(l[0],u.most,a)};return Le(()=>zt(o.current?.closest(".page"),r),[]),c`<div class="logs-drop" ref=${o}>
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!e}
        onChange=${l=>{const p=l.target;r(p.files),p.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${he("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${se(s)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">If missing from the log</legend>
        ${Nt.map(([l,p])=>c`<label title=${p}
              >${te[l]}
              <input
                type="number"
                min=${l==="start"?"0":"1"}
                max=${l==="start"?"10000000":"32768"}
                inputmode="numeric"
                onInput=${f=>a[l]=f.target.value}
            /></label>`)}
        <label title="where a log joins the ranks of a job"
          >${te.ranks}
          <select
            onChange=${l=>a.ranks=l.target.value}
          >
            <option value=""></option>
            ${Dt.map(l=>c`<option key=${l}>${l}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${t} onClick=${Ge}>
        ${t?"Recording":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${e&&c`<p class="logs-sending">
          ${e.share<1?"Sending ":"Reading "}${e.name}
          <progress
            max="1"
            value=${e.share<1?e.share:void 0}
            aria-label=${e.name}
          ></progress>
        </p>`}
      ${n&&c`<p class="logs-problem" role="alert">${n}</p>`}
    </div>`}function zt(e,t){const n=o=>e.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),t(o.dataTransfer?.files))]];return s.forEach(([o,a])=>e.addEventListener(o,a)),()=>s.forEach(([o,a])=>e.removeEventListener(o,a))}function oe({label:e,columns:t,rows:n}){const s=t.map(o=>o?c`<th scope="col">${o}</th>`:c`<td></td>`);return c`<div class="table-scroll" tabindex="0" role="group" aria-label=${e}>
    <${wt} heads=${s} rows=${n} />
  </div>`}const Ve=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],Xe=e=>e===null?"":(Ve.find(([t])=>e<t)??[1,"",""])[1];function ae(e,[t,n]){return e===null?"none":t===null||n===null?w(e):w(e)+" ("+w(t)+" to "+w(n)+")"}const Ye=({share:e})=>c`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(e??0)+"%"}}></span></span>`;function Ft({found:e}){const t=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=e.layers.map(s=>c`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Ye} share=${s.same} /></td>
        <td>${ae(s.same,s.same_interval)}</td>
        <td>${ae(s.overlap,s.overlap_interval)}</td>
        <td>${A(s.first_differs)}</td>
        <td>${ae(s.began,s.began_interval)}</td>
      </tr>`);return c`<${oe} label="By layer" columns=${t} rows=${n} />`}function Ut({found:{margins:e,margin_of:t}}){if(!e.length)return c`<p class="hint">A has no router logits, so its margins are unknown.</p>`;const n=Math.max(...e.map(({differ:a})=>a??0),Number.EPSILON),s=["margin of A, "+t,"","differ, %","tokens \xD7 layers"],o=e.map(a=>c`<tr>
        <th scope="row">${(a.low??0).toPrecision(3)} to ${(a.high??0).toPrecision(3)}</th>
        <td><${Ye} share=${(a.differ??0)/n} /></td>
        <td>${ae(a.differ,a.interval)}</td>
        <td>${A(a.count)}</td>
      </tr>`);return c`<${oe} label="By margin" columns=${s} rows=${o} />`}const Qe=()=>u.b?I.problem()?.message??"Comparing.":"Choose another log as B.";function Wt(){const e=I.answer();if(!e)return c`<p class="hint">${Qe()}</p>`;const{tokens:t,sequences:n,same_at_every_layer:s,interval_over:o}=e;return c`<p class="logs-headline">
      <strong>${s===null?"none":w(s)} %</strong> of ${A(t)} tokens
      (${A(n)} sequences) take the same experts at every layer.
    </p>
    <${Ft} found=${e} />
    <${Ut} found=${e} />
    <p class="hint">
      A is ${E(u.a)?.name??e.a}, B is ${E(u.b)?.name??e.b}. Intervals: 95 %, over
      ${" "+o}. ${e.notes.join(" ")}
    </p>`}function Ht({text:e,agreement:t,first:n,place:s,number:o}){const r=(t===null?"not compared":w(t)+" % of the layers agree")+(n?", the first that differs is "+n:""),l=Xe(t),p=e===null?"token "+o+" ":e.split(`
`).map(N).join(N(`
`)+`
`);return l?c`<button
    type="button"
    class=${"logs-token is-"+l}
    title=${r}
    aria-label=${"token "+o+" "+(e??"")+": "+r}
    aria-pressed=${String(u.token===s)}
    onClick=${()=>De(s)}
  >
    ${p}
  </button>`:c`<span class="logs-token" title=${r}>${p}</span>`}function Ze({text:{sequence:e,items:t,total:n,offset:s}}){const o=E(u.a)?.facts.sequences??1,a=[["previous","Previous sequence",e>0,()=>K(e-1,0)],["next","Next sequence",e+1<o,()=>K(e+1,0)],["previous","Previous tokens",s>0,()=>K(e,Math.max(0,s-W))],["next","Next tokens",s+t.length<n,()=>K(e,s+W)]],[r,l,p,f]=a.map(([g,d,$,m])=>c`<button type="button" class="tool" title=${d} aria-label=${d} disabled=${!$} onClick=${m}>
        ${he(g)}
      </button>`),h=t.length?A(s+1)+" to "+A(s+t.length)+" of "+A(n):"none";return c`<p class="logs-part">
    sequence ${r} ${A(e+1)+" of "+A(o)} ${l} tokens ${p} ${h} ${f}
  </p>`}function Gt(){const[e,t]=[J(),Ne()];if(!e)return c`<p class="hint">${t??Qe()}</p>`;const n=t&&c`<p class="logs-problem" role="status">${t}</p>`;if(!e.items.length)return c`<${Ze} text=${e} />${n}`;const s=Ve.map(([,a,r])=>c`<span class=${"logs-token is-"+a}>${r}</span> `),o=()=>[["token","text","layers that agree, %","first that differs"],...e.items.map(({place:a,text:r,agreement:l,first:p})=>[a-e.start,r===null?"":N(r),l===null?"unknown":w(l),p??""])];return c`<p class="hint">${e.name}, ${A(e.total)} tokens. ${s}</p>
    <${Ze} text=${e} />
    ${n}
    <pre class="logs-tokens">
${e.items.map(a=>c`<${Ht} key=${a.place} number=${a.place-e.start} ...${a} />`)}</pre>
    <${be} words="Tokens and how many layers agree" caption=${()=>e.name} rows=${o} />`}const[et,D]=[58,26],re=7.6,V=20,Me=e=>e.reduce((t,n)=>n.reduce((s,o)=>Math.max(s,o),t),Number.EPSILON),Jt=(e,t)=>t===1?e:Array.from({length:Math.ceil(e.length/t)},(n,s)=>Math.max(...e.slice(s*t,(s+1)*t)));function Kt({layers:e},t,n,s){const o=Me(t),a=Math.min(.3*s,Math.ceil(ye(e,11))+16),r=(s-a-8)/t[0].length,l=Math.max(6,Math.min(22,420/e.length)),p=Math.ceil(1/r),f=r>6?1:0,h=F(t[0].map((i,k)=>"e"+(k+1)),[a,s-8]),g=F(e,[D,D+e.length*l],1),d=t.flatMap((i,k)=>Jt(i,p).map((M,L)=>({share:M,y:g.extent(k),x:[a+L*p*r,a+(L+1)*p*r-f]}))),$={x:i=>i.x,y:i=>i.y},m=w(1/t[0].length)+" % is even use, "+w(o)+" % the most"+(p>1?"; a cell is the most used of "+p+" experts":""),b=Re(m,{y:g.range[1]+16,ends:[a,a],within:[4,s]});return Y({width:s,height:g.range[1]+22+b.more,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",marks:[xe(h,[0,3],{grid:!1,within:[a-8,s]}),ke(g,[a,s],{grid:!1,fill:"ink",room:a-9}),f?R(d,{...$,fill:"hair"}):R(g.ticks,{x:[a,s-8],y:g.extent,fill:"hair"}),R(d.filter(({share:i})=>i),{...$,fill:"accent",opacity:({share:i})=>i/o}),b.marks]})}const Se=(e,{x:t,y:n,of:s,stroke:o,fill:a})=>[Mt(e,{x:t,y:r=>s(r).interval.map(n),r:3,stroke:o,width:1.4}),St(e,{x:t,y:r=>n(s(r).value),r:3.4,fill:a,stroke:o,width:1.4})];function Vt({layers:e,margins:t,margin_of:n},s,o){const[a,r]=[150,64],l=_t([{text:"tokens with the same experts, %",key:"dot",fill:"accent"},{text:"experts in common, %",key:"dot",fill:"surface",stroke:"dim"}],{x:12,y:12,width:o}),p=D-18+l.height,f=e.flatMap(({same:x,same_interval:[v]})=>[v??x??1,x??1]),h=Math.max(0,Math.floor(Math.min(...f)*20-.5)/20),g=[et,o-12],d=(x,v)=>[0,.25,.5,.75,1].map(S=>x+S*(v-x)),$=F(e.map(({layer:x})=>x),g),m=Pe([h,1],[p+8+a,p+8],{ticks:d(h,1),named:w}),b=Math.min(6,$.step/4),i={grid:!1,within:[4,o],room:o/3},k=[l.marks,ke(m,g),xe($,[p,p+a+11],i),Se(e,{x:(x,v)=>$(v)+b,y:m,of:({overlap:x,overlap_interval:v})=>({value:x,interval:v}),stroke:"dim",fill:"surface"}),Se(e,{x:(x,v)=>$(v)-b,y:m,of:({same:x,same_interval:v})=>({value:x,interval:v}),stroke:"accent",fill:"accent"})];let M=p+a+36;if(t.length){const x="that differ, %, by the router's margin in A ("+n+")",v=Re(x,{y:M+r/2-12,ends:[12,12],within:[12,o]}),S=M+r/2+v.more,j=Math.max(...t.map(({differ:O,interval:[,B]})=>B??O??0),.001),pe=t.map(({low:O,high:B})=>(O??0).toPrecision(2)+" to "+(B??0).toPrecision(2)),q=F(pe,g),z=Pe([0,j],[S+a,S],{ticks:d(0,j),named:w});k.push(v.marks,ke(z,g),xe(q,[S,S+a+3],i),Se(t,{x:(O,B)=>q(B),y:z,of:({differ:O,interval:B})=>({value:O,interval:B}),stroke:"accent",fill:"accent"})),M=S+a+30}return Y({width:o,height:M,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",marks:k})}const Xt={nearly:"accent",most:"marker",few:"bad"};function Yt({items:e,name:t,start:n},s,o){const a=Math.max(10,Math.floor((o-24)/re)),r=e.map(({text:d,place:$})=>d??$-n+" "),{rows:l,places:p}=vt(r,a),f=p.map(({row:d,column:$,span:m},b)=>{const[i,k]=[12+$*re,12+d*V],M=Xt[s(e[b].agreement)],L=[...N(r[b])].slice(0,m);return{x:i,y:k,wide:[i,i+m*re],paint:M,letters:L}}),h=f.filter(({paint:d})=>d),g=f.flatMap(({x:d,y:$,letters:m})=>m.flatMap((b,i)=>b.trim()?[{letter:b,x:d+(i+.5)*re,y:$}]:[]));return Y({width:o,height:24+l*V,title:"A and B in "+t,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",marks:[R(h,{x:({wide:d})=>d,y:({y:d})=>[d,d+V-2],fill:({paint:d})=>d,opacity:({paint:d})=>d==="accent"?.12:.3}),R(h,{x:({wide:d})=>d,y:({y:d})=>[d+V-4,d+V-2],fill:({paint:d})=>d}),U(g,{x:({x:d})=>d,y:({y:d})=>d+14,down:0,text:({letter:d})=>d,size:12.5,anchor:"middle"})]})}function tt({layers:e,text:t,place:n,name:s},o,a=[]){const r=Be(),l=Math.max(et,Math.min(.3*o,Math.ceil(ye(e.map(({a:i})=>i.layer),11,700))+16)),p=(o-l-28)/2,f=F(e.map(({a:i})=>i.layer),[D-3,D-3+24*e.length],6),h=["A","B"].map((i,k)=>({letter:i,x:l+k*(p+16)})),g=e.flatMap(({a:i,b:k},M)=>[i,k].flatMap(({layer:L,taken:x},v)=>{let{x:S}=h[v];return x.map(({unit:j,index:pe,share:q})=>{const z=j.split(".").at(-1)??j,O=r.unit(pt(a[v],L,pe)),B={x:[S,Math.max(S,S+q*p-1)],l:M,fill:O,words:[z+" "+w(q)+" %",z]};return S+=q*p,B})})),d=e.flatMap(({a:i,b:k},M)=>[i,k].flatMap(({taken:L},x)=>L.length?[]:[{l:M,side:x}])),$=e.flatMap(({same:i},k)=>i===!1?[k]:[]),m=g.flatMap(i=>{const k=i.words.find(M=>ye([M],11)+8<i.x[1]-i.x[0]);return k?[{...i,words:k}]:[]}),b=t===null?"":" \u201C"+N(t)+"\u201D";return Y({width:o,height:D+e.length*24+8,title:"Token "+n+b+" of "+s+" in A and B",desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",marks:[U(h,{x:({x:i})=>i,y:16,down:0,text:({letter:i})=>i,size:11,weight:700}),U(e,{x:l-8,y:(i,k)=>f(k),text:({a:i})=>i.layer,size:11,anchor:"end",room:l-10,weight:({same:i})=>i===!1?700:450}),R(g,{x:({x:i})=>i,y:({l:i})=>f.extent(i),fill:({fill:i})=>i,opacity:.55,words:({words:i})=>i[0]}),U(m,{x:({x:i})=>i[0]+4,y:({l:i})=>f(i),text:({words:i})=>i,size:11,halo:"surface"}),U(d,{x:({side:i})=>h[i].x,y:({l:i})=>f(i),text:"none",size:11,fill:"dim"}),R($,{x:[l-3,o-9],y:i=>[f(i)-12,f(i)+12],rx:3,stroke:"bad",width:1.4})]})}const Qt=12,Zt=420,Ae=64;function le(e){return e.map(t=>{const n=t.reduce((s,o)=>s+o,0);return t.map(s=>n?s/n:0)})}function en(e,t,n){const s=e.getContext("2d");if(!s)return;const o=Be(),{live:a}=Et(o),r=Me(t),l=window.devicePixelRatio||1;e.width=Math.round(e.clientWidth*l),e.height=Math.round(e.clientHeight*l);const p=new ImageData(t[0].length,t.length),f=new Uint32Array(p.data.buffer);t.forEach(($,m)=>$.forEach((b,i)=>f[m*$.length+i]=a[Math.round(255*b/r)]));const h=new OffscreenCanvas(p.width,p.height);if(h.getContext("2d")?.putImageData(p,0,0),s.imageSmoothingEnabled=!1,s.drawImage(h,0,0,e.width,e.height),!n)return;const[g,d]=[e.width/p.width,e.height/p.height];s.strokeStyle=o.ink,s.lineWidth=2*l,s.strokeRect(n[1]*g,n[0]*d,g,d)}function tn({usage:e}){const t=me(null),n=le(e.counts),s=dt(null);Le(()=>{const p=t.current,f=()=>en(p,n,s.value),h=[fe(f),ft(f),At(p,f)];return()=>h.forEach(g=>g())},[e]);function o(p){const f=p.currentTarget,{left:h,top:g,width:d,height:$}=f.getBoundingClientRect(),m=Math.floor(n.length*(p.clientY-g)/$),b=Math.floor(n[0].length*(p.clientX-h)/d);s.value=n[m]?.[b]===void 0?null:[m,b]}const a=Math.min(Zt,Math.max(e.layers.length*Qt,96)),l=(e.layers.length<e.total?"the first "+e.layers.length+" of "+e.total:e.total)+" layers by "+n[0].length+" experts; the figures stand below";return c`<canvas
      ref=${t}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${l}
      onPointermove=${o}
      onPointerleave=${()=>s.value=null}
    ></canvas>
    <p class="readout logs-readout">${nn(e,n,s.value)}</p>
    ${e.layers.length<e.total&&c`<p class="hint">
        ${"The first "+e.layers.length+" of "+e.total+" layers are shown; the file has all of them."}
      </p>`}`}function nn({layers:e,indices:t,counts:n},s,o){if(!o||n[o[0]]?.[o[1]]===void 0){const h=Me(s);return"Even use is "+w(1/s[0].length)+" % for each expert; the most is "+w(h)+" %."}const[a,r]=o,l=e[a]+".e"+(r+1),p="layer "+t[a]+", expert "+r+" in the log",f=w(s[a][r]);return l+" ("+p+"): "+A(n[a][r])+" tokens, "+f+" % of the layer's use"}function sn({layers:e}){const t=["layer","evenness","never used","most used"],n=e.map(s=>c`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td>
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+w(a)+" %").join(", ")}
        </td>
      </tr>`);return c`<${oe} label="Layers of A" columns=${t} rows=${n} />`}function on({usage:{layers:e,counts:t}}){const n=le(t),s=n[0].length-Ae;return c`<${be} words="Use of experts" caption=${()=>"Shares of a layer's use, in percent"+(s>0?"; the other "+s+" experts are in the files.":".")} rows=${()=>[["layer",...n[0].slice(0,Ae).map((r,l)=>"e"+(l+1))],...n.map((r,l)=>[e[l],...r.slice(0,Ae).map(w)])]} />`}function an({id:e,facts:t}){const{model:n,sample:s}=$e(),o=[["Its experts on Observe",Oe("observe",{model:n,sample:s,log:e})]];return t.counts_only?o:[["Its tokens on Paths",Oe("paths",{model:n,sample:s,log:e,step:0})],...o]}function rn({facts:{assumed:e=[],notes:t,note_count:n}}){const s=t.slice(e.length),o=t.length?n-t.length:0;return c`${e.length>0&&c`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to change it, fill in the field and bring the file again)</p>
      <ul>
        ${e.map(a=>c`<li key=${a}>${ne(a)}</li>`)}
      </ul>
    </div>`}
  ${s.map(a=>c`<p class="hint" key=${a}>${ne(a)}</p>`)}
  ${o>0&&c`<p class="hint">${"Further notes: "+o+". `routescope import` prints all of them."}</p>`}`}function ln(){const e=E(u.a);if(!e)return c`<p class="hint">${u.a?"Loading.":"Choose a log as A."}</p>`;const[t,n]=[G.answer(),G.problem()?.message];return c`<p class="logs-opens">
      ${an(e).map(([s,o])=>c`<a key=${s} class="button" href=${o} onClick=${ge}>${s}</a>`)}
    </p>
    <${rn} facts=${e.facts} />
    ${t?c`<${tn} usage=${t} />`:c`<p class=${n?"logs-problem":"hint"} role="status">${n??"Loading."}</p>`}
    <${sn} layers=${e.facts.layers} />
    ${t&&c`<${on} usage=${t} />`}`}const ie=860;function cn({layers:e,indices:t,counts:n}){const s=le(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,l)=>[e[a],e[a]+".e"+(l+1),t[a],l,r,s[a][l]]))]}const un=({layers:e,margins:t})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...e.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...t.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(l=>l??""),"","","","",r])],pn=({items:e})=>[["token","text","layers_that_agree","first_that_differs"],...e.map(({place:t,text:n,agreement:s,first:o})=>[t,n??"",s??"",o??""])],dn=({layers:e})=>[["layer","routing","expert","share","margin","same"],...e.flatMap(({same:t,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",t??""])))];function fn(e){const t=e.map(E);return t.every(n=>n!==null)?t.map(n=>n):null}function ce(e,t,n){const s=e&&fn(t);if(!s)return null;const{figure:o,facts:a,rows:r,json:l=Tt(r),scene:p,...f}=n(e,s.map(({name:h})=>h),s);return{...f,facts:{...Ct(s),...a},rows:()=>r,json:()=>l,python:{figure:o},picture:{scene:p}}}const{state:Ee}=qt,Te=()=>[Ee.a,Ee.b],mn={usage:()=>ce(G.answer(),[Ee.a],(e,[t],[{facts:n}])=>({name:"log-usage",title:"Use of experts in "+t,figure:"log-usage",facts:{tokens:n.tokens},rows:cn(e),scene:(s=ie)=>Kt(e,le(e.counts),t,s)})),compared:()=>ce(I.answer(),Te(),(e,t)=>({name:"logs-compared",figure:"logs-compared",facts:{tokens:e.tokens,sequences:e.sequences,interval_over:e.interval_over},rows:un(e),json:{...e},scene:(n=ie)=>Vt(e,t.join(" beside "),n)})),text:()=>ce(J()?.items.length?J():null,Te(),e=>({name:"logs-text",figure:"logs-agreement",facts:{sequence:e.sequence,sequence_name:e.name},rows:pn(e),scene:(t=ie)=>Yt(e,Xe,t)})),token:()=>ce(T.latest(),Te(),e=>({name:"logs-token",figure:"logs-decision",facts:{sequence_name:e.name,token:e.token},rows:dn(e),json:{...e},scene:(t=ie)=>tt(e,t,we())}))};function hn({log:{id:e,name:t}}){const[n,s]=mt(!1),o=c`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+t}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?c`${o}<button type="button" class="tool tool-text danger" onClick=${()=>Ke(e)}>
      Delete this log
    </button>`:o}function gn({log:e}){const{facts:t}=e,n=s=>{const o=u[s]===e.id,a=()=>{if(s==="a")return C(e.id,u.b===e.id?u.a:u.b);if(u.a!==e.id)return C(u.a,o?null:e.id);const r=u.b??u.logs?.find(({id:l})=>l!==e.id)?.id;return r?C(r,e.id):null};return c`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${e.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return c`<tr data-log=${e.id}>
    <td class="logs-sides">${n("a")} ${n("b")}</td>
    <th scope="row">${e.name}</th>
    <td>${t.format}, ${t.version}</td>
    <td>${t.counts_only?"counts":A(t.tokens)}</td>
    <td>${t.layer_count} × ${t.experts}${t.experts_counted?"*":""}</td>
    <td>${t.top_k??"unknown"}</td>
    <td class="writes">${e.owner!=="another"&&c`<${hn} log=${e} />`}</td>
  </tr>`}const $n=["","log","format","tokens","layers \xD7 experts","experts a token",""];function bn(){const{logs:e}=u;if(!e)return c`<p class="hint">Loading the logs.</p>`;if(!e.length)return c`<p class="hint">
      No log yet<span class="writes">: choose a file, or let the bundled model record two</span>.
    </p>`;const t=e.map(s=>c`<${gn} key=${s.id} log=${s} />`),n=e.some(({facts:s})=>s.experts_counted);return c`<${oe} label="Logs" columns=${$n} rows=${t} />
    ${n&&c`<p class="hint">* the highest expert number seen; the log does not give it.</p>`}`}const yn="top_experts",nt=["its own","float64","float32","bfloat16","float16"];function kn({model:e,precision:t,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=nt.indexOf(String(t))>0?String(t):null;return{model:String(e),precision:a,drop:o,top_k:s?Number(s):null}}function xn(e){e.preventDefault(),Je(kn(Object.fromEntries(new FormData(e.currentTarget))))}function wn(){const e=(ht()??[]).filter(({fields:t})=>t.includes(yn));return e.length?c`<details class="as-table">
    <summary>Record a log of an installed model to compare with A</summary>
    <form onSubmit=${xn}>
      <label
        >Model<select name="model" class="small-input">
          ${e.map(({id:t})=>c`<option key=${t}>${t}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${nt.map(t=>c`<option key=${t}>${t}</option>`)}
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
      <button type="submit" class="button" disabled=${u.recording}>Record</button>
    </form>
  </details>`:null}const[vn,_n]=[240,760],st=({taken:e})=>e.map(({unit:t,share:n})=>t+" "+w(n)+" %").join(", ")||"none",ot=e=>e===null?"unknown":e.toPrecision(3);function Mn(e){const t=T.latest();return t&&tt(t,Math.max(vn,e),we())}const Sn=({layers:e})=>[["layer","A","margin of A","B","margin of B","experts"],...e.map(({a:t,b:n,same:s})=>[t.layer,st(t),ot(t.margin),st(n),ot(n.margin),s===null?"unknown":s?"same":"differs"])];function An(){const{a:e,b:t}=u,n=T.latest(),s=u.untold??T.problem()?.message;if(!n&&s)return c`<p class="logs-problem" role="status">${s}</p>`;if(!n)return c`<p class="hint">${u.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const o=n.layers.filter(({same:f})=>f===!1).map(f=>f.a.layer),{model:a,sample:r}=$e(),l=(f,h,g)=>gt({model:a,sample:r,log:f,sequence:h,token:g,step:0}),p=n.text===null?"":" \u201C"+N(n.text)+"\u201D";return c`<p class="logs-headline">
      <strong>${"Token "+n.place+p}</strong>${" of "+n.name+". "}${o.length?o.length+" of "+n.layers.length+" layers differ, first "+o[0]+".":"No layer differs."}
      ${n.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <${Lt}
      look="logs-token-picture"
      widest=${_n}
      scene=${Mn}
      drawn=${()=>String(T.latest()?.token)}
      label=${()=>"The experts of the token in A and in B; the same numbers are in the table below"}
    />
    <p class="logs-opens">
      <a class="button" href=${l(e,n.sequence,n.place)} onClick=${ge}>A on Paths</a>
      <a class="button" href=${l(t,n.sequence_b,n.place_b)} onClick=${ge}>B on Paths</a>
    </p>
    <${be}
      words="Experts of the token in A and B"
      caption=${()=>"Token "+n.place+" of "+n.name}
      rows=${()=>Sn(n)}
    />`}const at={bring:{title:"Routing logs",reads:"Which experts each token took, as recorded by servers and trainers. The panels below show log A, and compare it with log B.",more:"vLLM, SGLang, Megatron-core, CSV of tokens or of counts, arrays in npy, npz or safetensors, and files of `routescope import`. The format is detected by the content. Assumptions made in reading a log stand above its use of experts."},usage:{title:"Use of experts in A",reads:"A row is a layer, a column an expert: the stronger its colour, the more tokens took it.",more:"Experts are numbered from 1; the log's own numbers, from 0, stand beside. Evenness is the entropy of the use of experts over that of equal use. How often an expert is used does not say what it causes; Drop measures that."},compared:{title:"A and B compared",reads:"Share of tokens with the same experts in A and B, by layer, and where they first differ.",more:"Tokens are paired by sequence and place, up to the first that differs. Intervals are of 95 %. All is observed: experts may differ at a layer because of a difference before."},text:{title:"A and B in the text",reads:"One sequence, at first the one that agrees least. Marks: share of layers with the same experts. Click a marked token for its experts."},token:{title:"A token in A and B",reads:"Experts of the token in A and B by layer, as wide as their shares. Framed: layers that differ.",more:"As recorded in both: a layer may differ because a layer before it does, or a token before."}},En=["svg","png","csv","json"],ue=({name:e,look:t,children:n})=>c`<${Ie} id=${"logs-"+e} ...${at[e]} formats=${En} written=${mn[e]}>
    <div class=${t}>${n}</div>
  <//>`,Tn=()=>c`
  <div class="page-head">
    <h1>Logs</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${he("link")}Copy link</button>
    </div>
  </div>
  <div class="logs-grid">
    <${Ie} id="logs-bring" ...${at.bring}>
      <div class="logs-bring writes"><${jt} /></div>
      <div class="logs-record writes"><${wn} /></div>
      <div class="logs-list"><${bn} /></div>
    <//>
    <${ue} name="usage" look="logs-usage"><${ln} /><//>
    <${ue} name="compared" look="logs-compared"><${Wt} /><//>
    <${ue} name="text" look="logs-text"><${Gt} /><//>
    <${ue} name="token" look="logs-token-place"><${An} /><//>
  </div>
`;$t("logs",({model:e,sample:t,a:n,b:s,token:o})=>[n,s??n].every(E)?(yt({model:e,sample:t}),C(n,s,o)):null);const rt=()=>({a:u.a,b:u.b,token:u.token});function Cn(){const{model:e,sample:t}=$e();return e?{model:e,sample:t}:xt(location.search)}const Ln=bt({Tree:Tn,choice:rt,take:({a:e,b:t,token:n})=>{C(e,t,n)},open({a:e,b:t,token:n},s){const o=s.closest(".page");y({most:Number(o.dataset.maxBytes)}),ze(e,t,n);const a=[je(),fe(()=>{const r={...Cn(),...rt()};Ce(()=>kt("logs",r))})];return()=>{a.forEach(r=>r()),Fe()}}});export{Ln as mount};
