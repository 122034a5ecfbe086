/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ad as ns,z as os,ag as wt,B as as,W as ls,E as vt,a2 as is,aL as rs,ah as cs,n as te,_ as kt,aN as ee,aF as ps,aG as us,bd as ds,aH as St,R as D,aw as Ot,r as et,az as hs,av as ms,aA as fs,al as Mt,e as se,af as gs,br as $s,s as p,P as H,aj as st,a4 as ys,as as bs,N as ws,ay as xt,bo as vs,H as ne,D as oe,bs as ks,am as Ss,aW as ae,a as v,i as le,at as Os,au as Ms,c as xs,aT as Tt,ak as Ts,ac as Cs,a_ as Ns,o as Es,O as _s}from"../../boot.js";import{c8 as ie,bF as nt,W as As,c9 as Ps,a1 as Bs,_ as Is,S as re,a0 as Ls,bm as E,s as ce,T as Rs,i as Us,A as js,E as Fs,y as pe,F as zs,w as Ds,ag as Hs,z as G,G as Gs,H as Ws,az as qs,I as Ks,J as ue,aa as de,aF as Js,B as Zs,bR as Vs,bS as Ys,bT as Qs,bh as Xs,aQ as tn,R as en,P as sn,aS as nn,aT as on,U as an}from"../../shared.js";const Ct={light:["#332288","#88ccee","#117733","#ddaa33","#cc6677","#44aa99","#882255","#999933","#aa4499","#6b7280"],dark:["#8f86f0","#88ccee","#3fae68","#ddcc77","#ee8899","#44aa99","#c8568f","#b5b54a","#d277c3","#a8b0ba"]},he={light:["#004488","#ddaa33","#bb5566","#228833","#66ccee","#aa3377"],dark:["#6699cc","#eecc66","#ee99aa","#55bb66","#99ddff","#dd77aa"]},ln={light:["#7a1f2b","#c0392b","#d98b00","#a3a300","#3c8d2f","#1b8a7a","#1f78b4","#3b3fa5","#8e44ad","#c2388f"],dark:["#e07a86","#ff8a75","#f2b544","#d4d44a","#7fcf70","#4fd0bd","#6fb7ee","#9aa0ff","#c690e6","#f07cc4"]},rn={light:["#3b1f6b","#31508c","#25778c","#219d82","#63c15c","#d9c52b"],dark:["#7d63d6","#5b83d0","#38a3b5","#35b98a","#86d152","#f4e04d"]},me={unit:"nearest function",community:"community",label:"label",kind:"kind of sample",domain:"domain",token:"token position",correct:"correct or wrong",step:"step"},W=()=>document.documentElement.dataset.mantineColorScheme==="dark",Nt=(t,e,s=0)=>{const n=t[W()?"dark":"light"];return s>n.length?_t(ln[W()?"dark":"light"],e/(s-1)):n[e%n.length]};function Et(t,e,s){const n=(a,l)=>parseInt(a.slice(l,l+2),16),o=a=>Math.round(n(t,a)+(n(e,a)-n(t,a))*s);return"#"+[1,3,5].map(a=>o(a).toString(16).padStart(2,"0")).join("")}function _t(t,e){const s=Math.max(0,Math.min(t.length-1.0001,e*(t.length-1)));return Et(t[Math.floor(s)],t[Math.floor(s)+1],s-Math.floor(s))}function cn(t,e,s){const{kind:n,row:o,column:a}=t.tokens[e];if(n==="number")return Nt(Ct,a??0);if(n!=="patch"&&n!=="panel")return t.ofNumbers?Nt(he,e,t.info.domains.length):s.ink;const{rows:l,columns:r}=t.grid,c=_t(["#2166ac","#2a9d8f","#e0a100","#c0392b"],l>1?(o??0)/(l-1):0),u=r>1?(a??0)/(r-1):0;return u<.5?Et(c,"#ffffff",.55*(1-2*u)):Et(c,W()?"#8a8f98":"#000000",.4*(2*u-1))}const At=(t,e,s,n,o=!1)=>({of:t,names:e,none:n,paints:e.map((a,l)=>Nt(s,l,o?0:e.length))}),pn={unit:(t,e)=>({of:t.unit,names:t.units,paints:t.units.map((s,n)=>e.unit(n)),none:t.words.none}),community:(t,e,s)=>{const{of:n,entries:o}=As.community(s,e);return{of:t.unit.map(a=>a<0?-1:n[a]),names:o.map(a=>a.name+" ("+a.count+" modules)"),paints:o.map(a=>a.paint),none:t.words.none}},label:({label:t,info:e})=>At(t,e.labels,Ct,"no label",!0),kind:({kind:t,info:e})=>At(t,e.kinds,Ct,"no kind"),domain:({domain:t,info:e})=>At(t,e.domains,he,"no domain"),token:(t,e)=>({of:t.place,names:t.tokens.map((s,n)=>t.placeLabel(n)),paints:t.tokens.map((s,n)=>cn(t,n,e)),none:""}),correct:t=>({of:t.correct,names:["wrong","correct"],paints:W()?["#ff8a5c","#4f9fd6"]:["#d55e00","#3a86b8"],none:"not known"}),step:t=>({of:t.step,names:t.steps.map(e=>nt(e)),paints:t.steps.map((e,s)=>_t(rn[W()?"dark":"light"],t.steps.length>1?s/(t.steps.length-1):0)),none:""})};function un(t,e,s,n,o){const a=e==="community"&&!fe(t,o)?"unit":e,{of:l,names:r,paints:c,none:u}=pn[a](t,s,o),h=new Int32Array(r.length+1),f=new Int16Array(t.count),d=new Uint8Array(r.length+1);for(let g=0;g<t.count;g+=1){const y=l[g]>=0&&l[g]<r.length?l[g]:r.length;f[g]=y,d[y]=1,(!n||n(g))&&(h[y]+=1)}const m=[...r,u].map((g,y)=>({index:y,name:g,paint:y<r.length?c[y]:s.unmatched,count:h[y],there:y<r.length&&!["token","kind"].includes(e)||d[y]===1}));return{by:e,of:f,entries:m,paints:m.map(g=>g.paint)}}const fe=(t,e)=>!!(e&&e.units.length===t.units.length);function ot(t,e,s){const n={...me,unit:(t?t.words:ie(s)).unit};return t&&(t.ofUnits&&delete n.token,t.labelled||(delete n.label,delete n.correct),t.info.kinds?.length||delete n.kind,fe(t,e)||delete n.community),n}const dn=12,hn=64,mn=4e4,fn=450,gn=150,$n=250,Pt={x:0,y:0,zoom:1},P=["trained","initial"],Bt=ns("types","method","data","samples","tokens","perplexity","neighbours","seed","drop"),It=()=>({modelId:null,choice:{...Bt},maps:{trained:null,initial:null},compare:!1,layout:"map",share:null,step:0,allSteps:!1,time:null,playing:!1,colour:null,hidden:new Set,hover:null,chosen:null,tool:"move",view:{...Pt}}),{state:i,update:$,subscribe:ge}=os(It()),B=({fields:t})=>t.includes("types"),I=wt(()=>i.modelId,async t=>{const e=await as(t);if(e)throw Object.assign(new ls(403,e.title,e.detail),{refused:!0});const[s,n]=await Promise.all([vt("GET","/models/"+encodeURIComponent(t)),vt("GET","/data")]);return is("drop",s,i.choice.drop),rs(t,s.domains,i.choice.data),{model:s,sets:n.items.filter(({name:o})=>s.domains.includes(o))}}),b=()=>I.answer()?.model??null,$e=()=>I.answer()?.sets??[],ye=wt(()=>{const t=b();return t&&!B(t)&&t.constants.includes("link_probability")?t.id:null},t=>vt("GET","/models/"+encodeURIComponent(t)+"/graph")),M=()=>ye.answer();function w(){const t=b();return i.compare&&(!t||B(t))}const L={trained:["types-pca","types-trained"],initial:["types-pca-initial","types-initial"]};function yn(){const[t,{choice:e,modelId:s}]=[b(),i];if(!t||t.id!==s)return null;const n={...e,model:t.id,drop:kt(t.units,e.drop)};if(B(t))return n;const o=Math.max(1,Math.floor(mn/(t.units.length*t.steps.length)));return{...n,tokens:"patches",samples:Math.min(e.samples,o)}}const Lt=cs(yn),Rt=()=>Lt.value;function Ut(t){const{value:e}=Lt;if(!e||t==="initial"&&!w())return null;const{drop:s,...n}=e;return JSON.stringify(be({...n,routing:t,intervention:{drop:s,mute:[],iterations:null}},n.method))}const be=(t,e)=>({...t,method:e,perplexity:e==="tsne"?t.perplexity:Bt.perplexity,neighbours:e==="umap"?t.neighbours:Bt.neighbours});function jt(t,e=[]){const s=e.map(n=>JSON.stringify(n));for(const n of t){const{job:o,request:a}=ee(n);o&&o.state!=="done"&&!s.includes(JSON.stringify(a?.body))&&ps(n)}}const we=(t,e,s,n,o)=>new Promise((a,l)=>{let r=!1;const{stop:c}=us(e,"/embeddings",s,{done:u=>{Ps(u).then(a,l)},cancelled:()=>o&&a(null),failed(u){r=!0,o?a(null):l(u)},goesOn:()=>r&&!o&&S[t].again()});n.addEventListener("abort",c)});async function bn(t,e,s){i.maps[t]&&await new Promise(r=>setTimeout(r,$n));const n=JSON.parse(e),[o,a]=L[t],l=be(n,"pca");if(s.throwIfAborted(),jt([o,a],[l,n]),n.method!=="pca"){const r=await we(t,o,l,s,!0);s.throwIfAborted(),r&&ke(t,r,e)}return we(t,a,n,s,!1)}const ve=t=>wt(()=>Ut(t),(e,s)=>bn(t,e,s)),S={trained:ve("trained"),initial:ve("initial")},at=te({trained:null,initial:null});function ke(t,e,s){const n=i.maps[t];if(n===e&&at.value[t]===s)return;const o={maps:{...i.maps,[t]:e}};if(at.value={...at.value,[t]:s},t==="initial"){$(o);return}const a=n!==null&&String(n.samples)===String(e.samples),l=a&&n.info.method==="pca"&&e.info.method!=="pca"&&i.layout==="map";a||(o.chosen=null);const r=ds(e.info.model,i.step,e.steps.length);$({...o,step:r,hover:null,...l&&!St()?{share:0}:{}}),l&&Kt("map")}const Se=t=>ee(L[t][1]).job?.state==="cancelled",Ft=t=>t?S[t].waits()&&!Se(t):P.some(e=>Ft(e)),zt=()=>P.some(t=>i.maps[t]&&(t==="trained"||w())&&at.value[t]!==Ut(t)),Dt=()=>[I,S.trained].find(t=>t.problem()&&!t.waits())?.problem()??null,Ht=()=>Dt()?"failed":i.maps.trained?"ready":Se("trained")?"empty":"loading",Gt=()=>(I.problem()?I:S.trained).again(),x=()=>P.flatMap(t=>{const e=i.maps[t];return e&&(t==="trained"||w())?[{which:t,points:e}]:[]}),q=()=>Ot().sample,lt=()=>i.allSteps?null:i.step;function O(){const t=i.maps.trained,e=t&&t.units.length>dn;return i.colour??(e&&ot(t,M(),b()).community?"community":"unit")}const it=(t,e,s,n=lt())=>(n===null||t.step[s]===n)&&!i.hidden.has(e.of[s]),Oe=new WeakMap;function R(t){const[e,s]=[et(),lt()],n=[O(),s,e.surface,!!M()].join(" "),o=Oe.get(t);if(o&&o.key===n)return o;const a=r=>s===null||t.step[r]===s,l={...un(t,O(),e,a,M()),key:n};return Oe.set(t,l),l}const U=t=>$({choice:{...i.choice,...t}});function rt(t){const e=i.maps.trained;if(!e)return;const s=e.steps.length-1;$({step:Math.max(0,Math.min(s,t)),time:null,playing:!1,allSteps:!1,hover:null})}const Me=t=>me[t]&&$({colour:t,hidden:new Set}),ct=t=>$({colour:O(),hidden:new Set(t)}),xe=t=>ct(i.hidden.has(t)?[...i.hidden].filter(e=>e!==t):[...i.hidden,t]);function Wt(t,e){const s=e.filter(o=>o!==t),n=!i.hidden.has(t)&&s.every(o=>i.hidden.has(o));ct(n?[]:s)}function _(t,e){const{hover:s}=i;(e>=0?s?.which===t&&s.point===e:!s)||$({hover:e>=0?{which:t,point:e}:null})}function qt(t,e,s){if(t===e)return s;const[n,o]=[i.maps[e],i.maps[t]];if(!n||!o)return-1;const a=n.tokens.length;return o.trackNamed(n.samples[Math.floor(s/a)],n.tokens[s%a].name)}function K(t,e,{layout:s,step:n}={layout:i.layout,step:lt()}){const o=t&&i.maps[t];if(!t||!e||!o){$({chosen:null});return}const a=Bs(e,hn),{places:l}=o.layouts[o.info.method==="pca"?"map":s],r=R(o),c=o.order.filter(f=>it(o,r,f,n)),u=new Is(l,c).inside(a),h=new Set(u.map(f=>o.track[f]));$({chosen:{which:t,step:n,layout:s,map:o.id,polygon:a,tracks:h,points:u},hover:null})}function J(){const{chosen:t}=i,e=t&&i.maps[t.which];return e?i.allSteps&&t.step===null?Array.from(t.points):(i.allSteps?e.steps.map((n,o)=>o):[i.step]).flatMap(n=>[...t.tracks].map(o=>e.pointOf[n][o])).filter(n=>n>=0):[]}let pt=0;function Kt(t){cancelAnimationFrame(pt);const e=i.share!==null?i.share:i.layout==="pca"?0:1,s=t==="pca"?0:1;if(e===s||St()){$({layout:t,share:null});return}const n=performance.now();$({layout:t,share:e,hover:null});const o=a=>{const l=e+Math.sign(s-e)*Math.max(0,a-n)/fn,r=s>e?l>=s:l<=s;$({share:r?null:l}),r||(pt=requestAnimationFrame(o))};pt=requestAnimationFrame(o)}const ut=te(null);let Z=0,dt=null;function Te(){const{value:t}=Lt,{chosen:e,playing:s,share:n}=i;if(!t||s||n!==null)return null;const o=e&&i.maps[e.which]?.id===e.map;return{...t,sample:q(),colour:i.colour,step:i.allSteps?"all":String(i.step+1),hide:[...i.hidden].sort((a,l)=>a-l),pca:i.layout==="pca",compare:w(),view:i.view,lasso:o&&[e.which,e.layout,e.step===null?"all":e.step+1,e.polygon]}}function wn(){Z=0;const t=Te(),e=b();if(!t||!e)return;gs("types",t,e.units);const{model:s,sample:n,...o}=$s("types",location.search);ut.value={...o,hide:(o.hide??[]).map(Number)}}function ht({colour:t,step:e,hide:s,pca:n,compare:o,view:a,lasso:l,...r}){const c=hs(a);dt=l?vn(l):null,$({choice:r,colour:t??(s?.length?"unit":null),allSteps:e==="all",step:e==="all"?0:Number(e)-1,hidden:new Set((s??[]).map(Number)),layout:n?"pca":"map",share:null,compare:o,chosen:null,view:c?re.clamped(c):{...Pt}}),P.forEach(Ce)}function vn(t){const{on:e,polygon:s}=fs(t),[n,o,a]=e;return{which:n,layout:o,step:a==="all"?null:Number(a)-1,polygon:s}}function Ce(t){if(dt?.which!==t||!S[t].answer())return;const{polygon:e,...s}=dt;dt=null,K(t,e,s)}function kn(){let t=ms(location.search).model;return D(()=>{const e=t??Ot().model;Ot(),t=null,Mt(()=>{if(e===i.modelId)return;const s={maps:{trained:null,initial:null},hover:null,chosen:null,playing:!1,time:null};$({modelId:e,...i.modelId?s:{}})})})}const Sn=t=>D(()=>{const[e,{status:s,message:n,title:o}={status:0}]=[S[t].answer(),S[t].problem()??void 0];Mt(()=>{const a=Ut(t);(!a||e)&&jt(L[t]),e&&a?(ke(t,e,a),Ce(t)):s&&t==="initial"&&se(o||"No map",n||"","bad")})});function Ne(t){$(It()),ut.value=t,ht(t);const e=[kn(),...[I,ye,S.trained,S.initial].map(s=>s.follow()),...P.map(Sn),D(()=>{Te()&&!Z&&(Z=setTimeout(wn,gn))})];return()=>{e.forEach(s=>s()),clearTimeout(Z),cancelAnimationFrame(pt),Z=0,jt(Object.values(L).flat()),$(It())}}var On=Object.freeze({__proto__:null,JOBS:L,ROUTINGS:P,WHOLE:Pt,again:Gt,ask:U,begin:Ne,choose:K,chosenPoints:J,chosenSample:q,colour:O,colourBy:Me,colouringOf:R,compares:w,goTo:rt,graph:M,hide:ct,isolate:Wt,model:b,ofTypes:B,point:_,problem:Dt,request:Rt,said:ut,sets:$e,shownMaps:x,shownStep:lt,shows:it,stale:zt,state:i,status:Ht,subscribe:ge,take:ht,toggleCategory:xe,trackIn:qt,turnTo:Kt,update:$,waits:Ft});const Mn=112,xn=60;function Ee(t,e,s){const n=t.samples[t.sample[e]],{kind:o,row:a,column:l}=t.tokens[t.token[e]],{rows:r,columns:c}=t.grid,u=(f,d)=>100*f/d+"%",h={left:u(l??0,c),top:u(a??0,r),width:u(1,c),height:u(1,r)};return t.ofNumbers?s>xn?null:p`<span class="token-tile">${t.shortName(e)}</span>`:p`
    <span class="marked-image" style=${{width:s+"px",height:s+"px"}}>
      <img
        key=${n}
        src=${ws+t.picturePath(n)}
        alt=""
        width=${s}
        height=${s}
        class="pixels"
      />
      ${(o==="patch"||o==="panel")&&p`<span class="patch-mark" style=${h}></span>`}
    </span>
  `}const _e=(t,e)=>p`<span class="swatch" aria-hidden="true" style=${{background:xt(t.unit[e])}}></span>`,Ae=(t,e)=>[t.samples[t.sample[e]],(t.ofUnits?"module ":"")+t.tokenLabel(t.token[e]),t.labelled&&"label "+t.labelName(e),nt(t.steps[t.step[e]]),!t.ofUnits&&t.unitName(e),t.correct[e]===0&&"sample predicted wrongly"].filter(Boolean).join(", ");function Tn(t,e){const s=t.correct[e]===0;return p`
    ${Ee(t,e,Mn)}
    <div class="card-words">
      <p><strong>${t.samples[t.sample[e]]}</strong></p>
      ${!t.ofUnits&&p`<p>${t.tokenLabel(t.token[e])}</p>`}
      ${t.labelled&&p`<p>${"label "+t.labelName(e)}${s&&p`<span class="thumb-wrong">wrong</span>`}</p>`}
      <p>${nt(t.steps[t.step[e]])}</p>
      <p>${_e(t,e)}${t.unitName(e)}</p>
    </div>
  `}function Cn({which:t,placeOf:e}){const s=H(null),{hover:n,maps:o,share:a,playing:l}=i,r=o[t],c=n&&n.which===t&&a===null&&!l?n.point:-1;return st(()=>{const u=c>=0&&e(c),{current:h}=s;u&&h&&Ls(h,h.parentElement,u)}),p`<div class="type-card" hidden=${c<0||!r} aria-hidden="true" ref=${s}>
    ${r&&c>=0&&Tn(r,c)}
  </div>`}function Nn(){const{hover:t,maps:e}=i,s=t&&e[t.which];return p`<p class="hidden-visually" id="types-pointed" aria-live="polite">${s?Ae(s,t.point):""}</p>`}function Jt(t,e){const s=i.maps[t];if(!s)return;const{model:n,units:o,intervention:a}=s.info,l={sample:s.samples[s.sample[e]],step:s.step[e]},r=s.candidateOf(s.token[e]);ys(bs("paths",{model:n,...l,drop:a.drop,candidate:r},o))}const j={pca:"PCA",tsne:"t-SNE",umap:"UMAP"},A={trained:"as trained",initial:"routing at initialisation"},mt=(t,e)=>e.layout==="pca"?"pca":t.info.method;function V(t,e,s){const{info:n}=t,o=mt(t,e),a=[n.model,j[o]];return o===n.method&&o==="tsne"&&a.push("perplexity "+Y(n,"perplexity")),o===n.method&&o==="umap"&&a.push(Y(n,"neighbours")+" neighbours"),a.push("seed "+n.seed),n.intervention.drop.length&&a.push("drop "+ne(n.intervention.drop)),s&&a.push(e.allSteps?"all steps":"step "+E(t.steps[e.step])+" of "+t.steps.length),a.join(" \xB7 ")}const Y=({parameters:t},e)=>t[e]??null,Q=t=>t.toLocaleString("en");function En(t,e){const{info:s}=t,n=[["method",j[s.method]]];s.method==="tsne"&&n.push(["perplexity",String(Y(s,"perplexity"))]),s.method==="umap"&&n.push(["neighbours",String(Y(s,"neighbours"))]);const o=Y(s,"variance");s.method==="pca"&&Array.isArray(o)&&n.push(["variance shown",o.slice(0,2).map(vs).join(" + ")]),e||n.push(["seed",String(s.seed)]);const{value:a,pca:l,neighbours:r,points:c}=s.trustworthiness;return n.push(["trustworthiness",a.toFixed(3),"k = "+r+", on "+(c===s.count?"all ":"")+Q(c)+" points"]),s.method!=="pca"&&n.push(["of the PCA twin",l.toFixed(3)]),e?n:[...n,..._n(t)]}function _n({info:t,samples:e,usedTokens:s,steps:n,words:o}){const a=[Q(e.length)+" samples",s.length+" "+o.elements,n.length+" steps"],l=t.data.map(({count:u,title:h,stand_in:f})=>{const d=f&&!/stand-in/i.test(h)&&p`<span class="tag tag-warn">stand-in</span>`;return p`<span class="facts-set">${Q(u)+" of "+h}${d}</span>`}),{drop:r}=t.intervention,c=[["points",Q(t.count),a.join(" \xD7 ")],["data",l]];return r.length?[...c,["dropped",ne(r,12)]]:c}const Pe=([t,e,s])=>p`
  <div>
    <dt>${t}</dt>
    <dd>${e}${s&&p`<small>${s}</small>`}</dd>
  </div>
`;function An(){const[t,e]=[x(),w()],{method:s,samples:n,seed:o}=Rt()??i.choice,a=[["method",j[s]],["seed",String(o)],["samples",Q(n)]];return p`<div class="type-facts">
    ${!t.length&&p`<dl class="facts-list">${a.map(Pe)}</dl>`}
    ${t.map(({which:l,points:r})=>p`
        ${e&&p`<h3 class="small-title">${A[l]}</h3>`}
        <dl key=${l} class="facts-list" data-facts=${l}>${En(r,l==="initial").map(Pe)}</dl>
      `)}
  </div>`}function Pn(){const t=i.maps.trained,e=t?t.words:ie(b()),s=t?mt(t,i):i.choice.method,n="Each point is "+e.point+" at one step";return s==="pca"?n+", seen along the two directions "+e.directions+"."+e.marks:n+"; near points "+e.near+". Distances between far groups mean little."+e.marks}function Bn(){const{maps:t,choice:e}=i;if(!t.trained||!Ft("trained"))return"";const{method:s}=t.trained.info;return"showing "+(zt()?"the map before":j[s])+" while "+j[e.method]+" is computed"}const T={},Zt=new Set;function Be(t,e){const s=H(null),n=H(null);return st(()=>{const o=n.current=new jn(s.current,t,e);return e===null?T[t]=o:Zt.add(o),()=>{T[t]===o&&delete T[t],Zt.delete(o),o.dispose()}},[]),{canvas:s,map:n}}const In=["maps","colour","hidden","layout"];function Ln(t,e,s){if(s===null||t.info.method==="pca")return t.layouts[t.info.method==="pca"?"map":e];const{pca:n,map:o}=t.layouts,a=s*s*(3-2*s),l=(r,c)=>r.map((u,h)=>u+(c[h]-u)*a);return{places:l(n.places,o.places),halves:n.halves.map((r,c)=>r+(o.halves[c]-r)*a),marks:l(n.marks,o.marks)}}function Rn(t,e,s){if(!e.marks.length)return[];const n=new Set(t.info.intervention.drop);return t.units.flatMap((o,a)=>{const[l,r]=[e.marks[2*a],e.marks[2*a+1]];return n.has(o)||!Number.isFinite(l)?[]:[{x:l,y:r,name:o,paint:s.unit(a)}]})}const Un=(t,e)=>t.x===e.x&&t.y===e.y&&t.zoom===e.zoom;class jn{constructor(e,s,n){this.which=s,this.only=n,this.canvas=e,this.chosen=void 0,this.items=void 0,this.map=new re(e.parentElement,e,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:o=>s==="trained"&&n===null&&$({view:{...o}})}),this.stops=[ge((o,a)=>this.onState(o,a)),D(()=>{M(),q(),w(),Mt(()=>this.rebuild())}),...n===null?[this.listen()]:[]]}listen(){return Rs(this.map,{tool:()=>i.tool,hover:e=>_(this.which,e),pick:e=>Jt(this.which,e),select:e=>this.select(e)})}dispose(){this.stops.forEach(e=>e()),this.map.dispose()}get points(){return i.maps[this.which]}get step(){const e=(this.points?.steps.length??1)-1;return this.only??(i.allSteps?null:Math.min(i.step,e))}onState(e,s){if(!this.points||(this.only??0)>=this.points.steps.length){s.has("maps")&&(this.map.items=null,this.map.draw());return}const n=(...a)=>a.some(l=>s.has(l)),o=this.only===null;n(...In)||o&&n("step","allSteps")?this.rebuild():o&&n("time","share")?this.move(e):n("chosen","hover","step","allSteps")&&this.mark(e),o&&n("view")&&this.which==="trained"&&!Un(this.map.view,e.view)&&(this.map.view={...e.view},this.map.redraw())}rebuild(){const{points:e,step:s}=this;if(!e)return;const n=R(e),o=s===null?e.order:e.ordersByStep[s],a=this.layout(e);this.map.setItems({order:i.hidden.size?o.filter(l=>it(e,n,l,s)):o,category:n.of,paints:n.paints,places:a.places,halves:a.halves}),this.move(i)}layout(e){return Ln(e,i.layout,this.only===null?i.share:null)}move(e){const{points:s,map:n}=this;if(!s)return;const o=this.layout(s),a=Rn(s,o,et());if(this.only!==null)n.marks=a.map(l=>({...l,name:""}));else{const l=e.time===null?0:e.time-Math.floor(e.time),r=l>0&&!e.allSteps&&!St();n.setPlaces(r?s.between(o,Math.floor(e.time??0),l):o.places,o.halves),n.marks=a,n.caption=V(s,e,!0),n.heading=w()?A[this.which]:""}this.mark(e)}mark(e){const{points:s,map:n,step:o}=this;if(!s||!n.items)return;const a=q(),l=a?s.pointsOfSample(a,o):[],r=this.pointed(e);n.ringed=r>=0?[...l,r]:l;const{chosen:c}=e;(this.chosen!==c||this.items!==n.items)&&(this.chosen=c,this.items=n.items,n.setStrong(c?this.maskOf(c):null));const u=c&&c.map===s.id&&c.step===o&&c.layout===e.layout;n.lasso=u&&this.only===null&&e.share===null?c.polygon:null,n.draw()}pointed({hover:e,maps:s}){const{points:n,step:o}=this,a=e&&s[e.which];if(!e||!a||!n)return-1;if(e.which===this.which&&(o===null||n.step[e.point]===o))return e.point;const l=qt(this.which,e.which,a.track[e.point]),r=o??a.step[e.point];return l<0?-1:n.pointOf[Math.min(r,n.steps.length-1)][l]}maskOf(e){const s=this.points,n=new Uint8Array(s.count);if(e.which===this.which&&this.step===null&&e.step===null){for(const o of e.points)n[o]=1;return n}for(const o of e.tracks){const a=qt(this.which,e.which,o);if(a>=0)for(const l of s.pointOf)l[a]>=0&&(n[l[a]]=1)}return n}select(e){i.playing&&$({playing:!1,time:null}),K(this.which,e)}selectView(){const{map:e}=this,s=[[0,0],[e.width,0],[e.width,e.height],[0,e.height]];this.select(s.map(([n,o])=>e.toMap(n,o)))}publish(){const{points:e,canvas:s}=this;if(!e)return;const{dataset:n}=s;n.painted=e.id,n.points=String(this.map.items.order.length),this.only===null&&(n.method=mt(e,i),n.step=this.step===null?"all":e.steps[this.step],n.colour=O(),n.playing=String(i.playing),n.moving=String(i.share!==null||i.time!==null),n.hovered=String(this.pointed(i)))}scene(e){const{points:s}=this;if(!s)throw new Error("There is no map to show.");const[n,{words:o}]=[V(s,i,!0),s],a=ot(s,M(),b())[O()];return this.map.scene(`Map of ${o.points}: ${n}, ${A[this.which]}`,`Each point is ${o.point} for one sample, coloured by ${a}.${o.marks} One fit over all steps.`,e)}}const Fn=". Space plays, left and right change the step, up and down move through the points, Enter opens a point's path, plus and minus zoom, Shift and arrows move the map, 0 shows all, L takes the lasso, Escape ends it.";function Ie({which:t,label:e,onKey:s,children:n}){const{canvas:o,map:a}=Be(t,null),l=t==="initial"?" at initialisation":"";return p`<div class="type-map">
    <div class="type-jobs">
      ${L[t].map((r,c)=>{const u=(c?"Map":"PCA map")+l;return p`<div class="job" key=${r} data-widget="job-progress" data-job=${r} data-what=${u}></div>`})}
    </div>
    <div class=${"type-canvas type-canvas-"+t}>
      <canvas
        id=${"type-picture-"+t}
        tabindex="0"
        role="img"
        aria-label=${e+Fn}
        onKeyDown=${s}
        ref=${o}
      ></canvas>
      <${Cn} which=${t} placeOf=${r=>a.current?.map.placeOf(r)} />
      ${n}
    </div>
  </div>`}function zn({which:t,step:e,name:s}){const{canvas:n,map:o}=Be(t,e);function a({clientX:l,clientY:r}){const c=n.current?.getBoundingClientRect();c&&o.current&&_(t,o.current.map.itemAt(l-c.left,r-c.top))}return p`
    <button
      type="button"
      class="multiple"
      data-step=${e}
      data-of=${t}
      aria-label=${"Go to step "+s+(t==="initial"?", routing at initialisation":"")}
      aria-pressed=${String(!i.allSteps&&i.step===e)}
      onClick=${()=>rt(e)}
      onPointerMove=${a}
      onPointerLeave=${()=>_(t,-1)}
    >
      <span class="multiple-label">${"step "+s}</span>
      <span class="multiple-canvas"><canvas aria-hidden="true" ref=${n}></canvas></span>
    </button>
  `}const Dn=()=>p`<div class="multiples">
    ${x().flatMap(({which:t,points:e})=>{const s=e.steps.map((o,a)=>p`<${zn} key=${a} which=${t} step=${a} name=${E(o)} />`);return[...w()?[p`<h3 class="small-title">${A[t]}</h3>`]:[],p`<div key=${t} class="multiples-row">${s}</div>`]})}
  </div>`;function Hn(){const t=({which:m,only:g})=>(m==="initial"?1e6:0)+(g??0),e=[...Zt].filter(({points:m})=>m).sort((m,g)=>t(m)-t(g)),s=et(),n=e[0].points,[o,a]=[e[0].map.width,e[0].map.height],l=Math.min(e.length,n.steps.length),r=22,c=e.flatMap((m,g)=>{const[y,N]=[g%l*(o+10),Math.floor(g/l)*(a+r+6)],F="step "+E(m.points.steps[m.only??0]),z=(w()?A[m.which]+", ":"")+F;return[{shape:"text",x:y,y:N+14,text:z,size:12,weight:650,fill:s.ink},...m.map.scene("","").items.map(ss=>ce(ss,y,N+r))]}),u=l*(o+10)-10,h=Math.ceil(e.length/l)*(a+r+6)+16,f=V(n,i,!1);c.push({shape:"text",x:u,y:h-4,text:f,size:10.5,anchor:"end",fill:s.dim});const d=e.every(m=>m.map.items.order.length<=5e3);return{width:u,height:h,background:s.surface,title:"Types step by step: "+f,desc:"One panel a step, all on the same axes."+(d?"":" Points are pixels inside this file, the rest is vectors."),items:c}}const Gn=["unit","label","domain"],Wn=t=>Gn.filter(e=>e!=="label"||t.labelled),Le=(t,e)=>e==="unit"?t.words.group:"by "+e,Vt=190,Re={trained:{stroke:"accent"},initial:{stroke:"bad",dash:[6,3]}},Ue=t=>gt(t)?t.toFixed(3):"none",ft=()=>x().map(({which:t,points:e})=>({which:t,points:e,rows:e.info.clustering})),gt=t=>t!==null&&Number.isFinite(t);function qn(t){const e=t.flatMap(({rows:a})=>a.flatMap(l=>[l.score,l.null_low,l.null_high])).filter(gt),s=Math.min(0,...e),n=Math.max(.1,...e),o=.06*(n-s);return[s<0?s-o:0,n+o]}function Kn(t,{which:e,points:s,rows:n},o,a){const{stroke:l,dash:r}=Re[e],c=s.steps.flatMap((d,m)=>{const g=n.find(y=>y.step===d&&y.by===t);return g&&gt(g.score)?[{...g,index:m}]:[]}),u=({index:d})=>o(d);if(!c.length){const d=a.range[1]+(e==="initial"?28:14);return G(["not defined: one group alone"],{x:o(0),y:d,size:10,fill:"dim"})}const h=c.filter(d=>gt(d.null_low)),f=d=>a(d.score);return[qs(h,{x:u,y:d=>[a(d.null_low),a(d.null_high)],fill:l,stroke:l,width:1,opacity:.28}),Ks(c,{x:u,y:f,stroke:l,dash:r}),ue(c,{x:u,y:f,r:3,fill:"surface",stroke:l,width:2,words:d=>E(d.step)+": "+Ue(d.score)})]}function je(t){const e=ft();if(!e.length)return null;const[{points:s}]=e,n=t>560?3:1,o=(t-18*(n-1))/n,a=qn(e),l=Wn(s),r=s.steps.map(E),c=Math.ceil(l.length/n)*Vt,u=e.map(({which:f})=>({text:A[f]+"; band: shuffled",...Re[f],width:2})),h=Fs(u,{x:0,y:c+12,width:t});return pe({width:t,height:c+2+h.height,title:"Clustering of "+s.words.points+" by step: "+V(s,{...i,layout:"map"},!1),desc:"Silhouette, cosine distance, of "+s.words.points+" grouped "+s.words.group+", label and domain; bands: the same with shuffled groups, 2.5 to 97.5 %.",marks:[l.map((f,d)=>{const[m,g]=[d%n*(o+18),Math.floor(d/n)*Vt+28],y=zs(a,[g+Vt-54,g],{round:!1,most:6}),N=Ds(r,11)<(o-42)/r.length,F=Hs(N?r:s.steps,[m+34,m+o-8]);return[G([Le(s,f)],{x:m,y:g-12,down:0,weight:650,room:o}),Gs(y,[m+34,m+o-6],{size:10}),Ws(F,[g,y.range[0]-1],{grid:!1}),e.map(z=>Kn(f,z,F,y))]}),h.marks]})}function Jn(t){const e=["routing","groups","step","silhouette","shuffled: mean","2.5 %","97.5 %","points"],s=t.flatMap(({which:n,points:o,rows:a})=>a.map(l=>[A[n],Le(o,l.by),E(l.step),...[l.score,l.null_mean,l.null_low,l.null_high].map(Ue),String(l.n)]));return[e,...s]}const Zn=()=>p`
  <${Us}
    look="type-clustering"
    scene=${je}
    height=${200}
    drawn=${()=>ft().map(({points:t})=>t.id).join(" ")}
    label=${({title:t,desc:e})=>t+". "+e+" The same numbers are in the table below."}
  />
  <${js}
    words="Clustering scores as a table"
    caption=${()=>"Silhouette of types at every step beside the same with shuffled groups."}
    rows=${()=>Jn(ft())}
    data=${{"data-clustering-table":"true"}}
  />
`,Fe=60,k=52,Vn=16;function ze(t,e){return t.length<=e?t:Array.from({length:e},(s,n)=>t[Math.floor(n*t.length/e)])}function Yt(t,e,s,n,o,a){const l=new Int32Array(s.length+1);for(const r of e)l[n[r]>=0&&n[r]<s.length?n[r]:s.length]+=1;return[...s,a].map((r,c)=>({name:r,count:l[c],paint:o(c<s.length?c:-1)})).filter(r=>r.count>0)}function Qt(t,e,s){const n=e.map(({name:o,count:a,paint:l})=>{const r=100*a/s;return p`
      <div class="bar-row">
        <span class="bar-name">${o}</span>
        <span class="bar-track" aria-hidden="true">
          <span class="bar-fill" style=${{width:r+"%",background:l}}></span>
        </span>
        <span class="bar-value">${a.toLocaleString("en")+" ("+r.toFixed(0)+" %)"}</span>
      </div>
    `});return p`
    <div class="count-bars">
      <h3 class="small-title">${t}</h3>
      ${n}
    </div>
  `}function Yn(t,e,s){const n=Ae(e,s),o=()=>_(t,s),a=()=>_(t,-1);return p`
    <button
      key=${s}
      type="button"
      class="thumb"
      title=${n+". Opens its path."}
      aria-label=${n}
      data-point=${s}
      onClick=${()=>Jt(t,s)}
      onPointerEnter=${o}
      onFocus=${o}
      onPointerLeave=${a}
      onBlur=${a}
    >
      ${Ee(e,s,k)}
      <span class="thumb-caption"
        >${_e(e,s)}${e.ofNumbers?"":" "+e.labelName(s)}</span
      >
    </button>
  `}const Qn="Draw around points with the lasso, or hold Shift and drag. \u201Cselect view\u201D takes all points in view.";function Xn(){const{chosen:t}=i,e=t&&i.maps[t.which];if(!e)return p`<p class="hint">${Qn}</p>`;const s=J();if(!s.length)return p`<p class="hint">No point lies inside the selection.</p>`;const n=Yt(e,s,e.units,e.unit,d=>xt(d),e.words.none).sort((d,m)=>e.ofUnits?m.count-d.count:0).slice(0,Vn),o=Yt(e,s,e.info.labels,e.label,()=>"var(--rs-accent)","no label"),a=e.tokens.map((d,m)=>e.tokenLabel(m)),l=Yt(e,s,a,e.token,()=>"var(--rs-accent)","no token"),r=ze(s,Fe),c=i.allSteps?"over all steps":"at "+nt(e.steps[i.step]),u=new Set(s.map(d=>e.sample[d])).size,h=r.length<s.length?"; "+r.length+" shown, spread evenly":"",f=`${oe(s.length)} points of ${oe(u)} samples ${c}${h}`;return p`
    <p class="selection-count" data-selected=${s.length}>${f}</p>
    ${Qt(e.ofUnits?"By module, the most frequent":"By nearest function",n,s.length)}
    ${e.labelled&&Qt("By label",o,s.length)}
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
      ${r.map(d=>Yn(t.which,e,d))}
    </div>
  `}const $t=64,yt=10;async function to(t,e,s){const[n,o]=[s%yt*$t+6,Math.floor(s/yt)*($t+12)+34],a={x:n+k/2,size:11},l=ue([0],{x:a.x-(t.ofNumbers?0:8),y:o+k+9,fill:et().unit(t.unit[e])});if(t.ofNumbers)return[de([0],{x:[n,n+k],y:[o,o+k],fill:"raised"}),G([t.shortName(e)],{...a,y:o+k/2,anchor:"middle"}),l];const r=await ks(t.picturePath(t.samples[t.sample[e]])),{width:c,height:u}=r,{kind:h,row:f,column:d}=t.tokens[t.token[e]],[m,g]=[k/t.grid.columns,k/t.grid.rows],[y,N]=[n+(d??0)*m,o+(f??0)*g];return[{shape:"image",source:r,sx:0,sy:0,sw:c,sh:u,x:n,y:o,w:k,h:k},(h==="patch"||h==="panel"?[{stroke:"#000000",width:3},{stroke:"#ffffff",width:1.5}]:[]).map(z=>de([0],{x:[y,y+m],y:[N,N+g],...z})),l,G([t.labelName(e)],{...a,y:o+k+13,down:0})]}async function eo(){const{which:t}=i.chosen,e=i.maps[t],s=J(),n=ze(s,Fe),o=await Promise.all(n.map((c,u)=>to(e,c,u))),a=yt*$t+6,l=n.length+" of "+s.length+" selected "+e.words.shown+": "+V(e,i,!0),r=e.ofUnits?"":", with the patch marked";return pe({width:a,height:Math.ceil(n.length/yt)*($t+12)+40,title:l,desc:"Samples of the selected points"+r+"; below each the colour of its "+e.words.unit+" and the sample's label.",marks:[G([l],{x:6,y:20,down:0,weight:650,room:a-12}),o]})}function De(t){const{info:e}=t;return{model:e.model,revision:e.revision,seed:e.seed,routing:e.routing,method:e.method,parameters:e.parameters,trustworthiness:e.trustworthiness,drop:e.intervention.drop,mute:e.intervention.mute,iterations:e.steps.length,data:e.data,embedding:e.id,kind:e.intervention.drop.length?"observed under intervention":"observed"}}const He=["routing","sample","token","step","x","y","pca_x","pca_y","unit","label","domain","correct"];function Ge(t,e){const{raw:s,info:n}=t,o=(a,l)=>l<0||l>=a.length?"":a[l];return[n.routing,t.samples[t.sample[e]],t.tokens[t.token[e]].name,t.steps[t.step[e]],s.xy[2*e],s.xy[2*e+1],s.pca[2*e],s.pca[2*e+1],o(t.units,t.unit[e]),o(n.labels,t.label[e]),o(n.domains,t.domain[e]),t.correct[e]<0?"":t.correct[e]===1]}function so({info:t,tokens:e,token:s}){const n=[...new Set(s)].map(o=>["patch","number","panel"].includes(e[o].kind));return{tokens:n.every(Boolean)?"patches":n.some(Boolean)?"all":"cls",samples:t.data.reduce((o,{count:a})=>o+a,0),iterations:t.intervention.iterations??null}}function no([,...t]){const e={};for(const[,s,n,o]of t)((e[s]??={})[n]??=[]).push(o);return{points:e}}const oo=()=>x().flatMap(({points:{units:t,raw:e,info:s}})=>t.slice(0,e.signatures.length/2).map((n,o)=>{const[a,l]=e.signatures.slice(2*o,2*o+2);return{routing:s.routing,unit:n,x:a,y:l}}));function ao(t){const e=x().flatMap(({which:l})=>T[l]??[]),s=t&&e.length>1?(t-12)/2:t,[n,o]=e.map(l=>l.scene(s));if(!o)return n;const a=n.width+12;return{...n,width:a+o.width,title:n.title+"; beside it "+o.title,items:[...n.items,...o.items.map(l=>ce(l,a,0))]}}const lo=t=>({step:i.allSteps?"all":t.steps[i.step],layout:mt(t,i),colour:ot(t,M(),b())[O()],hidden:[...i.hidden].map(e=>R(t).entries[e].name)}),We=()=>[He,...x().flatMap(({points:t})=>Array.from({length:t.count},(e,s)=>Ge(t,s)))];function io(){const t=["step","by","score","null_mean","null_low","null_high","n"],e=ft().flatMap(({which:s,rows:n})=>n.map(o=>[s,...t.map(a=>o[a]??"")]));return[["routing",...t],...e]}const ro=()=>[["routing","fact","value"],...x().flatMap(({points:t})=>Object.entries(De(t)).map(([e,s])=>[t.info.routing,e,JSON.stringify(s)]))],co=({which:t})=>[He,...J().map(e=>Ge(i.maps[t],e))],po={typefacts:{name:"types-facts",figure:"types-facts",rows:ro},typemap:{name:"types",figure:"types",picture:{scene:ao},rows:We},typesteps:{name:"types-by-step",figure:"types",picture:{scene:Hn},rows:We},typeclusters:{name:"types-clustering",figure:"types-clustering",picture:{scene:t=>je(t??900)},rows:io},typeselection:{name:"types-selection",figure:"types-selection",picture:{scene:eo},rows:()=>co(i.chosen)}};function uo(t){const[{name:e,figure:s,picture:n={},rows:o},a,{chosen:l}]=[po[t],i.maps.trained,i],r=t==="typeselection";if(!a||r&&!l)return null;const c=r&&l?{map:l.which,polygon_in_map_units:l.polygon}:{};return{name:e,facts:{...De(a),...s==="types"||r?lo(a):{},...c},picture:n,python:{figure:s,...so(a),...r?no(o()):{}},rows:o,json:()=>({...Js(o()),signatures:oo()})}}const qe=128,Ke=t=>t.map(e=>e.index),Je=(t,e)=>s=>s.altKey||s.shiftKey?Wt(t.index,Ke(e)):xe(t.index);function Ze(t,e){const{index:s,name:n,paint:o,count:a}=t,l=i.hidden.has(s),r=e.filter(u=>!i.hidden.has(u.index)),c=r.length===1&&r[0]===t;return p`
    <span key=${s} class="legend-pair" data-hidden=${String(l)}>
      <button
        type="button"
        class="legend-toggle"
        aria-pressed=${String(!l)}
        data-category=${s}
        title=${(l?"Show ":"Hide ")+n}
        onClick=${Je(t,e)}
      >
        <span class="swatch" aria-hidden="true" style=${{background:o}}></span>
        <span>${n}</span>
        <small>${a.toLocaleString("en")}</small>
      </button>
      <button
        type="button"
        class="legend-only"
        data-only=${s}
        aria-label=${c?"Show all again":"Show only "+n}
        onClick=${()=>Wt(s,Ke(e))}
      >
        ${c?"all":"only"}
      </button>
    </span>
  `}function ho(t,e){const s=({index:l})=>["patch","panel"].includes(t.tokens[l]?.kind),n=e.filter(s).map(l=>{const{index:r,name:c,paint:u,count:h}=l,{row:f,column:d}=t.tokens[r],m={background:u,gridRow:String((f??0)+1),gridColumn:String((d??0)+1)};return p`
      <button
        key=${r}
        type="button"
        class="legend-cell"
        aria-pressed=${String(!i.hidden.has(r))}
        aria-label=${c}
        title=${c+": "+h.toLocaleString("en")+" points (Alt and click: only this one)"}
        data-category=${r}
        style=${m}
        onClick=${Je(l,e)}
      ></button>
    `}),o={gridTemplateColumns:"repeat("+t.grid.columns+", 22px)"},a=e.filter(l=>!s(l)).map(l=>Ze(l,e));return n.length?p`
    <div class="legend-grid" role="group" aria-label="By their place in the image" style=${o}>${n}</div>
    ${a}
  `:a}function mo(){const t=i.maps.trained,e=t?R(t).entries.filter(a=>a.there):[],s=O()==="token",n=s?0:e.length-qe,o=e.slice(0,qe).map(a=>Ze(a,e));return p`<div
    class="legend type-legend"
    role="group"
    aria-label="Categories: press to hide or show"
    data-many=${String(!!(t&&t.units.length>ae))}
  >
    ${t&&s?ho(t,e):o} ${n>0&&p`<small>${"and "+n+" more"}</small>`}
    ${i.hidden.size>0&&p`<${v} look="tool tool-text legend-all" act=${()=>ct([])}>Show all<//>`}
  </div>`}function fo(){const t=ot(i.maps.trained,M(),b()),e=O();return p`<div class="type-colours">
    <span class="control-name" aria-hidden="true">colour</span>
    <${Ss}
      id="types-colour"
      look="plain-select"
      label="Colour of the points"
      options=${Object.entries(t)}
      chosen=${t[e]?e:"unit"}
      onChoose=${s=>Me(s)}
    />
  </div>`}const go=1.1,Ve=.3;let C=0;const $o=Xs(go,()=>i.playing&&i.maps.trained,t=>{const e=i.maps.trained;C+=t;const s=e.steps.length-1,n=Math.min(s,Math.floor(C)),o=Math.max(0,(C-n-Ve)/(1-Ve));return C>=s?$({playing:!1,time:null,step:s}):$(n===i.step?{time:n+o}:{time:n+o,step:n}),C<s});function Ye(){const t=i.maps.trained;if(t){if(i.playing){$({playing:!1,time:null});return}C=i.step>=t.steps.length-1?0:i.step,$({playing:!0,allSteps:!1,step:C,time:C,hover:null}),$o()}}function Qe(t,e){const s=i.maps[t];if(!s)return;const n=R(s),o=i.chosen&&i.chosen.which===t?J():[],a=i.allSteps?s.steps.map((c,u)=>u):[i.step],l=o.length?o:a.flatMap(c=>Array.from(s.pointOf[c]).filter(u=>u>=0&&it(s,n,u)));if(!l.length)return;const r=i.hover&&i.hover.which===t?l.indexOf(i.hover.point):-1;_(t,l[(r+(r<0&&e<0?0:e)+l.length)%l.length])}const Xe=()=>$({tool:i.tool==="lasso"?"move":"lasso"}),Xt=t=>e=>{const s=i.maps.trained;if(Vs(e)||!s)return;const n=t&&T[t],o={ArrowLeft:[40,0],ArrowRight:[-40,0],ArrowUp:[0,40],ArrowDown:[0,-40]};if(e.shiftKey&&o[e.key]&&n){e.preventDefault(),n.map.panBy(...o[e.key]);return}Ys(e,{...Qs(Ye,rt,i.step,s.steps.length),...n&&{ArrowDown:()=>Qe(n.which,1),ArrowUp:()=>Qe(n.which,-1),"+":()=>n.map.zoomBy(1.4),"=":()=>n.map.zoomBy(1.4),"-":()=>n.map.zoomBy(1/1.4),0:()=>n.map.fit(),l:Xe,Enter:()=>i.hover&&Jt(i.hover.which,i.hover.point)},Escape:()=>i.hover?$({hover:null}):K(null,null)})};function yo(){const{allSteps:t,playing:e,step:s}=i,n=i.maps.trained,o=n?E(n.steps[s]):"",a=n?.steps.length??0,l=t?a+" steps":"step "+o+" of "+a,r=n&&{count:a,step:s,valuetext:"step "+o,words:l},c={least:1,playLabel:"Play through the steps",pauseTitle:"Pause (space)"},u=()=>$({allSteps:!t,playing:!1,time:null,hover:null});return p`<div class="path-controls">
    <div class="player" id="types-player" onKeyDown=${Xt(null)}>
      <${Zs} ...${{...c,shown:r,playing:e,toggle:Ye,goTo:rt}} step=${()=>i.step} />
      <${v}
        look="tool tool-text toggle"
        title="The points of all steps in one picture"
        pressed=${t}
        wait=${!n}
        act=${u}
        >all steps at once<//
      >
    </div>
  </div>`}function bo(){const t=i.maps.trained,{chosen:e,layout:s,tool:n}=i,o=!t,a=(c,u,h,f)=>p`<${v}
      look="tool"
      ...${{label:c,title:u,wait:o}}
      act=${()=>Object.values(T).forEach(({map:d})=>f(d))}
      >${h}<//
    >`,[l,r]=["Draw around points to select them (L; or hold Shift)","The same points by their two main directions"];return p`<div class="type-tools" id="types-tools">
    <${v} id="types-lasso" title=${l} pressed=${n==="lasso"} wait=${o} act=${Xe}>lasso<//>
    <${v}
      id="types-view"
      title="Select every point in view"
      wait=${o}
      act=${()=>T.trained?.selectView()}
    >
      select view
    <//>
    <${v} id="types-clear" hidden=${!e} act=${()=>K(null,null)}>clear selection<//>
    <${v}
      id="types-twin"
      title=${r}
      pressed=${s==="pca"}
      hidden=${t?.info.method==="pca"}
      wait=${o}
      act=${()=>Kt(s==="pca"?"map":"pca")}
      >PCA twin<//
    >
    <span class="zoom" role="group" aria-label="Zoom">
      ${a("Zoom out","Zoom out (\u2212)","\u2212",c=>c.zoomBy(1/1.5))}
      ${a("Zoom in","Zoom in (+); or click the map and turn the wheel","+",c=>c.zoomBy(1.5))}
      ${a("Show all points","Show all (0)",le("fit"),c=>c.fit())}
    </span>
  </div>`}const wo=300,vo={compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"},X=({name:t,id:e,children:s})=>p`<div class="control" id=${e}><span class="control-name">${t}</span>${s}</div>`,ts=({name:t,label:e,options:s})=>p`<${Ts}
    id=${"types-"+t}
    ...${{label:e,options:s,chosen:i.choice[t]}}
    onChoose=${n=>U({[t]:n})}
  />`;function bt({name:t,label:e,step:s}){const{least:n,most:o}=Cs("types",t),a=(Rt()??i.choice)[t];return p`<${X} name=${t} id=${"types-"+t+"-control"}>
    <${Ns}
      id=${"types-"+t}
      ...${{label:e,chosen:a,least:n,most:o,step:s,none:""}}
      onChoose=${l=>l!==null&&U({[t]:l})}
    />
  <//>`}function es(t,e){const s=b(),n=new Set(kt(s.units,i.choice.drop));t.forEach(r=>e?n.add(r):n.delete(r));const o=s.units.filter(r=>n.has(r)),{unit:a,units:l}=Es(s);o.length<s.units.length?U({drop:o}):se("One "+a+" stays","A network without "+l+" has nothing to map.","bad")}function ko({unit:t,index:e,away:s}){const n=s?"Bring "+t+" back":"Drop "+t+" ("+Tt(vo)+")";return p`
    <button
      type="button"
      class="chip"
      data-type-unit=${t}
      data-state=${s?"dropped":"on"}
      aria-pressed=${String(s)}
      title=${n}
      onClick=${()=>es([t],!s)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:xt(e)}}></span>
      ${t}
      <span class="chip-state">${s&&"dropped"}</span>
    </button>
  `}function So({units:t,drop:e}){const s=H(null),n=H(null);return st(()=>{n.current=new an(s.current,"data-type-unit",{toggle:es,about:(o,a)=>o+". "+(a?"Bring it back":"Drop it")}),n.current.show(t)},[]),st(()=>n.current?.mark(e,"dropped")),p`<div role="group" aria-label="Modules to drop" ref=${s}></div>`}function Oo(){const t=b();if(!t)return null;const{data:e,drop:s}=i.choice,n=kt(t.units,s),o=t.units.length>ae;return p`
    <${X} name="data">
      <div class="chips" role="group" aria-label="Data sets">
        <${nn}
          sets=${$e()}
          used=${e.length?e:t.domains}
          attribute="data-type-set"
          alike=${!t.labels.length}
          about=${a=>on(a,t.held_out.includes(a.name))}
          onChoose=${a=>U({data:a})}
        />
      </div>
    <//>
    <${X} name="drop">
      <div class=${o?"":"chips"} role="group" aria-label="Units to drop">
        ${o?p`<${So} key=${t.id} units=${t.units} drop=${n} />`:t.units.map((a,l)=>p`<${ko} key=${a} ...${{unit:a,index:l}} away=${n.includes(a)} />`)}
      </div>
    <//>
  `}function Mo(){const t=b(),{method:e}=i.choice,s=Tt({numbers:"numbers",matrices:"panels","":"patches"},t??void 0),n=!t||B(t);return p`<div class="type-controls">
    <${X} name="method"><${ts} name="method" label="Method" options=${Object.entries(j)} /><//>
    ${e==="tsne"&&p`<${bt} name="perplexity" label="Perplexity of t-SNE" step="any" />`}
    ${e==="umap"&&p`<${bt} name="neighbours" label="Neighbours of UMAP" />`}
    <${bt} name="seed" label="Seed" />
    <${bt} name="samples" label="Samples in all" />
    ${n&&p`<${X} name="tokens" id="types-tokens-control">
        <${ts}
          name="tokens"
          label="Tokens"
          options=${[["patches",s],["cls","CLS"],["all","all"]]}
        />
      <//>`}
    <div class="type-row">
      <${Oo} />
      ${t&&n&&p`<div id="types-compare-control">
          <${v}
            id="types-compare"
            pressed=${i.compare}
            act=${()=>$({compare:!i.compare})}
            >beside routing at initialisation<//
          >
        </div>`}
    </div>
  </div>`}function xo(t,{info:e}){const[s,,n]=t.split("."),o=e.data.length*(Number(n)+1);return e.data.some(({name:a})=>a===s)&&o<=wo?o:null}function To({points:t}){const e=q();if(!e)return null;const s=t.samples.includes(e),n=s?null:xo(e,t);return p`
    <span data-ringed=${String(s)}>${e+(s?" is ringed":" is not among these samples")}</span>
    ${n&&p`<${v} act=${()=>U({samples:n})}>${"take "+n+" samples"}<//>`}
  `}function Co(){const t=i.maps.trained;if(!t)return null;const{info:e,samples:s}=t;return p`
    <span><strong>${e.count.toLocaleString("en")+" points"}</strong></span>
    <span>${s.length+" samples"}</span>
    ${e.data.some(n=>n.stand_in)&&p`<span class="tag tag-warn">stand-in data</span>`}
    <${en} id=${e.model} revision=${e.revision} />
    <${To} points=${t} />
  `}function No(){const t=Ht(),e=Dt();if(t==="ready")return null;if(t==="loading")return p`<div class="skeleton" aria-hidden="true"></div>`;if(!e)return p`<div class="message" id="types-empty">
      <p class="message-title">No map</p>
      <p class="message-detail">The job was cancelled before there was a map.</p>
      <${v} id="types-again" look="button" act=${Gt}>Compute it<//>
    </div>`;const s=!!e.refused;return p`<div class="message" id="types-failed" role="alert">
    <p class="message-title">${s?e.title:"The map could not be computed"}</p>
    <p class="message-detail" id="types-problem">${e.message}</p>
    <${v} id="types-retry" look="button" hidden=${s||e.status===403} act=${Gt}>
      Try again
    <//>
    <span class="reader" data-widget="reader" hidden=${!s}></span>
  </div>`}const tt=({id:t,children:e,formats:s=["svg","png","csv","json"],...n})=>p`<${sn}
    id=${t}
    tag="observed"
    formats=${s}
    look=${"panel-"+t}
    written=${()=>uo(t)}
    ...${n}
    >${e}<//
  >`;function Eo(){const t=b(),e=!t||B(t),s=Bn();return p`<${tt} id="typemap" title=${e?"Map of types":"Map of states"} reads=${Pn()}>
    <div class="type-bar">
      <${bo} />
      <span class="tag" id="types-waiting" role="status" hidden=${!s}>${s}</span>
      <${fo} />
    </div>
    <div class="type-maps">
      <${Ie} which="trained" label="Map of types" onKey=${Xt("trained")}><${No} /><//>
      ${w()&&p`<${Ie} which="initial" label="Map of types with routing at initialisation" onKey=${Xt("initial")}>
          ${!i.maps.initial&&p`<div class="skeleton" aria-hidden="true"></div>`}
        <//>`}
    </div>
    <${mo} />
    <${yo} />
    <${Nn} />
  <//>`}function _o(){const t=!i.maps.trained;return p`
    <div class="page-head">
      <h1>Types</h1>
      <div class="caption" id="types-caption"><${Co} /></div>
      <button type="button" class="tool tool-text" data-copy-link="true">${le("link")}Copy link</button>
    </div>
    <${tn}><${Mo} /><//>
    <div class="types-grid">
      <div class="column">
        <${Eo} />
        <${tt}
          id="typesteps"
          title="Step by step"
          reads="One map a step, on the same axes. Click a map to go to its step."
          hidden=${t}
          ><${Dn}
        /><//>
        <${tt}
          id="typeclusters"
          title="Clustering by step"
          reads="Silhouette of the points (cosine distance) by step. Band: the same with shuffled groups."
          more="Above the band, the groups are tighter than chance. The score is of the points themselves, not of the map."
          hidden=${t}
          ><${Zn}
        /><//>
      </div>
      <div class="column">
        <${tt}
          id="typefacts"
          title="This map"
          reads="How the map was made, and how far its neighbours can be trusted (1 is best)."
          formats=${["csv","json"]}
          ><${An}
        /><//>
        <${tt}
          id="typeselection"
          title="Selection"
          reads=${Tt({"":"Points inside the lasso, counted by {unit} and label."})}
          ><div class="type-selection"><${Xn} /></div
        ><//>
      </div>
    </div>
  `}Os("types",async({model:t,sample:e,...s})=>{xs({model:t,sample:e}),ht(s)});const Ao=Ms({Tree:_o,choice:()=>ut.value,take:ht,open(t,e){const s=e.closest(".page"),n=[Ne(t),D(()=>{const[o,a,l]=[Ht(),String(zt()),String(w())];Object.assign(s.dataset,{status:o,stale:a,compare:l})})];return()=>n.forEach(o=>o())}});_s({typeMap:()=>({pictures:T}),types:()=>On});export{Ao as mount};
