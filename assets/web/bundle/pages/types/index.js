/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ag as us,A as ds,ai as kt,C as hs,W as ms,F as St,a1 as fs,aS as gs,aj as $s,n as ne,Z as Mt,aF as ae,aD as ys,aE as bs,bi as ws,aG as Ot,S as K,aU as vs,ad as xt,br as ks,r as lt,aB as Ss,az as Ms,aA as Os,an as Tt,d as oe,ah as xs,aC as Ts,s as p,Q as q,al as it,a3 as Cs,aw as Es,O as Ns,ac as Ct,ab as As,I as le,aO as Ps,aZ as T,E as ie,aN as _s,ap as Bs,b0 as re,T as S,i as ce,ax as Is,ay as Ls,c as Us,am as Rs,af as Ds,aQ as js,o as Fs,P as Hs}from"../../boot.js";import{ch as pe,bo as C,aN as B,W as zs,m as Et,ci as Gs,a3 as Ws,$ as Ks,S as ue,a2 as qs,bZ as de,a as Js,f as he,v as me,X as Zs,n as Ys,A as Vs,aO as fe,H as Xs,D as ge,I as Qs,w as tn,ai as en,E as J,J as sn,K as nn,aB as an,L as on,M as $e,a7 as ye,a4 as ln,B as rn,bW as cn,bX as pn,bY as un,bk as dn,aV as hn,R as mn,P as fn,aX as gn,aY as $n,ac as yn}from"../../shared.js";const Nt={light:["#332288","#88ccee","#117733","#ddaa33","#cc6677","#44aa99","#882255","#999933","#aa4499","#6b7280"],dark:["#8f86f0","#88ccee","#3fae68","#ddcc77","#ee8899","#44aa99","#c8568f","#b5b54a","#d277c3","#a8b0ba"]},be={light:["#004488","#ddaa33","#bb5566","#228833","#66ccee","#aa3377"],dark:["#6699cc","#eecc66","#ee99aa","#55bb66","#99ddff","#dd77aa"]},bn={light:["#7a1f2b","#c0392b","#d98b00","#a3a300","#3c8d2f","#1b8a7a","#1f78b4","#3b3fa5","#8e44ad","#c2388f"],dark:["#e07a86","#ff8a75","#f2b544","#d4d44a","#7fcf70","#4fd0bd","#6fb7ee","#9aa0ff","#c690e6","#f07cc4"]},wn={light:["#3b1f6b","#31508c","#25778c","#219d82","#63c15c","#d9c52b"],dark:["#7d63d6","#5b83d0","#38a3b5","#35b98a","#86d152","#f4e04d"]},we={unit:"nearest function",community:"community",label:"label",kind:"kind of sample",domain:"domain",token:"token position",correct:"correct or wrong",step:"step"},Z=()=>document.documentElement.dataset.mantineColorScheme==="dark",At=(t,e,s=0)=>{const n=t[Z()?"dark":"light"];return s>n.length?Pt(bn[Z()?"dark":"light"],e/(s-1)):n[e%n.length]};function Pt(t,e){const s=Math.max(0,Math.min(t.length-1.0001,e*(t.length-1)));return Et(t[Math.floor(s)],t[Math.floor(s)+1],s-Math.floor(s))}function vn(t,e,s){const{kind:n,row:a,column:o}=t.tokens[e];if(n==="number")return At(Nt,o??0);if(n!=="patch"&&n!=="panel")return t.ofNumbers?At(be,e,t.info.domains.length):s.ink;const{rows:l,columns:r}=t.grid,c=Pt(["#2166ac","#2a9d8f","#e0a100","#c0392b"],l>1?(a??0)/(l-1):0),u=r>1?(o??0)/(r-1):0;return u<.5?Et(c,"#ffffff",.55*(1-2*u)):Et(c,Z()?"#8a8f98":"#000000",.4*(2*u-1))}const _t=(t,e,s,n,a=!1)=>({of:t,names:e,none:n,paints:e.map((o,l)=>At(s,l,a?0:e.length))}),kn={unit:(t,e)=>({of:t.unit,names:t.units,paints:t.units.map((s,n)=>e.unit(n)),none:t.words.none}),community:(t,e,s)=>{const{of:n,entries:a}=zs.community(s,e);return{of:t.unit.map(o=>o<0?-1:n[o]),names:a.map(o=>o.name+" ("+o.count+" modules)"),paints:a.map(o=>o.paint),none:t.words.none}},label:({label:t,info:e})=>_t(t,e.labels,Nt,"no label",!0),kind:({kind:t,info:e})=>_t(t,e.kinds,Nt,"no kind"),domain:({domain:t,info:e})=>_t(t,e.domains,be,"no domain"),token:(t,e)=>({of:t.place,names:t.tokens.map((s,n)=>t.placeLabel(n)),paints:t.tokens.map((s,n)=>vn(t,n,e)),none:""}),correct:t=>({of:t.correct,names:["wrong","correct"],paints:Z()?["#ff8a5c","#4f9fd6"]:["#d55e00","#3a86b8"],none:"not known"}),step:t=>({of:t.step,names:t.steps.map(B),paints:t.steps.map((e,s)=>Pt(wn[Z()?"dark":"light"],t.steps.length>1?s/(t.steps.length-1):0)),none:""})};function Sn(t,e,s,n,a){const o=e==="community"&&!ve(t,a)?"unit":e,{of:l,names:r,paints:c,none:u}=kn[o](t,s,a),h=new Int32Array(r.length+1),m=new Int16Array(t.count),d=new Uint8Array(r.length+1);for(let g=0;g<t.count;g+=1){const $=l[g]>=0&&l[g]<r.length?l[g]:r.length;m[g]=$,d[$]=1,(!n||n(g))&&(h[$]+=1)}const y=[...r,u].map((g,$)=>({index:$,name:g,paint:$<r.length?c[$]:s.unmatched,count:h[$],there:$<r.length&&!["token","kind"].includes(e)||d[$]===1}));return{by:e,of:m,entries:y,paints:y.map(g=>g.paint)}}const ve=(t,e)=>!!(e&&e.units.length===t.units.length);function rt(t,e,s){const n={...we,...t&&{step:C(t.steps)},unit:(t?t.words:pe(s)).unit};return t&&(t.ofUnits&&delete n.token,t.labelled||(delete n.label,delete n.correct),t.info.kinds?.length||delete n.kind,ve(t,e)||delete n.community),n}const Mn=64,On=4e4,xn=450,Tn=150,Cn=250,Bt={x:0,y:0,zoom:1},j=["trained","initial"],It=us("types","method","data","samples","tokens","perplexity","neighbours","seed","drop"),Lt=()=>({modelId:null,choice:{...It},maps:{trained:null,initial:null},compare:!1,layout:"map",share:null,step:0,allSteps:!1,time:null,playing:!1,colour:null,hidden:new Set,hover:null,chosen:null,tool:"move",view:{...Bt}}),{state:i,update:f,subscribe:ke}=ds(Lt()),F=({fields:t})=>t.includes("types"),H=kt(()=>i.modelId,async t=>{const e=await hs(t);if(e)throw Object.assign(new ms(403,e.title,e.detail),{refused:!0});const[s,n]=await Promise.all([St("GET","/models/"+encodeURIComponent(t)),St("GET","/data")]);return fs("drop",s,i.choice.drop),gs(t,s.domains,i.choice.data),{model:s,sets:n.items.filter(({name:a})=>s.domains.includes(a))}}),w=()=>H.answer()?.model??null,Se=()=>H.answer()?.sets??[],Me=kt(()=>{const t=w();return t&&!F(t)&&t.constants.includes("link_probability")?t.id:null},t=>St("GET","/models/"+encodeURIComponent(t)+"/graph")),E=()=>Me.answer();function k(){const t=w();return i.compare&&(!t||F(t))}const I={trained:["types-pca","types-trained"],initial:["types-pca-initial","types-initial"]};function En(){const[t,{choice:e,modelId:s}]=[w(),i];if(!t||t.id!==s)return null;const n={...e,model:t.id,drop:Mt(t.units,e.drop)};if(F(t))return n;const a=Math.max(1,Math.floor(On/(t.units.length*t.steps.length)));return{...n,tokens:"patches",samples:Math.min(e.samples,a)}}const Ut=$s(En),Rt=()=>Ut.value;function Dt(t){const{value:e}=Ut;if(!e||t==="initial"&&!k())return null;const{drop:s,...n}=e;return JSON.stringify(Oe({...n,routing:t,intervention:{drop:s,mute:[],iterations:null}},n.method))}const Oe=(t,e)=>({...t,method:e,perplexity:e==="tsne"?t.perplexity:It.perplexity,neighbours:e==="umap"?t.neighbours:It.neighbours});function jt(t,e=[]){const s=e.map(n=>JSON.stringify(n));for(const n of t){const{job:a,request:o}=ae(n);a&&a.state!=="done"&&!s.includes(JSON.stringify(o?.body))&&ys(n)}}const xe=(t,e,s,n,a)=>new Promise((o,l)=>{let r=!1;const{stop:c}=bs(e,"/embeddings",s,{done:u=>{Gs(u).then(o,l)},cancelled:()=>a&&o(null),failed(u){r=!0,a?o(null):l(u)},goesOn:()=>r&&!a&&M[t].again()});n.addEventListener("abort",c)});async function Nn(t,e,s){i.maps[t]&&await new Promise(r=>setTimeout(r,Cn));const n=JSON.parse(e),[a,o]=I[t],l=Oe(n,"pca");if(s.throwIfAborted(),jt([a,o],[l,n]),n.method!=="pca"){const r=await xe(t,a,l,s,!0);s.throwIfAborted(),r&&Ce(t,r,e)}return xe(t,o,n,s,!1)}const Te=t=>kt(()=>Dt(t),(e,s)=>Nn(t,e,s)),M={trained:Te("trained"),initial:Te("initial")},ct=ne({trained:null,initial:null});function Ce(t,e,s){const n=i.maps[t];if(n===e&&ct.value[t]===s)return;const a={maps:{...i.maps,[t]:e}};if(ct.value={...ct.value,[t]:s},t==="initial"){f(a);return}const o=n!==null&&String(n.samples)===String(e.samples),l=o&&n.info.method==="pca"&&e.info.method!=="pca"&&i.layout==="map";o||(a.chosen=null);const r=ws(e.info.model,i.step,e.steps.length);f({...a,step:r,hover:null,...l&&!Ot()?{share:0}:{}}),l&&Jt("map")}const Ee=t=>ae(I[t][1]).job?.state==="cancelled",Ft=t=>t?M[t].waits()&&!Ee(t):j.some(e=>Ft(e)),Ht=()=>j.some(t=>i.maps[t]&&(t==="trained"||k())&&ct.value[t]!==Dt(t)),zt=()=>[H,M.trained].find(t=>t.problem()&&!t.waits())?.problem()??null,Gt=()=>zt()?"failed":i.maps.trained?"ready":Ee("trained")?"empty":"loading",Wt=()=>(H.problem()?H:M.trained).again(),N=()=>j.flatMap(t=>{const e=i.maps[t];return e&&(t==="trained"||k())?[{which:t,points:e}]:[]}),Y=()=>xt().sample,pt=()=>i.allSteps?null:i.step;function O(){const t=i.maps.trained,e=t&&t.units.length>ks;return i.colour??(e&&rt(t,E(),w()).community?"community":"unit")}const ut=(t,e,s,n=pt())=>(n===null||t.step[s]===n)&&!i.hidden.has(e.of[s]),Ne=new WeakMap;function z(t){const[e,s]=[lt(),pt()],n=[O(),s,e.surface,!!E()].join(" "),a=Ne.get(t);if(a&&a.key===n)return a;const o=r=>s===null||t.step[r]===s,l={...Sn(t,O(),e,o,E()),key:n};return Ne.set(t,l),l}const G=t=>f({choice:{...i.choice,...t}});function dt(t){const e=i.maps.trained;if(!e)return;const s=e.steps.length-1;f({step:Math.max(0,Math.min(s,t)),time:null,playing:!1,allSteps:!1,hover:null})}const Ae=t=>we[t]&&f({colour:t,hidden:new Set}),ht=t=>f({colour:O(),hidden:new Set(t)}),Pe=t=>ht(i.hidden.has(t)?[...i.hidden].filter(e=>e!==t):[...i.hidden,t]);function Kt(t,e){const s=e.filter(a=>a!==t),n=!i.hidden.has(t)&&s.every(a=>i.hidden.has(a));ht(n?[]:s)}function L(t,e){const{hover:s}=i;(e>=0?s?.which===t&&s.point===e:!s)||f({hover:e>=0?{which:t,point:e}:null})}function qt(t,e,s){if(t===e)return s;const[n,a]=[i.maps[e],i.maps[t]];if(!n||!a)return-1;const o=n.tokens.length;return a.trackNamed(n.samples[Math.floor(s/o)],n.tokens[s%o].name)}function V(t,e,{layout:s,step:n}={layout:i.layout,step:pt()}){const a=t&&i.maps[t];if(!t||!e||!a){f({chosen:null});return}const o=Ws(e,Mn),{places:l}=a.layouts[a.info.method==="pca"?"map":s],r=z(a),c=a.order.filter(m=>ut(a,r,m,n)),u=new Ks(l,c).inside(o),h=new Set(u.map(m=>a.track[m]));f({chosen:{which:t,step:n,layout:s,map:a.id,polygon:o,tracks:h,points:u},hover:null})}function X(){const{chosen:t}=i,e=t&&i.maps[t.which];return e?i.allSteps&&t.step===null?Array.from(t.points):(i.allSteps?e.steps.map((n,a)=>a):[i.step]).flatMap(n=>[...t.tracks].map(a=>e.pointOf[n][a])).filter(n=>n>=0):[]}let mt=0;function Jt(t){cancelAnimationFrame(mt);const e=i.share!==null?i.share:i.layout==="pca"?0:1,s=t==="pca"?0:1;if(e===s||Ot()){f({layout:t,share:null});return}const n=performance.now();f({layout:t,share:e,hover:null});const a=o=>{const l=e+Math.sign(s-e)*Math.max(0,o-n)/xn,r=s>e?l>=s:l<=s;f({share:r?null:l}),r||(mt=requestAnimationFrame(a))};mt=requestAnimationFrame(a)}const ft=ne(null);let Q=0,gt=null;function _e(){const{value:t}=Ut,{chosen:e,playing:s,share:n}=i;if(!t||s||n!==null)return null;const a=e&&i.maps[e.which]?.id===e.map;return{...t,sample:Y(),colour:i.colour,step:i.allSteps?"all":String(i.step+1),hide:[...i.hidden].sort((o,l)=>o-l),pca:i.layout==="pca",compare:k(),view:i.view,lasso:a&&[e.which,e.layout,e.step===null?"all":e.step+1,e.polygon]}}function An(){Q=0;const t=_e(),e=w();if(!t||!e)return;xs("types",t,e.units);const{model:s,sample:n,...a}=Ts("types",location.search);ft.value={...a,hide:(a.hide??[]).map(Number)}}function $t({colour:t,step:e,hide:s,pca:n,compare:a,view:o,lasso:l,...r}){const c=Ss(o);gt=l?Pn(l):null,f({choice:r,colour:t??(s?.length?"unit":null),allSteps:e==="all",step:e==="all"?0:Number(e)-1,hidden:new Set((s??[]).map(Number)),layout:n?"pca":"map",share:null,compare:a,chosen:null,view:c?ue.clamped(c):{...Bt}}),j.forEach(Be)}function Pn(t){const{on:e,polygon:s}=Os(t),[n,a,o]=e;return{which:n,layout:a,step:o==="all"?null:Number(o)-1,polygon:s}}function Be(t){if(gt?.which!==t||!M[t].answer())return;const{polygon:e,...s}=gt;gt=null,V(t,e,s)}function _n(){let t=Ms(location.search).model;return K(()=>{const e=t??xt().model;xt(),t=null,Tt(()=>{if(e===i.modelId)return;const s={maps:{trained:null,initial:null},hover:null,chosen:null,playing:!1,time:null};f({modelId:e,...i.modelId?s:{}})})})}const Bn=t=>K(()=>{const[e,{status:s,message:n,title:a}={status:0}]=[M[t].answer(),M[t].problem()??void 0];Tt(()=>{const o=Dt(t);(!o||e)&&jt(I[t]),e&&o?(Ce(t,e,o),Be(t)):s&&t==="initial"&&oe(a||"No map",n||"","bad")})});function Ie(t){f(Lt()),ft.value=t,$t(t);const e=[_n(),...[H,Me,M.trained,M.initial].map(s=>s.follow()),...j.map(Bn),K(()=>{_e()&&!Q&&(Q=setTimeout(An,Tn))})];return()=>{e.forEach(s=>s()),clearTimeout(Q),cancelAnimationFrame(mt),Q=0,jt(Object.values(I).flat()),Object.values(I).flat().forEach(vs),f(Lt())}}var In=Object.freeze({__proto__:null,JOBS:I,ROUTINGS:j,WHOLE:Bt,again:Wt,ask:G,begin:Ie,choose:V,chosenPoints:X,chosenSample:Y,colour:O,colourBy:Ae,colouringOf:z,compares:k,goTo:dt,graph:E,hide:ht,isolate:Kt,model:w,ofTypes:F,point:L,problem:zt,request:Rt,said:ft,sets:Se,shownMaps:N,shownStep:pt,shows:ut,stale:Ht,state:i,status:Gt,subscribe:ke,take:$t,toggleCategory:Pe,trackIn:qt,turnTo:Jt,update:f,waits:Ft});const Ln=112,Un=60;function Le(t,e,s){const n=t.samples[t.sample[e]],{kind:a,row:o,column:l}=t.tokens[t.token[e]],{rows:r,columns:c}=t.grid,u=(m,d)=>100*m/d+"%",h={left:u(l??0,c),top:u(o??0,r),width:u(1,c),height:u(1,r)};return t.ofNumbers?s>Un?null:p`<span class="token-tile">${t.shortName(e)}</span>`:p`
    <span class="marked-image" style=${{width:s+"px",height:s+"px"}}>
      <img
        key=${n}
        src=${Ns+t.picturePath(n)}
        alt=""
        width=${s}
        height=${s}
        class="pixels"
      />
      ${(a==="patch"||a==="panel")&&p`<span class="patch-mark" style=${h}></span>`}
    </span>
  `}const Ue=(t,e)=>p`<span class="swatch" aria-hidden="true" style=${{background:Ct(t.unit[e])}}></span>`,Re=(t,e)=>[t.samples[t.sample[e]],(t.ofUnits?"module ":"")+t.tokenLabel(t.token[e]),t.labelled&&"label "+t.labelName(e),B(t.steps[t.step[e]]),!t.ofUnits&&t.unitName(e),t.correct[e]===0&&"sample predicted wrongly"].filter(Boolean).join(", ");function Rn(t,e){const s=t.correct[e]===0;return p`
    ${Le(t,e,Ln)}
    <div class="card-words">
      <p><strong>${t.samples[t.sample[e]]}</strong></p>
      ${!t.ofUnits&&p`<p>${t.tokenLabel(t.token[e])}</p>`}
      ${t.labelled&&p`<p>${"label "+t.labelName(e)}${s&&p`<span class="thumb-wrong">wrong</span>`}</p>`}
      <p>${B(t.steps[t.step[e]])}</p>
      <p>${Ue(t,e)}${t.unitName(e)}</p>
    </div>
  `}function Dn({which:t,placeOf:e}){const s=q(null),{hover:n,maps:a,share:o,playing:l}=i,r=a[t],c=n&&n.which===t&&o===null&&!l?n.point:-1;return it(()=>{const u=c>=0&&e(c),{current:h}=s;u&&h&&qs(h,h.parentElement,u)}),p`<div class="type-card" hidden=${c<0||!r} aria-hidden="true" ref=${s}>
    ${r&&c>=0&&Rn(r,c)}
  </div>`}function jn(){const{hover:t,maps:e}=i,s=t&&e[t.which];return p`<p class="hidden-visually" id="types-pointed" aria-live="polite">${s?Re(s,t.point):""}</p>`}function Zt(t,e){const s=i.maps[t];if(!s)return;const{model:n,units:a,intervention:o}=s.info,l={sample:s.samples[s.sample[e]],step:s.step[e]},r=s.candidateOf(s.token[e]);Cs(Es("paths",{model:n,...l,drop:o.drop,candidate:r},a))}const W={pca:"PCA",tsne:"t-SNE",umap:"UMAP"},U={trained:"as trained",initial:"routing at initialisation"},yt=(t,e)=>e.layout==="pca"?"pca":t.info.method;function tt(t,e,s){const{info:n}=t,a=yt(t,e),o=[n.model,W[a]];return a===n.method&&a==="tsne"&&o.push("perplexity "+et(n,"perplexity")),a===n.method&&a==="umap"&&o.push(et(n,"neighbours")+" neighbours"),o.push("seed "+n.seed),n.intervention.drop.length&&o.push("drop "+le(n.intervention.drop)),s&&o.push(e.allSteps?"all "+C(t.steps)+"s":de(t.steps,e.step)),o.join(" \xB7 ")}const et=({parameters:t},e)=>t[e]??null,st=t=>t.toLocaleString("en");function Fn(t,e){const{info:s}=t,n=[["method",W[s.method]]];s.method==="tsne"&&n.push(["perplexity",String(et(s,"perplexity"))]),s.method==="umap"&&n.push(["neighbours",String(et(s,"neighbours"))]);const a=et(s,"variance");s.method==="pca"&&Array.isArray(a)&&n.push(["variance shown",a.slice(0,2).map(As).join(" + ")]),e||n.push(["seed",String(s.seed)]);const{value:o,pca:l,neighbours:r,points:c}=s.trustworthiness;return n.push(["trustworthiness",o.toFixed(3),"k = "+r+", on "+(c===s.count?"all ":"")+st(c)+" points"]),s.method!=="pca"&&n.push(["of the PCA twin",l.toFixed(3)]),e?n:[...n,...Hn(t)]}function Hn({info:t,samples:e,usedTokens:s,steps:n,words:a}){const o=[st(e.length)+" samples",s.length+" "+a.elements,n.length+" "+C(n)+"s"],l=t.data.map(({count:u,title:h,stand_in:m})=>{const d=m&&!/stand-in/i.test(h)&&p`<span class="tag tag-warn">stand-in</span>`;return p`<span class="facts-set">${st(u)+" of "+h}${d}</span>`}),{drop:r}=t.intervention,c=[["points",st(t.count),o.join(" \xD7 ")],["data",l]];return r.length?[...c,["dropped",le(r,12)]]:c}const De=([t,e,s])=>p`
  <div>
    <dt>${t}</dt>
    <dd>${e}${s&&p`<small>${s}</small>`}</dd>
  </div>
`;function zn(){const[t,e]=[N(),k()],{method:s,samples:n,seed:a}=Rt()??i.choice,o=[["method",W[s]],["seed",String(a)],["samples",st(n)]];return p`<div class="type-facts">
    ${!t.length&&p`<dl class="facts-list">${o.map(De)}</dl>`}
    ${t.map(({which:l,points:r})=>p`
        ${e&&p`<h3 class="small-title">${U[l]}</h3>`}
        <dl key=${l} class="facts-list" data-facts=${l}>${Fn(r,l==="initial").map(De)}</dl>
      `)}
  </div>`}function Gn(){const t=i.maps.trained,e=t?t.words:pe(w()),s=t?yt(t,i):i.choice.method,n="Each point is "+e.point+" at one "+(t?C(t.steps):"step");return s==="pca"?n+", seen along the two directions "+e.directions+"."+e.marks:n+"; near points "+e.near+". Distances between far groups mean little."+e.marks}function Wn(){const{maps:t,choice:e}=i;if(!t.trained||!Ft("trained"))return"";const{method:s}=t.trained.info;return"showing "+(Ht()?"the map before":W[s])+" while "+W[e.method]+" is computed"}const A={},Yt=new Set;function je(t,e){const s=q(null),n=q(null);return it(()=>{const a=n.current=new Zn(s.current,t,e);return e===null?A[t]=a:Yt.add(a),()=>{A[t]===a&&delete A[t],Yt.delete(a),a.dispose()}},[]),{canvas:s,map:n}}const Kn=["maps","colour","hidden","layout"];function qn(t,e,s){if(s===null||t.info.method==="pca")return t.layouts[t.info.method==="pca"?"map":e];const{pca:n,map:a}=t.layouts,o=s*s*(3-2*s),l=(r,c)=>r.map((u,h)=>u+(c[h]-u)*o);return{places:l(n.places,a.places),halves:n.halves.map((r,c)=>r+(a.halves[c]-r)*o),marks:l(n.marks,a.marks)}}function Jn(t,e,s){if(!e.marks.length)return[];const n=new Set(t.info.intervention.drop);return t.units.flatMap((a,o)=>{const[l,r]=[e.marks[2*o],e.marks[2*o+1]];return n.has(a)||!Number.isFinite(l)?[]:[{x:l,y:r,name:a,paint:s.unit(o)}]})}class Zn{constructor(e,s,n){this.which=s,this.only=n,this.canvas=e,this.chosen=void 0,this.items=void 0,this.map=new ue(e.parentElement,e,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:a=>s==="trained"&&n===null&&f({view:{...a}})}),this.stops=[ke((a,o)=>this.onState(a,o)),K(()=>{E(),Y(),k(),Tt(()=>this.rebuild())}),...n===null?[this.listen()]:[]]}listen(){return Zs(this.map,{tool:()=>i.tool,hover:e=>L(this.which,e),pick:e=>Zt(this.which,e),select:e=>this.select(e)})}dispose(){this.stops.forEach(e=>e()),this.map.dispose()}get points(){return i.maps[this.which]}get step(){const e=(this.points?.steps.length??1)-1;return this.only??(i.allSteps?null:Math.min(i.step,e))}onState(e,s){if(!this.points||(this.only??0)>=this.points.steps.length){s.has("maps")&&(this.map.items=null,this.map.draw());return}const n=(...o)=>o.some(l=>s.has(l)),a=this.only===null;n(...Kn)||a&&n("step","allSteps")?this.rebuild():a&&n("time","share")?this.move(e):n("chosen","hover","step","allSteps")&&this.mark(e),a&&n("view")&&this.which==="trained"&&(this.map.follow(e.view),this.map.draw())}rebuild(){const{points:e,step:s}=this;if(!e)return;const n=z(e),a=s===null?e.order:e.ordersByStep[s],o=this.layout(e);this.map.setItems({order:i.hidden.size?a.filter(l=>ut(e,n,l,s)):a,category:n.of,paints:n.paints,places:o.places,halves:o.halves}),this.move(i)}layout(e){return qn(e,i.layout,this.only===null?i.share:null)}move(e){const{points:s,map:n}=this;if(!s)return;const a=this.layout(s),o=Jn(s,a,lt());if(this.only!==null)n.marks=o.map(l=>({...l,name:""}));else{const l=e.time===null?0:e.time-Math.floor(e.time),r=l>0&&!e.allSteps&&!Ot();n.setPlaces(r?s.between(a,Math.floor(e.time??0),l):a.places,a.halves),n.marks=o,n.caption=tt(s,e,!0),n.heading=k()?U[this.which]:""}this.mark(e)}mark(e){const{points:s,map:n,step:a}=this;if(!s||!n.items)return;const o=Y(),l=o?s.pointsOfSample(o,a):[],r=this.pointed(e);n.ringed=r>=0?[...l,r]:l;const{chosen:c}=e;(this.chosen!==c||this.items!==n.items)&&(this.chosen=c,this.items=n.items,n.setStrong(c?this.maskOf(c):null));const u=c&&c.map===s.id&&c.step===a&&c.layout===e.layout;n.lasso=u&&this.only===null&&e.share===null?c.polygon:null,n.draw()}pointed({hover:e,maps:s}){const{points:n,step:a}=this,o=e&&s[e.which];if(!e||!o||!n)return-1;if(e.which===this.which&&(a===null||n.step[e.point]===a))return e.point;const l=qt(this.which,e.which,o.track[e.point]),r=a??o.step[e.point];return l<0?-1:n.pointOf[Math.min(r,n.steps.length-1)][l]}maskOf(e){const s=this.points,n=new Uint8Array(s.count);if(e.which===this.which&&this.step===null&&e.step===null){for(const a of e.points)n[a]=1;return n}for(const a of e.tracks){const o=qt(this.which,e.which,a);if(o>=0)for(const l of s.pointOf)l[o]>=0&&(n[l[o]]=1)}return n}select(e){i.playing&&f({playing:!1,time:null}),V(this.which,e)}selectView(){const{map:e}=this,s=[[0,0],[e.width,0],[e.width,e.height],[0,e.height]];this.select(s.map(([n,a])=>e.toMap(n,a)))}publish(){const{points:e,canvas:s}=this;if(!e)return;const{dataset:n}=s;n.painted=e.id,n.points=String(this.map.items.order.length),this.only===null&&(n.method=yt(e,i),n.step=this.step===null?"all":e.steps[this.step],n.colour=O(),n.playing=String(i.playing),n.moving=String(i.share!==null||i.time!==null),n.hovered=String(this.pointed(i)))}scene(e){const{points:s}=this;if(!s)throw new Error("There is no map to show.");const[n,{words:a}]=[tt(s,i,!0),s],o=rt(s,E(),w())[O()];return this.map.scene(`Map of ${a.points}: ${n}, ${U[this.which]}`,`Each point is ${a.point} for one sample, coloured by ${o}.${a.marks} One fit over all ${C(s.steps)}s.`,e)}}const Yn=130,Vn=". Space plays, left and right go back and on, up and down move through the points, Enter opens a point's path, plus and minus zoom, Shift and arrows move the map, 0 shows all, L takes the lasso, Escape ends it.";function Fe({which:t,label:e,onKey:s,children:n}){const{canvas:a,map:o}=je(t,null),l=t==="initial"?" at initialisation":"";return p`<div class="type-map">
    <div class="type-jobs">
      ${I[t].map((r,c)=>{const u=(c?"Map":"PCA map")+l;return p`<${Ps} key=${r} name=${r} what=${u} />`})}
    </div>
    <div class=${"type-canvas type-canvas-"+t}>
      <canvas
        id=${"type-picture-"+t}
        tabindex="0"
        role="img"
        aria-label=${e+Vn}
        onKeyDown=${s}
        ref=${a}
      ></canvas>
      <${Dn} which=${t} placeOf=${r=>o.current?.map.placeOf(r)} />
      ${n}
    </div>
  </div>`}function Xn({which:t,step:e,name:s}){const{canvas:n,map:a}=je(t,e);function o({clientX:l,clientY:r}){const c=n.current?.getBoundingClientRect();c&&a.current&&L(t,a.current.map.itemAt(l-c.left,r-c.top))}return p`
    <button
      type="button"
      class="multiple"
      data-step=${e}
      data-of=${t}
      aria-label=${"Go to "+s+(t==="initial"?", routing at initialisation":"")}
      aria-pressed=${String(!i.allSteps&&i.step===e)}
      onClick=${()=>dt(e)}
      onPointerMove=${o}
      onPointerLeave=${()=>L(t,-1)}
    >
      <span class="multiple-label">${s}</span>
      <span class="multiple-canvas"><canvas aria-hidden="true" ref=${n}></canvas></span>
    </button>
  `}const Qn=()=>p`<div class="multiples">
    ${N().flatMap(({which:t,points:e})=>{const s=e.steps.map((a,o)=>p`<${Xn} key=${o} which=${t} step=${o} name=${B(a)} />`);return[...k()?[p`<h3 class="small-title">${U[t]}</h3>`]:[],p`<div key=${t} class="multiples-row">${s}</div>`]})}
  </div>`;function ta(t,e=Yt){const s=({which:b,only:D})=>(b==="initial"?1e6:0)+(D??0),n=[...e].filter(({points:b})=>b).sort((b,D)=>s(b)-s(D)),a=lt(),o=Js(a.font),l=n[0].points,{width:r,height:c}=n[0].map,u=Math.min(n.length,l.steps.length),h=t?Math.max(1,Math.min(u,Math.floor((t+10)/(Yn+10)))):u,m=t?(t+10)/h-10:r,[d,y]=[Math.round(c*m/r),22],g=n.flatMap((b,D)=>{const[ee,se]=[D%h*(m+10),Math.floor(D/h)*(d+y+6)],rs=B(b.points.steps[b.only??0]),cs=(k()?U[b.which]+", ":"")+rs;return[{shape:"text",x:ee,y:se+14,text:he(cs,m,12,o,650),size:12,weight:650,fill:a.ink},...b.map.scene("","",m).items.map(ps=>me(ps,ee,se+y))]}),$=h*(m+10)-10,_=Math.ceil(n.length/h)*(d+y+6)+16,x=tt(l,i,!1);g.push({shape:"text",x:$,y:_-4,text:he(x,$,10.5,o),size:10.5,anchor:"end",fill:a.dim});const ot=n.every(b=>b.map.items.order.length<=5e3);return{width:$,height:_,background:a.surface,title:"Types by "+C(l.steps)+": "+x,desc:"Panels share their axes."+(ot?"":" Points are pixels inside this file, the rest is vectors."),items:g}}const ea=["unit","label","domain"],sa=t=>ea.filter(e=>e!=="label"||t.labelled),He=(t,e)=>e==="unit"?t.words.group:"by "+e,Vt=190,ze={trained:{stroke:"accent"},initial:{stroke:"bad",dash:[6,3]}},Ge=t=>wt(t)?t.toFixed(3):"none",bt=()=>N().map(({which:t,points:e})=>({which:t,points:e,rows:e.info.clustering})),wt=t=>t!==null&&Number.isFinite(t);function na(t){const e=t.flatMap(({rows:o})=>o.flatMap(l=>[l.score,l.null_low,l.null_high])).filter(wt),s=Math.min(0,...e),n=Math.max(.1,...e),a=.06*(n-s);return[s<0?s-a:0,n+a]}function aa(t,{which:e,points:s,rows:n},a,o){const{stroke:l,dash:r}=ze[e],c=s.steps.flatMap((d,y)=>{const g=n.find($=>$.step===d&&$.by===t);return g&&wt(g.score)?[{...g,index:y}]:[]}),u=({index:d})=>a(d);if(!c.length){const d=o.range[1]+(e==="initial"?28:14);return J(["not defined: one group alone"],{x:a(0),y:d,size:10,fill:"dim"})}const h=c.filter(d=>wt(d.null_low)),m=d=>o(d.score);return[an(h,{x:u,y:d=>[o(d.null_low),o(d.null_high)],fill:l,stroke:l,width:1,opacity:.28}),on(c,{x:u,y:m,stroke:l,dash:r}),$e(c,{x:u,y:m,r:3,fill:"surface",stroke:l,width:2,words:d=>B(d.step)+": "+Ge(d.score)})]}function We(t){const e=bt();if(!e.length)return null;const[{points:s}]=e,n=t>560?3:1,a=(t-18*(n-1))/n,o=na(e),l=sa(s),r=s.steps.map(fe),c=Math.ceil(l.length/n)*Vt,u=e.map(({which:m})=>({text:U[m]+"; band: shuffled",...ze[m],width:2})),h=Xs(u,{x:0,y:c+12,width:t});return ge({width:t,height:c+2+h.height,title:"Clustering of "+s.words.points+" by "+C(s.steps)+": "+tt(s,{...i,layout:"map"},!1),desc:"Silhouette, cosine distance, of "+s.words.points+" grouped "+s.words.group+", label and domain; bands: the same with shuffled groups, 2.5 to 97.5 %.",marks:[l.map((m,d)=>{const[y,g]=[d%n*(a+18),Math.floor(d/n)*Vt+28],$=Qs(o,[g+Vt-54,g],{round:!1,most:6}),_=tn(r,11)<(a-42)/r.length,x=en(_?r:s.steps,[y+34,y+a-8]);return[J([He(s,m)],{x:y,y:g-12,down:0,weight:650,room:a}),sn($,[y+34,y+a-6],{size:10}),nn(x,[g,$.range[0]-1],{grid:!1}),e.map(ot=>aa(m,ot,x,$))]}),h.marks]})}function oa(t){const e=["routing","groups","step","silhouette","shuffled: mean","2.5 %","97.5 %","points"],s=t.flatMap(({which:n,points:a,rows:o})=>o.map(l=>[U[n],He(a,l.by),fe(l.step),...[l.score,l.null_mean,l.null_low,l.null_high].map(Ge),String(l.n)]));return[e,...s]}const la=()=>p`
  <${Ys}
    look="type-clustering"
    scene=${We}
    height=${200}
    drawn=${()=>bt().map(({points:t})=>t.id).join(" ")}
    label=${({title:t,desc:e})=>t+". "+e+" The same numbers are in the table below."}
  />
  <${Vs}
    words="Clustering scores as a table"
    caption=${()=>"Silhouette of types beside the same with shuffled groups."}
    rows=${()=>oa(bt())}
    data=${{"data-clustering-table":"true"}}
  />
`,Ke=60,v=52,ia=16;function qe(t,e){return t.length<=e?t:Array.from({length:e},(s,n)=>t[Math.floor(n*t.length/e)])}function Xt(t,e,s,n,a,o){const l=new Int32Array(s.length+1);for(const r of e)l[n[r]>=0&&n[r]<s.length?n[r]:s.length]+=1;return[...s,o].map((r,c)=>({name:r,count:l[c],paint:a(c<s.length?c:-1)})).filter(r=>r.count>0)}function Qt(t,e,s){const n=e.map(({name:a,count:o,paint:l})=>{const r=100*o/s;return p`
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
  `}function ra(t,e,s){const n=Re(e,s),a=()=>L(t,s),o=()=>L(t,-1);return p`
    <button
      key=${s}
      type="button"
      class="thumb"
      title=${n+". Opens its path."}
      aria-label=${n}
      data-point=${s}
      onClick=${()=>Zt(t,s)}
      onPointerEnter=${a}
      onFocus=${a}
      onPointerLeave=${o}
      onBlur=${o}
    >
      ${Le(e,s,v)}
      <span class="thumb-caption"
        >${Ue(e,s)}${e.ofNumbers?"":" "+e.labelName(s)}</span
      >
    </button>
  `}const ca="Draw around points with the lasso, or hold Shift and drag. \u201Cselect view\u201D takes all points in view.";function pa(){const{chosen:t}=i,e=t&&i.maps[t.which];if(!e)return p`<p class="hint">${ca}</p>`;const s=X();if(!s.length)return p`<p class="hint">No point lies inside the selection.</p>`;const n=Xt(e,s,e.units,e.unit,d=>Ct(d),e.words.none).sort((d,y)=>e.ofUnits?y.count-d.count:0).slice(0,ia),a=Xt(e,s,e.info.labels,e.label,()=>"var(--rs-accent)","no label"),o=e.tokens.map((d,y)=>e.tokenLabel(y)),l=Xt(e,s,o,e.token,()=>"var(--rs-accent)","no token"),r=qe(s,Ke),c=i.allSteps?T({"":"over all {passes}"}):"at "+B(e.steps[i.step]),u=new Set(s.map(d=>e.sample[d])).size,h=r.length<s.length?"; "+r.length+" shown, spread evenly":"",m=`${ie(s.length)} points of ${ie(u)} samples ${c}${h}`;return p`
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
      ${r.map(d=>ra(t.which,e,d))}
    </div>
  `}const R=64,ua=10;async function da(t,e,s,n){const[a,o]=[s%n*R+6,Math.floor(s/n)*(R+12)+34],l={x:a+v/2,size:11},r=$e([0],{x:l.x-(t.ofNumbers?0:8),y:o+v+9,fill:lt().unit(t.unit[e])});if(t.ofNumbers)return[ye([0],{x:[a,a+v],y:[o,o+v],fill:"raised"}),J([t.shortName(e)],{...l,y:o+v/2,anchor:"middle",room:v-4}),r];const c=await _s(t.picturePath(t.samples[t.sample[e]])),{width:u,height:h}=c,{kind:m,row:d,column:y}=t.tokens[t.token[e]],[g,$]=[v/t.grid.columns,v/t.grid.rows],[_,x]=[a+(y??0)*g,o+(d??0)*$];return[{shape:"image",source:c,sx:0,sy:0,sw:u,sh:h,x:a,y:o,w:v,h:v},(m==="patch"||m==="panel"?[{stroke:"#000000",width:3},{stroke:"#ffffff",width:1.5}]:[]).map(b=>ye([0],{x:[_,_+g],y:[x,x+$],...b})),r,J([t.labelName(e)],{...l,y:o+v+13,down:0,room:R-v/2-4})]}async function ha(t=ua*R+6){const{which:e}=i.chosen,s=i.maps[e],n=X(),a=qe(n,Ke),o=Math.max(1,Math.floor((t-6)/R)),l=await Promise.all(a.map((h,m)=>da(s,h,m,o))),r=Math.max(t,R+6),c=a.length+" of "+n.length+" selected "+s.words.shown+": "+tt(s,i,!0),u=s.ofUnits?"":", with the patch marked";return ge({width:r,height:Math.ceil(a.length/o)*(R+12)+40,title:c,desc:"Samples of the selected points"+u+"; below each the colour of its "+s.words.unit+" and the sample's label.",marks:[J([c],{x:6,y:20,down:0,weight:650,room:r-12}),l]})}function Je(t){const{info:e}=t;return{model:e.model,revision:e.revision,seed:e.seed,routing:e.routing,method:e.method,parameters:e.parameters,trustworthiness:e.trustworthiness,drop:e.intervention.drop,mute:e.intervention.mute,iterations:e.steps.length,data:e.data,embedding:e.id,kind:e.intervention.drop.length?"observed under intervention":"observed"}}const Ze=["routing","sample","token","step","x","y","pca_x","pca_y","unit","label","domain","correct"];function Ye(t,e){const{raw:s,info:n}=t,a=(o,l)=>l<0||l>=o.length?"":o[l];return[n.routing,t.samples[t.sample[e]],t.tokens[t.token[e]].name,t.steps[t.step[e]],s.xy[2*e],s.xy[2*e+1],s.pca[2*e],s.pca[2*e+1],a(t.units,t.unit[e]),a(n.labels,t.label[e]),a(n.domains,t.domain[e]),t.correct[e]<0?"":t.correct[e]===1]}function ma({info:t,tokens:e,token:s}){const n=[...new Set(s)].map(a=>["patch","number","panel"].includes(e[a].kind));return{tokens:n.every(Boolean)?"patches":n.some(Boolean)?"all":"cls",samples:t.data.reduce((a,{count:o})=>a+o,0),iterations:t.intervention.iterations??null}}function fa([,...t]){const e={};for(const[,s,n,a]of t)((e[s]??={})[n]??=[]).push(a);return{points:e}}const ga=()=>N().flatMap(({points:{units:t,raw:e,info:s}})=>t.slice(0,e.signatures.length/2).map((n,a)=>{const[o,l]=e.signatures.slice(2*a,2*a+2);return{routing:s.routing,unit:n,x:o,y:l}}));function $a(t){const e=N().flatMap(({which:l})=>A[l]??[]),s=t&&e.length>1?(t-12)/2:t,[n,a]=e.map(l=>l.scene(s));if(!a)return n;const o=n.width+12;return{...n,width:o+a.width,title:n.title+"; beside it "+a.title,items:[...n.items,...a.items.map(l=>me(l,o,0))]}}const ya=t=>({step:i.allSteps?"all":t.steps[i.step],layout:yt(t,i),colour:rt(t,E(),w())[O()],hidden:[...i.hidden].map(e=>z(t).entries[e].name)}),Ve=()=>[Ze,...N().flatMap(({points:t})=>Array.from({length:t.count},(e,s)=>Ye(t,s)))];function ba(){const t=["step","by","score","null_mean","null_low","null_high","n"],e=bt().flatMap(({which:s,rows:n})=>n.map(a=>[s,...t.map(o=>a[o]??"")]));return[["routing",...t],...e]}const wa=()=>[["routing","fact","value"],...N().flatMap(({points:t})=>Object.entries(Je(t)).map(([e,s])=>[t.info.routing,e,JSON.stringify(s)]))],va=({which:t})=>[Ze,...X().map(e=>Ye(i.maps[t],e))],ka={typefacts:{name:"types-facts",figure:"types-facts",rows:wa},typemap:{name:"types",figure:"types",picture:{scene:$a},rows:Ve},typesteps:{name:"types-by-step",figure:"types",picture:{scene:ta},rows:Ve},typeclusters:{name:"types-clustering",figure:"types-clustering",picture:{scene:t=>We(t??900)},rows:ba},typeselection:{name:"types-selection",figure:"types-selection",picture:{scene:ha},rows:()=>va(i.chosen)}};function Sa(t){const[{name:e,figure:s,picture:n={},rows:a},o,{chosen:l}]=[ka[t],i.maps.trained,i],r=t==="typeselection";if(!o||r&&!l)return null;const c=r&&l?{map:l.which,polygon_in_map_units:l.polygon}:{};return{name:e,facts:{...Je(o),...s==="types"||r?ya(o):{},...c},picture:n,python:{figure:s,...ma(o),...r?fa(a()):{}},rows:a,json:()=>({...ln(a()),signatures:ga()})}}const Xe=128,Qe=t=>t.map(e=>e.index),ts=(t,e)=>s=>s.altKey||s.shiftKey?Kt(t.index,Qe(e)):Pe(t.index);function es(t,e){const{index:s,name:n,paint:a,count:o}=t,l=i.hidden.has(s),r=e.filter(u=>!i.hidden.has(u.index)),c=r.length===1&&r[0]===t;return p`
    <span key=${s} class="legend-pair" data-hidden=${String(l)}>
      <button
        type="button"
        class="legend-toggle"
        aria-pressed=${String(!l)}
        data-category=${s}
        title=${(l?"Show ":"Hide ")+n}
        onClick=${ts(t,e)}
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
        onClick=${()=>Kt(s,Qe(e))}
      >
        ${c?"all":"only"}
      </button>
    </span>
  `}function Ma(t,e){const s=({index:l})=>["patch","panel"].includes(t.tokens[l]?.kind),n=e.filter(s).map(l=>{const{index:r,name:c,paint:u,count:h}=l,{row:m,column:d}=t.tokens[r],y={background:u,gridRow:String((m??0)+1),gridColumn:String((d??0)+1)};return p`
      <button
        key=${r}
        type="button"
        class="legend-cell"
        aria-pressed=${String(!i.hidden.has(r))}
        aria-label=${c}
        title=${c+": "+h.toLocaleString("en")+" points (Alt and click: only this one)"}
        data-category=${r}
        style=${y}
        onClick=${ts(l,e)}
      ></button>
    `}),a={gridTemplateColumns:"repeat("+t.grid.columns+", 22px)"},o=e.filter(l=>!s(l)).map(l=>es(l,e));return n.length?p`
    <div class="legend-grid" role="group" aria-label="By their place in the image" style=${a}>${n}</div>
    ${o}
  `:o}function Oa(){const t=i.maps.trained,e=t?z(t).entries.filter(o=>o.there):[],s=O()==="token",n=s?0:e.length-Xe,a=e.slice(0,Xe).map(o=>es(o,e));return p`<div
    class="legend type-legend"
    role="group"
    aria-label="Categories: press to hide or show"
    data-many=${String(!!(t&&t.units.length>re))}
  >
    ${t&&s?Ma(t,e):a} ${n>0&&p`<small>${"and "+n+" more"}</small>`}
    ${i.hidden.size>0&&p`<${S} look="tool tool-text legend-all" act=${()=>ht([])}>Show all<//>`}
  </div>`}function xa(){const t=rt(i.maps.trained,E(),w()),e=O();return p`<div class="type-colours">
    <span class="control-name" aria-hidden="true">colour</span>
    <${Bs}
      id="types-colour"
      look="plain-select"
      label="Colour of the points"
      options=${Object.entries(t)}
      chosen=${t[e]?e:"unit"}
      onChoose=${s=>Ae(s)}
    />
  </div>`}const Ta=1.1,ss=.3;let P=0;const Ca=dn(Ta,()=>i.playing&&i.maps.trained,t=>{const e=i.maps.trained;P+=t;const s=e.steps.length-1,n=Math.min(s,Math.floor(P)),a=Math.max(0,(P-n-ss)/(1-ss));return P>=s?f({playing:!1,time:null,step:s}):f(n===i.step?{time:n+a}:{time:n+a,step:n}),P<s});function ns(){const t=i.maps.trained;if(t){if(i.playing){f({playing:!1,time:null});return}P=i.step>=t.steps.length-1?0:i.step,f({playing:!0,allSteps:!1,step:P,time:P,hover:null}),Ca()}}function as(t,e){const s=i.maps[t];if(!s)return;const n=z(s),a=i.chosen&&i.chosen.which===t?X():[],o=i.allSteps?s.steps.map((c,u)=>u):[i.step],l=a.length?a:o.flatMap(c=>Array.from(s.pointOf[c]).filter(u=>u>=0&&ut(s,n,u)));if(!l.length)return;const r=i.hover&&i.hover.which===t?l.indexOf(i.hover.point):-1;L(t,l[(r+(r<0&&e<0?0:e)+l.length)%l.length])}const os=()=>f({tool:i.tool==="lasso"?"move":"lasso"}),te=t=>e=>{const s=i.maps.trained;if(cn(e)||!s)return;const n=t&&A[t],a={ArrowLeft:[40,0],ArrowRight:[-40,0],ArrowUp:[0,40],ArrowDown:[0,-40]};if(e.shiftKey&&a[e.key]&&n){e.preventDefault(),n.map.panBy(...a[e.key]);return}pn(e,{...un(ns,dt,i.step,s.steps.length),...n&&{ArrowDown:()=>as(n.which,1),ArrowUp:()=>as(n.which,-1),"+":()=>n.map.zoomBy(1.4),"=":()=>n.map.zoomBy(1.4),"-":()=>n.map.zoomBy(1/1.4),0:()=>n.map.fit(),l:os,Enter:()=>i.hover&&Zt(i.hover.which,i.hover.point)},Escape:()=>i.hover?f({hover:null}):V(null,null)})};function Ea(){const{allSteps:t,playing:e,step:s}=i,n=i.maps.trained,a=n?.steps??[],[o,l]=[a.length,C(a)+"s"],r=n?de(a,s):"",c=n&&{count:o,step:s,valuetext:r,words:t?o+" "+l:r},u={least:1,playLabel:"Play through the "+l,pauseTitle:"Pause (space)"},h=()=>f({allSteps:!t,playing:!1,time:null,hover:null});return p`<div class="path-controls">
    <div class="player" id="types-player" onKeyDown=${te(null)}>
      <${rn} ...${{...u,shown:c,playing:e,toggle:ns,goTo:dt}} step=${()=>i.step} />
      <${S}
        look="tool tool-text toggle"
        title=${"The points of all "+l+" in one picture"}
        pressed=${t}
        wait=${!n}
        act=${h}
        >${"all "+l+" at once"}<//
      >
    </div>
  </div>`}function Na(){const t=i.maps.trained,{chosen:e,layout:s,tool:n}=i,a=!t,o=(c,u,h,m)=>p`<${S}
      look="tool"
      ...${{label:c,title:u,wait:a}}
      act=${()=>Object.values(A).forEach(({map:d})=>m(d))}
      >${h}<//
    >`,[l,r]=["Draw around points to select them (L; or hold Shift)","The same points by their two main directions"];return p`<div class="type-tools" id="types-tools">
    <${S} id="types-lasso" title=${l} pressed=${n==="lasso"} wait=${a} act=${os}>lasso<//>
    <${S}
      id="types-view"
      title="Select every point in view"
      wait=${a}
      act=${()=>A.trained?.selectView()}
    >
      select view
    <//>
    <${S} id="types-clear" hidden=${!e} act=${()=>V(null,null)}>clear selection<//>
    <${S}
      id="types-twin"
      title=${r}
      pressed=${s==="pca"}
      hidden=${t?.info.method==="pca"}
      wait=${a}
      act=${()=>Jt(s==="pca"?"map":"pca")}
      >PCA twin<//
    >
    <span class="zoom" role="group" aria-label="Zoom">
      ${o("Zoom out","Zoom out (\u2212)","\u2212",c=>c.zoomBy(1/1.5))}
      ${o("Zoom in","Zoom in (+); or click the map and turn the wheel","+",c=>c.zoomBy(1.5))}
      ${o("Show all points","Show all (0)",ce("fit"),c=>c.fit())}
    </span>
  </div>`}const Aa=300,Pa={compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"},nt=({name:t,id:e,children:s})=>p`<div class="control" id=${e}><span class="control-name">${t}</span>${s}</div>`,ls=({name:t,label:e,options:s})=>p`<${Rs}
    id=${"types-"+t}
    ...${{label:e,options:s,chosen:i.choice[t]}}
    onChoose=${n=>G({[t]:n})}
  />`;function vt({name:t,label:e,step:s}){const{least:n,most:a}=Ds("types",t),o=(Rt()??i.choice)[t];return p`<${nt} name=${t} id=${"types-"+t+"-control"}>
    <${js}
      id=${"types-"+t}
      ...${{label:e,chosen:o,least:n,most:a,step:s,none:""}}
      onChoose=${l=>l!==null&&G({[t]:l})}
    />
  <//>`}function is(t,e){const s=w(),n=new Set(Mt(s.units,i.choice.drop));t.forEach(r=>e?n.add(r):n.delete(r));const a=s.units.filter(r=>n.has(r)),{unit:o,units:l}=Fs(s);a.length<s.units.length?G({drop:a}):oe("One "+o+" stays","A network without "+l+" has nothing to map.","bad")}function _a({unit:t,index:e,away:s}){const n=s?"Bring "+t+" back":"Drop "+t+" ("+T(Pa)+")";return p`
    <button
      type="button"
      class="chip"
      data-type-unit=${t}
      data-state=${s?"dropped":"on"}
      aria-pressed=${String(s)}
      title=${n}
      onClick=${()=>is([t],!s)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:Ct(e)}}></span>
      ${t}
      <span class="chip-state">${s&&"dropped"}</span>
    </button>
  `}function Ba({units:t,drop:e}){const s=q(null),n=q(null);return it(()=>{n.current=new yn(s.current,"data-type-unit",{toggle:is,about:(a,o)=>a+". "+(o?"Bring it back":"Drop it")}),n.current.show(t)},[]),it(()=>n.current?.mark(e,"dropped")),p`<div role="group" aria-label="Modules to drop" ref=${s}></div>`}function Ia(){const t=w();if(!t)return null;const{data:e,drop:s}=i.choice,n=Mt(t.units,s),a=t.units.length>re;return p`
    <${nt} name="data">
      <div class="chips" role="group" aria-label="Data sets">
        <${gn}
          sets=${Se()}
          used=${e.length?e:t.domains}
          attribute="data-type-set"
          alike=${!t.labels.length}
          about=${o=>$n(o,t.held_out.includes(o.name))}
          onChoose=${o=>G({data:o})}
        />
      </div>
    <//>
    <${nt} name="drop">
      <div class=${a?"":"chips"} role="group" aria-label="Units to drop">
        ${a?p`<${Ba} key=${t.id} units=${t.units} drop=${n} />`:t.units.map((o,l)=>p`<${_a} key=${o} ...${{unit:o,index:l}} away=${n.includes(o)} />`)}
      </div>
    <//>
  `}function La(){const t=w(),{method:e}=i.choice,s=T({numbers:"numbers",matrices:"panels","":"patches"},t??void 0),n=!t||F(t);return p`<div class="type-controls">
    <${nt} name="method"><${ls} name="method" label="Method" options=${Object.entries(W)} /><//>
    ${e==="tsne"&&p`<${vt} name="perplexity" label="Perplexity of t-SNE" step="any" />`}
    ${e==="umap"&&p`<${vt} name="neighbours" label="Neighbours of UMAP" />`}
    <${vt} name="seed" label="Seed" />
    <${vt} name="samples" label="Samples in all" />
    ${n&&p`<${nt} name="tokens" id="types-tokens-control">
        <${ls}
          name="tokens"
          label="Tokens"
          options=${[["patches",s],["cls","CLS"],["all","all"]]}
        />
      <//>`}
    <div class="type-row">
      <${Ia} />
      ${t&&n&&p`<div id="types-compare-control">
          <${S}
            id="types-compare"
            pressed=${i.compare}
            act=${()=>f({compare:!i.compare})}
            >beside routing at initialisation<//
          >
        </div>`}
    </div>
  </div>`}function Ua(t,{info:e}){const[s,,n]=t.split("."),a=e.data.length*(Number(n)+1);return e.data.some(({name:o})=>o===s)&&a<=Aa?a:null}function Ra({points:t}){const e=Y();if(!e)return null;const s=t.samples.includes(e),n=s?null:Ua(e,t);return p`
    <span data-ringed=${String(s)}>${e+(s?" is ringed":" is not among these samples")}</span>
    ${n&&p`<${S} act=${()=>G({samples:n})}>${"take "+n+" samples"}<//>`}
  `}function Da(){const t=i.maps.trained;if(!t)return null;const{info:e,samples:s}=t;return p`
    <span><strong>${e.count.toLocaleString("en")+" points"}</strong></span>
    <span>${s.length+" samples"}</span>
    ${e.data.some(n=>n.stand_in)&&p`<span class="tag tag-warn">stand-in data</span>`}
    <${mn} id=${e.model} revision=${e.revision} />
    <${Ra} points=${t} />
  `}function ja(){const t=Gt(),e=zt();if(t==="ready")return null;if(t==="loading")return p`<div class="skeleton" aria-hidden="true"></div>`;if(!e)return p`<div class="message" id="types-empty">
      <p class="message-title">No map</p>
      <p class="message-detail">The job was cancelled before there was a map.</p>
      <${S} id="types-again" look="button" act=${Wt}>Compute it<//>
    </div>`;const s=!!e.refused;return p`<div class="message" id="types-failed" role="alert">
    <p class="message-title">${s?e.title:"The map could not be computed"}</p>
    <p class="message-detail" id="types-problem">${e.message}</p>
    <${S} id="types-retry" look="button" hidden=${s||e.status===403} act=${Wt}>
      Try again
    <//>
    <span class="reader" data-widget="reader" hidden=${!s}></span>
  </div>`}const at=({id:t,children:e,formats:s=["svg","png","csv","json"],...n})=>p`<${fn}
    id=${t}
    tag="observed"
    formats=${s}
    look=${"panel-"+t}
    written=${()=>Sa(t)}
    ...${n}
    >${e}<//
  >`;function Fa(){const t=w(),e=!t||F(t),s=Wn();return p`<${at} id="typemap" title=${e?"Map of types":"Map of states"} reads=${Gn()}>
    <div class="type-bar">
      <${Na} />
      <span class="tag" id="types-waiting" role="status" hidden=${!s}>${s}</span>
      <${xa} />
    </div>
    <div class="type-maps">
      <${Fe} which="trained" label="Map of types" onKey=${te("trained")}><${ja} /><//>
      ${k()&&p`<${Fe} which="initial" label="Map of types with routing at initialisation" onKey=${te("initial")}>
          ${!i.maps.initial&&p`<div class="skeleton" aria-hidden="true"></div>`}
        <//>`}
    </div>
    <${Oa} />
    <${Ea} />
    <${jn} />
  <//>`}function Ha(){const t=!i.maps.trained;return p`
    <div class="page-head">
      <h1>Types</h1>
      <div class="caption" id="types-caption"><${Da} /></div>
      <button type="button" class="tool tool-text" data-copy-link="true">${ce("link")}Copy link</button>
    </div>
    <${hn}><${La} /><//>
    <div class="types-grid">
      <div class="column">
        <${Fa} />
        <${at}
          id="typesteps"
          title=${T({"":"{Pass} by {pass}"})}
          reads=${T({"":"One map for each {pass}, on the same axes. Click a map to show it above."})}
          hidden=${t}
          ><${Qn}
        /><//>
        <${at}
          id="typeclusters"
          title=${T({"":"Clustering by {pass}"})}
          reads=${T({"":"Silhouette of the points (cosine distance) by {pass}. Band: the same with shuffled groups."})}
          more="Above the band, the groups are tighter than chance. The score is of the points themselves, not of the map."
          hidden=${t}
          ><${la}
        /><//>
      </div>
      <div class="column">
        <${at}
          id="typefacts"
          title="This map"
          reads="How the map was made, and how far its neighbours can be trusted (1 is best)."
          formats=${["csv","json"]}
          ><${zn}
        /><//>
        <${at}
          id="typeselection"
          title="Selection"
          reads=${T({"":"Points inside the lasso, counted by {unit} and label."})}
          ><div class="type-selection"><${pa} /></div
        ><//>
      </div>
    </div>
  `}Is("types",async({model:t,sample:e,...s})=>{Us({model:t,sample:e}),$t(s)});const za=Ls({Tree:Ha,choice:()=>ft.value,take:$t,open(t,e){const s=e.closest(".page"),n=[Ie(t),K(()=>{const[a,o,l]=[Gt(),String(Ht()),String(k())];Object.assign(s.dataset,{status:a,stale:o,compare:l})})];return()=>n.forEach(a=>a())}});Hs({typeMap:()=>({pictures:A}),types:()=>In});export{za as mount};
