/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{z as rt,ai as K,E as ce,R as ue,an as Te,p as lt,Y as it,P as de,Q as Ee,i as pe,s as c,u as ct,F as v,D as S,r as Ce,b8 as ut,at as fe,ac as he,au as Be,aX as dt,S as pt,$ as ft,ay as ht,b9 as mt,av as gt,aw as $t,c as bt,ah as yt,ax as kt}from"../../boot.js";import{X as wt,A as me,bf as z,w as ge,ae as N,z as X,C as R,a3 as I,bg as xt,G as Oe,F as vt,H as $e,I as be,ac as _t,K as St,o as Mt,b1 as At,az as Tt,bh as Et,j as Ct,P as Le}from"../../shared.js";const Bt=100,j=200,Pe={most:0,logs:null,a:null,b:null,token:null,part:null,untold:null,sending:null,recording:!1,problem:null},{state:u,update:k,subscribe:Ot}=rt(Pe);let F=0,_=0;const J=e=>e instanceof Error?e.message:String(e),M=e=>u.logs?.find(t=>t.id===e)??null,ye=()=>[u.a,u.b].map(e=>M(e)?.facts),O=(e,t)=>ce("GET",e,void 0,{signal:t}),ke=e=>"/logs/comparison"+e+"?a="+u.a+"&b="+u.b,U=K(()=>M(u.a)&&"/logs/"+u.a+"/usage",O),q=K(()=>M(u.a)&&M(u.b)&&ke(""),O),A=K(()=>q.answer()&&u.token!==null?ke("/token")+"&token="+u.token:null,O);function Y(){if(u.part)return u.part;const e=A.answer();return e?{sequence:e.sequence,offset:e.at-e.at%j}:u.token===null||A.problem()&&!A.waits()?{sequence:null,offset:0}:null}const V=K(()=>{const e=q.answer()&&Y();if(!e)return null;const t=e.sequence===null?"":"&sequence="+e.sequence;return ke("/tokens")+t+"&limit="+j+"&offset="+e.offset},async(e,t)=>({...await O(e,t),offset:Number(e.split("=").at(-1))}));function W(){const{sequence:e=null}=u.part??{};return e!==null&&V.problem()?.status===404?{sequence:e,name:"",start:0,items:[],total:0,offset:0}:V.latest()}const Re=()=>V.problem()?.message??null,H=(e,t)=>k({part:{sequence:e,offset:t}}),Ie=e=>k({token:e,part:Y(),untold:null});async function Lt(e){const t=_,{facts:n}=M(e)??{};if(!n||n.layers.length===n.layer_count&&(n.notes.length||!n.note_count))return;const s=await O("/logs/"+encodeURIComponent(e)).catch(()=>null);s&&t===_&&k({logs:(u.logs??[]).map(o=>o.id===e?s:o)})}async function T(e,t,n=null){F+=1;const s=e===t?null:t,o=n===null||W()?.items.some(({place:r})=>r===n),a=e===u.a&&s===u.b&&o;k({a:e,b:s,token:n,part:a?Y():null,untold:null}),await Promise.all([e,s].map(r=>r&&Lt(r)))}function qe(){const e=[...[U,q,A,V].map(t=>t.follow()),ue(()=>{const t=A.waits()?null:A.problem();t&&Te(()=>k({token:null,part:Y(),untold:t.message}))})];return()=>e.forEach(t=>t())}async function ze(e,t,n=null){const s=F+=1,o=_+=1,a=new Set(u.logs?.map(({id:r})=>r));k({a:e,b:t,token:n,problem:null});try{const{items:r}=await O("/logs?limit="+Bt);if(o!==_)return;const i=h=>h===null||r.some(w=>w.id===h),p=await Promise.all([e,t].filter(h=>!i(h)).map(h=>O("/logs/"+h).catch(()=>null)));if(o!==_)return;const f=[...r,...p.filter(Boolean)],m=new Set(f.map(({id:h})=>h)),d=[...(u.logs??[]).filter(({id:h})=>!m.has(h)&&!a.has(h)),...f];if(s!==F){k({logs:d});return}const b=h=>d.some(w=>w.id===h)?h:null;k({logs:d}),await T(b(e)??d[0]?.id??null,b(t),b(e)&&b(t)?n:null)}catch(r){s===F&&k({logs:[],problem:J(r)})}}function De(){F+=1,_+=1,k(Pe)}function Pt(e){return k({logs:[e,...u.logs??[]],problem:null}),T(e.id,null)}const Q={top_k:"Experts a token",layers:"Layers",experts:"Experts a layer",start:"Tokens left out at the start",ranks:"Ranks"},we=e=>"\u201C"+Q[e.replace("-","_")]+"\u201D",Z=e=>e.replace(/\(--(top-k|layers|experts|start|ranks)\)/g,(t,n)=>"("+we(n)+")").replace(/--(top-k|layers|experts|start|ranks)\b/g,(t,n)=>we(n)),Ne=(e,t)=>Z(e.replace(/^log\b/i,()=>t).replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g,(n,s)=>"as "+we(s)+", then bring it again"));async function je(e,t,n){if(u.sending){k({problem:"Wait until "+u.sending.name+" is read, then bring "+e.name+" again."});return}if(e.size>t){k({problem:e.name+" has "+ee(e.size)+"; up to "+ee(t)+" are accepted."});return}const s=_,o=i=>s===_&&k(i);o({sending:{name:e.name,share:0},problem:null});const a=Object.entries(n).filter(([,i])=>i),r=new URLSearchParams([["name",e.name.slice(0,80)],...a]);try{const i=new Blob([e],{type:"application/octet-stream"}),p=m=>o({sending:{name:e.name,share:m}}),f=await lt("/logs?"+r.toString(),i,p);s===_&&await Pt(f)}catch(i){o({problem:Ne(J(i),e.name)})}finally{o({sending:null})}}const ee=e=>(e/1024/1024).toFixed(e<10*1024*1024?1:0)+" MiB";async function Rt(e){const{model:t="",drop:n=[]}=e;if(!n.some(a=>a.includes("..")))return e;const{units:s}=await O("/models/"+encodeURIComponent(t)),o=a=>a.includes("..")?it(s,[a]):[];return{...e,drop:n.flatMap(a=>o(a).length?o(a):[a])}}async function Fe(e,t){const n=_;k({recording:!0,problem:null});try{const s=[];for(const o of e)s.push(await ce("POST","/logs/recordings",await Rt(o)));if(n!==_)return;k({logs:[...s,...u.logs??[]]}),await t(s)}catch(s){n===_&&k({problem:J(s)})}finally{n===_&&k({recording:!1})}}const Ue=()=>Fe(["float32","bfloat16"].map(e=>({model:"moe-bytes",precision:e})),([e,t])=>T(e.id,t.id)),We=e=>Fe([e],([t])=>u.a?T(u.a,t.id):T(t.id,null));async function He(e){const t=_;try{if(await ce("DELETE","/logs/"+encodeURIComponent(e)),t!==_)return;k({logs:(u.logs??[]).filter(s=>s.id!==e),problem:null});const n=s=>s===e?null:s;await T(n(u.a)??u.logs?.[0]?.id??null,n(u.b))}catch(n){t===_&&k({problem:J(n)})}}var It=Object.freeze({__proto__:null,SAID:Q,SHOWN:j,bring:je,choose:T,close:De,comparison:q,decision:A,demonstrate:Ue,factsOf:ye,follow:qe,forget:He,inFields:Z,logOf:M,open:ze,pick:Ie,read:H,recordModel:We,refusalOf:Ne,size:ee,state:u,subscribe:Ot,text:W,unread:Re,update:k,usage:U});const qt=[["top_k","SGLang, llama.cpp and router logits do not say it"],["layers","where a log does not say how many route"],["experts","few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],["start","tokens at the start of each response that are not in the log"]],zt=["pipeline","tensor","data","expert"];function Dt(){const{sending:e,recording:t,problem:n,most:s}=u,o=de(null),{current:a}=de({}),r=i=>{i?.[0]&&!ct.value.read_only&&je(i[0],u.most,a)};return Ee(()=>Nt(o.current?.closest(".page"),r),[]),c`<div class="logs-drop" ref=${o}>
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${!!e}
        onChange=${i=>{const p=i.target;r(p.files),p.value=""}}
      />
      <label for="logs-file" class="drop-zone">
        ${pe("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${ee(s)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">If missing from the log</legend>
        ${qt.map(([i,p])=>c`<label title=${p}
              >${Q[i]}
              <input
                type="number"
                min=${i==="start"?"0":"1"}
                max=${i==="start"?"10000000":"32768"}
                inputmode="numeric"
                onInput=${f=>a[i]=f.target.value}
            /></label>`)}
        <label title="where a log joins the ranks of a job"
          >${Q.ranks}
          <select
            onChange=${i=>a.ranks=i.target.value}
          >
            <option value=""></option>
            ${zt.map(i=>c`<option key=${i}>${i}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${t} onClick=${Ue}>
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
    </div>`}function Nt(e,t){const n=o=>e.classList.toggle("is-over",o),s=[["dragover",o=>(o.preventDefault(),n(!0))],["dragleave",()=>n(!1)],["drop",o=>(o.preventDefault(),n(!1),t(o.dataTransfer?.files))]];return s.forEach(([o,a])=>e.addEventListener(o,a)),()=>s.forEach(([o,a])=>e.removeEventListener(o,a))}function te({label:e,columns:t,rows:n}){const s=t.map(o=>o?c`<th scope="col">${o}</th>`:c`<td></td>`);return c`<div class="table-scroll" tabindex="0" role="group" aria-label=${e}>
    <${wt} heads=${s} rows=${n} />
  </div>`}const Ge=[[.5,"few","under half of the layers agree"],[.9,"most","under 90 %"],[1,"nearly","not all"]],Ke=e=>e===null?"":(Ge.find(([t])=>e<t)??[1,"",""])[1];function ne(e,[t,n]){return e===null?"none":t===null||n===null?v(e):v(e)+" ("+v(t)+" to "+v(n)+")"}const Xe=({share:e})=>c`<span class="logs-bar" aria-hidden="true"><span style=${{width:100*(e??0)+"%"}}></span></span>`;function jt({found:e}){const t=["layer","","same set, %","in common, %","differ first here","of those that agreed, %"],n=e.layers.map(s=>c`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td><${Xe} share=${s.same} /></td>
        <td>${ne(s.same,s.same_interval)}</td>
        <td>${ne(s.overlap,s.overlap_interval)}</td>
        <td>${S(s.first_differs)}</td>
        <td>${ne(s.began,s.began_interval)}</td>
      </tr>`);return c`<${te} label="By layer" columns=${t} rows=${n} />`}function Ft({found:{margins:e,margin_of:t}}){if(!e.length)return c`<p class="hint">A has no router logits, so that nothing is said by margin.</p>`;const n=Math.max(...e.map(({differ:a})=>a??0),Number.EPSILON),s=["margin of A, "+t,"","differ, %","tokens \xD7 layers"],o=e.map(a=>c`<tr>
        <th scope="row">${(a.low??0).toPrecision(3)} to ${(a.high??0).toPrecision(3)}</th>
        <td><${Xe} share=${(a.differ??0)/n} /></td>
        <td>${ne(a.differ,a.interval)}</td>
        <td>${S(a.count)}</td>
      </tr>`);return c`<${te} label="By margin" columns=${s} rows=${o} />`}const Je=()=>u.b?q.problem()?.message??"Being compared.":"Choose another log as B.";function Ut(){const e=q.answer();if(!e)return c`<p class="hint">${Je()}</p>`;const{tokens:t,sequences:n,same_at_every_layer:s,interval_over:o}=e;return c`<p class="logs-headline">
      <strong>${s===null?"none":v(s)} %</strong> of ${S(t)} tokens
      (${S(n)} sequences) take the same experts at every layer.
    </p>
    <${jt} found=${e} />
    <${Ft} found=${e} />
    <p class="hint">
      A is ${M(u.a)?.name??e.a}, B is ${M(u.b)?.name??e.b}. Intervals: 95 %, over
      ${" "+o}. ${e.notes.join(" ")}
    </p>`}function Wt({text:e,agreement:t,first:n,place:s,number:o}){const r=(t===null?"not compared":v(t)+" % of the layers agree")+(n?", the first that differs is "+n:""),i=Ke(t),p=e===null?"token "+o+" ":e.split(`
`).map(z).join(z(`
`)+`
`);return i?c`<button
    type="button"
    class=${"logs-token is-"+i}
    title=${r}
    aria-label=${"token "+o+" "+(e??"")+": "+r}
    aria-pressed=${String(u.token===s)}
    onClick=${()=>Ie(s)}
  >
    ${p}
  </button>`:c`<span class="logs-token" title=${r}>${p}</span>`}function Ye({text:{sequence:e,items:t,total:n,offset:s}}){const o=M(u.a)?.facts.sequences??1,a=[["previous","Sequence before",e>0,()=>H(e-1,0)],["next","Sequence behind",e+1<o,()=>H(e+1,0)],["previous","Tokens before",s>0,()=>H(e,Math.max(0,s-j))],["next","Tokens behind",s+t.length<n,()=>H(e,s+j)]],[r,i,p,f]=a.map(([$,d,b,h])=>c`<button type="button" class="tool" title=${d} aria-label=${d} disabled=${!b} onClick=${h}>
        ${pe($)}
      </button>`),m=t.length?S(s+1)+" to "+S(s+t.length)+" of "+S(n):"none";return c`<p class="logs-part">
    sequence ${r} ${S(e+1)+" of "+S(o)} ${i} tokens ${p} ${m} ${f}
  </p>`}function Ht(){const[e,t]=[W(),Re()];if(!e)return c`<p class="hint">${t??Je()}</p>`;const n=t&&c`<p class="logs-problem" role="status">${t}</p>`;if(!e.items.length)return c`<${Ye} text=${e} />${n}`;const s=Ge.map(([,a,r])=>c`<span class=${"logs-token is-"+a}>${r}</span> `),o=()=>[["token","text","layers that agree, %","first that differs"],...e.items.map(({place:a,text:r,agreement:i,first:p})=>[a-e.start,r===null?"":z(r),i===null?"unknown":v(i),p??""])];return c`<p class="hint">${e.name}, ${S(e.total)} tokens. ${s}</p>
    <${Ye} text=${e} />
    ${n}
    <pre class="logs-tokens">
${e.items.map(a=>c`<${Wt} key=${a.place} number=${a.place-e.start} ...${a} />`)}</pre>
    <${me} words="Tokens and how many layers agree" caption=${()=>e.name} rows=${o} />`}const[Ve,E]=[58,26],se=7.6,G=20,xe=e=>e.reduce((t,n)=>n.reduce((s,o)=>Math.max(s,o),t),Number.EPSILON),Gt=(e,t)=>t===1?e:Array.from({length:Math.ceil(e.length/t)},(n,s)=>Math.max(...e.slice(s*t,(s+1)*t)));function Kt({layers:e},t,n,s){const o=xe(t),a=Math.ceil(ge(e,11))+16,r=(s-a-8)/t[0].length,i=Math.max(6,Math.min(22,420/e.length)),p=Math.ceil(1/r),f=r>6?1:0,m=N(t[0].map((l,x)=>"e"+(x+1)),[a,s-8]),$=N(e,[E,E+e.length*i],1),d=t.flatMap((l,x)=>Gt(l,p).map((g,y)=>({share:g,y:$.extent(x),x:[a+y*p*r,a+(y+1)*p*r-f]}))),b={x:l=>l.x,y:l=>l.y},h=$.range[1]+22,w=v(1/t[0].length)+" % is even use, "+v(o)+" % the most"+(p>1?"; a cell is the most used of "+p+" experts":"");return X({width:s,height:h,title:"Use of experts by layer: "+n,desc:"Share of a layer's use that each expert has: the stronger its colour, the more.",marks:[be(m,[0,3],{grid:!1}),$e($,[a,s],{grid:!1,fill:"ink"}),f?I(d,{...b,fill:"hair"}):I($.ticks,{x:[a,s-8],y:$.extent,fill:"hair"}),I(d.filter(({share:l})=>l),{...b,fill:"accent",opacity:({share:l})=>l/o}),R([w],{x:a,y:h-6,down:0,size:11,fill:"dim"})]})}const ve=(e,{x:t,y:n,of:s,stroke:o,fill:a})=>[_t(e,{x:t,y:r=>s(r).interval.map(n),r:3,stroke:o,width:1.4}),St(e,{x:t,y:r=>n(s(r).value),r:3.4,fill:a,stroke:o,width:1.4})];function Xt({layers:e,margins:t,margin_of:n},s,o){const[a,r]=[150,64],i=e.flatMap(({same:g,same_interval:[y]})=>[y??g??1,g??1]),p=Math.max(0,Math.floor(Math.min(...i)*20-.5)/20),f=[Ve,o-12],m=(g,y)=>[0,.25,.5,.75,1].map(L=>g+L*(y-g)),$=N(e.map(({layer:g})=>g),f),d=Oe([p,1],[E+8+a,E+8],{ticks:m(p,1),named:v}),b=Math.min(6,$.step/4),h={x:12,down:0,size:11},w=[vt([{text:"tokens with the same experts, %",key:"dot",fill:"accent"},{text:"experts in common, %",key:"dot",fill:"surface",stroke:"dim"}],{x:12,y:12,width:o}).marks,$e(d,f),be($,[E,E+a+11],{grid:!1}),ve(e,{x:(g,y)=>$(y)+b,y:d,of:({overlap:g,overlap_interval:y})=>({value:g,interval:y}),stroke:"dim",fill:"surface"}),ve(e,{x:(g,y)=>$(y)-b,y:d,of:({same:g,same_interval:y})=>({value:g,interval:y}),stroke:"accent",fill:"accent"})];let l=E+a+36;if(t.length){const g=l+r/2,y=Math.max(...t.map(({differ:C,interval:[,B]})=>B??C??0),.001),L=t.map(({low:C,high:B})=>(C??0).toPrecision(2)+" to "+(B??0).toPrecision(2)),D=N(L,f),P=Oe([0,y],[g+a,g],{ticks:m(0,y),named:v});w.push(R(["that differ, %, by the router's margin in A ("+n+")"],{...h,y:g-12}),$e(P,f),be(D,[g,g+a+3],{grid:!1}),ve(t,{x:(C,B)=>D(B),y:P,of:({differ:C,interval:B})=>({value:C,interval:B}),stroke:"accent",fill:"accent"})),l=g+a+30}return X({width:o,height:l,title:s,desc:"Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.",marks:w})}const Jt={nearly:"accent",most:"marker",few:"bad"};function Yt({items:e,name:t,start:n},s,o){const a=Math.max(10,Math.floor((o-24)/se)),r=e.map(({text:d,place:b})=>d??b-n+" "),{rows:i,places:p}=xt(r,a),f=p.map(({row:d,column:b,span:h},w)=>{const[l,x]=[12+b*se,12+d*G],g=Jt[s(e[w].agreement)],y=[...z(r[w])].slice(0,h);return{x:l,y:x,wide:[l,l+h*se],paint:g,letters:y}}),m=f.filter(({paint:d})=>d),$=f.flatMap(({x:d,y:b,letters:h})=>h.flatMap((w,l)=>w.trim()?[{letter:w,x:d+(l+.5)*se,y:b}]:[]));return X({width:o,height:24+i*G,title:"A and B in "+t,desc:"Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",marks:[I(m,{x:({wide:d})=>d,y:({y:d})=>[d,d+G-2],fill:({paint:d})=>d,opacity:({paint:d})=>d==="accent"?.12:.3}),I(m,{x:({wide:d})=>d,y:({y:d})=>[d+G-4,d+G-2],fill:({paint:d})=>d}),R($,{x:({x:d})=>d,y:({y:d})=>d+14,down:0,text:({letter:d})=>d,size:12.5,anchor:"middle"})]})}function Qe({layers:e,text:t,place:n,name:s},o,a=[]){const r=Ce(),i=Math.max(Ve,Math.ceil(ge(e.map(({a:l})=>l.layer),11,700))+16),p=(o-i-28)/2,f=N(e.map(({a:l})=>l.layer),[E-3,E-3+24*e.length],6),m=["A","B"].map((l,x)=>({letter:l,x:i+x*(p+16)})),$=e.flatMap(({a:l,b:x},g)=>[l,x].flatMap(({layer:y,taken:L},D)=>{let{x:P}=m[D];return L.map(({unit:C,index:B,share:ie})=>{const Ae=C.split(".").at(-1)??C,ot=r.unit(ut(a[D],y,B)),at={x:[P,Math.max(P,P+ie*p-1)],l:g,fill:ot,words:[Ae+" "+v(ie)+" %",Ae]};return P+=ie*p,at})})),d=e.flatMap(({a:l,b:x},g)=>[l,x].flatMap(({taken:y},L)=>y.length?[]:[{l:g,side:L}])),b=e.flatMap(({same:l},x)=>l===!1?[x]:[]),h=$.flatMap(l=>{const x=l.words.find(g=>ge([g],11)+8<l.x[1]-l.x[0]);return x?[{...l,words:x}]:[]}),w=t===null?"":" \u201C"+z(t)+"\u201D";return X({width:o,height:E+e.length*24+8,title:"Token "+n+w+" of "+s+" in A and B",desc:"The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",marks:[R(m,{x:({x:l})=>l,y:16,down:0,text:({letter:l})=>l,size:11,weight:700}),R(e,{x:i-8,y:(l,x)=>f(x),text:({a:l})=>l.layer,size:11,anchor:"end",weight:({same:l})=>l===!1?700:450}),I($,{x:({x:l})=>l,y:({l})=>f.extent(l),fill:({fill:l})=>l,opacity:.55,words:({words:l})=>l[0]}),R(h,{x:({x:l})=>l[0]+4,y:({l})=>f(l),text:({words:l})=>l,size:11,halo:"surface"}),R(d,{x:({side:l})=>m[l].x,y:({l})=>f(l),text:"none",size:11,fill:"dim"}),I(b,{x:[i-3,o-9],y:l=>[f(l)-12,f(l)+12],rx:3,stroke:"bad",width:1.4})]})}const Vt=12,Qt=420,_e=64;function oe(e){return e.map(t=>{const n=t.reduce((s,o)=>s+o,0);return t.map(s=>n?s/n:0)})}function Zt(e,t,n){const s=e.getContext("2d");if(!s)return;const o=Ce(),{live:a}=At(o),r=xe(t),i=window.devicePixelRatio||1;e.width=Math.round(e.clientWidth*i),e.height=Math.round(e.clientHeight*i);const p=new ImageData(t[0].length,t.length),f=new Uint32Array(p.data.buffer);t.forEach((b,h)=>b.forEach((w,l)=>f[h*b.length+l]=a[Math.round(255*w/r)]));const m=new OffscreenCanvas(p.width,p.height);if(m.getContext("2d")?.putImageData(p,0,0),s.imageSmoothingEnabled=!1,s.drawImage(m,0,0,e.width,e.height),!n)return;const[$,d]=[e.width/p.width,e.height/p.height];s.strokeStyle=o.ink,s.lineWidth=2*i,s.strokeRect(n[1]*$,n[0]*d,$,d)}function en({usage:e}){const t=de(null),n=oe(e.counts),s=dt(null);Ee(()=>{const p=t.current,f=()=>Zt(p,n,s.value),m=[ue(f),pt(f),Mt(p,f)];return()=>m.forEach($=>$())},[e]);function o(p){const f=p.currentTarget,{left:m,top:$,width:d,height:b}=f.getBoundingClientRect(),h=Math.floor(n.length*(p.clientY-$)/b),w=Math.floor(n[0].length*(p.clientX-m)/d);s.value=n[h]?.[w]===void 0?null:[h,w]}const a=Math.min(Qt,Math.max(e.layers.length*Vt,96)),i=(e.layers.length<e.total?"the first "+e.layers.length+" of "+e.total:e.total)+" layers by "+n[0].length+" experts; the figures stand below";return c`<canvas
      ref=${t}
      class="logs-picture"
      style=${{height:a+"px"}}
      role="img"
      aria-label=${i}
      onPointermove=${o}
      onPointerleave=${()=>s.value=null}
    ></canvas>
    <p class="readout logs-readout">${tn(e,n,s.value)}</p>
    ${e.layers.length<e.total&&c`<p class="hint">
        ${"The first "+e.layers.length+" of "+e.total+" layers are shown; the file has all of them."}
      </p>`}`}function tn({layers:e,indices:t,counts:n},s,o){if(!o||n[o[0]]?.[o[1]]===void 0){const m=xe(s);return"Even use is "+v(1/s[0].length)+" % for each expert; the most is "+v(m)+" %."}const[a,r]=o,i=e[a]+".e"+(r+1),p="layer "+t[a]+", expert "+r+" in the log",f=v(s[a][r]);return i+" ("+p+"): "+S(n[a][r])+" tokens, "+f+" % of the layer's use"}function nn({layers:e}){const t=["layer","evenness","never used","most used"],n=e.map(s=>c`<tr key=${s.layer}>
        <th scope="row">${s.layer}</th>
        <td>${s.evenness===null?"none logged":s.evenness.toFixed(3)}</td>
        <td>${s.never_used}</td>
        <td>
          ${s.most_used.slice(0,3).map(({unit:o,share:a})=>o+" "+v(a)+" %").join(", ")}
        </td>
      </tr>`);return c`<${te} label="Layers of A" columns=${t} rows=${n} />`}function sn({usage:{layers:e,counts:t}}){const n=oe(t),s=n[0].length-_e;return c`<${me} words="Use of experts" caption=${()=>"Shares of a layer's use, in percent"+(s>0?"; the other "+s+" experts are in the files.":".")} rows=${()=>[["layer",...n[0].slice(0,_e).map((r,i)=>"e"+(i+1))],...n.map((r,i)=>[e[i],...r.slice(0,_e).map(v)])]} />`}function on({id:e,facts:t}){const{model:n,sample:s}=he(),o=[["Its experts on Observe",Be("observe",{model:n,sample:s,log:e})]];return t.counts_only?o:[["Its tokens on Paths",Be("paths",{model:n,sample:s,log:e,step:0})],...o]}function an({facts:{assumed:e=[],notes:t,note_count:n}}){const s=t.slice(e.length),o=t.length?n-t.length:0;return c`${e.length>0&&c`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to say otherwise, bring the file again with the field)</p>
      <ul>
        ${e.map(a=>c`<li key=${a}>${Z(a)}</li>`)}
      </ul>
    </div>`}
  ${s.map(a=>c`<p class="hint" key=${a}>${Z(a)}</p>`)}
  ${o>0&&c`<p class="hint">${"Further notes: "+o+". `routescope import` prints all of them."}</p>`}`}function rn(){const e=M(u.a);if(!e)return c`<p class="hint">${u.a?"On its way.":"Choose a log as A."}</p>`;const[t,n]=[U.answer(),U.problem()?.message];return c`<p class="logs-opens">
      ${on(e).map(([s,o])=>c`<a key=${s} class="button" href=${o} onClick=${fe}>${s}</a>`)}
    </p>
    <${an} facts=${e.facts} />
    ${t?c`<${en} usage=${t} />`:c`<p class=${n?"logs-problem":"hint"} role="status">${n??"On its way."}</p>`}
    <${nn} layers=${e.facts.layers} />
    ${t&&c`<${sn} usage=${t} />`}`}const ae=860;function ln({layers:e,indices:t,counts:n}){const s=oe(n);return[["layer","expert","index_of_layer","index_of_expert","tokens","share"],...n.flatMap((o,a)=>o.map((r,i)=>[e[a],e[a]+".e"+(i+1),t[a],i,r,s[a][i]]))]}const cn=({layers:e,margins:t})=>[["part","of","share","low","high","in_common","low","high","differ_first","count"],...e.map(n=>["layer",n.layer,...[n.same,...n.same_interval,n.overlap,...n.overlap_interval].map(s=>s??""),n.first_differs,n.count]),...t.map(({low:n,high:s,differ:o,interval:a,count:r})=>["margin",n+" to "+s,...[o,...a].map(i=>i??""),"","","","",r])],un=({items:e})=>[["token","text","layers_that_agree","first_that_differs"],...e.map(({place:t,text:n,agreement:s,first:o})=>[t,n??"",s??"",o??""])],dn=({layers:e})=>[["layer","routing","expert","share","margin","same"],...e.flatMap(({same:t,...n})=>["a","b"].flatMap(s=>n[s].taken.map(({unit:o,share:a})=>[n[s].layer,s.toUpperCase(),o,a,n[s].margin??"",t??""])))];function pn(e){const t=e.map(M);return t.every(n=>n!==null)?t.map(n=>n):null}function re(e,t,n){const s=e&&pn(t);if(!s)return null;const{figure:o,facts:a,rows:r,json:i=Tt(r),scene:p,...f}=n(e,s.map(({name:m})=>m),s);return{...f,facts:{...Et(s),...a},rows:()=>r,json:()=>i,python:{figure:o},picture:{scene:p}}}const{state:Se}=It,Me=()=>[Se.a,Se.b],fn={usage:()=>re(U.answer(),[Se.a],(e,[t],[{facts:n}])=>({name:"log-usage",title:"Use of experts in "+t,figure:"log-usage",facts:{tokens:n.tokens},rows:ln(e),scene:(s=ae)=>Kt(e,oe(e.counts),t,s)})),compared:()=>re(q.answer(),Me(),(e,t)=>({name:"logs-compared",figure:"logs-compared",facts:{tokens:e.tokens,sequences:e.sequences,interval_over:e.interval_over},rows:cn(e),json:{...e},scene:(n=ae)=>Xt(e,t.join(" beside "),n)})),text:()=>re(W()?.items.length?W():null,Me(),e=>({name:"logs-text",figure:"logs-agreement",facts:{sequence:e.sequence,sequence_name:e.name},rows:un(e),scene:(t=ae)=>Yt(e,Ke,t)})),token:()=>re(A.latest(),Me(),e=>({name:"logs-token",figure:"logs-decision",facts:{sequence_name:e.name,token:e.token},rows:dn(e),json:{...e},scene:(t=ae)=>Qe(e,t,ye())}))};function hn({log:{id:e,name:t}}){const[n,s]=ft(!1),o=c`<button
    type="button"
    class="tool tool-text"
    aria-label=${(n?"Keep ":"Delete ")+t}
    onClick=${()=>s(!n)}
  >
    ${n?"Keep":"Delete"}
  </button>`;return n?c`${o}<button type="button" class="tool tool-text danger" onClick=${()=>He(e)}>
      Delete this log
    </button>`:o}function mn({log:e}){const{facts:t}=e,n=s=>{const o=u[s]===e.id,a=()=>{if(s==="a")return T(e.id,u.b===e.id?u.a:u.b);if(u.a!==e.id)return T(u.a,o?null:e.id);const r=u.b??u.logs?.find(({id:i})=>i!==e.id)?.id;return r?T(r,e.id):null};return c`<button
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
    <td>${t.counts_only?"counts":S(t.tokens)}</td>
    <td>${t.layer_count} × ${t.experts}${t.experts_counted?"*":""}</td>
    <td>${t.top_k??"unknown"}</td>
    <td class="writes">${e.owner!=="another"&&c`<${hn} log=${e} />`}</td>
  </tr>`}const gn=["","log","recognised as","tokens","layers \xD7 experts","experts a token",""];function $n(){const{logs:e}=u;if(!e)return c`<p class="hint">Asking which logs there are.</p>`;if(!e.length)return c`<p class="hint">
      No log yet<span class="writes">: bring one, or let the bundled model write two</span>.
    </p>`;const t=e.map(s=>c`<${mn} key=${s.id} log=${s} />`),n=e.some(({facts:s})=>s.experts_counted);return c`<${te} label="Logs" columns=${gn} rows=${t} />
    ${n&&c`<p class="hint">* the largest number that occurs; the log does not say it.</p>`}`}const bn="top_experts",Ze=["its own","float64","float32","bfloat16","float16"];function yn({model:e,precision:t,drop:n,top_k:s}){const o=String(n??"").split(",").map(r=>r.trim()).filter(Boolean),a=Ze.indexOf(String(t))>0?String(t):null;return{model:String(e),precision:a,drop:o,top_k:s?Number(s):null}}function kn(e){e.preventDefault(),We(yn(Object.fromEntries(new FormData(e.currentTarget))))}function wn(){const e=(ht()??[]).filter(({fields:t})=>t.includes(bn));return e.length?c`<details class="as-table">
    <summary>Record a log of a model that is here, to be compared with A</summary>
    <form onSubmit=${kn}>
      <label
        >Model<select name="model" class="small-input">
          ${e.map(({id:t})=>c`<option key=${t}>${t}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${Ze.map(t=>c`<option key=${t}>${t}</option>`)}
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
  </details>`:null}const[xn,vn]=[240,760],et=({taken:e})=>e.map(({unit:t,share:n})=>t+" "+v(n)+" %").join(", ")||"none",tt=e=>e===null?"unknown":e.toPrecision(3);function _n(e){const t=A.latest();return t&&Qe(t,Math.max(xn,e),ye())}const Sn=({layers:e})=>[["layer","A","margin of A","B","margin of B","experts"],...e.map(({a:t,b:n,same:s})=>[t.layer,et(t),tt(t.margin),et(n),tt(n.margin),s===null?"unknown":s?"same":"differs"])];function Mn(){const{a:e,b:t}=u,n=A.latest(),s=u.untold??A.problem()?.message;if(!n&&s)return c`<p class="logs-problem" role="status">${s}</p>`;if(!n)return c`<p class="hint">${u.b?"Choose a marked token of the text.":"Choose another log as B."}</p>`;const o=n.layers.filter(({same:f})=>f===!1).map(f=>f.a.layer),{model:a,sample:r}=he(),i=(f,m,$)=>mt({model:a,sample:r,log:f,sequence:m,token:$,step:0}),p=n.text===null?"":" \u201C"+z(n.text)+"\u201D";return c`<p class="logs-headline">
      <strong>${"Token "+n.place+p}</strong>${" of "+n.name+". "}${o.length?o.length+" of "+n.layers.length+" layers differ, first "+o[0]+".":"No layer differs."}
      ${n.weighted?"":" Where a log has no weights, experts have equal shares."}
    </p>
    <${Ct}
      look="logs-token-picture"
      widest=${vn}
      scene=${_n}
      drawn=${()=>String(A.latest()?.token)}
      label=${()=>"The experts of the token in A and in B; the same numbers are in the table below"}
    />
    <p class="logs-opens">
      <a class="button" href=${i(e,n.sequence,n.place)} onClick=${fe}>A on Paths</a>
      <a class="button" href=${i(t,n.sequence_b,n.place_b)} onClick=${fe}>B on Paths</a>
    </p>
    <${me}
      words="Experts of the token in A and B"
      caption=${()=>"Token "+n.place+" of "+n.name}
      rows=${()=>Sn(n)}
    />`}const nt={bring:{title:"Routing logs",reads:"Which experts tokens took, as servers and trainers write it down. A is looked into, and compared with B.",more:"vLLM, SGLang, Megatron-core, CSV of tokens or of counts, arrays in npy, npz or safetensors, and files of `routescope import`. The format is detected by the content. What was assumed in reading a log stands above the use of its experts."},usage:{title:"Use of experts in A",reads:"A row is a layer, a column an expert: the stronger its colour, the more tokens took it.",more:"Experts are numbered from 1; the log's own numbers, from 0, stand beside. Evenness is the entropy of the use of experts over that of equal use. How often an expert is used does not say what it causes; Drop measures that."},compared:{title:"A and B compared",reads:"How many tokens take the same experts in A and B, layer by layer, and where they first do not.",more:"Tokens are paired by sequence and place, up to the first that differs. Intervals are of 95 %. All is observed: experts may differ at a layer because of a difference before."},text:{title:"A and B in the text",reads:"A sequence, at first the one that agrees least, its tokens marked by the share of layers whose experts are the same. Click a marked token to see what it took in both."},token:{title:"A token in A and B",reads:"The experts that it took in A and in B, layer by layer, as wide as their shares; framed: layers that differ.",more:"As recorded in both: a layer may differ because a layer before it does, or a token before."}},An=["svg","png","csv","json"],le=({name:e,look:t,children:n})=>c`<${Le} id=${"logs-"+e} ...${nt[e]} formats=${An} written=${fn[e]}>
    <div class=${t}>${n}</div>
  <//>`,Tn=()=>c`
  <div class="page-head">
    <h1>Logs</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${pe("link")}Copy link</button>
    </div>
  </div>
  <div class="logs-grid">
    <${Le} id="logs-bring" ...${nt.bring}>
      <div class="logs-bring writes"><${Dt} /></div>
      <div class="logs-record writes"><${wn} /></div>
      <div class="logs-list"><${$n} /></div>
    <//>
    <${le} name="usage" look="logs-usage"><${rn} /><//>
    <${le} name="compared" look="logs-compared"><${Ut} /><//>
    <${le} name="text" look="logs-text"><${Ht} /><//>
    <${le} name="token" look="logs-token-place"><${Mn} /><//>
  </div>
`;gt("logs",({model:e,sample:t,a:n,b:s,token:o})=>[n,s??n].every(M)?(bt({model:e,sample:t}),T(n,s,o)):null);const st=()=>({a:u.a,b:u.b,token:u.token});function En(){const{model:e,sample:t}=he();return e?{model:e,sample:t}:kt(location.search)}const Cn=$t({Tree:Tn,choice:st,take:({a:e,b:t,token:n})=>{T(e,t,n)},open({a:e,b:t,token:n},s){const o=s.closest(".page");k({most:Number(o.dataset.maxBytes)}),ze(e,t,n);const a=[qe(),ue(()=>{const r={...En(),...st()};Te(()=>yt("logs",r))})];return()=>{a.forEach(r=>r()),De()}}});export{Cn as mount};
