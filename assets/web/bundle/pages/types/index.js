/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ak as as,A as os,am as wt,C as ls,a0 as is,a6 as rs,aV as cs,G as ps,an as us,n as te,a3 as vt,aH as ee,aF as ds,aG as hs,bl as ms,aI as kt,aB as fs,U as at,aW as gs,ah as $s,bu as ys,r as St,aD as bs,aC as ws,ar as se,d as ne,al as vs,aE as ks,s as p,R as z,ap as ot,a8 as Ss,ax as Ms,P as Os,ag as Mt,af as Ts,J as ae,aQ as xs,a_ as x,F as oe,aP as Cs,X as Ns,b2 as le,T as S,aJ as Ps,ay as Es,az as As,c as _s,i as Ls,aq as Bs,aj as Is,aS as Us,o as Rs,Q as Ds}from"../../boot.js";import{cm as ie,bp as C,aO as L,W as js,m as Ot,an as Fs,cn as Hs,a3 as Ws,$ as Gs,S as re,a2 as qs,c0 as ce,E as B,G as Js,D as Tt,X as zs,n as Ks,A as Vs,aP as pe,H as Ys,I as Zs,w as Xs,ai as Qs,J as tn,K as en,aB as sn,L as nn,M as ue,a7 as de,a4 as an,v as on,B as ln,bZ as rn,b_ as cn,b$ as pn,bl as un,aV as dn,R as hn,P as mn,bq as fn,br as gn,ac as $n}from"../../shared.js";const xt={light:["#332288","#88ccee","#117733","#ddaa33","#cc6677","#44aa99","#882255","#999933","#aa4499","#6b7280"],dark:["#8f86f0","#88ccee","#3fae68","#ddcc77","#ee8899","#44aa99","#c8568f","#b5b54a","#d277c3","#a8b0ba"]},he={light:["#004488","#ddaa33","#bb5566","#228833","#66ccee","#aa3377"],dark:["#6699cc","#eecc66","#ee99aa","#55bb66","#99ddff","#dd77aa"]},yn={light:["#7a1f2b","#c0392b","#d98b00","#a3a300","#3c8d2f","#1b8a7a","#1f78b4","#3b3fa5","#8e44ad","#c2388f"],dark:["#e07a86","#ff8a75","#f2b544","#d4d44a","#7fcf70","#4fd0bd","#6fb7ee","#9aa0ff","#c690e6","#f07cc4"]},bn={light:["#3b1f6b","#31508c","#25778c","#219d82","#63c15c","#d9c52b"],dark:["#7d63d6","#5b83d0","#38a3b5","#35b98a","#86d152","#f4e04d"]},me={unit:"nearest function",community:"community",label:"label",kind:"kind of sample",domain:"domain",token:"token position",correct:"correct or wrong",step:"step"},K=()=>document.documentElement.dataset.mantineColorScheme==="dark",Ct=(t,e,s=0)=>{const n=t[K()?"dark":"light"];return s>n.length?Nt(yn[K()?"dark":"light"],e/(s-1)):n[e%n.length]};function Nt(t,e){const s=Math.max(0,Math.min(t.length-1.0001,e*(t.length-1)));return Ot(t[Math.floor(s)],t[Math.floor(s)+1],s-Math.floor(s))}function wn(t,e,s){const{kind:n,row:a,column:o}=t.tokens[e];if(n==="number")return Ct(xt,o??0);if(n!=="patch"&&n!=="panel")return t.ofNumbers?Ct(he,e,t.info.domains.length):s.ink;const{rows:l,columns:r}=t.grid,c=Nt(["#2166ac","#2a9d8f","#e0a100","#c0392b"],l>1?(a??0)/(l-1):0),u=r>1?(o??0)/(r-1):0;return u<.5?Ot(c,"#ffffff",.55*(1-2*u)):Ot(c,K()?"#8a8f98":"#000000",.4*(2*u-1))}const Pt=(t,e,s,n,a=!1)=>({of:t,names:e,none:n,paints:e.map((o,l)=>Ct(s,l,a?0:e.length))}),vn={unit:(t,e)=>({of:t.unit,names:t.units,paints:t.units.map((s,n)=>e.unit(n)),none:t.words.none}),community:(t,e,s)=>{const{of:n,entries:a}=js.community(s,e);return{of:t.unit.map(o=>o<0?-1:n[o]),names:a.map(o=>o.name+" ("+o.count+" modules)"),paints:a.map(o=>o.paint),none:t.words.none}},label:({label:t,info:e})=>Pt(t,e.labels,xt,"no label",!0),kind:({kind:t,info:e})=>Pt(t,e.kinds,xt,"no kind"),domain:({domain:t,info:e})=>Pt(t,e.domains,he,"no domain"),token:(t,e)=>({of:t.place,names:t.tokens.map((s,n)=>t.placeLabel(n)),paints:t.tokens.map((s,n)=>wn(t,n,e)),none:""}),correct:t=>({of:t.correct,names:["wrong","correct"],paints:K()?["#ff8a5c","#4f9fd6"]:["#d55e00","#3a86b8"],none:"not known"}),step:t=>({of:t.step,names:t.steps.map(L),paints:t.steps.map((e,s)=>Nt(bn[K()?"dark":"light"],t.steps.length>1?s/(t.steps.length-1):0)),none:""})};function kn(t,e,s,n,a){const o=e==="community"&&!fe(t,a)?"unit":e,{of:l,names:r,paints:c,none:u}=vn[o](t,s,a),h=new Int32Array(r.length+1),m=new Int16Array(t.count),d=new Uint8Array(r.length+1);for(let g=0;g<t.count;g+=1){const $=l[g]>=0&&l[g]<r.length?l[g]:r.length;m[g]=$,d[$]=1,(!n||n(g))&&(h[$]+=1)}const y=[...r,u].map((g,$)=>({index:$,name:g,paint:$<r.length?c[$]:s.unmatched,count:h[$],there:$<r.length&&!["token","kind"].includes(e)||d[$]===1}));return{by:e,of:m,entries:y,paints:y.map(g=>g.paint)}}const fe=(t,e)=>!!(e&&e.units.length===t.units.length);function lt(t,e,s){const n={...me,...t&&{step:C(t.steps)},unit:(t?t.words:ie(s)).unit};return t&&(t.ofUnits&&delete n.token,t.labelled||(delete n.label,delete n.correct),t.info.kinds?.length||delete n.kind,fe(t,e)||delete n.community),n}const Sn=64,Mn=4e4,On=450,Tn=150,xn=250,Et={x:0,y:0,zoom:1},F=["trained","initial"],At=as("types","method","data","samples","tokens","perplexity","neighbours","seed","drop"),_t=()=>({modelId:null,choice:{...At},maps:{trained:null,initial:null},compare:!1,layout:"map",share:null,step:0,allSteps:!1,time:null,playing:!1,colour:null,hidden:new Set,hover:null,chosen:null,tool:"move",view:{...Et}}),{state:i,update:f,subscribe:ge}=os(_t()),H=({fields:t})=>t.includes("types"),W=wt(()=>i.modelId,async t=>{const e=await ls(t);if(e)throw Object.assign(new is(403,e.title,e.detail),{refused:!0});const s=await Fs(t);return rs("drop",s.model,i.choice.drop),cs(t,s.model.domains,i.choice.data),s}),w=()=>W.answer()?.model??null,$e=()=>W.answer()?.sets??[],ye=wt(()=>{const t=w();return t&&!H(t)&&t.constants.includes("link_probability")?t.id:null},t=>ps("GET","/models/"+encodeURIComponent(t)+"/graph")),N=()=>ye.answer();function k(){const t=w();return i.compare&&(!t||H(t))}const I={trained:["types-pca","types-trained"],initial:["types-pca-initial","types-initial"]};function Cn(){const[t,{choice:e,modelId:s}]=[w(),i];if(!t||t.id!==s)return null;const n={...e,model:t.id,drop:vt(t.units,e.drop)};if(H(t))return n;const a=Math.max(1,Math.floor(Mn/(t.units.length*t.steps.length)));return{...n,tokens:"patches",samples:Math.min(e.samples,a)}}const Lt=us(Cn),Bt=()=>Lt.value;function It(t){const{value:e}=Lt;if(!e||t==="initial"&&!k())return null;const{drop:s,...n}=e;return JSON.stringify(be({...n,routing:t,intervention:{drop:s,mute:[],iterations:null}},n.method))}const be=(t,e)=>({...t,method:e,perplexity:e==="tsne"?t.perplexity:At.perplexity,neighbours:e==="umap"?t.neighbours:At.neighbours});function Ut(t,e=[]){const s=e.map(n=>JSON.stringify(n));for(const n of t){const{job:a,request:o}=ee(n);a&&a.state!=="done"&&!s.includes(JSON.stringify(o?.body))&&ds(n)}}const we=(t,e,s,n,a)=>new Promise((o,l)=>{let r=!1;const{stop:c}=hs(e,"/embeddings",s,{done:u=>{Hs(u).then(o,l)},cancelled:()=>a&&o(null),failed(u){r=!0,a?o(null):l(u)},goesOn:()=>r&&!a&&M[t].again()});n.addEventListener("abort",c)});async function Nn(t,e,s){i.maps[t]&&await new Promise(r=>setTimeout(r,xn));const n=JSON.parse(e),[a,o]=I[t],l=be(n,"pca");if(s.throwIfAborted(),Ut([a,o],[l,n]),n.method!=="pca"){const r=await we(t,a,l,s,!0);s.throwIfAborted(),r&&ke(t,r,e)}return we(t,o,n,s,!1)}const ve=t=>wt(()=>It(t),(e,s)=>Nn(t,e,s)),M={trained:ve("trained"),initial:ve("initial")},it=te({trained:null,initial:null});function ke(t,e,s){const n=i.maps[t];if(n===e&&it.value[t]===s)return;const a={maps:{...i.maps,[t]:e}};if(it.value={...it.value,[t]:s},t==="initial"){f(a);return}const o=n!==null&&String(n.samples)===String(e.samples),l=o&&n.info.method==="pca"&&e.info.method!=="pca"&&i.layout==="map";o||(a.chosen=null);const r=ms(e.info.model,i.step,e.steps.length);f({...a,step:r,hover:null,...l&&!kt()?{share:0}:{}}),l&&qt("map")}const Se=t=>ee(I[t][1]).job?.state==="cancelled",Rt=t=>t?M[t].waits()&&!Se(t):F.some(e=>Rt(e)),Dt=()=>F.some(t=>i.maps[t]&&(t==="trained"||k())&&it.value[t]!==It(t)),jt=()=>[W,M.trained].find(t=>t.problem()&&!t.waits())?.problem()??null,Ft=()=>jt()?"failed":i.maps.trained?"ready":Se("trained")?"empty":"loading",Ht=()=>(W.problem()?W:M.trained).again(),P=()=>F.flatMap(t=>{const e=i.maps[t];return e&&(t==="trained"||k())?[{which:t,points:e}]:[]}),V=()=>$s().sample,rt=()=>i.allSteps?null:i.step;function O(){const t=i.maps.trained,e=t&&t.units.length>ys;return i.colour??(e&&lt(t,N(),w()).community?"community":"unit")}const ct=(t,e,s,n=rt())=>(n===null||t.step[s]===n)&&!i.hidden.has(e.of[s]),Me=new WeakMap;function G(t){const[e,s]=[St(),rt()],n=[O(),s,e.surface,!!N()].join(" "),a=Me.get(t);if(a&&a.key===n)return a;const o=r=>s===null||t.step[r]===s,l={...kn(t,O(),e,o,N()),key:n};return Me.set(t,l),l}const q=t=>f({choice:{...i.choice,...t}});function pt(t){const e=i.maps.trained;if(!e)return;const s=e.steps.length-1;f({step:Math.max(0,Math.min(s,t)),time:null,playing:!1,allSteps:!1,hover:null})}const Oe=t=>me[t]&&f({colour:t,hidden:new Set}),ut=t=>f({colour:O(),hidden:new Set(t)}),Te=t=>ut(i.hidden.has(t)?[...i.hidden].filter(e=>e!==t):[...i.hidden,t]);function Wt(t,e){const s=e.filter(a=>a!==t),n=!i.hidden.has(t)&&s.every(a=>i.hidden.has(a));ut(n?[]:s)}function U(t,e){const{hover:s}=i;(e>=0?s?.which===t&&s.point===e:!s)||f({hover:e>=0?{which:t,point:e}:null})}function Gt(t,e,s){if(t===e)return s;const[n,a]=[i.maps[e],i.maps[t]];if(!n||!a)return-1;const o=n.tokens.length;return a.trackNamed(n.samples[Math.floor(s/o)],n.tokens[s%o].name)}function Y(t,e,{layout:s,step:n}={layout:i.layout,step:rt()}){const a=t&&i.maps[t];if(!t||!e||!a){f({chosen:null});return}const o=Ws(e,Sn),{places:l}=a.layouts[a.info.method==="pca"?"map":s],r=G(a),c=a.order.filter(m=>ct(a,r,m,n)),u=new Gs(l,c).inside(o),h=new Set(u.map(m=>a.track[m]));f({chosen:{which:t,step:n,layout:s,map:a.id,polygon:o,tracks:h,points:u},hover:null})}function Z(){const{chosen:t}=i,e=t&&i.maps[t.which];return e?i.allSteps&&t.step===null?Array.from(t.points):(i.allSteps?e.steps.map((n,a)=>a):[i.step]).flatMap(n=>[...t.tracks].map(a=>e.pointOf[n][a])).filter(n=>n>=0):[]}let dt=0;function qt(t){cancelAnimationFrame(dt);const e=i.share!==null?i.share:i.layout==="pca"?0:1,s=t==="pca"?0:1;if(e===s||kt()){f({layout:t,share:null});return}const n=performance.now();f({layout:t,share:e,hover:null});const a=o=>{const l=e+Math.sign(s-e)*Math.max(0,o-n)/On,r=s>e?l>=s:l<=s;f({share:r?null:l}),r||(dt=requestAnimationFrame(a))};dt=requestAnimationFrame(a)}const ht=te(null);let X=0,mt=null;function xe(){const{value:t}=Lt,{chosen:e,playing:s,share:n}=i;if(!t||s||n!==null)return null;const a=e&&i.maps[e.which]?.id===e.map;return{...t,sample:V(),colour:i.colour,step:i.allSteps?"all":String(i.step+1),hide:[...i.hidden].sort((o,l)=>o-l),pca:i.layout==="pca",compare:k(),view:i.view,lasso:a&&[e.which,e.layout,e.step===null?"all":e.step+1,e.polygon]}}function Pn(){X=0;const t=xe(),e=w();if(!t||!e)return;vs("types",t,e.units);const{model:s,sample:n,...a}=ks("types",location.search);ht.value={...a,hide:(a.hide??[]).map(Number)}}function ft({colour:t,step:e,hide:s,pca:n,compare:a,view:o,lasso:l,...r}){const c=bs(o);mt=l?En(l):null,f({choice:r,colour:t??(s?.length?"unit":null),allSteps:e==="all",step:e==="all"?0:Number(e)-1,hidden:new Set((s??[]).map(Number)),layout:n?"pca":"map",share:null,compare:a,chosen:null,view:c?re.clamped(c):{...Et}}),F.forEach(Ce)}function En(t){const{on:e,polygon:s}=ws(t),[n,a,o]=e;return{which:n,layout:a,step:o==="all"?null:Number(o)-1,polygon:s}}function Ce(t){if(mt?.which!==t||!M[t].answer())return;const{polygon:e,...s}=mt;mt=null,Y(t,e,s)}function An(t){if(t===i.modelId)return;const e={maps:{trained:null,initial:null},hover:null,chosen:null,playing:!1,time:null};f({modelId:t,...i.modelId?e:{}})}const _n=t=>at(()=>{const[e,{status:s,message:n,title:a}={status:0}]=[M[t].answer(),M[t].problem()??void 0];se(()=>{const o=It(t);(!o||e)&&Ut(I[t]),e&&o?(ke(t,e,o),Ce(t)):s&&t==="initial"&&ne(a||"No map",n||"","bad")})});function Ne(t){f(_t()),ht.value=t,ft(t);const e=[fs(An),...[W,ye,M.trained,M.initial].map(s=>s.follow()),...F.map(_n),at(()=>{xe()&&!X&&(X=setTimeout(Pn,Tn))})];return()=>{e.forEach(s=>s()),clearTimeout(X),cancelAnimationFrame(dt),X=0,Ut(Object.values(I).flat()),Object.values(I).flat().forEach(gs),f(_t())}}var Ln=Object.freeze({__proto__:null,JOBS:I,ROUTINGS:F,WHOLE:Et,again:Ht,ask:q,begin:Ne,choose:Y,chosenPoints:Z,chosenSample:V,colour:O,colourBy:Oe,colouringOf:G,compares:k,goTo:pt,graph:N,hide:ut,isolate:Wt,model:w,ofTypes:H,point:U,problem:jt,request:Bt,said:ht,sets:$e,shownMaps:P,shownStep:rt,shows:ct,stale:Dt,state:i,status:Ft,subscribe:ge,take:ft,toggleCategory:Te,trackIn:Gt,turnTo:qt,update:f,waits:Rt});const Bn=112,In=60;function Pe(t,e,s){const n=t.samples[t.sample[e]],{kind:a,row:o,column:l}=t.tokens[t.token[e]],{rows:r,columns:c}=t.grid,u=(m,d)=>100*m/d+"%",h={left:u(l??0,c),top:u(o??0,r),width:u(1,c),height:u(1,r)};return t.ofNumbers?s>In?null:p`<span class="token-tile">${t.shortName(e)}</span>`:p`
    <span class="marked-image" style=${{width:s+"px",height:s+"px"}}>
      <img
        key=${n}
        src=${Os+t.picturePath(n)}
        alt=""
        width=${s}
        height=${s}
        class="pixels"
      />
      ${(a==="patch"||a==="panel")&&p`<span class="patch-mark" style=${h}></span>`}
    </span>
  `}const Ee=(t,e)=>p`<span class="swatch" aria-hidden="true" style=${{background:Mt(t.unit[e])}}></span>`,Ae=(t,e)=>[t.samples[t.sample[e]],(t.ofUnits?"module ":"")+t.tokenLabel(t.token[e]),t.labelled&&"label "+t.labelName(e),L(t.steps[t.step[e]]),!t.ofUnits&&t.unitName(e),t.correct[e]===0&&"sample predicted wrongly"].filter(Boolean).join(", ");function Un(t,e){const s=t.correct[e]===0;return p`
    ${Pe(t,e,Bn)}
    <div class="card-words">
      <p><strong>${t.samples[t.sample[e]]}</strong></p>
      ${!t.ofUnits&&p`<p>${t.tokenLabel(t.token[e])}</p>`}
      ${t.labelled&&p`<p>${"label "+t.labelName(e)}${s&&p`<span class="thumb-wrong">wrong</span>`}</p>`}
      <p>${L(t.steps[t.step[e]])}</p>
      <p>${Ee(t,e)}${t.unitName(e)}</p>
    </div>
  `}function Rn({which:t,placeOf:e}){const s=z(null),{hover:n,maps:a,share:o,playing:l}=i,r=a[t],c=n&&n.which===t&&o===null&&!l?n.point:-1;return ot(()=>{const u=c>=0&&e(c),{current:h}=s;u&&h&&qs(h,h.parentElement,u)}),p`<div class="type-card" hidden=${c<0||!r} aria-hidden="true" ref=${s}>
    ${r&&c>=0&&Un(r,c)}
  </div>`}function Dn(){const{hover:t,maps:e}=i,s=t&&e[t.which];return p`<p class="hidden-visually" id="types-pointed" aria-live="polite">${s?Ae(s,t.point):""}</p>`}function Jt(t,e){const s=i.maps[t];if(!s)return;const{model:n,units:a,intervention:o}=s.info,l={sample:s.samples[s.sample[e]],step:s.step[e]},r=s.candidateOf(s.token[e]);Ss(Ms("paths",{model:n,...l,drop:o.drop,candidate:r},a))}const J={pca:"PCA",tsne:"t-SNE",umap:"UMAP"},R={trained:"as trained",initial:"routing at initialisation"},gt=(t,e)=>e.layout==="pca"?"pca":t.info.method;function Q(t,e,s){const{info:n}=t,a=gt(t,e),o=[n.model,J[a]];return a===n.method&&a==="tsne"&&o.push("perplexity "+tt(n,"perplexity")),a===n.method&&a==="umap"&&o.push(tt(n,"neighbours")+" neighbours"),o.push("seed "+n.seed),n.intervention.drop.length&&o.push("drop "+ae(n.intervention.drop)),s&&o.push(e.allSteps?"all "+C(t.steps)+"s":ce(t.steps,e.step)),o.join(" \xB7 ")}const tt=({parameters:t},e)=>t[e]??null,et=t=>t.toLocaleString("en");function jn(t,e){const{info:s}=t,n=[["method",J[s.method]]];s.method==="tsne"&&n.push(["perplexity",String(tt(s,"perplexity"))]),s.method==="umap"&&n.push(["neighbours",String(tt(s,"neighbours"))]);const a=tt(s,"variance");s.method==="pca"&&Array.isArray(a)&&n.push(["variance shown",a.slice(0,2).map(Ts).join(" + ")]),e||n.push(["seed",String(s.seed)]);const{value:o,pca:l,neighbours:r,points:c}=s.trustworthiness;return n.push(["trustworthiness",o.toFixed(3),"k = "+r+", on "+(c===s.count?"all ":"")+et(c)+" points"]),s.method!=="pca"&&n.push(["of the PCA view",l.toFixed(3)]),e?n:[...n,...Fn(t)]}function Fn({info:t,samples:e,usedTokens:s,steps:n,words:a}){const o=[et(e.length)+" samples",s.length+" "+a.elements,n.length+" "+C(n)+"s"],l=t.data.map(({count:u,title:h,stand_in:m})=>{const d=m&&!/stand-in/i.test(h)&&p`<span class="tag tag-warn">stand-in</span>`;return p`<span class="facts-set">${et(u)+" of "+h}${d}</span>`}),{drop:r}=t.intervention,c=[["points",et(t.count),o.join(" \xD7 ")],["data",l]];return r.length?[...c,["dropped",ae(r,12)]]:c}const _e=([t,e,s])=>p`
  <div>
    <dt>${t}</dt>
    <dd>${e}${s&&p`<small>${s}</small>`}</dd>
  </div>
`;function Hn(){const[t,e]=[P(),k()],{method:s,samples:n,seed:a}=Bt()??i.choice,o=[["method",J[s]],["seed",String(a)],["samples",et(n)]];return p`<div class="type-facts">
    ${!t.length&&p`<dl class="facts-list">${o.map(_e)}</dl>`}
    ${t.map(({which:l,points:r})=>p`
        ${e&&p`<h3 class="small-title">${R[l]}</h3>`}
        <dl key=${l} class="facts-list" data-facts=${l}>${jn(r,l==="initial").map(_e)}</dl>
      `)}
  </div>`}function Wn(){const t=i.maps.trained,e=t?t.words:ie(w()),s=t?gt(t,i):i.choice.method,n="Each point is "+e.point+" at one "+(t?C(t.steps):"step");return s==="pca"?n+", seen along the two directions "+e.directions+"."+e.marks:n+"; near points "+e.near+". Distances between far groups mean little."+e.marks}function Gn(){const{maps:t,choice:e}=i;if(!t.trained||!Rt("trained"))return"";const{method:s}=t.trained.info;return"Showing "+(Dt()?"the previous map":J[s])+" until "+J[e.method]+" is computed"}const E={},zt=new Set;function Le(t,e){const s=z(null),n=z(null);return ot(()=>{const a=n.current=new Kn(s.current,t,e);return e===null?E[t]=a:zt.add(a),()=>{E[t]===a&&delete E[t],zt.delete(a),a.dispose()}},[]),{canvas:s,map:n}}const qn=["maps","colour","hidden","layout"];function Jn(t,e,s){if(s===null||t.info.method==="pca")return t.layouts[t.info.method==="pca"?"map":e];const{pca:n,map:a}=t.layouts,o=s*s*(3-2*s),l=(r,c)=>r.map((u,h)=>u+(c[h]-u)*o);return{places:l(n.places,a.places),halves:n.halves.map((r,c)=>r+(a.halves[c]-r)*o),marks:l(n.marks,a.marks)}}function zn(t,e,s){if(!e.marks.length)return[];const n=new Set(t.info.intervention.drop);return t.units.flatMap((a,o)=>{const[l,r]=[e.marks[2*o],e.marks[2*o+1]];return n.has(a)||!Number.isFinite(l)?[]:[{x:l,y:r,name:a,paint:s.unit(o)}]})}class Kn{constructor(e,s,n){this.which=s,this.only=n,this.canvas=e,this.chosen=void 0,this.items=void 0,this.map=new re(e.parentElement,e,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:a=>s==="trained"&&n===null&&f({view:{...a}})}),this.stops=[ge((a,o)=>this.onState(a,o)),at(()=>{N(),V(),k(),se(()=>this.rebuild())}),...n===null?[this.listen()]:[]]}listen(){return zs(this.map,{tool:()=>i.tool,hover:e=>U(this.which,e),pick:e=>Jt(this.which,e),select:e=>this.select(e)})}dispose(){this.stops.forEach(e=>e()),this.map.dispose()}get points(){return i.maps[this.which]}get step(){const e=(this.points?.steps.length??1)-1;return this.only??(i.allSteps?null:Math.min(i.step,e))}onState(e,s){if(!this.points||(this.only??0)>=this.points.steps.length){s.has("maps")&&(this.map.items=null,this.map.draw());return}const n=(...o)=>o.some(l=>s.has(l)),a=this.only===null;n(...qn)||a&&n("step","allSteps")?this.rebuild():a&&n("time","share")?this.move(e):n("chosen","hover","step","allSteps")&&this.mark(e),a&&n("view")&&this.which==="trained"&&(this.map.follow(e.view),this.map.draw())}rebuild(){const{points:e,step:s}=this;if(!e)return;const n=G(e),a=s===null?e.order:e.ordersByStep[s],o=this.layout(e);this.map.setItems({order:i.hidden.size?a.filter(l=>ct(e,n,l,s)):a,category:n.of,paints:n.paints,places:o.places,halves:o.halves}),this.move(i)}layout(e){return Jn(e,i.layout,this.only===null?i.share:null)}move(e){const{points:s,map:n}=this;if(!s)return;const a=this.layout(s),o=zn(s,a,St());if(this.only!==null)n.marks=o.map(l=>({...l,name:""}));else{const l=e.time===null?0:e.time-Math.floor(e.time),r=l>0&&!e.allSteps&&!kt();n.setPlaces(r?s.between(a,Math.floor(e.time??0),l):a.places,a.halves),n.marks=o,n.caption=Q(s,e,!0),n.heading=k()?R[this.which]:""}this.mark(e)}mark(e){const{points:s,map:n,step:a}=this;if(!s||!n.items)return;const o=V(),l=o?s.pointsOfSample(o,a):[],r=this.pointed(e);n.ringed=r>=0?[...l,r]:l;const{chosen:c}=e;(this.chosen!==c||this.items!==n.items)&&(this.chosen=c,this.items=n.items,n.setStrong(c?this.maskOf(c):null));const u=c&&c.map===s.id&&c.step===a&&c.layout===e.layout;n.lasso=u&&this.only===null&&e.share===null?c.polygon:null,n.draw()}pointed({hover:e,maps:s}){const{points:n,step:a}=this,o=e&&s[e.which];if(!e||!o||!n)return-1;if(e.which===this.which&&(a===null||n.step[e.point]===a))return e.point;const l=Gt(this.which,e.which,o.track[e.point]),r=a??o.step[e.point];return l<0?-1:n.pointOf[Math.min(r,n.steps.length-1)][l]}maskOf(e){const s=this.points,n=new Uint8Array(s.count);if(e.which===this.which&&this.step===null&&e.step===null){for(const a of e.points)n[a]=1;return n}for(const a of e.tracks){const o=Gt(this.which,e.which,a);if(o>=0)for(const l of s.pointOf)l[o]>=0&&(n[l[o]]=1)}return n}select(e){i.playing&&f({playing:!1,time:null}),Y(this.which,e)}selectView(){const{map:e}=this,s=[[0,0],[e.width,0],[e.width,e.height],[0,e.height]];this.select(s.map(([n,a])=>e.toMap(n,a)))}publish(){const{points:e,canvas:s}=this;if(!e)return;const{dataset:n}=s;n.painted=e.id,n.points=String(this.map.items.order.length),this.only===null&&(n.method=gt(e,i),n.step=this.step===null?"all":e.steps[this.step],n.colour=O(),n.playing=String(i.playing),n.moving=String(i.share!==null||i.time!==null),n.hovered=String(this.pointed(i)))}scene(e){const{points:s}=this;if(!s)throw new Error("There is no map to show.");const[n,{words:a}]=[Q(s,i,!0),s],o=lt(s,N(),w())[O()];return this.map.scene(`Map of ${a.points}: ${n}, ${R[this.which]}`,`Each point is ${a.point} for one sample, coloured by ${o}.${a.marks} One fit over all ${C(s.steps)}s.`,e)}}const Vn=130,Yn=". Space plays, left and right go back and on, up and down move through the points, Enter opens a point's path, plus and minus zoom, Shift and arrows move the map, 0 shows all, L takes the lasso, Escape ends it.";function Be({which:t,label:e,onKey:s,children:n}){const{canvas:a,map:o}=Le(t,null),l=t==="initial"?" at initialisation":"";return p`<div class="type-map">
    <div class="type-jobs">
      ${I[t].map((r,c)=>{const u=(c?"Map":"PCA map")+l;return p`<${xs} key=${r} name=${r} what=${u} />`})}
    </div>
    <div class=${"type-canvas type-canvas-"+t}>
      <canvas
        id=${"type-picture-"+t}
        tabindex="0"
        role="img"
        aria-label=${e+Yn}
        onKeyDown=${s}
        ref=${a}
      ></canvas>
      <${Rn} which=${t} placeOf=${r=>o.current?.map.placeOf(r)} />
      ${n}
    </div>
  </div>`}function Zn({which:t,step:e,name:s}){const{canvas:n,map:a}=Le(t,e);function o({clientX:l,clientY:r}){const c=n.current?.getBoundingClientRect();c&&a.current&&U(t,a.current.map.itemAt(l-c.left,r-c.top))}return p`
    <button
      type="button"
      class="multiple"
      data-step=${e}
      data-of=${t}
      aria-label=${"Go to "+s+(t==="initial"?", routing at initialisation":"")}
      aria-pressed=${String(!i.allSteps&&i.step===e)}
      onClick=${()=>pt(e)}
      onPointerMove=${o}
      onPointerLeave=${()=>U(t,-1)}
    >
      <span class="multiple-label">${s}</span>
      <span class="multiple-canvas"><canvas aria-hidden="true" ref=${n}></canvas></span>
    </button>
  `}const Xn=()=>p`<div class="multiples">
    ${P().flatMap(({which:t,points:e})=>{const s=e.steps.map((a,o)=>p`<${Zn} key=${o} which=${t} step=${o} name=${L(a)} />`);return[...k()?[p`<h3 class="small-title">${R[t]}</h3>`]:[],p`<div key=${t} class="multiples-row">${s}</div>`]})}
  </div>`;function Qn(t,e=zt){const s=({which:b,only:T})=>(b==="initial"?1e6:0)+(T??0),n=[...e].filter(({points:b})=>b).sort((b,T)=>s(b)-s(T)),a=n[0].points,{width:o,height:l}=n[0].map,r=Math.min(n.length,a.steps.length),c=t?Math.max(1,Math.min(r,Math.floor((t+10)/(Vn+10)))):r,u=t?(t+10)/c-10:o,[h,m]=[Math.round(l*u/o),22],d=n.map((b,T)=>{const[Xt,Qt]=[T%c*(u+10),Math.floor(T/c)*(h+m+6)],ss=L(b.points.steps[b.only??0]),ns=(k()?R[b.which]+", ":"")+ss;return[B([ns],{x:Xt,y:Qt+14,down:0,weight:650,room:u}),Js(b.map.scene("","",u),Xt,Qt+m)]}),y=c*(u+10)-10,g=Math.ceil(n.length/c)*(h+m+6)+16,$=Q(a,i,!1),j=n.every(b=>b.map.items.order.length<=5e3),_=B([$],{x:y,y:g-4,down:0,size:10.5,anchor:"end",fill:"dim",room:y});return Tt({width:y,height:g,title:"Types by "+C(a.steps)+": "+$,desc:"Panels share their axes."+(j?"":" Points are pixels inside this file, the rest is vectors."),marks:[d,_]})}const ta=["unit","label","domain"],ea=t=>ta.filter(e=>e!=="label"||t.labelled),Ie=(t,e)=>e==="unit"?t.words.group:"by "+e,Kt=190,Ue={trained:{stroke:"accent"},initial:{stroke:"bad",dash:[6,3]}},Re=t=>yt(t)?t.toFixed(3):"none",$t=()=>P().map(({which:t,points:e})=>({which:t,points:e,rows:e.info.clustering})),yt=t=>t!==null&&Number.isFinite(t);function sa(t){const e=t.flatMap(({rows:o})=>o.flatMap(l=>[l.score,l.null_low,l.null_high])).filter(yt),s=Math.min(0,...e),n=Math.max(.1,...e),a=.06*(n-s);return[s<0?s-a:0,n+a]}function na(t,{which:e,points:s,rows:n},a,o){const{stroke:l,dash:r}=Ue[e],c=s.steps.flatMap((d,y)=>{const g=n.find($=>$.step===d&&$.by===t);return g&&yt(g.score)?[{...g,index:y}]:[]}),u=({index:d})=>a(d);if(!c.length){const d=o.range[1]+(e==="initial"?28:14);return B(["not defined: one group alone"],{x:a(0),y:d,size:10,fill:"dim"})}const h=c.filter(d=>yt(d.null_low)),m=d=>o(d.score);return[sn(h,{x:u,y:d=>[o(d.null_low),o(d.null_high)],fill:l,stroke:l,width:1,opacity:.28}),nn(c,{x:u,y:m,stroke:l,dash:r}),ue(c,{x:u,y:m,r:3,fill:"surface",stroke:l,width:2,words:d=>L(d.step)+": "+Re(d.score)})]}function De(t){const e=$t();if(!e.length)return null;const[{points:s}]=e,n=t>560?3:1,a=(t-18*(n-1))/n,o=sa(e),l=ea(s),r=s.steps.map(pe),c=Math.ceil(l.length/n)*Kt,u=e.map(({which:m})=>({text:R[m]+"; band: shuffled",...Ue[m],width:2})),h=Ys(u,{x:0,y:c+12,width:t});return Tt({width:t,height:c+2+h.height,title:"Clustering of "+s.words.points+" by "+C(s.steps)+": "+Q(s,{...i,layout:"map"},!1),desc:"Silhouette, cosine distance, of "+s.words.points+" grouped "+s.words.group+", label and domain; bands: the same with shuffled groups, 2.5 to 97.5 %.",marks:[l.map((m,d)=>{const[y,g]=[d%n*(a+18),Math.floor(d/n)*Kt+28],$=Zs(o,[g+Kt-54,g],{round:!1,most:6}),j=Xs(r,11)<(a-42)/r.length,_=Qs(j?r:s.steps,[y+34,y+a-8]);return[B([Ie(s,m)],{x:y,y:g-12,down:0,weight:650,room:a}),tn($,[y+34,y+a-6],{size:10}),en(_,[g,$.range[0]-1],{grid:!1}),e.map(b=>na(m,b,_,$))]}),h.marks]})}function aa(t){const e=["routing","groups","step","silhouette","shuffled: mean","2.5 %","97.5 %","points"],s=t.flatMap(({which:n,points:a,rows:o})=>o.map(l=>[R[n],Ie(a,l.by),pe(l.step),...[l.score,l.null_mean,l.null_low,l.null_high].map(Re),String(l.n)]));return[e,...s]}const oa=()=>p`
  <${Ks}
    look="type-clustering"
    scene=${De}
    height=${200}
    drawn=${()=>$t().map(({points:t})=>t.id).join(" ")}
    label=${({title:t,desc:e})=>t+". "+e+" The same numbers are in the table below."}
  />
  <${Vs}
    words="Clustering scores as a table"
    caption=${()=>"Silhouette of types beside the same with shuffled groups."}
    rows=${()=>aa($t())}
    data=${{"data-clustering-table":"true"}}
  />
`,je=60,v=52,la=16;function Fe(t,e){return t.length<=e?t:Array.from({length:e},(s,n)=>t[Math.floor(n*t.length/e)])}function Vt(t,e,s,n,a,o){const l=new Int32Array(s.length+1);for(const r of e)l[n[r]>=0&&n[r]<s.length?n[r]:s.length]+=1;return[...s,o].map((r,c)=>({name:r,count:l[c],paint:a(c<s.length?c:-1)})).filter(r=>r.count>0)}function Yt(t,e,s){const n=e.map(({name:a,count:o,paint:l})=>{const r=100*o/s;return p`
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
  `}function ia(t,e,s){const n=Ae(e,s),a=()=>U(t,s),o=()=>U(t,-1);return p`
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
      ${Pe(e,s,v)}
      <span class="thumb-caption"
        >${Ee(e,s)}${e.ofNumbers?"":" "+e.labelName(s)}</span
      >
    </button>
  `}const ra="Draw around points with the lasso, or hold Shift and drag.";function ca(){const{chosen:t}=i,e=t&&i.maps[t.which];if(!e)return p`<p class="hint">${ra}</p>`;const s=Z();if(!s.length)return p`<p class="hint">No point lies inside the selection.</p>`;const n=Vt(e,s,e.units,e.unit,d=>Mt(d),e.words.none).sort((d,y)=>e.ofUnits?y.count-d.count:0).slice(0,la),a=Vt(e,s,e.info.labels,e.label,()=>"var(--rs-accent)","no label"),o=e.tokens.map((d,y)=>e.tokenLabel(y)),l=Vt(e,s,o,e.token,()=>"var(--rs-accent)","no token"),r=Fe(s,je),c=i.allSteps?x({"":"over all {passes}"}):"at "+L(e.steps[i.step]),u=new Set(s.map(d=>e.sample[d])).size,h=r.length<s.length?"; "+r.length+" shown, spread evenly":"",m=`${oe(s.length)} points of ${oe(u)} samples ${c}${h}`;return p`
    <p class="selection-count" data-selected=${s.length}>${m}</p>
    ${Yt(e.ofUnits?"By module, the most frequent":"By nearest function",n,s.length)}
    ${e.labelled&&Yt("By label",a,s.length)}
    ${!e.labelled&&Yt("By token",l,s.length)}
    <h3 class="small-title">
      ${e.ofUnits?"Samples":e.ofNumbers?"Tokens":e.ofPanels?"Panels":"Patches"}
    </h3>
    <div
      class="thumbs type-thumbs"
      role="group"
      aria-label="What the selected points belong to"
      data-shown=${r.length}
    >
      ${r.map(d=>ia(t.which,e,d))}
    </div>
  `}const D=64,pa=10;async function ua(t,e,s,n){const[a,o]=[s%n*D+6,Math.floor(s/n)*(D+12)+34],l={x:a+v/2,size:11},r=ue([0],{x:l.x-(t.ofNumbers?0:8),y:o+v+9,fill:St().unit(t.unit[e])});if(t.ofNumbers)return[de([0],{x:[a,a+v],y:[o,o+v],fill:"raised"}),B([t.shortName(e)],{...l,y:o+v/2,anchor:"middle",room:v-4}),r];const c=await Cs(t.picturePath(t.samples[t.sample[e]])),{width:u,height:h}=c,{kind:m,row:d,column:y}=t.tokens[t.token[e]],[g,$]=[v/t.grid.columns,v/t.grid.rows],[j,_]=[a+(y??0)*g,o+(d??0)*$];return[{shape:"image",source:c,sx:0,sy:0,sw:u,sh:h,x:a,y:o,w:v,h:v},(m==="patch"||m==="panel"?[{stroke:"#000000",width:3},{stroke:"#ffffff",width:1.5}]:[]).map(T=>de([0],{x:[j,j+g],y:[_,_+$],...T})),r,B([t.labelName(e)],{...l,y:o+v+13,down:0,room:D-v/2-4})]}async function da(t=pa*D+6){const{which:e}=i.chosen,s=i.maps[e],n=Z(),a=Fe(n,je),o=Math.max(1,Math.floor((t-6)/D)),l=await Promise.all(a.map((h,m)=>ua(s,h,m,o))),r=Math.max(t,D+6),c=a.length+" of "+n.length+" selected "+s.words.shown+": "+Q(s,i,!0),u=s.ofUnits?"":", with the patch marked";return Tt({width:r,height:Math.ceil(a.length/o)*(D+12)+40,title:c,desc:"Samples of the selected points"+u+"; below each the colour of its "+s.words.unit+" and the sample's label.",marks:[B([c],{x:6,y:20,down:0,weight:650,room:r-12}),l]})}function He(t){const{info:e}=t;return{model:e.model,revision:e.revision,seed:e.seed,routing:e.routing,method:e.method,parameters:e.parameters,trustworthiness:e.trustworthiness,drop:e.intervention.drop,mute:e.intervention.mute,iterations:e.steps.length,data:e.data,embedding:e.id,kind:e.intervention.drop.length?"observed under intervention":"observed"}}const We=["routing","sample","token","step","x","y","pca_x","pca_y","unit","label","domain","correct"];function Ge(t,e){const{raw:s,info:n}=t,a=(o,l)=>l<0||l>=o.length?"":o[l];return[n.routing,t.samples[t.sample[e]],t.tokens[t.token[e]].name,t.steps[t.step[e]],s.xy[2*e],s.xy[2*e+1],s.pca[2*e],s.pca[2*e+1],a(t.units,t.unit[e]),a(n.labels,t.label[e]),a(n.domains,t.domain[e]),t.correct[e]<0?"":t.correct[e]===1]}function ha({info:t,tokens:e,token:s}){const n=[...new Set(s)].map(a=>["patch","number","panel"].includes(e[a].kind));return{tokens:n.every(Boolean)?"patches":n.some(Boolean)?"all":"cls",samples:t.data.reduce((a,{count:o})=>a+o,0),iterations:t.intervention.iterations??null}}function ma([,...t]){const e={};for(const[,s,n,a]of t)((e[s]??={})[n]??=[]).push(a);return{points:e}}const fa=()=>P().flatMap(({points:{units:t,raw:e,info:s}})=>t.slice(0,e.signatures.length/2).map((n,a)=>{const[o,l]=e.signatures.slice(2*a,2*a+2);return{routing:s.routing,unit:n,x:o,y:l}}));function ga(t){const e=P().flatMap(({which:l})=>E[l]??[]),s=t&&e.length>1?(t-12)/2:t,[n,a]=e.map(l=>l.scene(s));if(!a)return n;const o=n.width+12;return{...n,width:o+a.width,title:n.title+"; beside it "+a.title,items:[...n.items,...a.items.map(l=>on(l,o,0))]}}const $a=t=>({step:i.allSteps?"all":t.steps[i.step],layout:gt(t,i),colour:lt(t,N(),w())[O()],hidden:[...i.hidden].map(e=>G(t).entries[e].name)}),qe=()=>[We,...P().flatMap(({points:t})=>Array.from({length:t.count},(e,s)=>Ge(t,s)))];function ya(){const t=["step","by","score","null_mean","null_low","null_high","n"],e=$t().flatMap(({which:s,rows:n})=>n.map(a=>[s,...t.map(o=>a[o]??"")]));return[["routing",...t],...e]}const ba=()=>[["routing","fact","value"],...P().flatMap(({points:t})=>Object.entries(He(t)).map(([e,s])=>[t.info.routing,e,JSON.stringify(s)]))],wa=({which:t})=>[We,...Z().map(e=>Ge(i.maps[t],e))],va={typefacts:{name:"types-facts",figure:"types-facts",rows:ba},typemap:{name:"types",figure:"types",picture:{scene:ga},rows:qe},typesteps:{name:"types-by-step",figure:"types",picture:{scene:Qn},rows:qe},typeclusters:{name:"types-clustering",figure:"types-clustering",picture:{scene:t=>De(t??900)},rows:ya},typeselection:{name:"types-selection",figure:"types-selection",picture:{scene:da},rows:()=>wa(i.chosen)}};function ka(t){const[{name:e,figure:s,picture:n={},rows:a},o,{chosen:l}]=[va[t],i.maps.trained,i],r=t==="typeselection";if(!o||r&&!l)return null;const c=r&&l?{map:l.which,polygon_in_map_units:l.polygon}:{};return{name:e,facts:{...He(o),...s==="types"||r?$a(o):{},...c},picture:n,python:{figure:s,...ha(o),...r?ma(a()):{}},rows:a,json:()=>({...an(a()),signatures:fa()})}}const Je=128,ze=t=>t.map(e=>e.index),Ke=(t,e)=>s=>s.altKey||s.shiftKey?Wt(t.index,ze(e)):Te(t.index);function Ve(t,e){const{index:s,name:n,paint:a,count:o}=t,l=i.hidden.has(s),r=e.filter(u=>!i.hidden.has(u.index)),c=r.length===1&&r[0]===t;return p`
    <span key=${s} class="legend-pair" data-hidden=${String(l)}>
      <button
        type="button"
        class="legend-toggle"
        aria-pressed=${String(!l)}
        data-category=${s}
        title=${(l?"Show ":"Hide ")+n}
        onClick=${Ke(t,e)}
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
        onClick=${()=>Wt(s,ze(e))}
      >
        ${c?"all":"only"}
      </button>
    </span>
  `}function Sa(t,e){const s=({index:l})=>["patch","panel"].includes(t.tokens[l]?.kind),n=e.filter(s).map(l=>{const{index:r,name:c,paint:u,count:h}=l,{row:m,column:d}=t.tokens[r],y={background:u,gridRow:String((m??0)+1),gridColumn:String((d??0)+1)};return p`
      <button
        key=${r}
        type="button"
        class="legend-cell"
        aria-pressed=${String(!i.hidden.has(r))}
        aria-label=${c}
        title=${c+": "+h.toLocaleString("en")+" points (Alt and click: only this one)"}
        data-category=${r}
        style=${y}
        onClick=${Ke(l,e)}
      ></button>
    `}),a={gridTemplateColumns:"repeat("+t.grid.columns+", 22px)"},o=e.filter(l=>!s(l)).map(l=>Ve(l,e));return n.length?p`
    <div class="legend-grid" role="group" aria-label="By their place in the image" style=${a}>${n}</div>
    ${o}
  `:o}function Ma(){const t=i.maps.trained,e=t?G(t).entries.filter(o=>o.there):[],s=O()==="token",n=s?0:e.length-Je,a=e.slice(0,Je).map(o=>Ve(o,e));return p`<div
    class="legend type-legend"
    role="group"
    aria-label="Categories: press to hide or show"
    data-many=${String(!!(t&&t.units.length>le))}
  >
    ${t&&s?Sa(t,e):a} ${n>0&&p`<small>${"and "+n+" more"}</small>`}
    ${i.hidden.size>0&&p`<${S} look="tool tool-text legend-all" act=${()=>ut([])}>Show all categories<//>`}
  </div>`}function Oa(){const t=lt(i.maps.trained,N(),w()),e=O();return p`<div class="type-colours">
    <span class="control-name" aria-hidden="true">Colour</span>
    <${Ns}
      id="types-colour"
      look="plain-select"
      label="Colour of the points"
      options=${Object.entries(t)}
      chosen=${t[e]?e:"unit"}
      onChoose=${s=>Oe(s)}
    />
  </div>`}const Ta=1.1,Ye=.3;let A=0;const xa=un(Ta,()=>i.playing&&i.maps.trained,t=>{const e=i.maps.trained;A+=t;const s=e.steps.length-1,n=Math.min(s,Math.floor(A)),a=Math.max(0,(A-n-Ye)/(1-Ye));return A>=s?f({playing:!1,time:null,step:s}):f(n===i.step?{time:n+a}:{time:n+a,step:n}),A<s});function Ze(){const t=i.maps.trained;if(t){if(i.playing){f({playing:!1,time:null});return}A=i.step>=t.steps.length-1?0:i.step,f({playing:!0,allSteps:!1,step:A,time:A,hover:null}),xa()}}function Xe(t,e){const s=i.maps[t];if(!s)return;const n=G(s),a=i.chosen&&i.chosen.which===t?Z():[],o=i.allSteps?s.steps.map((c,u)=>u):[i.step],l=a.length?a:o.flatMap(c=>Array.from(s.pointOf[c]).filter(u=>u>=0&&ct(s,n,u)));if(!l.length)return;const r=i.hover&&i.hover.which===t?l.indexOf(i.hover.point):-1;U(t,l[(r+(r<0&&e<0?0:e)+l.length)%l.length])}const Qe=()=>f({tool:i.tool==="lasso"?"move":"lasso"}),Zt=t=>e=>{const s=i.maps.trained;if(rn(e)||!s)return;const n=t&&E[t],a={ArrowLeft:[40,0],ArrowRight:[-40,0],ArrowUp:[0,40],ArrowDown:[0,-40]};if(e.shiftKey&&a[e.key]&&n){e.preventDefault(),n.map.panBy(...a[e.key]);return}cn(e,{...pn(Ze,pt,i.step,s.steps.length),...n&&{ArrowDown:()=>Xe(n.which,1),ArrowUp:()=>Xe(n.which,-1),"+":()=>n.map.zoomBy(1.4),"=":()=>n.map.zoomBy(1.4),"-":()=>n.map.zoomBy(1/1.4),0:()=>n.map.fit(),l:Qe,Enter:()=>i.hover&&Jt(i.hover.which,i.hover.point)},Escape:()=>i.hover?f({hover:null}):Y(null,null)})};function Ca(){const{allSteps:t,playing:e,step:s}=i,n=i.maps.trained,a=n?.steps??[],[o,l]=[a.length,C(a)+"s"],r=n?ce(a,s):"",c=n&&{count:o,step:s,valuetext:r,words:t?o+" "+l:r},u={least:1,playLabel:"Play through the "+l,pauseTitle:"Pause (space)"},h=()=>f({allSteps:!t,playing:!1,time:null,hover:null});return p`<div class="path-controls">
    <div class="player" id="types-player" onKeyDown=${Zt(null)}>
      <${ln} ...${{...u,shown:c,playing:e,toggle:Ze,goTo:pt}} step=${()=>i.step} />
      <${S}
        look="tool tool-text toggle"
        title=${"The points of all "+l+" in one picture"}
        pressed=${t}
        wait=${!n}
        act=${h}
        >${"all "+l+" at once"}<//
      >
    </div>
  </div>`}function Na(){const t=i.maps.trained,{chosen:e,layout:s,tool:n}=i,a=!t,[o,l]=["Draw around points to select them (L; or hold Shift)","The same points along their two main directions"];return p`<div class="type-tools" id="types-tools">
    <${S} id="types-lasso" title=${o} pressed=${n==="lasso"} wait=${a} act=${Qe}>Lasso<//>
    <${S}
      id="types-view"
      title="Select every point in view"
      wait=${a}
      act=${()=>E.trained?.selectView()}
    >
      Select all in view
    <//>
    <${S} id="types-clear" hidden=${!e} act=${()=>Y(null,null)}>Clear selection<//>
    <${S}
      id="types-twin"
      title=${l}
      pressed=${s==="pca"}
      hidden=${t?.info.method==="pca"}
      wait=${a}
      act=${()=>qt(s==="pca"?"map":"pca")}
      >PCA view<//
    >
    <span class="zoom"><${Ps} mapsOf=${()=>Object.values(E).map(({map:r})=>r)} /></span>
  </div>`}const Pa=300,Ea={compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"},st=({name:t,id:e,children:s})=>p`<div class="control" id=${e}><span class="control-name">${t}</span>${s}</div>`,ts=({name:t,label:e,options:s})=>p`<${Bs}
    id=${"types-"+t}
    ...${{label:e,options:s,chosen:i.choice[t]}}
    onChoose=${n=>q({[t]:n})}
  />`;function bt({name:t,label:e,step:s}){const{least:n,most:a}=Is("types",t),o=(Bt()??i.choice)[t];return p`<${st} name=${t[0].toUpperCase()+t.slice(1)} id=${"types-"+t+"-control"}>
    <${Us}
      id=${"types-"+t}
      ...${{label:e,chosen:o,least:n,most:a,step:s,none:""}}
      onChoose=${l=>l!==null&&q({[t]:l})}
    />
  <//>`}function es(t,e){const s=w(),n=new Set(vt(s.units,i.choice.drop));t.forEach(r=>e?n.add(r):n.delete(r));const a=s.units.filter(r=>n.has(r)),{unit:o,units:l}=Rs(s);a.length<s.units.length?q({drop:a}):ne("One "+o+" stays","Without "+l+" there is nothing to map.","bad")}function Aa({unit:t,index:e,away:s}){const n=s?"Bring "+t+" back":"Drop "+t+" ("+x(Ea)+")";return p`
    <button
      type="button"
      class="chip"
      data-type-unit=${t}
      data-state=${s?"dropped":"on"}
      aria-pressed=${String(s)}
      title=${n}
      onClick=${()=>es([t],!s)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:Mt(e)}}></span>
      ${t}
      <span class="chip-state">${s&&"dropped"}</span>
    </button>
  `}function _a({units:t,drop:e}){const s=z(null),n=z(null);return ot(()=>{n.current=new $n(s.current,"data-type-unit",{toggle:es,about:(a,o)=>a+". "+(o?"Bring it back":"Drop it")}),n.current.show(t)},[]),ot(()=>n.current?.mark(e,"dropped")),p`<div role="group" aria-label="Modules to drop" ref=${s}></div>`}function La(){const t=w();if(!t)return null;const{data:e,drop:s}=i.choice,n=vt(t.units,s),a=t.units.length>le;return p`
    <${st} name="Data">
      <div class="chips" role="group" aria-label="Data sets">
        <${fn}
          sets=${$e()}
          used=${e.length?e:t.domains}
          attribute="data-type-set"
          alike=${!t.labels.length}
          about=${o=>gn(o,t.held_out.includes(o.name))}
          onChoose=${o=>q({data:o})}
        />
      </div>
    <//>
    <${st} name="Drop">
      <div class=${a?"":"chips"} role="group" aria-label="Units to drop">
        ${a?p`<${_a} key=${t.id} units=${t.units} drop=${n} />`:t.units.map((o,l)=>p`<${Aa} key=${o} ...${{unit:o,index:l}} away=${n.includes(o)} />`)}
      </div>
    <//>
  `}function Ba(){const t=w(),{method:e}=i.choice,s=x({numbers:"numbers",matrices:"panels","":"patches"},t??void 0),n=!t||H(t);return p`<div class="type-controls">
    <${st} name="Method"><${ts} name="method" label="Method" options=${Object.entries(J)} /><//>
    ${e==="tsne"&&p`<${bt} name="perplexity" label="Perplexity of t-SNE" step="any" />`}
    ${e==="umap"&&p`<${bt} name="neighbours" label="Neighbours of UMAP" />`}
    <${bt} name="seed" label="Seed" />
    <${bt} name="samples" label="Samples in all" />
    ${n&&p`<${st} name="Tokens" id="types-tokens-control">
        <${ts}
          name="tokens"
          label="Tokens"
          options=${[["patches",s],["cls","CLS"],["all","all"]]}
        />
      <//>`}
    <div class="type-row">
      <${La} />
      ${t&&n&&p`<div id="types-compare-control">
          <${S}
            id="types-compare"
            pressed=${i.compare}
            act=${()=>f({compare:!i.compare})}
            >Compare with initialisation<//
          >
        </div>`}
    </div>
  </div>`}function Ia(t,{info:e}){const[s,,n]=t.split("."),a=e.data.length*(Number(n)+1);return e.data.some(({name:o})=>o===s)&&a<=Pa?a:null}function Ua({points:t}){const e=V();if(!e)return null;const s=t.samples.includes(e),n=s?null:Ia(e,t);return p`
    <span data-ringed=${String(s)}>${e+(s?" is ringed":" is not among these samples")}</span>
    ${n&&p`<${S} act=${()=>q({samples:n})}>${"Use "+n+" samples"}<//>`}
  `}function Ra(){const t=i.maps.trained;if(!t)return null;const{info:e,samples:s}=t;return p`
    <span><strong>${e.count.toLocaleString("en")+" points"}</strong></span>
    <span>${s.length+" samples"}</span>
    ${e.data.some(n=>n.stand_in)&&p`<span class="tag tag-warn">stand-in data</span>`}
    <${hn} id=${e.model} revision=${e.revision} />
    <${Ua} points=${t} />
  `}function Da(){const t=Ft(),e=jt();if(t==="ready")return null;if(t==="loading")return p`<div class="skeleton" aria-hidden="true"></div>`;if(!e)return p`<div class="message" id="types-empty">
      <p class="message-title">No map</p>
      <p class="message-detail">The job was cancelled.</p>
      <${S} id="types-again" look="button" act=${Ht}>Compute it<//>
    </div>`;const s=!!e.refused;return p`<div class="message" id="types-failed" role="alert">
    <p class="message-title">${s?e.title:"The map could not be computed"}</p>
    <p class="message-detail" id="types-problem">${e.message}</p>
    <${S} id="types-retry" look="button" hidden=${s||e.status===403} act=${Ht}>
      Try again
    <//>
    <span class="reader" data-widget="reader" hidden=${!s}></span>
  </div>`}const nt=({id:t,children:e,formats:s=["svg","png","csv","json"],...n})=>p`<${mn}
    id=${t}
    tag="observed"
    formats=${s}
    look=${"panel-"+t}
    written=${()=>ka(t)}
    ...${n}
    >${e}<//
  >`;function ja(){const t=w(),e=!t||H(t),s=Gn();return p`<${nt} id="typemap" title=${e?"Map of types":"Map of states"} reads=${Wn()}>
    <div class="type-bar">
      <${Na} />
      <span class="tag" id="types-waiting" role="status" hidden=${!s}>${s}</span>
      <${Oa} />
    </div>
    <div class="type-maps">
      <${Be} which="trained" label="Map of types" onKey=${Zt("trained")}><${Da} /><//>
      ${k()&&p`<${Be} which="initial" label="Map of types with routing at initialisation" onKey=${Zt("initial")}>
          ${!i.maps.initial&&p`<div class="skeleton" aria-hidden="true"></div>`}
        <//>`}
    </div>
    <${Ma} />
    <${Ca} />
    <${Dn} />
  <//>`}function Fa(){const t=!i.maps.trained;return p`
    <div class="page-head">
      <h1>Types</h1>
      <div class="caption" id="types-caption"><${Ra} /></div>
      <button type="button" class="tool tool-text" data-copy-link="true">${Ls("link")}Copy link</button>
    </div>
    <${dn}><${Ba} /><//>
    <div class="types-grid">
      <div class="column">
        <${ja} />
        <${nt}
          id="typesteps"
          title=${x({"":"{Pass} by {pass}"})}
          reads=${x({"":"One map for each {pass}, on the same axes. Click a map to show it above."})}
          hidden=${t}
          ><${Xn}
        /><//>
        <${nt}
          id="typeclusters"
          title=${x({"":"Clustering by {pass}"})}
          reads=${x({"":"Silhouette of the points (cosine distance) by {pass}. Band: the same with shuffled groups."})}
          more="Above the band, the groups are tighter than chance. The score is of the points themselves, not of the map."
          hidden=${t}
          ><${oa}
        /><//>
      </div>
      <div class="column">
        <${nt}
          id="typefacts"
          title="This map"
          reads="How the map was made. Trustworthiness of its neighbours: 1 is best."
          formats=${["csv","json"]}
          ><${Hn}
        /><//>
        <${nt}
          id="typeselection"
          title="Selection"
          reads=${x({"":"Points inside the lasso, counted by {unit} and label."})}
          ><div class="type-selection"><${ca} /></div
        ><//>
      </div>
    </div>
  `}Es("types",async({model:t,sample:e,...s})=>{_s({model:t,sample:e}),ft(s)});const Ha=As({Tree:Fa,choice:()=>ht.value,take:ft,open(t,e){const s=e.closest(".page"),n=[Ne(t),at(()=>{const[a,o,l]=[Ft(),String(Dt()),String(k())];Object.assign(s.dataset,{status:a,stale:o,compare:l})})];return()=>n.forEach(a=>a())}});Ds({typeMap:()=>({pictures:E}),types:()=>Ln});export{Ha as mount};
