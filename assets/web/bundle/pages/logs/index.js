/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{v as Fe,d as Z,P as We,K as He,U as Ge,a1 as ee,a2 as be,i as te,s as u,N as Ke,B as _,z as S,r as ye,b4 as Je,aj as ne,ao as se,ak as ke,aK as Xe,$ as xe,H as Ye,a3 as Ve,a$ as Qe,b5 as Ze,aQ as et,F as tt,a0 as nt,ae as st,aS as ot}from"../../boot.js";import{F as at,aB as oe,bk as N,X as ae,a6 as z,v as F,x as I,$ as D,bl as rt,Y as we,T as lt,ap as re,_ as le,a0 as it,a1 as ct,o as ut,b5 as dt,aE as pt,bm as ft,aA as ht,aM as mt,az as ve}from"../../shared.js";const gt=100,W=200,_e={most:0,logs:null,a:null,b:null,sending:null,recording:!1,problem:null,usage:null,comparison:null,text:null,token:null,decision:null,unshown:null,apart:null,unread:null,untold:null},{state:i,update:$,subscribe:_n}=Fe(_e);let v=0,M=0,Me=0;const B=e=>e instanceof Error?e.message:String(e),L=e=>i.logs?.find(t=>t.id===e)??null,Se=()=>[i.a,i.b].map(e=>L(e)?.facts),R=e=>Z("GET",e),ie=()=>"?a="+encodeURIComponent(i.a??"")+"&b="+encodeURIComponent(i.b??"");async function j(e,t){const[n,s]=[v,Me+=1],o=()=>n===v&&s===Me,a=e===null?"":"&sequence="+e;try{const r=await R("/logs/comparison/tokens"+ie()+a+"&limit="+W+"&offset="+t);o()&&$({text:{...r,offset:t},unread:null})}catch(r){if(!o())return;const d=e!==null&&r instanceof We&&r.status===404?{sequence:e,name:"",start:0,items:[],total:0,offset:0}:i.text;$({text:d,unread:B(r)})}}async function Ae(e){const t=v;$({token:e,untold:null});try{const n=await R("/logs/comparison/token"+ie()+"&token="+e);return t!==v||i.token!==e?null:($({decision:n}),n)}catch(n){return t===v&&i.token===e&&$({token:null,decision:null,untold:B(n)}),null}}async function $t(e){const t=v;try{const n=await R("/logs/"+encodeURIComponent(e)+"/usage");t===v&&$({usage:n})}catch(n){t===v&&$({unshown:B(n)})}}async function bt(e){const t=v,{facts:n}=L(e)??{};if(!n||n.layers.length===n.layer_count&&(n.notes.length||!n.note_count))return;const s=await R("/logs/"+encodeURIComponent(e)).catch(()=>null);s&&t===v&&$({logs:(i.logs??[]).map(o=>o.id===e?s:o)})}async function yt(e){const t=v;try{const n=await R("/logs/comparison"+ie());if(t!==v)return;$({comparison:n});const s=e===null?null:await Ae(e);if(t!==v)return;await j(s&&s.sequence,s?s.at-s.at%W:0)}catch(n){t===v&&$({apart:B(n)})}}async function A(e,t,n=null){v+=1;const s=e===t?null:t,o=e===i.a&&i.usage;$({a:e,b:s,...{comparison:null,text:null,token:n,decision:null,unshown:null,apart:null,unread:null,untold:null},...o?{}:{usage:null}}),await Promise.all([e&&!o?$t(e):null,e&&s?yt(n):null,...[e,s].map(r=>r&&bt(r))])}async function kt(e,t,n=null){const s=v+=1,o=M+=1,a=new Set(i.logs?.map(({id:r})=>r));$({a:e,b:t,token:n,problem:null});try{const{items:r}=await R("/logs?limit="+gt);if(o!==M)return;const c=h=>h===null||r.some(x=>x.id===h),d=await Promise.all([e,t].filter(h=>!c(h)).map(h=>R("/logs/"+h).catch(()=>null)));if(o!==M)return;const f=[...r,...d.filter(Boolean)],m=new Set(f.map(({id:h})=>h)),p=[...(i.logs??[]).filter(({id:h})=>!m.has(h)&&!a.has(h)),...f];if(s!==v){$({logs:p});return}const y=h=>p.some(x=>x.id===h)?h:null;$({logs:p}),await A(y(e)??p[0]?.id??null,y(t),y(e)&&y(t)?n:null)}catch(r){s===v&&$({logs:[],problem:B(r)})}}function xt(){v+=1,M+=1,$(_e)}function wt(e){return $({logs:[e,...i.logs??[]],problem:null}),A(e.id,null)}const ce={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer",start:"Tokens left out at the start",ranks:"Ranks"},ue=e=>"\u201C"+ce[e.replace("-","_")]+"\u201D",de=e=>e.replace(/\(--(top-k|layers|experts|start|ranks)\)/g,(t,n)=>"("+ue(n)+")").replace(/--(top-k|layers|experts|start|ranks)\b/g,(t,n)=>ue(n)),vt=(e,t)=>de(e.replace(/^log\b/i,()=>t).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(n,s)=>"as "+ue(s)+", then bring it again"));async function _t(e,t,n){if(i.sending){$({problem:"Wait until "+i.sending.name+" is read, then bring "+e.name+" again."});return}if(e.size>t){$({problem:e.name+" has "+pe(e.size)+"; up to "+pe(t)+" are accepted."});return}const s=M,o=c=>s===M&&$(c);o({sending:{name:e.name,share:0},problem:null});const a=Object.entries(n).filter(([,c])=>c),r=new URLSearchParams([["name",e.name.slice(0,80)],...a]);try{const c=new Blob([e],{type:"application/octet-stream"}),d=m=>o({sending:{name:e.name,share:m}}),f=await He("/logs?"+r.toString(),c,d);s===M&&await wt(f)}catch(c){o({problem:vt(B(c),e.name)})}finally{o({sending:null})}}const pe=e=>(e/1024/1024).toFixed(e<10*1024*1024?1:0)+" MiB";async function Mt(e){const{model:t="",drop:n=[]}=e;if(!n.some(a=>a.includes("..")))return e;const{units:s}=await R("/models/"+encodeURIComponent(t)),o=a=>a.includes("..")?Ge(s,[a]):[];return{...e,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function Te(e,t){const n=M;$({recording:!0,problem:null});try{const s=[];for(const o of e)s.push(await Z("POST","/logs/recordings",await Mt(o)));if(n!==M)return;$({logs:[...s,...i.logs??[]]}),await t(s)}catch(s){n===M&&$({problem:B(s)})}finally{n===M&&$({recording:!1})}}const St=()=>Te(["float32","bfloat16"].map(e=>({model:"moe-bytes",precision:e})),([e,t])=>A(e.id,t.id)),At=e=>Te([e],([t])=>i.a?A(i.a,t.id):A(t.id,null));async function Tt(e){const t=M;try{if(await Z("DELETE","/logs/"+encodeURIComponent(e)),t!==M)return;$({logs:(i.logs??[]).filter(s=>s.id!==e),problem:null});const n=s=>s===e?null:s;await A(n(i.a)??i.logs?.[0]?.id??null,n(i.b))}catch(n){t===M&&$({problem:B(n)})}}const Et=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],["start","tokens at the start of each response that are not in the log"]],Ct=["pipeline","tensor","data","expert"];function Bt(){const{sending:e,recording:t,problem:n,most:s}=i,o=ee(null),{current:a}=ee({}),r=c=>{c?.[0]&&!Ke.value.read_only&&_t(c[0],i.most,a)};return be(()=>Lt(o.current?.closest(".page"),r),[]),u`<div class="logs-drop" ref=${o}>
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!e}
        onChange=${c=>{const d=c.target;r(d.files),d.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${te("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${pe(s)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">Where the log does not say</legend>
        ${Et.map(([c,d])=>u`<label title=${d}
              >${ce[c]}
              <input
                type="number"
                min=${c==="start"?"0":"1"}
                max=${c==="start"?"10000000":"32768"}
                inputmode="numeric"
                onInput=${f=>a[c]=f.target.value}
            /></label>`)}
        <label title="where a log joins the ranks of a job"
          >${ce.ranks}
          <select
            onChange=${c=>a.ranks=c.target.value}
          >
            <option value=""></option>
            ${Ct.map(c=>u`<option key=${c}>${c}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${t} onClick=${St}>
        ${t?"Recording":"Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${e&&u`<p class="logs-sending">
          ${e.share<1?"Sending ":"Reading "}${e.name}
          <progress
            max="1"
            value=${e.share<1?e.share:void 0}
            aria-label=${e.name}
          ></progress>
        </p>`}
      ${n&&u`<p class="logs-problem" role="alert">${n}</p>`}
    </div>`}function Lt(e,t){const n=o=>e.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),t(o.dataTransfer?.files))]];return s.forEach(([o,a])=>e.addEventListener(o,a)),()=>s.forEach(([o,a])=>e.removeEventListener(o,a))}function H({label:e,columns:t,rows:n}){const s=t.map(o=>o?u`<th scope="col">${o}</th>`:u`<td></td>`);return u`<div class="table-scroll" tabindex="0" role="group" aria-label=${e}>
    <${at} heads=${s} rows=${n} />
  </div>`}const Ee=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],Ce=e=>e===null?"":(Ee.find(([t])=>e<t)??[1,"",""])[1];function G(e,[t,n]){return e===null?"none":t===null||n===null?_(e):_(e)+" ("+_(t)+" to "+_(n)+")"}const Be=({share:e})=>u`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(e??0)+"%"}}></span></span>`;function Rt({comparison:e}){const t=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=e.layers.map(s=>u`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Be} share=${s.same} /></td>
        <td>${G(s.same,s.same_interval)}</td>
        <td>${G(s.overlap,s.overlap_interval)}</td>
        <td>${S(s.first_differs)}</td>
        <td>${G(s.began,s.began_interval)}</td>
      </tr>`);return u`<${H} label="By layer" columns=${t} rows=${n} />`}function Ot({comparison:e}){const{margins:t,margin_of:n}=e;if(!t.length)return u`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const s=Math.max(...t.map(({differ:r})=>r??0),Number.EPSILON),o=["margin of A, "+n,"","differ, %","tokens \xD7 layers"],a=t.map(r=>u`<tr>
        <th scope="row">${(r.low??0).toPrecision(3)} to ${(r.high??0).toPrecision(3)}</th>
        <td><${Be} share=${(r.differ??0)/s} /></td>
        <td>${G(r.differ,r.interval)}</td>
        <td>${S(r.count)}</td>
      </tr>`);return u`<${H} label="By margin" columns=${o} rows=${a} />`}const Le=()=>i.b?i.apart??"Being compared.":"Choose another log as B.";function Pt(){const{comparison:e}=i;if(!e)return u`<p class="hint">${Le()}</p>`;const{tokens:t,sequences:n,same_at_every_layer:s,interval_over:o}=e;return u`<p class="logs-headline">
      <strong>${s===null?"none":_(s)} %</strong> of ${S(t)} tokens
      (${S(n)} sequences) take the same experts at every layer.
    </p>
    <${Rt} comparison=${e} />
    <${Ot} comparison=${e} />
    <p class="hint">
      A is ${L(i.a)?.name??e.a}, B is ${L(i.b)?.name??e.b}. Intervals: 95 %, over
      ${" "+o}. ${e.notes.join(" ")}
    </p>`}function It({text:e,agreement:t,first:n,place:s,number:o}){const r=(t===null?"not compared":_(t)+" % of the layers agree")+(n?", the first that differs is "+n:""),c=Ce(t),d=e===null?"token "+o+" ":e.split(`
`).map(N).join(N(`
`)+`
`);return c?u`<button
    type="button"
    class=${"logs-token is-"+c}
    title=${r}
    aria-label=${"token "+o+" "+(e??"")+": "+r}
    aria-pressed=${String(i.token===s)}
    onClick=${()=>{Ae(s)}}
  >
    ${d}
  </button>`:u`<span class="logs-token" title=${r}>${d}</span>`}function Re({text:{sequence:e,items:t,total:n,offset:s}}){const o=L(i.a)?.facts.sequences??1,a=[["previous","Sequence before",e>0,()=>{j(e-1,0)}],["next","Sequence behind",e+1<o,()=>{j(e+1,0)}],["previous","Tokens before",s>0,()=>{j(e,Math.max(0,s-W))}],["next","Tokens behind",s+t.length<n,()=>{j(e,s+W)}]],[r,c,d,f]=a.map(([b,p,y,h])=>u`<button type="button" class="tool" title=${p} aria-label=${p} disabled=${!y} onClick=${h}>
        ${te(b)}
      </button>`),m=t.length?S(s+1)+" to "+S(s+t.length)+" of "+S(n):"none";return u`<p class="logs-part">
    sequence ${r} ${S(e+1)+" of "+S(o)} ${c} tokens ${d} ${m} ${f}
  </p>`}function Dt(){const{text:e,unread:t}=i;if(!e)return u`<p class="hint">${t??Le()}</p>`;const n=t&&u`<p class="logs-problem" role="status">${t}</p>`;if(!e.items.length)return u`<${Re} text=${e} />${n}`;const s=Ee.map(([,a,r])=>u`<span class=${"logs-token is-"+a}>${r}</span> `),o=()=>[["token","text","layers that agree, %","first that differs"],...e.items.map(({place:a,text:r,agreement:c,first:d})=>[a-e.start,r===null?"":N(r),c===null?"unknown":_(c),d??""])];return u`<p class="hint">${e.name}, ${S(e.total)} tokens. ${s}</p>
    <${Re} text=${e} />
    ${n}
    <pre class="logs-tokens">
${e.items.map(a=>u`<${It} key=${a.place} number=${a.place-e.start} ...${a} />`)}</pre>
    <${oe} words="Tokens and how many layers agree" caption=${()=>e.name} rows=${o} />`}const[Oe,T]=[58,26],K=7.6,q=20,fe=e=>e.reduce((t,n)=>n.reduce((s,o)=>Math.max(s,o),t),Number.EPSILON),Nt=(e,t)=>t===1?e:Array.from({length:Math.ceil(e.length/t)},(n,s)=>Math.max(...e.slice(s*t,(s+1)*t)));function Ut({layers:e},t,n,s){const o=fe(t),a=Math.ceil(ae(e,11))+16,r=(s-a-8)/t[0].length,c=Math.max(6,Math.min(22,420/e.length)),d=Math.ceil(1/r),f=r>6?1:0,m=z(t[0].map((l,w)=>"e"+(w+1)),[a,s-8]),b=z(e,[T,T+e.length*c],1),p=t.flatMap((l,w)=>Nt(l,d).map((g,k)=>({share:g,y:b.extent(w),x:[a+k*d*r,a+(k+1)*d*r-f]}))),y={x:l=>l.x,y:l=>l.y},h=b.range[1]+22,x=_(1/t[0].length)+" % is even use, "+_(o)+" % the most"+(d>1?"; a cell is the most used of "+d+" experts":"");return F({width:s,height:h,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",marks:[le(m,[0,3],{grid:!1}),re(b,[a,s],{grid:!1,fill:"ink"}),f?D(p,{...y,fill:"hair"}):D(b.ticks,{x:[a,s-8],y:b.extent,fill:"hair"}),D(p.filter(({share:l})=>l),{...y,fill:"accent",opacity:({share:l})=>l/o}),I([x],{x:a,y:h-6,down:0,size:11,fill:"dim"})]})}const he=(e,{x:t,y:n,of:s,stroke:o,fill:a})=>[it(e,{x:t,y:r=>s(r).interval.map(n),r:3,stroke:o,width:1.4}),ct(e,{x:t,y:r=>n(s(r).value),r:3.4,fill:a,stroke:o,width:1.4})];function zt({layers:e,margins:t,margin_of:n},s,o){const[a,r]=[150,64],c=e.flatMap(({same:g,same_interval:[k]})=>[k??g??1,g??1]),d=Math.max(0,Math.floor(Math.min(...c)*20-.5)/20),f=[Oe,o-12],m=(g,k)=>[0,.25,.5,.75,1].map(O=>g+O*(k-g)),b=z(e.map(({layer:g})=>g),f),p=we([d,1],[T+8+a,T+8],{ticks:m(d,1),named:_}),y=Math.min(6,b.step/4),h={x:12,down:0,size:11},x=[lt([{text:"tokens with the same experts, %",key:"dot",fill:"accent"},{text:"experts in common, %",key:"dot",fill:"surface",stroke:"dim"}],{x:12,y:12,width:o}).marks,re(p,f),le(b,[T,T+a+11],{grid:!1}),he(e,{x:(g,k)=>b(k)+y,y:p,of:({overlap:g,overlap_interval:k})=>({value:g,interval:k}),stroke:"dim",fill:"surface"}),he(e,{x:(g,k)=>b(k)-y,y:p,of:({same:g,same_interval:k})=>({value:g,interval:k}),stroke:"accent",fill:"accent"})];let l=T+a+36;if(t.length){const g=l+r/2,k=Math.max(...t.map(({differ:E,interval:[,C]})=>C??E??0),.001),O=t.map(({low:E,high:C})=>(E??0).toPrecision(2)+" to "+(C??0).toPrecision(2)),U=z(O,f),P=we([0,k],[g+a,g],{ticks:m(0,k),named:_});x.push(I(["that differ, %, by the router's margin in A ("+n+")"],{...h,y:g-12}),re(P,f),le(U,[g,g+a+3],{grid:!1}),he(t,{x:(E,C)=>U(C),y:P,of:({differ:E,interval:C})=>({value:E,interval:C}),stroke:"accent",fill:"accent"})),l=g+a+30}return F({width:o,height:l,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",marks:x})}const jt={nearly:"accent",most:"marker",few:"bad"};function qt({items:e,name:t,start:n},s,o){const a=Math.max(10,Math.floor((o-24)/K)),r=e.map(({text:p,place:y})=>p??y-n+" "),{rows:c,places:d}=rt(r,a),f=d.map(({row:p,column:y,span:h},x)=>{const[l,w]=[12+y*K,12+p*q],g=jt[s(e[x].agreement)],k=[...N(r[x])].slice(0,h);return{x:l,y:w,wide:[l,l+h*K],paint:g,letters:k}}),m=f.filter(({paint:p})=>p),b=f.flatMap(({x:p,y,letters:h})=>h.flatMap((x,l)=>x.trim()?[{letter:x,x:p+(l+.5)*K,y}]:[]));return F({width:o,height:24+c*q,title:"A and B in "+t,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",marks:[D(m,{x:({wide:p})=>p,y:({y:p})=>[p,p+q-2],fill:({paint:p})=>p,opacity:({paint:p})=>p==="accent"?.12:.3}),D(m,{x:({wide:p})=>p,y:({y:p})=>[p+q-4,p+q-2],fill:({paint:p})=>p}),I(b,{x:({x:p})=>p,y:({y:p})=>p+14,down:0,text:({letter:p})=>p,size:12.5,anchor:"middle"})]})}function Pe({layers:e,text:t,place:n,name:s},o,a=[]){const r=ye(),c=Math.max(Oe,Math.ceil(ae(e.map(({a:l})=>l.layer),11,700))+16),d=(o-c-28)/2,f=z(e.map(({a:l})=>l.layer),[T-3,T-3+24*e.length],6),m=["A","B"].map((l,w)=>({letter:l,x:c+w*(d+16)})),b=e.flatMap(({a:l,b:w},g)=>[l,w].flatMap(({layer:k,taken:O},U)=>{let{x:P}=m[U];return O.map(({unit:E,index:C,share:Q})=>{const $e=E.split(".").at(-1)??E,je=r.unit(Je(a[U],k,C)),qe={x:[P,Math.max(P,P+Q*d-1)],l:g,fill:je,words:[$e+" "+_(Q)+" %",$e]};return P+=Q*d,qe})})),p=e.flatMap(({a:l,b:w},g)=>[l,w].flatMap(({taken:k},O)=>k.length?[]:[{l:g,side:O}])),y=e.flatMap(({same:l},w)=>l===!1?[w]:[]),h=b.flatMap(l=>{const w=l.words.find(g=>ae([g],11)+8<l.x[1]-l.x[0]);return w?[{...l,words:w}]:[]}),x=t===null?"":" \u201C"+N(t)+"\u201D";return F({width:o,height:T+e.length*24+8,title:"Token "+n+x+" of "+s+" in A and B",desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",marks:[I(m,{x:({x:l})=>l,y:16,down:0,text:({letter:l})=>l,size:11,weight:700}),I(e,{x:c-8,y:(l,w)=>f(w),text:({a:l})=>l.layer,size:11,anchor:"end",weight:({same:l})=>l===!1?700:450}),D(b,{x:({x:l})=>l,y:({l})=>f.extent(l),fill:({fill:l})=>l,opacity:.55,words:({words:l})=>l[0]}),I(h,{x:({x:l})=>l[0]+4,y:({l})=>f(l),text:({words:l})=>l,size:11,halo:"surface"}),I(p,{x:({side:l})=>m[l].x,y:({l})=>f(l),text:"none",size:11,fill:"dim"}),D(y,{x:[c-3,o-9],y:l=>[f(l)-12,f(l)+12],rx:3,stroke:"bad",width:1.4})]})}const Ft=12,Wt=420,me=64;function J(e){return e.map(t=>{const n=t.reduce((s,o)=>s+o,0);return t.map(s=>n?s/n:0)})}function Ht(e,t,n){const s=e.getContext("2d");if(!s)return;const o=ye(),{live:a}=dt(o),r=fe(t),c=window.devicePixelRatio||1;e.width=Math.round(e.clientWidth*c),e.height=Math.round(e.clientHeight*c);const d=new ImageData(t[0].length,t.length),f=new Uint32Array(d.data.buffer);t.forEach((y,h)=>y.forEach((x,l)=>f[h*y.length+l]=a[Math.round(255*x/r)]));const m=new OffscreenCanvas(d.width,d.height);if(m.getContext("2d")?.putImageData(d,0,0),s.imageSmoothingEnabled=!1,s.drawImage(m,0,0,e.width,e.height),!n)return;const[b,p]=[e.width/d.width,e.height/d.height];s.strokeStyle=o.ink,s.lineWidth=2*c,s.strokeRect(n[1]*b,n[0]*p,b,p)}function Gt({usage:e}){const t=ee(null),n=J(e.counts),s=Xe(null);be(()=>{const d=t.current,f=()=>Ht(d,n,s.value),m=[xe(f),Ye(f),ut(d,f)];return()=>m.forEach(b=>b())},[e]);function o(d){const f=d.currentTarget,{left:m,top:b,width:p,height:y}=f.getBoundingClientRect(),h=Math.floor(n.length*(d.clientY-b)/y),x=Math.floor(n[0].length*(d.clientX-m)/p);s.value=n[h]?.[x]===void 0?null:[h,x]}const a=Math.min(Wt,Math.max(e.layers.length*Ft,96)),c=(e.layers.length<e.total?"the first "+e.layers.length+" of "+e.total:e.total)+" layers by "+n[0].length+" experts; the figures stand below";return u`<canvas
      ref=${t}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${c}
      onPointermove=${o}
      onPointerleave=${()=>s.value=null}
    ></canvas>
    <p class="readout logs-readout">${Kt(e,n,s.value)}</p>
    ${e.layers.length<e.total&&u`<p class="hint">
        ${"The first "+e.layers.length+" of "+e.total+" layers are shown; the file has all of them."}
      </p>`}`}function Kt({layers:e,indices:t,counts:n},s,o){if(!o||n[o[0]]?.[o[1]]===void 0){const m=fe(s);return"Even use is "+_(1/s[0].length)+" % for each expert; the most is "+_(m)+" %."}const[a,r]=o,c=e[a]+".e"+(r+1),d="layer "+t[a]+", expert "+r+" in the log",f=_(s[a][r]);return c+" ("+d+"): "+S(n[a][r])+" tokens, "+f+" % of the layer's use"}function Jt({layers:e}){const t=["layer","evenness","never used","most used"],n=e.map(s=>u`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td>
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+_(a)+" %").join(", ")}
        </td>
      </tr>`);return u`<${H} label="Layers of A" columns=${t} rows=${n} />`}function Xt({usage:{layers:e,counts:t}}){const n=J(t),s=n[0].length-me;return u`<${oe} words="Use of experts" caption=${()=>"Shares of a layer's use, in percent"+(s>0?"; the other "+s+" experts are in the files.":".")} rows=${()=>[["layer",...n[0].slice(0,me).map((r,c)=>"e"+(c+1))],...n.map((r,c)=>[e[c],...r.slice(0,me).map(_)])]} />`}function Yt({id:e,facts:t}){const{model:n,sample:s}=se(),o=[["Its experts on Observe",ke("observe",{model:n,sample:s,log:e})]];return t.counts_only?o:[["Its tokens on Paths",ke("paths",{model:n,sample:s,log:e,step:0})],...o]}function Vt({facts:{assumed:e=[],notes:t,note_count:n}}){const s=t.slice(e.length),o=t.length?n-t.length:0;return u`${e.length>0&&u`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to say otherwise, bring the file again with the field)</p>
      <ul>
        ${e.map(a=>u`<li key=${a}>${de(a)}</li>`)}
      </ul>
    </div>`}
  ${s.map(a=>u`<p class="hint" key=${a}>${de(a)}</p>`)}
  ${o>0&&u`<p class="hint">${"Further notes: "+o+". `routescope import` prints all of them."}</p>`}`}function Qt(){const e=L(i.a);return e?u`<p class="logs-opens">
      ${Yt(e).map(([t,n])=>u`<a key=${t} class="button" href=${n} onClick=${ne}>${t}</a>`)}
    </p>
    <${Vt} facts=${e.facts} />
    ${i.usage?u`<${Gt} usage=${i.usage} />`:u`<p class=${i.unshown?"logs-problem":"hint"} role="status">${i.unshown??"On its way."}</p>`}
    <${Jt} layers=${e.facts.layers} />
    ${i.usage&&u`<${Xt} usage=${i.usage} />`}`:u`<p class="hint">${i.a?"On its way.":"Choose a log as A."}</p>`}const X=860;function Zt({layers:e,indices:t,counts:n}){const s=J(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,c)=>[e[a],e[a]+".e"+(c+1),t[a],c,r,s[a][c]]))]}const en=({layers:e,margins:t})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...e.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...t.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(c=>c??""),"","","","",r])],tn=({items:e})=>[["token","text","layers_that_agree","first_that_differs"],...e.map(({place:t,text:n,agreement:s,first:o})=>[t,n??"",s??"",o??""])],nn=({layers:e})=>[["layer","routing","expert","share","margin","same"],...e.flatMap(({same:t,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",t??""])))];function sn(e){const t=e.map(L);return t.every(n=>n!==null)?t.map(n=>n):null}function Y(e,t,n){const s=e&&sn(t);if(!s)return null;const{figure:o,facts:a,rows:r,json:c=pt(r),scene:d,...f}=n(e,s.map(({name:m})=>m),s);return{...f,facts:{...ft(s),...a},rows:()=>r,json:()=>c,python:{figure:o},picture:{scene:d}}}const ge=()=>[i.a,i.b],on={usage:()=>Y(i.usage,[i.a],(e,[t],[{facts:n}])=>({name:"log-usage",title:"Use of experts in "+t,figure:"log-usage",facts:{tokens:n.tokens},rows:Zt(e),scene:()=>Ut(e,J(e.counts),t,X)})),compared:()=>Y(i.comparison,ge(),(e,t)=>({name:"logs-compared",figure:"logs-compared",facts:{tokens:e.tokens,sequences:e.sequences,interval_over:e.interval_over},rows:en(e),json:{...e},scene:()=>zt(e,t.join(" beside "),X)})),text:()=>Y(i.text?.items.length?i.text:null,ge(),e=>({name:"logs-text",figure:"logs-agreement",facts:{sequence:e.sequence,sequence_name:e.name},rows:tn(e),scene:()=>qt(e,Ce,X)})),token:()=>Y(i.decision,ge(),e=>({name:"logs-token",figure:"logs-decision",facts:{sequence_name:e.name,token:e.token},rows:nn(e),json:{...e},scene:()=>Pe(e,X,Se())}))};function an({log:{id:e,name:t}}){const[n,s]=Ve(!1),o=u`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+t}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?u`${o}<button type="button" class="tool tool-text danger" onClick=${()=>Tt(e)}>
      Delete this log
    </button>`:o}function rn({log:e}){const{facts:t}=e,n=s=>{const o=i[s]===e.id,a=()=>{if(s==="a")return A(e.id,i.b===e.id?i.a:i.b);if(i.a!==e.id)return A(i.a,o?null:e.id);const r=i.b??i.logs?.find(({id:c})=>c!==e.id)?.id;return r?A(r,e.id):null};return u`<button
      type="button"
      class="chip"
      aria-pressed=${String(o)}
      aria-label=${e.name+" as "+s.toUpperCase()}
      onClick=${a}
    >
      ${s.toUpperCase()}
    </button>`};return u`<tr data-log=${e.id}>
    <td class="logs-sides">${n("a")} ${n("b")}</td>
    <th scope="row">${e.name}</th>
    <td>${t.format}, ${t.version}</td>
    <td>${t.counts_only?"counts":S(t.tokens)}</td>
    <td>${t.layer_count} × ${t.experts}${t.experts_counted?"*":""}</td>
    <td>${t.top_k??"unknown"}</td>
    <td class="writes">${e.owner!=="another"&&u`<${an} log=${e} />`}</td>
  </tr>`}const ln=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function cn(){const{logs:e}=i;if(!e)return u`<p class="hint">Asking which logs there are.</p>`;if(!e.length)return u`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const t=e.map(s=>u`<${rn} key=${s.id} log=${s} />`),n=e.some(({facts:s})=>s.experts_counted);return u`<${H} label="Logs" columns=${ln} rows=${t} />
    ${n&&u`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}const un="top_experts",Ie=["its own","float64","float32","bfloat16","float16"];function dn({model:e,precision:t,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=Ie.indexOf(String(t))>0?String(t):null;return{model:String(e),precision:a,drop:o,top_k:s?Number(s):null}}function pn(e){e.preventDefault(),At(dn(Object.fromEntries(new FormData(e.currentTarget))))}function fn(){const e=(Qe()??[]).filter(({fields:t})=>t.includes(un));return e.length?u`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${pn}>
      <label
        >Model<select name="model" class="small-input">
          ${e.map(({id:t})=>u`<option key=${t}>${t}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${Ie.map(t=>u`<option key=${t}>${t}</option>`)}
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
  </details>`:null}const[hn,mn]=[240,760],De=({taken:e})=>e.map(({unit:t,share:n})=>t+" "+_(n)+" %").join(", ")||"none",Ne=e=>e===null?"unknown":e.toPrecision(3),gn=({layers:e})=>[["layer","A","margin of A","B","margin of B","experts"],...e.map(({a:t,b:n,same:s})=>[t.layer,De(t),Ne(t.margin),De(n),Ne(n.margin),s===null?"unknown":s?"same":"differs"])];function $n(){const{decision:e,a:t,b:n}=i;if(!e&&i.untold)return u`<p class="logs-problem" role="status">${i.untold}</p>`;if(!e)return u`<p class="hint">${i.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const s=e.layers.filter(({same:d})=>d===!1).map(d=>d.a.layer),{model:o,sample:a}=se(),r=(d,f,m)=>Ze({model:o,sample:a,log:d,sequence:f,token:m,step:0}),c=e.text===null?"":" \u201C"+N(e.text)+"\u201D";return u`<p class="logs-headline">
      <strong>${"Token "+e.place+c}</strong>${" of "+e.name+". "}${s.length?s.length+" of "+e.layers.length+" layers differ, first "+s[0]+".":"No layer differs."}
      ${e.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <${ht}
      look="logs-token-picture"
      widest=${mn}
      scene=${d=>i.decision&&Pe(i.decision,Math.max(hn,d),Se())}
      drawn=${()=>String(i.decision?.token)}
      label=${()=>"The experts of the token in A and in B; the same numbers are in the table below"}
    />
    <p class="logs-opens">
      <a class="button" href=${r(t,e.sequence,e.place)} onClick=${ne}>A on Paths</a>
      <a class="button" href=${r(n,e.sequence_b,e.place_b)} onClick=${ne}>B on Paths</a>
    </p>
    <${oe}
      words="Experts of the token in A and B"
      caption=${()=>"Token "+e.place+" of "+e.name}
      rows=${()=>gn(e)}
    />`}const Ue={bring:{title:"Routing logs",reads:"Which experts tokens took, as servers and trainers write it down. A is looked into, and compared with B.",more:"vLLM, SGLang, Megatron-core, CSV of tokens or of counts, arrays in npy, npz or safetensors, and files of `routescope import`. The format is detected by the content. What was assumed in reading a log stands above the use of its experts."},usage:{title:"Use of experts in A",reads:"A row is a layer, a column an expert: the stronger its colour, the more tokens took it.",more:"Experts are numbered from 1; the log's own numbers, from 0, stand beside. Evenness is the entropy of the use of experts over that of equal use. How often an expert is used does not say what it causes; Drop measures that."},compared:{title:"A and B compared",reads:"How many tokens take the same experts in A and B, layer by layer, and where they first do not.",more:"Tokens are paired by sequence and place, up to the first that differs. Intervals are of 95 %. All is observed: experts may differ at a layer because of a difference before."},text:{title:"A and B in the text",reads:"A sequence, at first the one that agrees least, its tokens marked by the share of layers whose experts are the same. Click a marked token to see what it took in both."},token:{title:"A token in A and B",reads:"The experts that it took in A and in B, layer by layer, as wide as their shares; framed: layers that differ.",more:"As recorded in both: a layer may differ because a layer before it does, or a token before."}},bn=["svg","png","csv","json"],V=({name:e,look:t,children:n})=>u`<${ve} id=${"logs-"+e} ...${Ue[e]} formats=${bn} written=${on[e]}>
    <div class=${t}>${n}</div>
  <//>`,yn=()=>u`
  <div class="page-head">
    <h1>Logs</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${te("link")}Copy link</button>
    </div>
  </div>
  <div class="logs-grid">
    <${ve} id="logs-bring" ...${Ue.bring}>
      <div class="logs-bring writes"><${Bt} /></div>
      <div class="logs-record writes"><${fn} /></div>
      <div class="logs-list"><${cn} /></div>
    <//>
    <${V} name="usage" look="logs-usage"><${Qt} /><//>
    <${V} name="compared" look="logs-compared"><${Pt} /><//>
    <${V} name="text" look="logs-text"><${Dt} /><//>
    <${V} name="token" look="logs-token-place"><${$n} /><//>
  </div>
`;et("logs",({model:e,sample:t,a:n,b:s,token:o})=>[n,s??n].every(L)?(tt({model:e,sample:t}),A(n,s,o)):null);const ze=()=>({a:i.a,b:i.b,token:i.token});function kn(){const{model:e,sample:t}=se();return e?{model:e,sample:t}:ot(location.search)}const xn=mt({Tree:yn,choice:ze,take:({a:e,b:t,token:n})=>{A(e,t,n)},open({a:e,b:t,token:n},s){const o=s.closest(".page");$({most:Number(o.dataset.maxBytes)}),kt(e,t,n);const a=xe(()=>{const r={...kn(),...ze()};nt(()=>st("logs",r))});return()=>{a(),xt()}}});export{xn as mount};
