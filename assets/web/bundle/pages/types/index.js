/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{af as rs,z as cs,ai as vt,B as ps,V as us,E as kt,a0 as ds,aP as hs,aj as ms,n as ee,Y as St,aE as se,aC as fs,aD as gs,bf as $s,aF as Mt,R as K,aR as ys,ac as Ot,bo as bs,r as ot,aA as ws,ax as vs,az as ks,an as xt,d as ne,ah as Ss,aB as Ms,s as p,P as W,al as lt,a2 as Os,au as xs,N as Ts,ab as Tt,aa as Cs,H as ae,aL as Es,aW as T,D as oe,bp as Ns,ao as Ps,aZ as le,T as k,i as ie,av as As,aw as _s,c as Bs,am as Is,ae as Ls,aN as Rs,o as Us,O as js}from"../../boot.js";import{ca as re,bi as C,aH as _,T as Ds,cb as zs,a0 as Fs,Y as Hs,S as ce,$ as Gs,bR as pe,t as ue,U as Ks,j as Ws,A as qs,aI as de,F as Js,z as he,G as Zs,w as Ys,ae as Vs,C as q,H as Qs,I as Xs,av as tn,J as en,K as me,a3 as fe,az as sn,B as nn,bO as an,bP as on,bQ as ln,be as rn,aP as cn,R as pn,P as un,aR as dn,aS as hn,a8 as mn}from"../../shared.js";const Ct={light:["#332288","#88ccee","#117733","#ddaa33","#cc6677","#44aa99","#882255","#999933","#aa4499","#6b7280"],dark:["#8f86f0","#88ccee","#3fae68","#ddcc77","#ee8899","#44aa99","#c8568f","#b5b54a","#d277c3","#a8b0ba"]},ge={light:["#004488","#ddaa33","#bb5566","#228833","#66ccee","#aa3377"],dark:["#6699cc","#eecc66","#ee99aa","#55bb66","#99ddff","#dd77aa"]},fn={light:["#7a1f2b","#c0392b","#d98b00","#a3a300","#3c8d2f","#1b8a7a","#1f78b4","#3b3fa5","#8e44ad","#c2388f"],dark:["#e07a86","#ff8a75","#f2b544","#d4d44a","#7fcf70","#4fd0bd","#6fb7ee","#9aa0ff","#c690e6","#f07cc4"]},gn={light:["#3b1f6b","#31508c","#25778c","#219d82","#63c15c","#d9c52b"],dark:["#7d63d6","#5b83d0","#38a3b5","#35b98a","#86d152","#f4e04d"]},$e={unit:"nearest function",community:"community",label:"label",kind:"kind of sample",domain:"domain",token:"token position",correct:"correct or wrong",step:"step"},J=()=>document.documentElement.dataset.mantineColorScheme==="dark",Et=(t,e,s=0)=>{const n=t[J()?"dark":"light"];return s>n.length?Pt(fn[J()?"dark":"light"],e/(s-1)):n[e%n.length]};function Nt(t,e,s){const n=(o,l)=>parseInt(o.slice(l,l+2),16),a=o=>Math.round(n(t,o)+(n(e,o)-n(t,o))*s);return"#"+[1,3,5].map(o=>a(o).toString(16).padStart(2,"0")).join("")}function Pt(t,e){const s=Math.max(0,Math.min(t.length-1.0001,e*(t.length-1)));return Nt(t[Math.floor(s)],t[Math.floor(s)+1],s-Math.floor(s))}function $n(t,e,s){const{kind:n,row:a,column:o}=t.tokens[e];if(n==="number")return Et(Ct,o??0);if(n!=="patch"&&n!=="panel")return t.ofNumbers?Et(ge,e,t.info.domains.length):s.ink;const{rows:l,columns:r}=t.grid,c=Pt(["#2166ac","#2a9d8f","#e0a100","#c0392b"],l>1?(a??0)/(l-1):0),u=r>1?(o??0)/(r-1):0;return u<.5?Nt(c,"#ffffff",.55*(1-2*u)):Nt(c,J()?"#8a8f98":"#000000",.4*(2*u-1))}const At=(t,e,s,n,a=!1)=>({of:t,names:e,none:n,paints:e.map((o,l)=>Et(s,l,a?0:e.length))}),yn={unit:(t,e)=>({of:t.unit,names:t.units,paints:t.units.map((s,n)=>e.unit(n)),none:t.words.none}),community:(t,e,s)=>{const{of:n,entries:a}=Ds.community(s,e);return{of:t.unit.map(o=>o<0?-1:n[o]),names:a.map(o=>o.name+" ("+o.count+" modules)"),paints:a.map(o=>o.paint),none:t.words.none}},label:({label:t,info:e})=>At(t,e.labels,Ct,"no label",!0),kind:({kind:t,info:e})=>At(t,e.kinds,Ct,"no kind"),domain:({domain:t,info:e})=>At(t,e.domains,ge,"no domain"),token:(t,e)=>({of:t.place,names:t.tokens.map((s,n)=>t.placeLabel(n)),paints:t.tokens.map((s,n)=>$n(t,n,e)),none:""}),correct:t=>({of:t.correct,names:["wrong","correct"],paints:J()?["#ff8a5c","#4f9fd6"]:["#d55e00","#3a86b8"],none:"not known"}),step:t=>({of:t.step,names:t.steps.map(_),paints:t.steps.map((e,s)=>Pt(gn[J()?"dark":"light"],t.steps.length>1?s/(t.steps.length-1):0)),none:""})};function bn(t,e,s,n,a){const o=e==="community"&&!ye(t,a)?"unit":e,{of:l,names:r,paints:c,none:u}=yn[o](t,s,a),h=new Int32Array(r.length+1),m=new Int16Array(t.count),d=new Uint8Array(r.length+1);for(let g=0;g<t.count;g+=1){const $=l[g]>=0&&l[g]<r.length?l[g]:r.length;m[g]=$,d[$]=1,(!n||n(g))&&(h[$]+=1)}const y=[...r,u].map((g,$)=>({index:$,name:g,paint:$<r.length?c[$]:s.unmatched,count:h[$],there:$<r.length&&!["token","kind"].includes(e)||d[$]===1}));return{by:e,of:m,entries:y,paints:y.map(g=>g.paint)}}const ye=(t,e)=>!!(e&&e.units.length===t.units.length);function it(t,e,s){const n={...$e,...t&&{step:C(t.steps)},unit:(t?t.words:re(s)).unit};return t&&(t.ofUnits&&delete n.token,t.labelled||(delete n.label,delete n.correct),t.info.kinds?.length||delete n.kind,ye(t,e)||delete n.community),n}const wn=64,vn=4e4,kn=450,Sn=150,Mn=250,_t={x:0,y:0,zoom:1},U=["trained","initial"],Bt=rs("types","method","data","samples","tokens","perplexity","neighbours","seed","drop"),It=()=>({modelId:null,choice:{...Bt},maps:{trained:null,initial:null},compare:!1,layout:"map",share:null,step:0,allSteps:!1,time:null,playing:!1,colour:null,hidden:new Set,hover:null,chosen:null,tool:"move",view:{..._t}}),{state:i,update:f,subscribe:be}=cs(It()),j=({fields:t})=>t.includes("types"),D=vt(()=>i.modelId,async t=>{const e=await ps(t);if(e)throw Object.assign(new us(403,e.title,e.detail),{refused:!0});const[s,n]=await Promise.all([kt("GET","/models/"+encodeURIComponent(t)),kt("GET","/data")]);return ds("drop",s,i.choice.drop),hs(t,s.domains,i.choice.data),{model:s,sets:n.items.filter(({name:a})=>s.domains.includes(a))}}),w=()=>D.answer()?.model??null,we=()=>D.answer()?.sets??[],ve=vt(()=>{const t=w();return t&&!j(t)&&t.constants.includes("link_probability")?t.id:null},t=>kt("GET","/models/"+encodeURIComponent(t)+"/graph")),E=()=>ve.answer();function v(){const t=w();return i.compare&&(!t||j(t))}const B={trained:["types-pca","types-trained"],initial:["types-pca-initial","types-initial"]};function On(){const[t,{choice:e,modelId:s}]=[w(),i];if(!t||t.id!==s)return null;const n={...e,model:t.id,drop:St(t.units,e.drop)};if(j(t))return n;const a=Math.max(1,Math.floor(vn/(t.units.length*t.steps.length)));return{...n,tokens:"patches",samples:Math.min(e.samples,a)}}const Lt=ms(On),Rt=()=>Lt.value;function Ut(t){const{value:e}=Lt;if(!e||t==="initial"&&!v())return null;const{drop:s,...n}=e;return JSON.stringify(ke({...n,routing:t,intervention:{drop:s,mute:[],iterations:null}},n.method))}const ke=(t,e)=>({...t,method:e,perplexity:e==="tsne"?t.perplexity:Bt.perplexity,neighbours:e==="umap"?t.neighbours:Bt.neighbours});function jt(t,e=[]){const s=e.map(n=>JSON.stringify(n));for(const n of t){const{job:a,request:o}=se(n);a&&a.state!=="done"&&!s.includes(JSON.stringify(o?.body))&&fs(n)}}const Se=(t,e,s,n,a)=>new Promise((o,l)=>{let r=!1;const{stop:c}=gs(e,"/embeddings",s,{done:u=>{zs(u).then(o,l)},cancelled:()=>a&&o(null),failed(u){r=!0,a?o(null):l(u)},goesOn:()=>r&&!a&&O[t].again()});n.addEventListener("abort",c)});async function xn(t,e,s){i.maps[t]&&await new Promise(r=>setTimeout(r,Mn));const n=JSON.parse(e),[a,o]=B[t],l=ke(n,"pca");if(s.throwIfAborted(),jt([a,o],[l,n]),n.method!=="pca"){const r=await Se(t,a,l,s,!0);s.throwIfAborted(),r&&Oe(t,r,e)}return Se(t,o,n,s,!1)}const Me=t=>vt(()=>Ut(t),(e,s)=>xn(t,e,s)),O={trained:Me("trained"),initial:Me("initial")},rt=ee({trained:null,initial:null});function Oe(t,e,s){const n=i.maps[t];if(n===e&&rt.value[t]===s)return;const a={maps:{...i.maps,[t]:e}};if(rt.value={...rt.value,[t]:s},t==="initial"){f(a);return}const o=n!==null&&String(n.samples)===String(e.samples),l=o&&n.info.method==="pca"&&e.info.method!=="pca"&&i.layout==="map";o||(a.chosen=null);const r=$s(e.info.model,i.step,e.steps.length);f({...a,step:r,hover:null,...l&&!Mt()?{share:0}:{}}),l&&qt("map")}const xe=t=>se(B[t][1]).job?.state==="cancelled",Dt=t=>t?O[t].waits()&&!xe(t):U.some(e=>Dt(e)),zt=()=>U.some(t=>i.maps[t]&&(t==="trained"||v())&&rt.value[t]!==Ut(t)),Ft=()=>[D,O.trained].find(t=>t.problem()&&!t.waits())?.problem()??null,Ht=()=>Ft()?"failed":i.maps.trained?"ready":xe("trained")?"empty":"loading",Gt=()=>(D.problem()?D:O.trained).again(),N=()=>U.flatMap(t=>{const e=i.maps[t];return e&&(t==="trained"||v())?[{which:t,points:e}]:[]}),Z=()=>Ot().sample,ct=()=>i.allSteps?null:i.step;function x(){const t=i.maps.trained,e=t&&t.units.length>bs;return i.colour??(e&&it(t,E(),w()).community?"community":"unit")}const pt=(t,e,s,n=ct())=>(n===null||t.step[s]===n)&&!i.hidden.has(e.of[s]),Te=new WeakMap;function z(t){const[e,s]=[ot(),ct()],n=[x(),s,e.surface,!!E()].join(" "),a=Te.get(t);if(a&&a.key===n)return a;const o=r=>s===null||t.step[r]===s,l={...bn(t,x(),e,o,E()),key:n};return Te.set(t,l),l}const F=t=>f({choice:{...i.choice,...t}});function ut(t){const e=i.maps.trained;if(!e)return;const s=e.steps.length-1;f({step:Math.max(0,Math.min(s,t)),time:null,playing:!1,allSteps:!1,hover:null})}const Ce=t=>$e[t]&&f({colour:t,hidden:new Set}),dt=t=>f({colour:x(),hidden:new Set(t)}),Ee=t=>dt(i.hidden.has(t)?[...i.hidden].filter(e=>e!==t):[...i.hidden,t]);function Kt(t,e){const s=e.filter(a=>a!==t),n=!i.hidden.has(t)&&s.every(a=>i.hidden.has(a));dt(n?[]:s)}function I(t,e){const{hover:s}=i;(e>=0?s?.which===t&&s.point===e:!s)||f({hover:e>=0?{which:t,point:e}:null})}function Wt(t,e,s){if(t===e)return s;const[n,a]=[i.maps[e],i.maps[t]];if(!n||!a)return-1;const o=n.tokens.length;return a.trackNamed(n.samples[Math.floor(s/o)],n.tokens[s%o].name)}function Y(t,e,{layout:s,step:n}={layout:i.layout,step:ct()}){const a=t&&i.maps[t];if(!t||!e||!a){f({chosen:null});return}const o=Fs(e,wn),{places:l}=a.layouts[a.info.method==="pca"?"map":s],r=z(a),c=a.order.filter(m=>pt(a,r,m,n)),u=new Hs(l,c).inside(o),h=new Set(u.map(m=>a.track[m]));f({chosen:{which:t,step:n,layout:s,map:a.id,polygon:o,tracks:h,points:u},hover:null})}function V(){const{chosen:t}=i,e=t&&i.maps[t.which];return e?i.allSteps&&t.step===null?Array.from(t.points):(i.allSteps?e.steps.map((n,a)=>a):[i.step]).flatMap(n=>[...t.tracks].map(a=>e.pointOf[n][a])).filter(n=>n>=0):[]}let ht=0;function qt(t){cancelAnimationFrame(ht);const e=i.share!==null?i.share:i.layout==="pca"?0:1,s=t==="pca"?0:1;if(e===s||Mt()){f({layout:t,share:null});return}const n=performance.now();f({layout:t,share:e,hover:null});const a=o=>{const l=e+Math.sign(s-e)*Math.max(0,o-n)/kn,r=s>e?l>=s:l<=s;f({share:r?null:l}),r||(ht=requestAnimationFrame(a))};ht=requestAnimationFrame(a)}const mt=ee(null);let Q=0,ft=null;function Ne(){const{value:t}=Lt,{chosen:e,playing:s,share:n}=i;if(!t||s||n!==null)return null;const a=e&&i.maps[e.which]?.id===e.map;return{...t,sample:Z(),colour:i.colour,step:i.allSteps?"all":String(i.step+1),hide:[...i.hidden].sort((o,l)=>o-l),pca:i.layout==="pca",compare:v(),view:i.view,lasso:a&&[e.which,e.layout,e.step===null?"all":e.step+1,e.polygon]}}function Tn(){Q=0;const t=Ne(),e=w();if(!t||!e)return;Ss("types",t,e.units);const{model:s,sample:n,...a}=Ms("types",location.search);mt.value={...a,hide:(a.hide??[]).map(Number)}}function gt({colour:t,step:e,hide:s,pca:n,compare:a,view:o,lasso:l,...r}){const c=ws(o);ft=l?Cn(l):null,f({choice:r,colour:t??(s?.length?"unit":null),allSteps:e==="all",step:e==="all"?0:Number(e)-1,hidden:new Set((s??[]).map(Number)),layout:n?"pca":"map",share:null,compare:a,chosen:null,view:c?ce.clamped(c):{..._t}}),U.forEach(Pe)}function Cn(t){const{on:e,polygon:s}=ks(t),[n,a,o]=e;return{which:n,layout:a,step:o==="all"?null:Number(o)-1,polygon:s}}function Pe(t){if(ft?.which!==t||!O[t].answer())return;const{polygon:e,...s}=ft;ft=null,Y(t,e,s)}function En(){let t=vs(location.search).model;return K(()=>{const e=t??Ot().model;Ot(),t=null,xt(()=>{if(e===i.modelId)return;const s={maps:{trained:null,initial:null},hover:null,chosen:null,playing:!1,time:null};f({modelId:e,...i.modelId?s:{}})})})}const Nn=t=>K(()=>{const[e,{status:s,message:n,title:a}={status:0}]=[O[t].answer(),O[t].problem()??void 0];xt(()=>{const o=Ut(t);(!o||e)&&jt(B[t]),e&&o?(Oe(t,e,o),Pe(t)):s&&t==="initial"&&ne(a||"No map",n||"","bad")})});function Ae(t){f(It()),mt.value=t,gt(t);const e=[En(),...[D,ve,O.trained,O.initial].map(s=>s.follow()),...U.map(Nn),K(()=>{Ne()&&!Q&&(Q=setTimeout(Tn,Sn))})];return()=>{e.forEach(s=>s()),clearTimeout(Q),cancelAnimationFrame(ht),Q=0,jt(Object.values(B).flat()),Object.values(B).flat().forEach(ys),f(It())}}var Pn=Object.freeze({__proto__:null,JOBS:B,ROUTINGS:U,WHOLE:_t,again:Gt,ask:F,begin:Ae,choose:Y,chosenPoints:V,chosenSample:Z,colour:x,colourBy:Ce,colouringOf:z,compares:v,goTo:ut,graph:E,hide:dt,isolate:Kt,model:w,ofTypes:j,point:I,problem:Ft,request:Rt,said:mt,sets:we,shownMaps:N,shownStep:ct,shows:pt,stale:zt,state:i,status:Ht,subscribe:be,take:gt,toggleCategory:Ee,trackIn:Wt,turnTo:qt,update:f,waits:Dt});const An=112,_n=60;function _e(t,e,s){const n=t.samples[t.sample[e]],{kind:a,row:o,column:l}=t.tokens[t.token[e]],{rows:r,columns:c}=t.grid,u=(m,d)=>100*m/d+"%",h={left:u(l??0,c),top:u(o??0,r),width:u(1,c),height:u(1,r)};return t.ofNumbers?s>_n?null:p`<span class="token-tile">${t.shortName(e)}</span>`:p`
    <span class="marked-image" style=${{width:s+"px",height:s+"px"}}>
      <img
        key=${n}
        src=${Ts+t.picturePath(n)}
        alt=""
        width=${s}
        height=${s}
        class="pixels"
      />
      ${(a==="patch"||a==="panel")&&p`<span class="patch-mark" style=${h}></span>`}
    </span>
  `}const Be=(t,e)=>p`<span class="swatch" aria-hidden="true" style=${{background:Tt(t.unit[e])}}></span>`,Ie=(t,e)=>[t.samples[t.sample[e]],(t.ofUnits?"module ":"")+t.tokenLabel(t.token[e]),t.labelled&&"label "+t.labelName(e),_(t.steps[t.step[e]]),!t.ofUnits&&t.unitName(e),t.correct[e]===0&&"sample predicted wrongly"].filter(Boolean).join(", ");function Bn(t,e){const s=t.correct[e]===0;return p`
    ${_e(t,e,An)}
    <div class="card-words">
      <p><strong>${t.samples[t.sample[e]]}</strong></p>
      ${!t.ofUnits&&p`<p>${t.tokenLabel(t.token[e])}</p>`}
      ${t.labelled&&p`<p>${"label "+t.labelName(e)}${s&&p`<span class="thumb-wrong">wrong</span>`}</p>`}
      <p>${_(t.steps[t.step[e]])}</p>
      <p>${Be(t,e)}${t.unitName(e)}</p>
    </div>
  `}function In({which:t,placeOf:e}){const s=W(null),{hover:n,maps:a,share:o,playing:l}=i,r=a[t],c=n&&n.which===t&&o===null&&!l?n.point:-1;return lt(()=>{const u=c>=0&&e(c),{current:h}=s;u&&h&&Gs(h,h.parentElement,u)}),p`<div class="type-card" hidden=${c<0||!r} aria-hidden="true" ref=${s}>
    ${r&&c>=0&&Bn(r,c)}
  </div>`}function Ln(){const{hover:t,maps:e}=i,s=t&&e[t.which];return p`<p class="hidden-visually" id="types-pointed" aria-live="polite">${s?Ie(s,t.point):""}</p>`}function Jt(t,e){const s=i.maps[t];if(!s)return;const{model:n,units:a,intervention:o}=s.info,l={sample:s.samples[s.sample[e]],step:s.step[e]},r=s.candidateOf(s.token[e]);Os(xs("paths",{model:n,...l,drop:o.drop,candidate:r},a))}const H={pca:"PCA",tsne:"t-SNE",umap:"UMAP"},L={trained:"as trained",initial:"routing at initialisation"},$t=(t,e)=>e.layout==="pca"?"pca":t.info.method;function X(t,e,s){const{info:n}=t,a=$t(t,e),o=[n.model,H[a]];return a===n.method&&a==="tsne"&&o.push("perplexity "+tt(n,"perplexity")),a===n.method&&a==="umap"&&o.push(tt(n,"neighbours")+" neighbours"),o.push("seed "+n.seed),n.intervention.drop.length&&o.push("drop "+ae(n.intervention.drop)),s&&o.push(e.allSteps?"all "+C(t.steps)+"s":pe(t.steps,e.step)),o.join(" \xB7 ")}const tt=({parameters:t},e)=>t[e]??null,et=t=>t.toLocaleString("en");function Rn(t,e){const{info:s}=t,n=[["method",H[s.method]]];s.method==="tsne"&&n.push(["perplexity",String(tt(s,"perplexity"))]),s.method==="umap"&&n.push(["neighbours",String(tt(s,"neighbours"))]);const a=tt(s,"variance");s.method==="pca"&&Array.isArray(a)&&n.push(["variance shown",a.slice(0,2).map(Cs).join(" + ")]),e||n.push(["seed",String(s.seed)]);const{value:o,pca:l,neighbours:r,points:c}=s.trustworthiness;return n.push(["trustworthiness",o.toFixed(3),"k = "+r+", on "+(c===s.count?"all ":"")+et(c)+" points"]),s.method!=="pca"&&n.push(["of the PCA twin",l.toFixed(3)]),e?n:[...n,...Un(t)]}function Un({info:t,samples:e,usedTokens:s,steps:n,words:a}){const o=[et(e.length)+" samples",s.length+" "+a.elements,n.length+" "+C(n)+"s"],l=t.data.map(({count:u,title:h,stand_in:m})=>{const d=m&&!/stand-in/i.test(h)&&p`<span class="tag tag-warn">stand-in</span>`;return p`<span class="facts-set">${et(u)+" of "+h}${d}</span>`}),{drop:r}=t.intervention,c=[["points",et(t.count),o.join(" \xD7 ")],["data",l]];return r.length?[...c,["dropped",ae(r,12)]]:c}const Le=([t,e,s])=>p`
  <div>
    <dt>${t}</dt>
    <dd>${e}${s&&p`<small>${s}</small>`}</dd>
  </div>
`;function jn(){const[t,e]=[N(),v()],{method:s,samples:n,seed:a}=Rt()??i.choice,o=[["method",H[s]],["seed",String(a)],["samples",et(n)]];return p`<div class="type-facts">
    ${!t.length&&p`<dl class="facts-list">${o.map(Le)}</dl>`}
    ${t.map(({which:l,points:r})=>p`
        ${e&&p`<h3 class="small-title">${L[l]}</h3>`}
        <dl key=${l} class="facts-list" data-facts=${l}>${Rn(r,l==="initial").map(Le)}</dl>
      `)}
  </div>`}function Dn(){const t=i.maps.trained,e=t?t.words:re(w()),s=t?$t(t,i):i.choice.method,n="Each point is "+e.point+" at one "+(t?C(t.steps):"step");return s==="pca"?n+", seen along the two directions "+e.directions+"."+e.marks:n+"; near points "+e.near+". Distances between far groups mean little."+e.marks}function zn(){const{maps:t,choice:e}=i;if(!t.trained||!Dt("trained"))return"";const{method:s}=t.trained.info;return"showing "+(zt()?"the map before":H[s])+" while "+H[e.method]+" is computed"}const P={},Zt=new Set;function Re(t,e){const s=W(null),n=W(null);return lt(()=>{const a=n.current=new Wn(s.current,t,e);return e===null?P[t]=a:Zt.add(a),()=>{P[t]===a&&delete P[t],Zt.delete(a),a.dispose()}},[]),{canvas:s,map:n}}const Fn=["maps","colour","hidden","layout"];function Hn(t,e,s){if(s===null||t.info.method==="pca")return t.layouts[t.info.method==="pca"?"map":e];const{pca:n,map:a}=t.layouts,o=s*s*(3-2*s),l=(r,c)=>r.map((u,h)=>u+(c[h]-u)*o);return{places:l(n.places,a.places),halves:n.halves.map((r,c)=>r+(a.halves[c]-r)*o),marks:l(n.marks,a.marks)}}function Gn(t,e,s){if(!e.marks.length)return[];const n=new Set(t.info.intervention.drop);return t.units.flatMap((a,o)=>{const[l,r]=[e.marks[2*o],e.marks[2*o+1]];return n.has(a)||!Number.isFinite(l)?[]:[{x:l,y:r,name:a,paint:s.unit(o)}]})}const Kn=(t,e)=>t.x===e.x&&t.y===e.y&&t.zoom===e.zoom;class Wn{constructor(e,s,n){this.which=s,this.only=n,this.canvas=e,this.chosen=void 0,this.items=void 0,this.map=new ce(e.parentElement,e,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:a=>s==="trained"&&n===null&&f({view:{...a}})}),this.stops=[be((a,o)=>this.onState(a,o)),K(()=>{E(),Z(),v(),xt(()=>this.rebuild())}),...n===null?[this.listen()]:[]]}listen(){return Ks(this.map,{tool:()=>i.tool,hover:e=>I(this.which,e),pick:e=>Jt(this.which,e),select:e=>this.select(e)})}dispose(){this.stops.forEach(e=>e()),this.map.dispose()}get points(){return i.maps[this.which]}get step(){const e=(this.points?.steps.length??1)-1;return this.only??(i.allSteps?null:Math.min(i.step,e))}onState(e,s){if(!this.points||(this.only??0)>=this.points.steps.length){s.has("maps")&&(this.map.items=null,this.map.draw());return}const n=(...o)=>o.some(l=>s.has(l)),a=this.only===null;n(...Fn)||a&&n("step","allSteps")?this.rebuild():a&&n("time","share")?this.move(e):n("chosen","hover","step","allSteps")&&this.mark(e),a&&n("view")&&this.which==="trained"&&!Kn(this.map.view,e.view)&&(this.map.view={...e.view},this.map.redraw())}rebuild(){const{points:e,step:s}=this;if(!e)return;const n=z(e),a=s===null?e.order:e.ordersByStep[s],o=this.layout(e);this.map.setItems({order:i.hidden.size?a.filter(l=>pt(e,n,l,s)):a,category:n.of,paints:n.paints,places:o.places,halves:o.halves}),this.move(i)}layout(e){return Hn(e,i.layout,this.only===null?i.share:null)}move(e){const{points:s,map:n}=this;if(!s)return;const a=this.layout(s),o=Gn(s,a,ot());if(this.only!==null)n.marks=o.map(l=>({...l,name:""}));else{const l=e.time===null?0:e.time-Math.floor(e.time),r=l>0&&!e.allSteps&&!Mt();n.setPlaces(r?s.between(a,Math.floor(e.time??0),l):a.places,a.halves),n.marks=o,n.caption=X(s,e,!0),n.heading=v()?L[this.which]:""}this.mark(e)}mark(e){const{points:s,map:n,step:a}=this;if(!s||!n.items)return;const o=Z(),l=o?s.pointsOfSample(o,a):[],r=this.pointed(e);n.ringed=r>=0?[...l,r]:l;const{chosen:c}=e;(this.chosen!==c||this.items!==n.items)&&(this.chosen=c,this.items=n.items,n.setStrong(c?this.maskOf(c):null));const u=c&&c.map===s.id&&c.step===a&&c.layout===e.layout;n.lasso=u&&this.only===null&&e.share===null?c.polygon:null,n.draw()}pointed({hover:e,maps:s}){const{points:n,step:a}=this,o=e&&s[e.which];if(!e||!o||!n)return-1;if(e.which===this.which&&(a===null||n.step[e.point]===a))return e.point;const l=Wt(this.which,e.which,o.track[e.point]),r=a??o.step[e.point];return l<0?-1:n.pointOf[Math.min(r,n.steps.length-1)][l]}maskOf(e){const s=this.points,n=new Uint8Array(s.count);if(e.which===this.which&&this.step===null&&e.step===null){for(const a of e.points)n[a]=1;return n}for(const a of e.tracks){const o=Wt(this.which,e.which,a);if(o>=0)for(const l of s.pointOf)l[o]>=0&&(n[l[o]]=1)}return n}select(e){i.playing&&f({playing:!1,time:null}),Y(this.which,e)}selectView(){const{map:e}=this,s=[[0,0],[e.width,0],[e.width,e.height],[0,e.height]];this.select(s.map(([n,a])=>e.toMap(n,a)))}publish(){const{points:e,canvas:s}=this;if(!e)return;const{dataset:n}=s;n.painted=e.id,n.points=String(this.map.items.order.length),this.only===null&&(n.method=$t(e,i),n.step=this.step===null?"all":e.steps[this.step],n.colour=x(),n.playing=String(i.playing),n.moving=String(i.share!==null||i.time!==null),n.hovered=String(this.pointed(i)))}scene(e){const{points:s}=this;if(!s)throw new Error("There is no map to show.");const[n,{words:a}]=[X(s,i,!0),s],o=it(s,E(),w())[x()];return this.map.scene(`Map of ${a.points}: ${n}, ${L[this.which]}`,`Each point is ${a.point} for one sample, coloured by ${o}.${a.marks} One fit over all ${C(s.steps)}s.`,e)}}const qn=130,Jn=". Space plays, left and right go back and on, up and down move through the points, Enter opens a point's path, plus and minus zoom, Shift and arrows move the map, 0 shows all, L takes the lasso, Escape ends it.";function Ue({which:t,label:e,onKey:s,children:n}){const{canvas:a,map:o}=Re(t,null),l=t==="initial"?" at initialisation":"";return p`<div class="type-map">
    <div class="type-jobs">
      ${B[t].map((r,c)=>{const u=(c?"Map":"PCA map")+l;return p`<${Es} key=${r} name=${r} what=${u} />`})}
    </div>
    <div class=${"type-canvas type-canvas-"+t}>
      <canvas
        id=${"type-picture-"+t}
        tabindex="0"
        role="img"
        aria-label=${e+Jn}
        onKeyDown=${s}
        ref=${a}
      ></canvas>
      <${In} which=${t} placeOf=${r=>o.current?.map.placeOf(r)} />
      ${n}
    </div>
  </div>`}function Zn({which:t,step:e,name:s}){const{canvas:n,map:a}=Re(t,e);function o({clientX:l,clientY:r}){const c=n.current?.getBoundingClientRect();c&&a.current&&I(t,a.current.map.itemAt(l-c.left,r-c.top))}return p`
    <button
      type="button"
      class="multiple"
      data-step=${e}
      data-of=${t}
      aria-label=${"Go to "+s+(t==="initial"?", routing at initialisation":"")}
      aria-pressed=${String(!i.allSteps&&i.step===e)}
      onClick=${()=>ut(e)}
      onPointerMove=${o}
      onPointerLeave=${()=>I(t,-1)}
    >
      <span class="multiple-label">${s}</span>
      <span class="multiple-canvas"><canvas aria-hidden="true" ref=${n}></canvas></span>
    </button>
  `}const Yn=()=>p`<div class="multiples">
    ${N().flatMap(({which:t,points:e})=>{const s=e.steps.map((a,o)=>p`<${Zn} key=${o} which=${t} step=${o} name=${_(a)} />`);return[...v()?[p`<h3 class="small-title">${L[t]}</h3>`]:[],p`<div key=${t} class="multiples-row">${s}</div>`]})}
  </div>`;function Vn(t){const e=({which:b,only:M})=>(b==="initial"?1e6:0)+(M??0),s=[...Zt].filter(({points:b})=>b).sort((b,M)=>e(b)-e(M)),n=ot(),a=s[0].points,{width:o,height:l}=s[0].map,r=Math.min(s.length,a.steps.length),c=t?Math.max(1,Math.min(r,Math.floor((t+10)/(qn+10)))):r,u=t?(t+10)/c-10:o,[h,m]=[Math.round(l*u/o),22],d=s.flatMap((b,M)=>{const[at,te]=[M%c*(u+10),Math.floor(M/c)*(h+m+6)],os=_(b.points.steps[b.only??0]),ls=(v()?L[b.which]+", ":"")+os;return[{shape:"text",x:at,y:te+14,text:ls,size:12,weight:650,fill:n.ink},...b.map.scene("","",u).items.map(is=>ue(is,at,te+m))]}),y=c*(u+10)-10,g=Math.ceil(s.length/c)*(h+m+6)+16,$=X(a,i,!1);d.push({shape:"text",x:y,y:g-4,text:$,size:10.5,anchor:"end",fill:n.dim});const R=s.every(b=>b.map.items.order.length<=5e3);return{width:y,height:g,background:n.surface,title:"Types by "+C(a.steps)+": "+$,desc:"Panels share their axes."+(R?"":" Points are pixels inside this file, the rest is vectors."),items:d}}const Qn=["unit","label","domain"],Xn=t=>Qn.filter(e=>e!=="label"||t.labelled),je=(t,e)=>e==="unit"?t.words.group:"by "+e,Yt=190,De={trained:{stroke:"accent"},initial:{stroke:"bad",dash:[6,3]}},ze=t=>bt(t)?t.toFixed(3):"none",yt=()=>N().map(({which:t,points:e})=>({which:t,points:e,rows:e.info.clustering})),bt=t=>t!==null&&Number.isFinite(t);function ta(t){const e=t.flatMap(({rows:o})=>o.flatMap(l=>[l.score,l.null_low,l.null_high])).filter(bt),s=Math.min(0,...e),n=Math.max(.1,...e),a=.06*(n-s);return[s<0?s-a:0,n+a]}function ea(t,{which:e,points:s,rows:n},a,o){const{stroke:l,dash:r}=De[e],c=s.steps.flatMap((d,y)=>{const g=n.find($=>$.step===d&&$.by===t);return g&&bt(g.score)?[{...g,index:y}]:[]}),u=({index:d})=>a(d);if(!c.length){const d=o.range[1]+(e==="initial"?28:14);return q(["not defined: one group alone"],{x:a(0),y:d,size:10,fill:"dim"})}const h=c.filter(d=>bt(d.null_low)),m=d=>o(d.score);return[tn(h,{x:u,y:d=>[o(d.null_low),o(d.null_high)],fill:l,stroke:l,width:1,opacity:.28}),en(c,{x:u,y:m,stroke:l,dash:r}),me(c,{x:u,y:m,r:3,fill:"surface",stroke:l,width:2,words:d=>_(d.step)+": "+ze(d.score)})]}function Fe(t){const e=yt();if(!e.length)return null;const[{points:s}]=e,n=t>560?3:1,a=(t-18*(n-1))/n,o=ta(e),l=Xn(s),r=s.steps.map(de),c=Math.ceil(l.length/n)*Yt,u=e.map(({which:m})=>({text:L[m]+"; band: shuffled",...De[m],width:2})),h=Js(u,{x:0,y:c+12,width:t});return he({width:t,height:c+2+h.height,title:"Clustering of "+s.words.points+" by "+C(s.steps)+": "+X(s,{...i,layout:"map"},!1),desc:"Silhouette, cosine distance, of "+s.words.points+" grouped "+s.words.group+", label and domain; bands: the same with shuffled groups, 2.5 to 97.5 %.",marks:[l.map((m,d)=>{const[y,g]=[d%n*(a+18),Math.floor(d/n)*Yt+28],$=Zs(o,[g+Yt-54,g],{round:!1,most:6}),R=Ys(r,11)<(a-42)/r.length,b=Vs(R?r:s.steps,[y+34,y+a-8]);return[q([je(s,m)],{x:y,y:g-12,down:0,weight:650,room:a}),Qs($,[y+34,y+a-6],{size:10}),Xs(b,[g,$.range[0]-1],{grid:!1}),e.map(M=>ea(m,M,b,$))]}),h.marks]})}function sa(t){const e=["routing","groups","step","silhouette","shuffled: mean","2.5 %","97.5 %","points"],s=t.flatMap(({which:n,points:a,rows:o})=>o.map(l=>[L[n],je(a,l.by),de(l.step),...[l.score,l.null_mean,l.null_low,l.null_high].map(ze),String(l.n)]));return[e,...s]}const na=()=>p`
  <${Ws}
    look="type-clustering"
    scene=${Fe}
    height=${200}
    drawn=${()=>yt().map(({points:t})=>t.id).join(" ")}
    label=${({title:t,desc:e})=>t+". "+e+" The same numbers are in the table below."}
  />
  <${qs}
    words="Clustering scores as a table"
    caption=${()=>"Silhouette of types beside the same with shuffled groups."}
    rows=${()=>sa(yt())}
    data=${{"data-clustering-table":"true"}}
  />
`,He=60,S=52,aa=16;function Ge(t,e){return t.length<=e?t:Array.from({length:e},(s,n)=>t[Math.floor(n*t.length/e)])}function Vt(t,e,s,n,a,o){const l=new Int32Array(s.length+1);for(const r of e)l[n[r]>=0&&n[r]<s.length?n[r]:s.length]+=1;return[...s,o].map((r,c)=>({name:r,count:l[c],paint:a(c<s.length?c:-1)})).filter(r=>r.count>0)}function Qt(t,e,s){const n=e.map(({name:a,count:o,paint:l})=>{const r=100*o/s;return p`
      <div class="bar-row">
        <span class="bar-name">${a}</span>
        <span class="bar-track" aria-hidden="true">
          <span class="bar-fill" style=${{width:r+"%",background:l}}></span>
        </span>
        <span class="bar-value">${o.toLocaleString("en")+" ("+r.toFixed(0)+" %)"}</span>
      </div>
    `});return p`
    <div class="count-bars">
      <h3 class="small-title">${t}</h3>
      ${n}
    </div>
  `}function oa(t,e,s){const n=Ie(e,s),a=()=>I(t,s),o=()=>I(t,-1);return p`
    <button
      key=${s}
      type="button"
      class="thumb"
      title=${n+". Opens its path."}
      aria-label=${n}
      data-point=${s}
      onClick=${()=>Jt(t,s)}
      onPointerEnter=${a}
      onFocus=${a}
      onPointerLeave=${o}
      onBlur=${o}
    >
      ${_e(e,s,S)}
      <span class="thumb-caption"
        >${Be(e,s)}${e.ofNumbers?"":" "+e.labelName(s)}</span
      >
    </button>
  `}const la="Draw around points with the lasso, or hold Shift and drag. \u201Cselect view\u201D takes all points in view.";function ia(){const{chosen:t}=i,e=t&&i.maps[t.which];if(!e)return p`<p class="hint">${la}</p>`;const s=V();if(!s.length)return p`<p class="hint">No point lies inside the selection.</p>`;const n=Vt(e,s,e.units,e.unit,d=>Tt(d),e.words.none).sort((d,y)=>e.ofUnits?y.count-d.count:0).slice(0,aa),a=Vt(e,s,e.info.labels,e.label,()=>"var(--rs-accent)","no label"),o=e.tokens.map((d,y)=>e.tokenLabel(y)),l=Vt(e,s,o,e.token,()=>"var(--rs-accent)","no token"),r=Ge(s,He),c=i.allSteps?T({"":"over all {passes}"}):"at "+_(e.steps[i.step]),u=new Set(s.map(d=>e.sample[d])).size,h=r.length<s.length?"; "+r.length+" shown, spread evenly":"",m=`${oe(s.length)} points of ${oe(u)} samples ${c}${h}`;return p`
    <p class="selection-count" data-selected=${s.length}>${m}</p>
    ${Qt(e.ofUnits?"By module, the most frequent":"By nearest function",n,s.length)}
    ${e.labelled&&Qt("By label",a,s.length)}
    ${!e.labelled&&Qt("By token",l,s.length)}
    <h3 class="small-title">
      ${e.ofUnits?"Samples":e.ofNumbers?"Tokens":e.ofPanels?"Panels":"Patches"}
    </h3>
    <div
      class="thumbs type-thumbs"
      role="group"
      aria-label="What the selected points belong to"
      data-shown=${r.length}
    >
      ${r.map(d=>oa(t.which,e,d))}
    </div>
  `}const G=64,ra=10;async function ca(t,e,s,n){const[a,o]=[s%n*G+6,Math.floor(s/n)*(G+12)+34],l={x:a+S/2,size:11},r=me([0],{x:l.x-(t.ofNumbers?0:8),y:o+S+9,fill:ot().unit(t.unit[e])});if(t.ofNumbers)return[fe([0],{x:[a,a+S],y:[o,o+S],fill:"raised"}),q([t.shortName(e)],{...l,y:o+S/2,anchor:"middle"}),r];const c=await Ns(t.picturePath(t.samples[t.sample[e]])),{width:u,height:h}=c,{kind:m,row:d,column:y}=t.tokens[t.token[e]],[g,$]=[S/t.grid.columns,S/t.grid.rows],[R,b]=[a+(y??0)*g,o+(d??0)*$];return[{shape:"image",source:c,sx:0,sy:0,sw:u,sh:h,x:a,y:o,w:S,h:S},(m==="patch"||m==="panel"?[{stroke:"#000000",width:3},{stroke:"#ffffff",width:1.5}]:[]).map(at=>fe([0],{x:[R,R+g],y:[b,b+$],...at})),r,q([t.labelName(e)],{...l,y:o+S+13,down:0})]}async function pa(t=ra*G+6){const{which:e}=i.chosen,s=i.maps[e],n=V(),a=Ge(n,He),o=Math.max(1,Math.floor((t-6)/G)),l=await Promise.all(a.map((h,m)=>ca(s,h,m,o))),r=Math.max(t,G+6),c=a.length+" of "+n.length+" selected "+s.words.shown+": "+X(s,i,!0),u=s.ofUnits?"":", with the patch marked";return he({width:r,height:Math.ceil(a.length/o)*(G+12)+40,title:c,desc:"Samples of the selected points"+u+"; below each the colour of its "+s.words.unit+" and the sample's label.",marks:[q([c],{x:6,y:20,down:0,weight:650,room:r-12}),l]})}function Ke(t){const{info:e}=t;return{model:e.model,revision:e.revision,seed:e.seed,routing:e.routing,method:e.method,parameters:e.parameters,trustworthiness:e.trustworthiness,drop:e.intervention.drop,mute:e.intervention.mute,iterations:e.steps.length,data:e.data,embedding:e.id,kind:e.intervention.drop.length?"observed under intervention":"observed"}}const We=["routing","sample","token","step","x","y","pca_x","pca_y","unit","label","domain","correct"];function qe(t,e){const{raw:s,info:n}=t,a=(o,l)=>l<0||l>=o.length?"":o[l];return[n.routing,t.samples[t.sample[e]],t.tokens[t.token[e]].name,t.steps[t.step[e]],s.xy[2*e],s.xy[2*e+1],s.pca[2*e],s.pca[2*e+1],a(t.units,t.unit[e]),a(n.labels,t.label[e]),a(n.domains,t.domain[e]),t.correct[e]<0?"":t.correct[e]===1]}function ua({info:t,tokens:e,token:s}){const n=[...new Set(s)].map(a=>["patch","number","panel"].includes(e[a].kind));return{tokens:n.every(Boolean)?"patches":n.some(Boolean)?"all":"cls",samples:t.data.reduce((a,{count:o})=>a+o,0),iterations:t.intervention.iterations??null}}function da([,...t]){const e={};for(const[,s,n,a]of t)((e[s]??={})[n]??=[]).push(a);return{points:e}}const ha=()=>N().flatMap(({points:{units:t,raw:e,info:s}})=>t.slice(0,e.signatures.length/2).map((n,a)=>{const[o,l]=e.signatures.slice(2*a,2*a+2);return{routing:s.routing,unit:n,x:o,y:l}}));function ma(t){const e=N().flatMap(({which:l})=>P[l]??[]),s=t&&e.length>1?(t-12)/2:t,[n,a]=e.map(l=>l.scene(s));if(!a)return n;const o=n.width+12;return{...n,width:o+a.width,title:n.title+"; beside it "+a.title,items:[...n.items,...a.items.map(l=>ue(l,o,0))]}}const fa=t=>({step:i.allSteps?"all":t.steps[i.step],layout:$t(t,i),colour:it(t,E(),w())[x()],hidden:[...i.hidden].map(e=>z(t).entries[e].name)}),Je=()=>[We,...N().flatMap(({points:t})=>Array.from({length:t.count},(e,s)=>qe(t,s)))];function ga(){const t=["step","by","score","null_mean","null_low","null_high","n"],e=yt().flatMap(({which:s,rows:n})=>n.map(a=>[s,...t.map(o=>a[o]??"")]));return[["routing",...t],...e]}const $a=()=>[["routing","fact","value"],...N().flatMap(({points:t})=>Object.entries(Ke(t)).map(([e,s])=>[t.info.routing,e,JSON.stringify(s)]))],ya=({which:t})=>[We,...V().map(e=>qe(i.maps[t],e))],ba={typefacts:{name:"types-facts",figure:"types-facts",rows:$a},typemap:{name:"types",figure:"types",picture:{scene:ma},rows:Je},typesteps:{name:"types-by-step",figure:"types",picture:{scene:Vn},rows:Je},typeclusters:{name:"types-clustering",figure:"types-clustering",picture:{scene:t=>Fe(t??900)},rows:ga},typeselection:{name:"types-selection",figure:"types-selection",picture:{scene:pa},rows:()=>ya(i.chosen)}};function wa(t){const[{name:e,figure:s,picture:n={},rows:a},o,{chosen:l}]=[ba[t],i.maps.trained,i],r=t==="typeselection";if(!o||r&&!l)return null;const c=r&&l?{map:l.which,polygon_in_map_units:l.polygon}:{};return{name:e,facts:{...Ke(o),...s==="types"||r?fa(o):{},...c},picture:n,python:{figure:s,...ua(o),...r?da(a()):{}},rows:a,json:()=>({...sn(a()),signatures:ha()})}}const Ze=128,Ye=t=>t.map(e=>e.index),Ve=(t,e)=>s=>s.altKey||s.shiftKey?Kt(t.index,Ye(e)):Ee(t.index);function Qe(t,e){const{index:s,name:n,paint:a,count:o}=t,l=i.hidden.has(s),r=e.filter(u=>!i.hidden.has(u.index)),c=r.length===1&&r[0]===t;return p`
    <span key=${s} class="legend-pair" data-hidden=${String(l)}>
      <button
        type="button"
        class="legend-toggle"
        aria-pressed=${String(!l)}
        data-category=${s}
        title=${(l?"Show ":"Hide ")+n}
        onClick=${Ve(t,e)}
      >
        <span class="swatch" aria-hidden="true" style=${{background:a}}></span>
        <span>${n}</span>
        <small>${o.toLocaleString("en")}</small>
      </button>
      <button
        type="button"
        class="legend-only"
        data-only=${s}
        aria-label=${c?"Show all again":"Show only "+n}
        onClick=${()=>Kt(s,Ye(e))}
      >
        ${c?"all":"only"}
      </button>
    </span>
  `}function va(t,e){const s=({index:l})=>["patch","panel"].includes(t.tokens[l]?.kind),n=e.filter(s).map(l=>{const{index:r,name:c,paint:u,count:h}=l,{row:m,column:d}=t.tokens[r],y={background:u,gridRow:String((m??0)+1),gridColumn:String((d??0)+1)};return p`
      <button
        key=${r}
        type="button"
        class="legend-cell"
        aria-pressed=${String(!i.hidden.has(r))}
        aria-label=${c}
        title=${c+": "+h.toLocaleString("en")+" points (Alt and click: only this one)"}
        data-category=${r}
        style=${y}
        onClick=${Ve(l,e)}
      ></button>
    `}),a={gridTemplateColumns:"repeat("+t.grid.columns+", 22px)"},o=e.filter(l=>!s(l)).map(l=>Qe(l,e));return n.length?p`
    <div class="legend-grid" role="group" aria-label="By their place in the image" style=${a}>${n}</div>
    ${o}
  `:o}function ka(){const t=i.maps.trained,e=t?z(t).entries.filter(o=>o.there):[],s=x()==="token",n=s?0:e.length-Ze,a=e.slice(0,Ze).map(o=>Qe(o,e));return p`<div
    class="legend type-legend"
    role="group"
    aria-label="Categories: press to hide or show"
    data-many=${String(!!(t&&t.units.length>le))}
  >
    ${t&&s?va(t,e):a} ${n>0&&p`<small>${"and "+n+" more"}</small>`}
    ${i.hidden.size>0&&p`<${k} look="tool tool-text legend-all" act=${()=>dt([])}>Show all<//>`}
  </div>`}function Sa(){const t=it(i.maps.trained,E(),w()),e=x();return p`<div class="type-colours">
    <span class="control-name" aria-hidden="true">colour</span>
    <${Ps}
      id="types-colour"
      look="plain-select"
      label="Colour of the points"
      options=${Object.entries(t)}
      chosen=${t[e]?e:"unit"}
      onChoose=${s=>Ce(s)}
    />
  </div>`}const Ma=1.1,Xe=.3;let A=0;const Oa=rn(Ma,()=>i.playing&&i.maps.trained,t=>{const e=i.maps.trained;A+=t;const s=e.steps.length-1,n=Math.min(s,Math.floor(A)),a=Math.max(0,(A-n-Xe)/(1-Xe));return A>=s?f({playing:!1,time:null,step:s}):f(n===i.step?{time:n+a}:{time:n+a,step:n}),A<s});function ts(){const t=i.maps.trained;if(t){if(i.playing){f({playing:!1,time:null});return}A=i.step>=t.steps.length-1?0:i.step,f({playing:!0,allSteps:!1,step:A,time:A,hover:null}),Oa()}}function es(t,e){const s=i.maps[t];if(!s)return;const n=z(s),a=i.chosen&&i.chosen.which===t?V():[],o=i.allSteps?s.steps.map((c,u)=>u):[i.step],l=a.length?a:o.flatMap(c=>Array.from(s.pointOf[c]).filter(u=>u>=0&&pt(s,n,u)));if(!l.length)return;const r=i.hover&&i.hover.which===t?l.indexOf(i.hover.point):-1;I(t,l[(r+(r<0&&e<0?0:e)+l.length)%l.length])}const ss=()=>f({tool:i.tool==="lasso"?"move":"lasso"}),Xt=t=>e=>{const s=i.maps.trained;if(an(e)||!s)return;const n=t&&P[t],a={ArrowLeft:[40,0],ArrowRight:[-40,0],ArrowUp:[0,40],ArrowDown:[0,-40]};if(e.shiftKey&&a[e.key]&&n){e.preventDefault(),n.map.panBy(...a[e.key]);return}on(e,{...ln(ts,ut,i.step,s.steps.length),...n&&{ArrowDown:()=>es(n.which,1),ArrowUp:()=>es(n.which,-1),"+":()=>n.map.zoomBy(1.4),"=":()=>n.map.zoomBy(1.4),"-":()=>n.map.zoomBy(1/1.4),0:()=>n.map.fit(),l:ss,Enter:()=>i.hover&&Jt(i.hover.which,i.hover.point)},Escape:()=>i.hover?f({hover:null}):Y(null,null)})};function xa(){const{allSteps:t,playing:e,step:s}=i,n=i.maps.trained,a=n?.steps??[],[o,l]=[a.length,C(a)+"s"],r=n?pe(a,s):"",c=n&&{count:o,step:s,valuetext:r,words:t?o+" "+l:r},u={least:1,playLabel:"Play through the "+l,pauseTitle:"Pause (space)"},h=()=>f({allSteps:!t,playing:!1,time:null,hover:null});return p`<div class="path-controls">
    <div class="player" id="types-player" onKeyDown=${Xt(null)}>
      <${nn} ...${{...u,shown:c,playing:e,toggle:ts,goTo:ut}} step=${()=>i.step} />
      <${k}
        look="tool tool-text toggle"
        title=${"The points of all "+l+" in one picture"}
        pressed=${t}
        wait=${!n}
        act=${h}
        >${"all "+l+" at once"}<//
      >
    </div>
  </div>`}function Ta(){const t=i.maps.trained,{chosen:e,layout:s,tool:n}=i,a=!t,o=(c,u,h,m)=>p`<${k}
      look="tool"
      ...${{label:c,title:u,wait:a}}
      act=${()=>Object.values(P).forEach(({map:d})=>m(d))}
      >${h}<//
    >`,[l,r]=["Draw around points to select them (L; or hold Shift)","The same points by their two main directions"];return p`<div class="type-tools" id="types-tools">
    <${k} id="types-lasso" title=${l} pressed=${n==="lasso"} wait=${a} act=${ss}>lasso<//>
    <${k}
      id="types-view"
      title="Select every point in view"
      wait=${a}
      act=${()=>P.trained?.selectView()}
    >
      select view
    <//>
    <${k} id="types-clear" hidden=${!e} act=${()=>Y(null,null)}>clear selection<//>
    <${k}
      id="types-twin"
      title=${r}
      pressed=${s==="pca"}
      hidden=${t?.info.method==="pca"}
      wait=${a}
      act=${()=>qt(s==="pca"?"map":"pca")}
      >PCA twin<//
    >
    <span class="zoom" role="group" aria-label="Zoom">
      ${o("Zoom out","Zoom out (\u2212)","\u2212",c=>c.zoomBy(1/1.5))}
      ${o("Zoom in","Zoom in (+); or click the map and turn the wheel","+",c=>c.zoomBy(1.5))}
      ${o("Show all points","Show all (0)",ie("fit"),c=>c.fit())}
    </span>
  </div>`}const Ca=300,Ea={compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"},st=({name:t,id:e,children:s})=>p`<div class="control" id=${e}><span class="control-name">${t}</span>${s}</div>`,ns=({name:t,label:e,options:s})=>p`<${Is}
    id=${"types-"+t}
    ...${{label:e,options:s,chosen:i.choice[t]}}
    onChoose=${n=>F({[t]:n})}
  />`;function wt({name:t,label:e,step:s}){const{least:n,most:a}=Ls("types",t),o=(Rt()??i.choice)[t];return p`<${st} name=${t} id=${"types-"+t+"-control"}>
    <${Rs}
      id=${"types-"+t}
      ...${{label:e,chosen:o,least:n,most:a,step:s,none:""}}
      onChoose=${l=>l!==null&&F({[t]:l})}
    />
  <//>`}function as(t,e){const s=w(),n=new Set(St(s.units,i.choice.drop));t.forEach(r=>e?n.add(r):n.delete(r));const a=s.units.filter(r=>n.has(r)),{unit:o,units:l}=Us(s);a.length<s.units.length?F({drop:a}):ne("One "+o+" stays","A network without "+l+" has nothing to map.","bad")}function Na({unit:t,index:e,away:s}){const n=s?"Bring "+t+" back":"Drop "+t+" ("+T(Ea)+")";return p`
    <button
      type="button"
      class="chip"
      data-type-unit=${t}
      data-state=${s?"dropped":"on"}
      aria-pressed=${String(s)}
      title=${n}
      onClick=${()=>as([t],!s)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:Tt(e)}}></span>
      ${t}
      <span class="chip-state">${s&&"dropped"}</span>
    </button>
  `}function Pa({units:t,drop:e}){const s=W(null),n=W(null);return lt(()=>{n.current=new mn(s.current,"data-type-unit",{toggle:as,about:(a,o)=>a+". "+(o?"Bring it back":"Drop it")}),n.current.show(t)},[]),lt(()=>n.current?.mark(e,"dropped")),p`<div role="group" aria-label="Modules to drop" ref=${s}></div>`}function Aa(){const t=w();if(!t)return null;const{data:e,drop:s}=i.choice,n=St(t.units,s),a=t.units.length>le;return p`
    <${st} name="data">
      <div class="chips" role="group" aria-label="Data sets">
        <${dn}
          sets=${we()}
          used=${e.length?e:t.domains}
          attribute="data-type-set"
          alike=${!t.labels.length}
          about=${o=>hn(o,t.held_out.includes(o.name))}
          onChoose=${o=>F({data:o})}
        />
      </div>
    <//>
    <${st} name="drop">
      <div class=${a?"":"chips"} role="group" aria-label="Units to drop">
        ${a?p`<${Pa} key=${t.id} units=${t.units} drop=${n} />`:t.units.map((o,l)=>p`<${Na} key=${o} ...${{unit:o,index:l}} away=${n.includes(o)} />`)}
      </div>
    <//>
  `}function _a(){const t=w(),{method:e}=i.choice,s=T({numbers:"numbers",matrices:"panels","":"patches"},t??void 0),n=!t||j(t);return p`<div class="type-controls">
    <${st} name="method"><${ns} name="method" label="Method" options=${Object.entries(H)} /><//>
    ${e==="tsne"&&p`<${wt} name="perplexity" label="Perplexity of t-SNE" step="any" />`}
    ${e==="umap"&&p`<${wt} name="neighbours" label="Neighbours of UMAP" />`}
    <${wt} name="seed" label="Seed" />
    <${wt} name="samples" label="Samples in all" />
    ${n&&p`<${st} name="tokens" id="types-tokens-control">
        <${ns}
          name="tokens"
          label="Tokens"
          options=${[["patches",s],["cls","CLS"],["all","all"]]}
        />
      <//>`}
    <div class="type-row">
      <${Aa} />
      ${t&&n&&p`<div id="types-compare-control">
          <${k}
            id="types-compare"
            pressed=${i.compare}
            act=${()=>f({compare:!i.compare})}
            >beside routing at initialisation<//
          >
        </div>`}
    </div>
  </div>`}function Ba(t,{info:e}){const[s,,n]=t.split("."),a=e.data.length*(Number(n)+1);return e.data.some(({name:o})=>o===s)&&a<=Ca?a:null}function Ia({points:t}){const e=Z();if(!e)return null;const s=t.samples.includes(e),n=s?null:Ba(e,t);return p`
    <span data-ringed=${String(s)}>${e+(s?" is ringed":" is not among these samples")}</span>
    ${n&&p`<${k} act=${()=>F({samples:n})}>${"take "+n+" samples"}<//>`}
  `}function La(){const t=i.maps.trained;if(!t)return null;const{info:e,samples:s}=t;return p`
    <span><strong>${e.count.toLocaleString("en")+" points"}</strong></span>
    <span>${s.length+" samples"}</span>
    ${e.data.some(n=>n.stand_in)&&p`<span class="tag tag-warn">stand-in data</span>`}
    <${pn} id=${e.model} revision=${e.revision} />
    <${Ia} points=${t} />
  `}function Ra(){const t=Ht(),e=Ft();if(t==="ready")return null;if(t==="loading")return p`<div class="skeleton" aria-hidden="true"></div>`;if(!e)return p`<div class="message" id="types-empty">
      <p class="message-title">No map</p>
      <p class="message-detail">The job was cancelled before there was a map.</p>
      <${k} id="types-again" look="button" act=${Gt}>Compute it<//>
    </div>`;const s=!!e.refused;return p`<div class="message" id="types-failed" role="alert">
    <p class="message-title">${s?e.title:"The map could not be computed"}</p>
    <p class="message-detail" id="types-problem">${e.message}</p>
    <${k} id="types-retry" look="button" hidden=${s||e.status===403} act=${Gt}>
      Try again
    <//>
    <span class="reader" data-widget="reader" hidden=${!s}></span>
  </div>`}const nt=({id:t,children:e,formats:s=["svg","png","csv","json"],...n})=>p`<${un}
    id=${t}
    tag="observed"
    formats=${s}
    look=${"panel-"+t}
    written=${()=>wa(t)}
    ...${n}
    >${e}<//
  >`;function Ua(){const t=w(),e=!t||j(t),s=zn();return p`<${nt} id="typemap" title=${e?"Map of types":"Map of states"} reads=${Dn()}>
    <div class="type-bar">
      <${Ta} />
      <span class="tag" id="types-waiting" role="status" hidden=${!s}>${s}</span>
      <${Sa} />
    </div>
    <div class="type-maps">
      <${Ue} which="trained" label="Map of types" onKey=${Xt("trained")}><${Ra} /><//>
      ${v()&&p`<${Ue} which="initial" label="Map of types with routing at initialisation" onKey=${Xt("initial")}>
          ${!i.maps.initial&&p`<div class="skeleton" aria-hidden="true"></div>`}
        <//>`}
    </div>
    <${ka} />
    <${xa} />
    <${Ln} />
  <//>`}function ja(){const t=!i.maps.trained;return p`
    <div class="page-head">
      <h1>Types</h1>
      <div class="caption" id="types-caption"><${La} /></div>
      <button type="button" class="tool tool-text" data-copy-link="true">${ie("link")}Copy link</button>
    </div>
    <${cn}><${_a} /><//>
    <div class="types-grid">
      <div class="column">
        <${Ua} />
        <${nt}
          id="typesteps"
          title=${T({"":"{Pass} by {pass}"})}
          reads=${T({"":"One map for each {pass}, on the same axes. Click a map to show it above."})}
          hidden=${t}
          ><${Yn}
        /><//>
        <${nt}
          id="typeclusters"
          title=${T({"":"Clustering by {pass}"})}
          reads=${T({"":"Silhouette of the points (cosine distance) by {pass}. Band: the same with shuffled groups."})}
          more="Above the band, the groups are tighter than chance. The score is of the points themselves, not of the map."
          hidden=${t}
          ><${na}
        /><//>
      </div>
      <div class="column">
        <${nt}
          id="typefacts"
          title="This map"
          reads="How the map was made, and how far its neighbours can be trusted (1 is best)."
          formats=${["csv","json"]}
          ><${jn}
        /><//>
        <${nt}
          id="typeselection"
          title="Selection"
          reads=${T({"":"Points inside the lasso, counted by {unit} and label."})}
          ><div class="type-selection"><${ia} /></div
        ><//>
      </div>
    </div>
  `}As("types",async({model:t,sample:e,...s})=>{Bs({model:t,sample:e}),gt(s)});const Da=_s({Tree:ja,choice:()=>mt.value,take:gt,open(t,e){const s=e.closest(".page"),n=[Ae(t),K(()=>{const[a,o,l]=[Ht(),String(zt()),String(v())];Object.assign(s.dataset,{status:a,stale:o,compare:l})})];return()=>n.forEach(a=>a())}});js({typeMap:()=>({pictures:P}),types:()=>Pn});export{Da as mount};
