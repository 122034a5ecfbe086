/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ak as Fo,aj as Rn,A as Nn,n as We,am as Cn,G as _e,U as L,aT as In,ah as Bn,aO as Pn,aU as Z,o as J,a2 as Lo,a6 as qo,aV as zo,a5 as Ue,a3 as Ho,al as Go,ar as he,Z as Jo,H as ee,F as M,t as R,ab as Pt,an as Ko,aH as K,aW as Dn,aF as je,u as Se,aX as Dt,aa as Fe,I as te,aY as Wn,aZ as Un,s as $,a_ as Le,av as Yo,S as it,a$ as jn,T as Y,v as Wt,b0 as qe,R as Fn,aN as Ut,k as Xo,b1 as Vo,b2 as Qo,b3 as Zo,b4 as ea,X as ct,f as ta,w as na,r as Ln,K as sa,aQ as qn,aq as zn,aR as Hn,q as jt,O as Gn,P as oa,W as Jn,Y as Kn,ay as aa,az as ra,c as ia,aB as ca,b5 as la,i as ua,aS as Yn,Q as da}from"../../boot.js";import{ak as ha,al as ne,h as Xn,am as pa,an as fa,ao as ma,ap as ga,aq as $a,ar as ba,as as wa,at as Vn,au as ya,av as Qn,I as D,aw as Ft,ag as re,M as pe,E as X,L as ie,J as ze,K as Me,H as He,D as se,r as lt,s as Zn,ax as oe,j as fe,ay as va,F as ut,az as ka,w as Ge,G as xa,q as es,t as dt,aA as ts,aB as Lt,aC as ns,aD as Oa,P as Ee,n as Je,A as Ke,x as ss,N as me,y as ge,g as _a,aE as Sa,aF as Ma,aG as Ea,a4 as os,z as Aa,ae as Ta,ad as Ra,k as Na,ah as Ca,aH as Ia,_ as Ba,aI as ht,ab as Pa,ac as Da,aJ as Wa,aK as as,aL as Ua,a6 as ja,aM as qt,a7 as pt,a8 as zt,aN as rs,aO as Fa,aP as La,aQ as qa,aR as za,aS as Ha,aT as Ga,aU as Ja,aV as Ka,aW as Ya,aX as Xa,R as Va}from"../../shared.js";const Qa="drop",Za=10,er=250,$e={...Fo("drop"),rule:""},{offered:is}=Rn("drop","iterations"),tr={status:"loading",problem:null,evaluation:null,fresh:!1,model:null,sets:[],graph:null,graphProblem:null,use:null,choice:{...$e},ruled:null,pinned:null},{state:h,update:B,subscribe:Ht}=Nn(tr),be=We(null),we=()=>h.model,ae=()=>h.choice.data.length?h.choice.data:h.sets.map(e=>e.name),ye=({model:e})=>e!==null&&e.constants.includes("link_probability"),W=({model:e})=>e!==null&&(e.layers??[]).length>0;function Gt(e=h.choice.least){const{graph:t}=h;return!e||!t?[]:Pn(t.connectivity).slice(0,e).map(n=>we().units[n])}function U(){const e=new Set([...h.choice.units,...Gt()]);return h.model?h.model.units.filter(t=>e.has(t)):[]}function ft(e){const t=new Set(e);q({units:we().units.filter(n=>t.has(n)),least:0})}function Jt(){const{model:e,choice:t}=h;if(!e)return null;const{kind:n,edges:s,iterations:o,top_k:a}=t,{sample:r}=Bn();return ma({model:e.id,sample:r,[n]:U(),edges:s,iterations:o,top_k:a})}async function nr(){const e=ga(ne.value);if(!e)return null;const t=we(),n=e.model===t.id,s=n?t:await _e("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),o=s?await $a(e,s):e,a=Jt();return n&&ba({...o,sample:a.sample},a,t.units)?null:o}async function sr({model:e,edges:t,iterations:n,top_k:s,...o}){const a=await Promise.all(Qn.map(async i=>[i,(await Vn(o[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(a),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function or(){const{choice:e,pinned:t}=h,[n,s,o]=await Promise.all([Vn(U()),t&&sr(t),ya(we().units,e.units,e.rule)]);return{units:n,against:s,name:o}}function ar({units:e,against:t}){const{choice:n}=h,{samples:s,kind:o,iterations:a,edges:r,top_k:i}=n,c={model:we().id,data:ae().join(","),samples:s},u={[o]:e,iterations:a,keep_edges:r,top_k:i};return"/evaluations/stream"+Jo({...c,...u,controls:Za,against:t})}let Kt=!1;const ce=ha({owner:Qa,statusOf:()=>h.status,update:B,async begin(e){if(ye(h)&&h.choice.least&&!h.graph&&!h.graphProblem)return;const t=()=>e()&&Kt,n=ne.value&&t()&&h.model?await nr():null;if(!t()||!h.model)return;B({pinned:n});const s=await or();!t()||!h.model||(s.name&&B({choice:{...h.choice,rule:s.name}}),cs(),ce.ask(h.model.id,()=>ar(s)))}});function cs(){const e=we(),t=ne.value||null,{rule:n,...s}=h.choice,o={...s,units:n?n.split(","):s.units},a=n?void 0:e.units;Go("drop",{...o,model:e.id,sample:Bn().sample,pin:t},a)}const rr=(e,t)=>JSON.stringify(e)===JSON.stringify(t),ir=["units","kind","least","top_k"];async function mt(e){const{model:t,choice:n}=h;if(!t)return;const s=await pa(t,e,n).catch(a=>a);if(h.model!==t||h.choice!==n)return;const o=s instanceof Error;B({ruled:o?{text:s.message,refused:o}:ls(t,s)}),o||q({units:s.units,least:0,rule:e.join(",")})}function ls(e,{units:t,rules:n,observed:s}){const o=s?", by "+Z.weight+" on "+s.count+" samples":"",a=J(e),r=t.length+" "+(t.length===1?a.unit:a.units);return{text:n.join(", ")+": "+r+o,refused:!1}}function q(e,t=!1){const n=ir.some(o=>o in e)&&!("rule"in e),s={...h.choice,...n?{rule:""}:{},...e};n&&B({ruled:null}),!rr(s,h.choice)&&(B({choice:s}),h.model&&ce.restart(t?er:0))}function Yt(e){e!==h.choice.distribution&&(B({choice:{...h.choice,distribution:e}}),h.model&&cs())}const us=(e,t)=>Cn(()=>t()?"/models/"+encodeURIComponent(we().id)+"/"+e:null,(n,s)=>_e("GET",n,void 0,{signal:s})),gt=us("graph",()=>ye(h)),ds=us("use",()=>W(h)&&h.sets.length>0);function hs(){Kt=!0;const e=[gt.follow(),ds.follow(),L(()=>{const[t,n]=[gt.answer(),gt.waits()?null:gt.problem()];he(()=>cr(t,n))}),L(()=>{const t=ds.answer();he(()=>t!==h.use&&B({use:t}))})];return()=>{Kt=!1,e.forEach(t=>t())}}function cr(e,t){if(e===h.graph&&t===h.graphProblem)return;const n=h.choice.least>0;B({graph:e,graphProblem:t,...t?{choice:{...h.choice,least:0}}:{}}),n&&(e||t)&&ce.restart()}const Xt=e=>["drop",...In(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function ps(e,t,n){const s=n.map(l=>l.name),o=e.data.filter(l=>s.includes(l)),[a,r,i]=[ye({model:t}),W({model:t}),Xt(t)],c=t.most_iterations??1/0,u=e.iterations!==null&&e.iterations>c;return qo("units",t,e.units),zo(t.id,s,e.data),i.includes(e.kind)||Ue(`"kind" is ${e.kind}, which ${t.id} does not support: ${$e.kind} is used.`),!a&&(e.least||e.edges!==null)&&Ue(`${t.id} has no links between units: "least" and "edges" are ignored.`),!r&&e.top_k!==null&&Ue(`${t.id} has no experts: "top_k" is ignored.`),a&&e.least>=t.units.length&&Ue(`"least" is ${e.least}: at least one of the ${t.units.length} units of ${t.id} stays.`),u&&Ue(`"iterations" is ${e.iterations}; ${t.id} has up to ${c}: the model runs as trained.`),{...e,kind:i.includes(e.kind)?e.kind:$e.kind,units:Ho(t.units,e.units),least:a?Math.min(e.least,t.units.length-1):0,edges:a?e.edges:null,top_k:r?e.top_k:null,iterations:u?null:e.iterations,data:o.length===s.length?[]:o}}let ve=0,Ye;function fs(){ce.close(),B({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}const ms=e=>B({choice:{...$e,...e}});async function Vt(e){if(e===Ye)return;const t=ve+=1;if(Ye=e,h.model&&h.model.id!==e&&fs(),!e){B({status:"loading"});return}try{const{model:n,sets:s}=await fa(e);if(t!==ve)return;const o=await gs(n,h.choice);if(t!==ve)return;B({model:n,sets:s,ruled:o.ruled,evaluation:null}),B({choice:{...ps({...h.choice,...o.choice},n,s),rule:o.rule}}),ce.restart()}catch(n){const{title:s,message:o}=n;t===ve&&B({status:"failed",problem:{title:s,detail:o}})}}async function gs(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(Lo))return{choice:{},rule:"",ruled:null};const s=await wa("units",e,n,t),o=s.rules.length>0,[a,r]=o?[s.parts.join(","),ls(e,s)]:["",null];return{choice:{units:s.units},rule:a,ruled:r}}async function $s(e){const{model:t,sets:n}=h;if(!t)return;const s=ve+=1,o=h.choice,a=await gs(t,e);s!==ve||h.choice!==o||(B({ruled:a.ruled,choice:{...ps({...e,...a.choice},t,n),rule:a.rule}}),ce.restart())}function bs(){ve+=1,Ye=void 0,fs()}const Qt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function Zt(){const e=h.evaluation;return Xn(e,Qt,{least_connected:h.fresh&&h.choice.least?h.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function ws(){if(h.model){ce.restart();return}B({status:"loading",problem:null});const e=Ye??null;Ye=void 0,Vt(e)}const{cancel:lr}=ce;var ys=Object.freeze({__proto__:null,ITERATIONS:is,NOTHING:$e,PARTS:Qt,begin:ms,cancel:lr,choose:q,facts:Zt,follow:hs,hasExperts:W,hasLinks:ye,kindsOf:Xt,leave:bs,leaveOut:ft,leaveOutBy:mt,leftOut:U,measured:ae,open:Vt,pointed:be,restart:ws,showDistribution:Yt,shown:Jt,state:h,subscribe:Ht,take:$s,weakest:Gt});function Ae(e){const t=new Map(e.data.map(n=>[n.name,n]));return Zn(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:oe.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const Te=e=>Zn(e,"by_label"),vs=[0,.25,.5,.75,1],[ur,dr,ks,hr]=[420,208,24,150],xs=e=>100*e+(e===1?" %":""),en=[["baseline","full model","ink","surface"],["changed","this set","accent","accent"]],tn=e=>fe(e).flatMap(({where:t,evaluation:{by_confidence:n}})=>en.flatMap(([s])=>(n?.[s]??[]).map(o=>({...o,where:t,key:s}))));function pr(e,t,n){const s=tn(e),o=[...new Set(s.map(({where:l})=>l))],a=n<ur?1:o.length,r=Math.min(760,(n-ks*(a-1))/a),i=({count:l,confidence:d,accuracy:f})=>ee(f.value)+" % right of "+M(l)+" answers, "+ee(d)+" % sure",c=o.map((l,d)=>{const[f,p]=[d%a*(r+ks),52+Math.floor(d/a)*dr],m=p+hr,g=D([0,1],[f+46,f+r-26],{ticks:vs,named:xs}),v=D([0,1],[m,p],{ticks:vs,named:xs}),y=Ft("confidence"+(l&&", "+l),{y:m+31,ends:g.range,within:[f,f+r]}),_=en.map(([A,,N,x])=>{const T=s.filter(E=>E.where===l&&E.key===A),C=E=>g(E.confidence);return[re(T,{x:C,y:({accuracy:E})=>[v(E.low),v(E.high)],stroke:N}),pe(T,{x:C,y:({accuracy:E})=>v(E.value),fill:x,stroke:N,words:i})]}),O=X(["accuracy"],{x:f,y:p-14,down:0,size:11,fill:"dim"}),S=ie([0,1],{x:g,y:v,stroke:"unmatched",dash:[3,3]});return{marks:[ze(v,g.range),Me(g,[p,m]),S,_,y.marks,O],bottom:m+y.more}}),u=He(en.map(([,l,d])=>({text:l,stroke:d,ink:d,width:2})),{x:46,y:12,width:n});return se({width:n,height:Math.max(...c.map(({bottom:l})=>l))+40,title:"Accuracy by confidence with "+lt(e,t)+": "+e.model,desc:"Accuracy of the answers in each tenth of confidence, with 95 % intervals.",marks:[u.marks,c.map(({marks:l})=>l)]})}const fr=e=>[["answers","distribution","least_confidence","count","mean_confidence","accuracy","low","high"],...tn(e).map(({key:t,where:n,least:s,count:o,confidence:a,accuracy:{value:r,low:i,high:c}})=>[t,n,s,o,a,r,i,c])],[mr,Os,gr,_s]=[760,28,30,17],ke=e=>e.model+", "+lt(e,Pt(e.model)),[$r,Ss,Ms]=[210,34,38],br=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function Es(e,t,n,s,o){const a=R(e.measure),r=[e,o].flatMap(({retention:x})=>x.flatMap(T=>[T.accuracy,T.low,T.high])),[i,c]=[64,n-20],u=D([1,0],[i,c],{ticks:[1,.75,.5,.25,0],named:x=>100*x+(x?"":" %")}),l=br.map(x=>({...x,points:e.retention.filter(({order:T})=>T===x.order).sort((T,C)=>T.dropped-C.dropped)})).filter(({points:x})=>x.length),d=He(l.map(x=>({...x,ink:x.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}),f=Ss-18+d.height,p=f+$r-Ms-Ss,m=ts(a,r,[p,f]),{drop:g,mute:v,mean:y,resample:_}=t.intervention,O=new Set([...g,...v,...y??[],..._??[]]).size,A=[fe(t).find(({where:x})=>!x||x===oe[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(x=>x??[]),N={x:u(1-O/e.units.length),y:({value:x})=>m(x)};return se({width:n,height:p+Ms,title:"",desc:"",marks:[ze(m,[i,c]),Me(u,[f,p],{grid:!1}),X(["units kept"],{x:(i+c)/2,y:p+31,down:0,size:11,fill:"dim",anchor:"middle"}),Lt(l.find(({order:x})=>x==="random")?.points??[],{x:x=>u(x.share_kept),y:({low:x,high:T})=>[m(x),m(T)],fill:"unmatched"}),l.toReversed().map(({points:x,stroke:T,dash:C})=>ie(x,{x:E=>u(E.share_kept),y:E=>m(E.accuracy),stroke:T,dash:C})),d.marks,pe(A,{...N,r:8,fill:"ink"}),X(A,{...N,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function wr(e,t,n,{alone:s=!0,curves:o=null}={}){const a=n>=mr,r=a?Math.floor((n-Os)/2):n;function i(y,_){const O=Pt(y.model),[S,A]=[Te(y),Ae(y)];return[y.accuracy&&es(y,r,{model:O,beside:[_]}),S.length>0&&dt(S,"label",y,r,O,Te(_)),A.length>0&&dt(A,"data set",y,r,O,Ae(_)),o&&(y===e?Es(o.a,e,r,"A",o.b):Es(o.b,t,r,"B",o.a))]}const c=[i(e,t),i(t,e)],u=["A: "+ke(e),"B: "+ke(t)],l=c[0].map((y,_)=>Math.max(...c.map(O=>{const S=O[_];return S?S.height+10:0}))),d=u.map(y=>s||!a?ka(y,r-4,_=>Ge([_],13,650)):[]),f=Math.max(...d.map(y=>y.length));let p=0;const m=c.map((y,_)=>{const O=a?_*(r+Os):0;let S=a?0:p;const A=S+10,N=X(d[_],{x:O+2,y:(T,C)=>A+_s*C,size:13,weight:650});S+=f&&gr+_s*((a?f:d[_].length)-1);const x=y.map((T,C)=>{const E=T?xa(T,O,S):[];return S+=a?l[C]:T?T.height+10:0,E});return p=Math.max(p,S),[N,x]}),{title:g}=R(t.measure),v=g+" of A, "+ke(e)+", beside B, "+ke(t)+", on the same axes: all samples, labels, data sets"+(o?", and accuracy as units are dropped.":".");return se({width:n,height:p,title:u.join("; "),desc:v,marks:m})}function As({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:o,a,b:r,difference:i,by_label:c,by_domain:u})=>{const l=e.length>1||s==="out"?oe[s]:"",{value:d,low:f,high:p}=i.accuracy,m=(g,v)=>({name:v,where:l,main:!1,count:g.count,a:g.baseline,b:g.accuracy,value:g.change,low:g.change_low,high:g.change_high});return[{name:"all samples",where:l,main:!0,count:o,a:a.accuracy.value,b:r.accuracy.value,value:d,low:f,high:p},...c.length>1?c.map(g=>m(g,"label "+g.name)):[],...u.length>1?u.map(g=>m(g,g.name+(n.has(g.name)?" (stand-in)":""))):[]]})}function yr(e,t){const n=e.comparison,s=R(e.measure),o=As(n,e.data).map(g=>({...g,group:g.where,change:g.value,change_low:g.low,change_high:g.high})),{range:a,y:r,sure:i,marks:c}=va(o,{width:t,top:24,measure:s,room:150}),u=Math.max(...o.flatMap(({value:g,low:v,high:y})=>[g,v??g,y??g].map(Math.abs)),.001),l=D([-u,u],a,{named:g=>g?s.change(g):"0"}),[d,f]=s.higher?["A is better","B is better"]:["B is better","A is better"],p={y:12,down:0,size:11,fill:"dim"},m=n.a?ke(n.a):"A";return se({width:t,height:r.end+24,title:"B minus A: "+ke(e)+", minus "+m,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+M(n.covered)+" samples scored for both.",marks:[Me(l,[20,r.end]),ut([0],{x:l(0),y:[20,r.end],stroke:"dim"}),X([d],{...p,x:l(0)-8,anchor:"end"}),X([f],{...p,x:l(0)+8}),re(o,{x:g=>[l(g.low),l(g.high)],y:r,stroke:i,width:({main:g})=>g?2.5:1.5}),pe(o,{x:g=>l(g.value),y:r,r:({main:g})=>g?6:4,fill:i}),c]})}const V="importance",$t=10,nn=20,vr=24e3,[kr,xr]=[2640,8192],Or=16,Q=We(""),Ts=({model:e})=>(e.layers??[]).find(({name:t})=>t===Q.value)?.experts??e.units.length;function Rs(e){const t=Ts(e);if(!Q.value)return 1+t;if(t<=$t)return 2**t;const n=t<=nn;return t*(n?t/2:1)+(t-1)*(n?64:Or)+200}function Ns(e){const{model:t,choice:n}=e;if(W(e)){const o=Q.value?xr:kr;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(o/Rs(e)))))}const s=t.units.length;return s<=nn?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(vr/s))))}function sn(e){const{model:t,choice:n}=e,s=W(e)&&Q.value,o=s&&n.kind==="drop"?"mute":n.kind,a={model:t.id,data:ae(),samples:Ns(e),kind:o},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,c=W(e)?{top_k:n.top_k,layer:s||null}:{};return{...a,...r,...c,iterations:n.iterations,distribution:i,seed:0}}const on=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Cs(e,t,n){const s=Ns(n),o=n.evaluation?.baseline?.samples_per_second,a=o?"; about "+Wn(e*s/o):"";return"About "+M(e)+" sets on "+M(s)+" "+t+a+". You can cancel and resume."}function _r(e){const{model:t,choice:n}=e,s=Ts(e);if(W(e)){const i=Cs(Rs(e),"texts",e),c=n.kind==="drop"?"Drop":"Leave out";if(!Q.value)return[c+" each of the "+M(s)+" experts alone",i];const u=n.kind==="drop"?" Experts outside a subset are muted, because every token needs its top-k experts.":"";return["Score "+(s<=$t?"all "+2**s:"sampled")+" subsets of the "+s+" experts of "+Fe(Q.value),i+u]}if(s<=$t)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=nn)return["Score sampled subsets of the "+s+" units",""];const o=ye(e)?4:2,a=s+20*(o+8);return["Drop each of the "+M(s)+" "+J(t).units+" alone, then growing sets",Cs(a,"samples",e)]}const an=Ko(()=>h.model?JSON.stringify(sn(h)):null),rn=We(null);let bt=!1;const cn=Cn(()=>{const{job:e}=K(V);return e?.state==="done"?"/importances/"+encodeURIComponent(e.id):null},(e,t)=>_e("GET",e,void 0,{signal:t})),le=cn.answer,{problem:Sr}=cn;function Is(){bt=!1,Dt(V,"/importances",sn(h))}async function Mr(e){rn.value=null,await je(V),e===an.peek()&&(rn.value=e)}function Er(){const{model:e,status:t,choice:n}=h,{job:s,starting:o,problem:a}=K(V);if(s?.state==="cancelled"&&(bt=!0),!e||t!=="done"||rn.value!==an.value)return;const r=on(h);if(n.distribution!=="in"&&r.length&&!r.includes(n.distribution)){he(()=>Yt("in"));return}const i=e.units.length<=$t&&!W(h);!s&&!o&&!a&&!bt&&(i||Se.value.read_only)&&he(Is)}function Ar(){const e=[cn.follow(),L(()=>{const t=an.value;he(()=>{Mr(t)})}),L(()=>{h.model||(Q.value="")}),L(Er)];return()=>{e.forEach(t=>t()),Dn(V),Q.value="",bt=!1}}function Tr(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...R(e.measure).share?{}:{measure:e.measure}}}function ln({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||on(h).length>1),o=(t?", "+Fe(t):"")+(n?", top "+n:"");return(s?", "+oe[e]:"")+o}const Rr=e=>e==null?"":Array.isArray(e)?e.join(" "):e,Bs={use:"usage",effect:"shapley",interactions:"interactions",retention:"retention",anytime:"anytime",convergence:"convergence"};function Ps(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Rr(n[s])))]}function Ds(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:o,low:a,high:r,standard_error:i})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:o,shapley_low:a,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([d,f])=>["single_"+d,f]))}}):e.single}return e[Bs[t]]}const Nr=(e,t)=>Object.entries(ns(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Cr(e){const t=R(e.measure),n=i=>te(t,i),s=[["full model",n(e.baseline)],...e.total===null?[]:[["without any unit",n(Oa(e))]]],o=M(e.count)+" samples"+ln(e);if(!e.shapley.length){const i=e.retention.length?", then growing sets":"";return[["sets","Each of "+M(e.units.length)+" alone"+i+", on "+o],...s,["ablation",e.words]]}const a=e.exact?"All "+M(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,c)=>i+c.value,0);return[["subsets",a+" of "+e.units.length+" units on "+o],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["ablation",e.words]]}const un="token_states",Ws={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},Ir={drop:{router_logits:"Dropped: never chosen. Each token takes the best remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[un]:"Dropped: skipped. The next {unit} reads the output of the {unit} before.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their output is set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[un]:"Muted: their output is 0, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: their output is replaced by its mean over the first 200 samples of the data set, for each step and token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the data set.","":"Mean: their output is replaced by its mean over the first 200 samples of the data set, for each token."},resample:{messages:"Resampled: the state that others read is replaced by their state for another sample of the data set.","":"Resampled: their output is replaced by their output for another sample of the data set."}},Re={accuracy:"Dots: {accuracies} with 95 % intervals. Grey: random sets of the same size. Changes are paired, on the same samples.",labels:"Ring: full model. Dot: with the units dropped, 95 % interval. Right: paired change in {points}.",confidence:"Share of correct answers against confidence, 95 % intervals. Below the dashed line the model is overconfident.",compared:"A is pinned, B is on the page: same samples, same axes. Ring: full model. Dot: with the units dropped.",difference:"B minus A, paired on the same samples, with 95 % intervals. Right of the line: B is larger.",studio:"Bars: how many experts each layer keeps (drag, or press arrow keys). Cells: the experts of each layer.",curves:"Score against the share of experts kept, 95 % intervals. Band: random sets of the same size. Dashed line: your bars."},Us="The same by data set. Each is read by the head of its domain.",Br={router_logits:"The same by data set. An expert may matter for one kind of text only.",compatibility:Us,[un]:Us,"":"The same by data set. Out of distribution: the model was never trained on it."},Pr={router_logits:"Mean share of each layer's routing that an expert takes, all experts on.",messages:"Mean share of the attention paid to each module at every layer, all modules on.",multiplexer_weights:"Mean share of the weight with which the next level reads each block, all blocks on.","":"Mean share of routing weight at every step, all {units} on."},xe={importance:"A job scores the subsets in the background. Cancelling keeps its scores.",use:"Measured on the full model. Dropping a unit that is used a lot may cost little if other units replace it.",effect:"Above 0 the unit helps. A Shapley value is the mean gain when the unit is added, over all orders of adding units. The values of all units sum to the gain from no unit to all.",retention:"Units are ranked once by their single effects, or again after each removal (greedy). The same samples choose and score the orders, so the best look a little too good and the worst too bad. Orders by connectivity use no samples.",interactions:"The effect of dropping both units, minus the effects of dropping each alone. Below 0, each unit replaces the other.",anytime:"No unit is dropped. Point at a dot for its compute per sample.",convergence:"Each order gives one estimate for every unit. Flat lines: more orders change nothing.",accuracy:"Each small dot is a random set. Data in and out of distribution are shown separately.",confidence:"Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers.",labels:"The effect covers all chosen data sets. Data in and out of distribution are shown separately.",studio:"The order is chosen on the last samples of every data set; curves are measured on the first ones. A layer keeps at least top-k experts. Downloads: the keep-list, and a model without the dropped experts.",curves:"Band: from the least to the largest random set. Diamond: the score on this page with the same experts dropped. Changes are paired, on the same samples. Point at a dot for its numbers."},js=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Dr=e=>Ma(e,{named:"this set",sets:"random sets of as many",each:!0},Ea(e));function Fs(e,{measure:t}){const n=e.some(o=>o.distribution)?[...js,"distribution"]:js;return[n.map(o=>o==="accuracy"?R(t).name:o),...e.map(o=>n.map(a=>o[a]))]}function Wr(e){const t=R(e.measure),n=fe(e).flatMap(({where:s,evaluation:{accuracy:o,baseline:a,control:r}})=>{const c=[["this set ("+lt(e,h.model)+")",o?.value],["full model",a?.accuracy.value],["random sets on average",r?.mean]],u=s&&s+" ";return c.flatMap(([l,d])=>typeof d=="number"?[u+l+" "+te(t,d)]:[])});return(t.share?"Accuracies":t.title)+": "+n.join("; ")}function Ls(e,t){const{name:n,changeUnit:s,change:o}=R(e.measure),a=t.map(r=>r.name+(r.distribution?", "+r.distribution:"")+" "+o(r.change));return"Change of "+n+" in "+s+": "+a.join("; ")}const Xe={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>es(e,n,{model:t}),rows:Dr,said:Wr,python:({control:e})=>({figure:"accuracy",draws:e?.draws}),widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>dt(Te(e),"label",e,n,t),rows:e=>Fs(Te(e),e),said:e=>Ls(e,Te(e)),python:()=>({figure:"effects",by:"label"})},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>dt(Ae(e),"data set",e,n,t),rows:e=>Fs(Ae(e),e),said:e=>Ls(e,Ae(e)),python:()=>({figure:"effects",by:"domain"})},confidence:{has:e=>tn(e).length>0,scene:pr,rows:fr,said:(e,{title:t,desc:n})=>t+". "+n}},Ve=["svg","png","csv","json"];function Qe(e){const{evaluation:t}=h;return t&&Xe[e].has(t)?t:null}function Ur(e,t){const n=Qe(e);if(!n)return null;const s=Xe[e].rows(n);return{name:"drop-"+e,facts:Zt(),python:Xe[e].python?.(n),rows:()=>s,json:()=>e==="accuracy"?{result:n}:os(s),picture:{scene:o=>Xe[e].scene(n,h.model,o??t)}}}function wt({name:e,title:t,reads:n,more:s,words:o,height:a,look:r,hidden:i,children:c,below:u}){const{fresh:l,status:d,model:f}=h,{scene:p,rows:m,said:g,python:v,widest:y}=Xe[e],_=Qe(e),O=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return $`<${Ee}
    id=${"drop-"+e}
    tag="caused"
    formats=${Ve}
    written=${()=>Ur(e,O())}
    coded=${!!v}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${c}
    <${Je}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${a}
      widest=${y}
      data=${{"data-key":e,"data-fresh":String(l),"data-state":d}}
      scene=${S=>{const A=Qe(e);return A&&p(A,h.model,S)}}
      drawn=${()=>h.evaluation?.id??""}
      label=${S=>h.evaluation?g(h.evaluation,S):""}
    />
    ${u}
    <${Ke}
      words=${o}
      data=${{"data-drop-table":e}}
      caption=${()=>(_&&p(_,f,640).desc)??""}
      rows=${_&&(()=>m(_))}
    />
  <//>`}const qs=e=>lt(e,h.model),jr=(e,{draws:t,draws_done:n,exact:s,size:o})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+o,Fr=({share:e,unit:t})=>e?t+" on average":"on average";function Lr(e){const t="Random sets";if(!e)return{name:t,value:Aa};const n=Ta(e,J(h.model).unit);return{name:t,...Ra(e,{waiting:n,sets:jr,unit:Fr})}}function qr(){const{evaluation:e,fresh:t}=h,n=e?fe(e):[{where:"",evaluation:e}];return $`<div class="numbers" data-fresh=${String(t)}>
    ${n.slice(0,2).map(({where:s,evaluation:o},a)=>{const{accuracy:r,change:i,loss:c}=ss(o),u=a?"-out":"-number";return $`
        <${me} id=${"drop-accuracy"+u} main=${!0} ...${ge(r,s)} />
        <${me} id=${"drop-change"+u} main=${!0} ...${ge(i,s)} />
        <${me} ...${ge(c,s)} />
        <${me} id=${"drop-control"+u} ...${ge(Lr(o),s)} />
      `})}
  </div>`}function zr(e){const{model:t,choice:n}=e;return Na(e,{chosen:n.samples,intervention:qs,stale:"Cancelled before the first figure. The figures belong to the previous choice.",kept:"from cache",several:", one data set after the other",after:s=>qs(s)===Ca?" Click "+J(t).a_unit+" to drop it.":""})}const Hr=()=>$`<${_a} name="drop" look="drop-progress" followed=${ys} progressOf=${zr} />`;function Gr({id:e,name:t,value:n,before:s,said:o}){const a=Math.max(n||0,s||0)||1,r=i=>100*(i||0)/a+"%";return $`<div class="cost" id=${e}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:r(n),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!s} style=${{left:r(s)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function Jr({flops:e,saved:t}){return e===null?"counting":Yo(e)+(t===null?"":t>0?", "+ee(t)+" % saved":", nothing saved")}function Kr(){const{evaluation:e,fresh:t}=h,n=e&&e.baseline;return $`<div class="costs" data-fresh=${String(t)}>
    <${Gr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      said=${e?Jr(e):""}
    />
    <${Sa} id="drop-speed" evaluation=${t?e:null} />
  </div>`}function dn(){const{model:e,evaluation:t}=h;return e!==null&&!e.labels.length||t?.state==="done"&&!Qe("labels")}function Yr(){const{share:e,title:t}=R();return $`<${wt}
    name="accuracy"
    look="panel-drop-accuracy"
    title=${t}
    reads=${Un(Re.accuracy)}
    more=${xe.accuracy}
    words=${(e?"Accuracies":t)+" as a table"}
    height=${228}
    below=${$`<${Kr} />`}
  >
    <${qr} /><${Hr} />
  <//>`}const Xr=()=>$`<${wt}
    name="labels"
    title="Effect by label"
    reads=${Un(Re.labels)}
    more=${xe.labels}
    words="Effect by label as a table"
    height=${262}
    hidden=${dn()}
  />`,zs=()=>$`<${wt}
    name="domains"
    title="Effect by data set"
    reads=${Le(Br)}
    words="Effect by data set as a table"
    height=${102}
  />`,Vr=()=>$`<${wt}
    name="confidence"
    title="Accuracy by confidence"
    reads=${Re.confidence}
    more=${xe.confidence}
    words="Accuracy by confidence as a table"
    hidden=${!Qe("confidence")}
  />`,Hs={shown:Jt,units:()=>h.model?.units,write:ws,noSwap:({model:e})=>Pt(e)?"":"There is no model "+e+" here."};function Ze(){const{evaluation:e,pinned:t}=h,n=t&&ne.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Qr(){const{evaluation:e,pinned:t,status:n,problem:s}=h;if(!t)return"A is what is shown. To compare, drop other units or choose another model.";const o=e?.comparison?.problem;return o?"A and B are not compared. "+o:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Scoring A and B."}function Zr({comparison:{covered:e,total:t}}){return e===t?"On the same "+M(t)+" samples.":"So far on "+M(e)+" of "+M(t)+" samples, scored for both."}const ei=({of:e})=>$`<div class="compare-sides">
    ${["a","b"].map(t=>$`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${t.toUpperCase()}</span> ${ke(e[t])}</div>
            <div class="numbers">
              ${fe(e[t]).map(({where:n,evaluation:s})=>{const{accuracy:o,change:a}=ss(s);return $`
                  <${me} main=${!0} ...${ge(o,n)} />
                  <${me} ...${ge({...a,name:"Change to its full model"},n)} />
                `})}
            </div>
          </div>`)}
  </div>`,yt=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function ti({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...yt.map(([,s])=>s)];return $`<${Ba}
    look="compare-outcomes"
    heads=${n.map(s=>$`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:o})=>$`<tr>
          <th scope="row">${e.length>1||s==="out"?oe[s]:"all samples"}</th>
          ${yt.map(([a])=>$`<td data-outcome=${a}>${M(o?o[a]:0)}</td>`)}
        </tr>`)}
  />`}function ni({of:e}){const t=R(e.b.measure),n=e.comparison.by_distribution;return $`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:o,difference:{accuracy:a}})=>{const{value:r,detail:i}=Wt(a,t.change,""),c={name:"B minus A",value:r,unit:t.changeUnit,detail:i+", "+M(o)+" samples",mood:Ia(a,t.higher)},u=n.length>1||s==="out"?oe[s]:"";return $`<${me} id=${"drop-difference-"+s} main=${!0} ...${ge(c,u)} />`})}
    </div>
    <${ti} parts=${n} />
  `}const vt="importance-a",j=We({asked:"",importance:null,problem:""});function kt(){const{model:e,pinned:t}=h;if(!e||!t)return null;const n=sn(h),s=Qn.find(l=>t[l].length)??n.kind,o="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:a,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...c,model:t.model,kind:o,iterations:t.iterations};return{a:u,b:n,alike:Ne(u)===Ne(n)}}const Ne=e=>JSON.stringify(Object.entries(e).sort());function hn(){const e=kt(),t=le();if(!e||!t)return null;const{asked:n,importance:s}=j.value,o=e.alike?t:n===Ne(e.a)?s:null;return o&&(o.distribution??t.distribution)===(t.distribution??o.distribution)?{a:o,b:t}:null}function Gs(){const e=kt();e&&(j.value={asked:Ne(e.a),importance:null,problem:""},Dt(vt,"/importances",e.a))}const si=()=>{const e=jn(vt,async({job:n,problem:s})=>{const{value:o}=j,a=s??n?.problem;if(a&&(j.value={...o,problem:"detail"in a&&a.detail||"message"in a&&String(a.message)||"It failed."}),!n||n.state!=="done"||o.importance)return;const r=await _e("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);j.value.asked===o.asked&&(j.value={...o,importance:r})}),t=L(()=>{const n=Se.value.read_only&&le()?kt():null;n&&!n.alike&&j.value.asked!==Ne(n.a)&&he(Gs)});return()=>{e(),t(),je(vt),j.value={asked:"",importance:null,problem:""}}};function oi(){const e=kt();if(!e||hn())return null;if(!le())return $`<p class="hint">Compute the importance below to compare retention curves.</p>`;const t=j.value.asked===Ne(e.a),n=K(vt),s=t&&!j.value.problem&&(n.starting||!j.value.importance);return Se.value.read_only?t&&j.value.problem&&$`<p class="hint">${j.value.problem}</p>`:$`<p class="hint" role="status">
    <${Y} id="drop-curves" wait=${s} act=${Gs}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A"}
    <//>
    ${t&&j.value.problem}
  </p>`}function ai({a:e,b:t}){const{name:n}=R(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],o=c=>c?[c.value,c.low??"",c.high??""]:["","",""],a=new Map(fe(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of fe(e)){const[l,d]=[a.get(c),c&&", "+c];s.push([n+d,...o(u.accuracy),...o(l?.accuracy)]),s.push(["loss"+d,...o(u.loss),...o(l?.loss)])}const r=c=>c.name+(c.distribution?", "+c.distribution:""),i=hn();for(const c of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(l=>l?.retention??[]).map(l=>l.share_kept))].sort((l,d)=>d-l)){const[l,d]=[i?.a,i?.b].map(p=>p?.retention.find(m=>m.order===c&&m.share_kept===u)),f=p=>p?[p.accuracy,p.low,p.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...f(l),...f(d)])}for(const[c,u]of[["label ",Te],["",Ae]]){const l=new Map(u(t).map(d=>[r(d),d]));for(const d of u(e)){const f=l.get(r(d)),p=f?[f.accuracy,f.low,f.high]:["","",""];s.push([c+r(d),d.accuracy,d.low,d.high,...p])}}return s}function ri({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(oe).map(([r,i])=>[i,r])),o=t.by_distribution[0].name,a=[["what","distribution","samples","A","B","B_minus_A","low","high",...yt.map(([r])=>r)]];for(const{name:r,where:i,main:c,count:u,a:l,b:d,value:f,low:p,high:m}of As(t,e)){const g=c?n.get(s[i]??o):null,v=yt.map(([y])=>g?g[y]:"");a.push([r,i||oe[o],u,l,d,f,p??"",m??"",...v])}return a}const Js={compared:{title:"A and B",words:"A and B side by side",scene:({a:e,b:t},n,s)=>wr(e,t,n,{alone:s,curves:hn()}),rows:ai,Numbers:ei},difference:{title:"Difference, B minus A",words:"B minus A",scene:({b:e},t)=>yr(e,t),rows:ri,Numbers:ni}};function ii({a:e,b:t,comparison:n}){const[s,o]=[e,t].map(a=>Xn(a,Qt));return{...Zt(),a:s,b:o,samples_compared:n.covered}}function ci(e){const t=Ze();if(!t)return null;const{scene:n,rows:s}=Js[e],o=s(t),{a,...r}=t.comparison;return{name:"drop-"+e,facts:ii(t),rows:()=>o,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:(i=1e3)=>n(t,i,!0)}}}function Ks({name:e,children:t}){const{title:n,words:s,scene:o,rows:a,Numbers:r}=Js[e],i=Ze();return $`<${Ee}
    id=${"drop-"+e}
    title=${n}
    reads=${Re[e]}
    tag="caused"
    formats=${Ve}
    written=${()=>ci(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(h.fresh)}>
      <div class="compare-numbers">${i&&$`<${r} of=${i} />`}</div>
      <${Je}
        data=${{"data-key":e}}
        scene=${c=>{const u=Ze();return u&&o(u,c,!1)}}
        drawn=${()=>h.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${Ke}
      words=${s+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(i&&o(i,1e3,!0).desc)??""}
      rows=${i&&(()=>a(i))}
    />
  <//>`}function li(){it(si,[]);const e=Ze();return $`<div class="drop-compare" hidden=${!ne.value}>
    <div class="compare-words">
      ${ne.value&&$`<p class="hint" role="status">${e?Zr(e):Qr()}</p>`}
    </div>
    <${Ks} name="compared">
      <div class="compare-curves"><${oi} /></div>
    <//>
    <${Ks} name="difference" />
  </div>`}const ue=({experts:e,top_k:t})=>Math.min(t,e),ui=5e5,Ys=(e,t,n)=>Math.max(t,Math.min(n,e)),pn=e=>e.map(t=>t.experts),xt=(e,t)=>e.map(n=>Ys(Math.ceil(Number((n.experts*t).toFixed(9))),ue(n),n.experts)),Xs=(e,t,n)=>Qs(e,t,(s,o)=>o<=n),Vs=e=>e.slice(0,e.lastIndexOf("."));function Qs(e,t,n){const s=pn(e),o=new Map(e.map((r,i)=>[r.name,i]));let a=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,a))break;const i=o.get(Vs(r))??-1;i<0||s[i]<=ue(e[i])||(s[i]-=1,a-=1)}return s}function Zs(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const o=Vs(s);n.get(o)?.push(Number(s.slice(o.length+2))-1)}return e.map(({name:s,experts:o})=>{const a=n.get(s)??[],r=new Set(a),i=Array.from({length:o},(u,l)=>l).filter(u=>!r.has(u)),c=new Int32Array(o);return[...a,...i].forEach((u,l)=>c[u]=l),c})}const di=(e,t,n)=>e.flatMap((s,o)=>ht(s).filter((a,r)=>t[o][r]<s.experts-n[o]));function hi(e,t,n,s,o,a){const r=Ys(a,ue(t[o]),t[o].experts);return e==="alike"?xt(t,r/t[o].experts):e==="own"?s.map((i,c)=>c===o?r:i):Qs(t,n,i=>i[o]<=r)}const pi=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function eo(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),o=s-e.reduce((r,i)=>r+ue(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let a=0;for(let r=0;r<o;r+=n)a+=s-r+1;return a}function to(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((a,r)=>a+r.experts,0);let o=1;for(;o<s&&eo(t,e,o)*n>ui;)o*=2;return o}function fi(e,t,n){const s=e.map(a=>a.experts-ue(a)),o=e.findIndex(a=>a.experts===Math.max(...pn(e)));return Math.min(n,t==="all"?s.reduce((a,r)=>a+r,0):s[o])}const fn=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function no(e,t,n,s=!0){const o=ht(e),a=new Set(o),r=t.filter(d=>a.has(d)),i=fn(e,n);if(r.length&&r.length>=i)return{back:r};const c=t.filter(d=>!a.has(d)),u=i===e.experts||!i;if(!u&&!s)return{out:[...c,...o.slice(-i)]};const l=e.name+(u?".*":".least:"+i);return{rule:[...c,l]}}const Ce={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},mi={...Ce,mean:"at their mean"},Ot={drop:"Drop ",mute:"Mute ",mean:"Replace by the mean: ",resample:"Resample "},so="data-drop-unit",et=e=>e!==null&&e.units.length>Qo&&!W({model:e}),oo=e=>e!==null&&!et(e)&&!W({model:e});function Ie(e,t){const n=new Set(U());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:o}=h,a=new Set(Gt());if(!e.some(i=>a.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const c=o.units.filter(u=>i.has(u));q({units:c})}else ft([...n])}const mn=(e,t,n)=>t?"Bring "+e+" back":Ot[n]+e;function gi({unit:e,units:t,away:n,kind:s,measured:o}){const a=n?o?Ce[s]:"not "+Ce[s]+" yet":"",r=mn(e,n,s),[i,c]=[()=>be.value=e,()=>be.value=null];return $`<button
    type="button"
    class="chip"
    ...${{[so]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(a&&", "+a)+". "+r}
    onClick=${()=>Ie([e],!n)}
    onPointerEnter=${i}
    onPointerLeave=${c}
    onFocus=${i}
    onBlur=${c}
  >
    <span class="swatch" aria-hidden="true" style=${{background:Vo(t,e)}}></span>
    ${e}
    <span class="chip-state">${a}</span>
  </button>`}function $i(){const{model:e,choice:t,status:n,fresh:s}=h,o=s||n!=="failed"&&n!=="cancelled",[a,r]=[U(),oo(e)?e?.units??[]:[]];return $`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!oo(e)}
    onKeyDown=${Pa}
  >
    ${r.map(i=>$`<${gi} key=${i} ...${{unit:i,units:r,away:a.includes(i),kind:t.kind,measured:o}} />`)}
  </div>`}const bi=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function wi(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:Pn(n.connectivity).reverse()).map(o=>t.units[o])}function _t(e){const{model:t,graph:n}=h;return t?Zo(t.units,e,n&&n.connectivity):[]}function yi(){const{model:e,graph:t,choice:n}=h,{units:s,unit:o}=J(e),a=M(U().length)+" of "+M(e.units.length),r=t?"; stronger colour: better connected":"";return a+" "+(e.units.length===1?o:s)+" "+mi[n.kind]+r}function vi({asked:e,order:t}){const{model:n,graph:s,choice:o}=h;if(!n||!et(n))return null;const a=_t(e.value).length,r=ea(n.units,e.value,s&&s.connectivity,J(n)),i=()=>Ie(_t(e.value),!0);return $`
    <input
      type="search"
      class="small-input"
      id="drop-find"
      placeholder="m1, m5..m9, m1*, q<30"
      aria-label="Find units: names, ranges, a prefix with *, or the connectivity q"
      title="Names, ranges, a prefix with *, or the connectivity: q<30"
      autocomplete="off"
      aria-describedby="drop-unfound"
      value=${e.value}
      onInput=${c=>e.value=c.currentTarget.value}
      onKeyDown=${c=>c.key==="Enter"&&i()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${r}</span>
    <${Y} id="drop-take" wait=${!a} act=${i}>${(Ot[o.kind]+(a||"")).trim()}<//>
    <${Y} id="drop-bring" wait=${!a} act=${()=>Ie(_t(e.value),!1)}>Bring back<//>
    <${ct}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${bi}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!ye(h)}
    />
    <span class="hint" id="drop-count">${yi()}</span>
  `}function ki(){const[e,t]=[qe(""),qe("name")],n=Fn(null);return it(()=>{const s=n.current,o=new Da(s,so,{toggle:Ie,point:r=>be.value=r,about(r,i){const{graph:c,model:u,choice:l}=h,d=c?", q "+c.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+d+". "+mn(r,i,l.kind)}}),a=[L(()=>{const r=h,{graph:i,model:c}=r;et(c)&&(o.show(wi(t.value,r)),i&&o.shade(u=>i.connectivity[c.units.indexOf(u)]),o.ring(_t(e.value)))}),L(()=>{const{model:r,choice:i}=h;et(r)&&(o.mark(U(),Ce[i.kind]),s.dataset.kind=i.kind)})];return()=>a.forEach(r=>r())},[]),$`<div class="drop-many" hidden=${!et(h.model)}>
    <div class="interventions drop-row"><${vi} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}function xi(){if(!ye(h))return null;const{model:e,graph:t,graphProblem:n,choice:s}=h,o=s.edges===null?1:s.edges;return $`<div class="interventions drop-row">
    <${Ut}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onInput=${a=>q({least:a},!0)}
    />
    <${Ut}
      id="drop-edges"
      name="share of links kept"
      label="Share of the links kept, the most probable first"
      value=${Math.round(100*o)}
      most=${100}
      words=${Xo(o)+" %"}
      onInput=${a=>q({edges:a===100?null:a/100},!0)}
    />
    <span class="hint"> ${n?"No graph: "+n.message:t?"":"Reading the graph"} </span>
  </div>`}const Oi="data-drop-unit",tt="data-drop-layer",ao=({id:e,name:t,unit:n="",value:s,least:o,most:a,act:r})=>$`<span class="control">
    <label class="control-name" for=${e}>${t}</label>
    <input
      type="number"
      class="small-input expert-count"
      id=${e}
      min=${o}
      max=${a}
      value=${s.value}
      onInput=${i=>{const c=Number(i.currentTarget.value);Number.isInteger(c)&&(s.value=c)}}
      onKeyDown=${i=>i.key==="Enter"&&r()}
    />
    ${n&&$`<span class="hint">${n}</span>`}
  </span>`;function _i(){const{model:e,choice:t,use:n,sets:s}=h,{units:o}=J(e),a=U().length,r=M(a)+" of "+M(e.units.length)+" "+o+" "+Ce[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; choose a data set to see their use"}function Si(){const{model:e,use:t}=h;return t?(Ua(e?.layers??[])?"Shade and number":"Shade")+": observed "+Z.weight+" in % of the layer, all experts on, "+M(t.count)+" samples of "+t.data.join(", ")+".":""}function Mi({least:e,share:t}){const{model:n,choice:s,ruled:o,sets:a}=h;if(!n||!W(h))return null;const r=(n.layers??[]).reduce((f,p)=>f+fn(p,s),0),i=()=>mt(["least:"+e.value]),c=()=>mt(["share:"+t.value/100]),u=Ot[s.kind].trim(),l=!U().length,d=$`
    <${ao}
      id="drop-least-used"
      name=${"Least "+Z.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${Y} id="drop-take-least" act=${i}>${u}<//>
    <${ao}
      id="drop-share"
      name="Share of each layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${c}
    />
    <${Y} id="drop-take-share" act=${c}>${u}<//>
  `;return $`
    ${a.length>0&&d}
    <${Y} id="drop-bring" wait=${l} act=${()=>ft([])}>Bring all back<//>
    <span class="hint" id="drop-count">${_i()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!o?.refused)}>
      ${o?o.text:""}
    </span>
  `}function Ei(e){const{model:t,choice:n,sets:s}=h,o=(t.layers??[]).find(r=>r.name===e);if(!o)return;const a=no(o,U(),n,s.length>0);"back"in a?Ie(a.back,!1):"out"in a?ft(a.out):mt(a.rule)}function Ai(){const[e,t]=[qe(4),qe(25)],n=Fn(null);return it(()=>Ti(n.current),[]),$`<div class="drop-experts" hidden=${!W(h)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const o=s.target instanceof Element&&s.target.closest("["+tt+"]")?.getAttribute(tt);o&&Ei(o)}}
    ></div>
    <p class="hint expert-legend">${Si()}</p>
    <div class="interventions drop-row"><${Mi} least=${e} share=${t} /></div>
  </div>`}function Ti(e){const t=new Wa(e,Oi,{toggle:Ie,point:n=>be.value=n,about(n,s){const{use:o,choice:a}=h,r=o?.units.find(c=>c.unit===n),i=r?", "+Z.weight+" "+ee(r.share)+" % of its layer":"";return n+i+". "+mn(n,s,a.kind)}});return Ht(({model:n,choice:s,use:o,sets:a},r)=>{if(!(!n||!W({model:n}))&&(r.has("model")&&t.lay(n.layers??[],tt),(r.has("model")||r.has("use"))&&t.tell(o&&new Map(o.units.map(({unit:i,share:c})=>[i,c]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(U(),Ce[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+tt+"]")){const c=(n.layers??[]).find(m=>m.name===i.getAttribute(tt));if(!c)continue;const u=no(c,U(),s),l=c.experts-fn(c,s),d=a.length?l+" most used experts of ":"first "+l+" experts of ",f=l?"all but the "+d:"all experts of ",p=("back"in u?"Bring back the experts of ":Ot[s.kind]+f)+"layer "+as(c.name);i.setAttribute("title",p),i.setAttribute("aria-label","layer "+as(c.name)+". "+p)}}})}const Ri=.25;function Ni({title:e,rows:t,measure:{name:n,unit:s,share:o},uncertainty:a,lost:r=n+" lost without the unit"},i,{step:c=26,pointed:u=null}={}){const l=t.filter(({value:b})=>b!==null),d=o?100:1,f=o?"points":s||n,p=b=>o?ta(d*(b??0),1):na(b??0),m=(b,at,rt)=>p(b)+(at===null||rt===null?"":" ("+p(at)+" to "+p(rt)+")"),g=24+Math.min(.3*i,Ge(t.map(b=>b.unit))),v=t.flatMap(b=>[b.lost,b.lost_low,b.lost_high,b.value,b.low,b.high]).map(b=>d*(b??0)),[y,_]=[Math.min(0,...v),Math.max(0,...v)],O=.03*(_-y||1),S=D([y-O,_+O],[g,i-16],{most:i<420?4:7,round:!1}),A=ja(t,{top:qt,step:c}),N=b=>b===null?NaN:S(d*b),x=l.length?Math.round(c/5):0,T=b=>A(b)+x,C=b=>A(b)-x,E=b=>u&&u!==b.unit?Ri:1,H=l.length&&l.every(b=>b.paint)?"dim":"accent",Bt=[...l.length?[{text:"Shapley value, "+a,key:"bar",fill:H}]:[],{text:r,key:"diamond",fill:"surface",stroke:"ink",width:1.5}],G=o?"points of "+n:n+(s&&!n.startsWith(s)?", "+s:""),De=Ft(G+" (above 0: the unit helps)",{y:A.end+32,ends:S.range,within:[0,i]});return se({width:i,height:A.end+40+De.more,title:e,desc:t.map(b=>b.unit+" "+p(b.value??b.lost)).join(", ")+" "+f+". Above 0 the unit helps.",marks:[He(Bt,{x:Math.min(g,24),y:10,width:i}).marks,Me(S,[qt,A.end]),ut([0],{x:[S(0),S(0)],y:[qt,A.end],stroke:"ink"}),pt(l,{x:b=>[S(0),N(b.value)],y:b=>[C(b)-4,C(b)+4],fill:b=>b.paint??"accent",opacity:E,words:b=>b.unit+": Shapley value "+m(b.value,b.low,b.high)+" "+f}),re(l,{x:b=>[N(b.low),N(b.high)],y:C,stroke:"ink",r:3,opacity:E}),re(t,{x:b=>[N(b.lost_low),N(b.lost_high)],y:T,stroke:"dim",r:3,opacity:E}),zt(t,{x:b=>N(b.lost),y:T,text:"diamond",fill:"surface",stroke:b=>b.paint??"ink",width:2,opacity:E,words:b=>b.unit+": "+m(b.lost,b.lost_low,b.lost_high)+" "+f+", "+r}),X(t,{x:g-10,y:A,text:b=>b.unit,anchor:"end",room:g-12,opacity:E}),De.marks]})}const ro=24,gn=1.96,io=.25,Ci=12,[Ii,$n,Bi,co]=[250,46,14,38];function St(e){const[t,n]=[Ln(),sa(e)];return s=>t.unit(n.get(s)??0)}function bn({measure:e}){const{name:t,higher:n}=R(e);return t+(n?" lost":" added")+" without the unit alone"}const lo=({shapley:e,single:t})=>new Map(e.length?e.map(({unit:n,value:s})=>[n,Math.abs(s)]):t.map(({unit:n,change:s})=>[n,Math.abs(s)]));function Oe({units:e,shapley:t,single:n}){if(e.length<=ro)return e;const s=lo({shapley:t,single:n}),o=new Map(n.map(({unit:c,loss_change:u})=>[c,Math.abs(u)])),a=(c,u)=>c.get(u)??0,r=e.toSorted((c,u)=>a(s,u)-a(s,c)||a(o,u)-a(o,c)),i=r.filter(c=>a(s,c));return(i.length?i:r).slice(0,ro)}function uo(e){const[t,n]=[e.units.length,Oe(e).length],s=[...lo(e).values()].filter(Boolean).length;return s?n===t?"":n<s?"Shown: the "+n+" largest of "+t+".":"Shown: "+n+" of "+t+"; the others have effect 0.":"Dropping one unit never changes the "+e.measure.name+". Shown: "+n+" of "+t+" units."}const ho=({shapley:e},t)=>t.length<=10?30:e.length?26:20;function Pi(e,t,{title:n,pointed:s}){const o=Oe(e),a=[...new Set(e.usage.map(({step:d})=>d))],r=new Map(e.usage.map(({unit:d,step:f,share:p})=>[d+" "+f,p])),i=Math.max(1e-9,...r.values()),c=St(e.units),u=a.some(d=>d.includes(".")),l=o.map(d=>a.map(f=>{const p=r.get(d+" "+f);if(p===void 0)return null;const m=p/i*(s&&s!==d?io:1),g=i>=.2?Math.round(100*p)+" %":ee(p)+" %";return{shade:m,text:g,words:d+", "+Fa(f)+": "+ee(p)+" % of the routing weight"}}));return rs({rows:o,columns:u?a:a.map(La),cells:l,width:t,paints:o.map(c),tall:ho(e,o)-2,wide:110,above:a.every(d=>/^i\d+$/.test(d))?"iteration":"step",title:n,desc:"Mean share of routing weight of each unit at each step, nothing dropped."})}function po({value:e,low:t,high:n,standard_error:s}){return t!==null&&n!==null?{low:t,high:n}:s===null?{low:null,high:null}:{low:e-gn*s,high:e+gn*s}}function fo(e){const t=R(e.measure).higher?-1:1,[n,s]=[St(e.units),new Map(e.shapley.map(a=>[a.unit,a]))],o=new Map(e.single.map(a=>[a.unit,a]));return Oe(e).flatMap(a=>{const[r,i]=[s.get(a),o.get(a)];if(!i)return[];const[c,u]=[t*i.low,t*i.high].sort((d,f)=>d-f),l=r?{value:r.value,...po(r)}:{value:null,low:null,high:null};return[{unit:a,paint:n(a),lost:t*i.change,lost_low:c,lost_high:u,...l}]})}const Di=(e,t,{title:n,pointed:s})=>Ni({title:n,rows:fo(e),measure:{...e.measure,share:R(e.measure).share},uncertainty:e.exact?"95 % over samples":"95 % over orders",lost:bn(e)},t,{step:ho(e,Oe(e)),pointed:s}),Wi=({low:e,high:t})=>e!==null&&t!==null&&(e>0||t<0);function Ui(e,t,{title:n}){const{units:s}=e,{change:o,changeUnit:a}=R(e.measure),r=new Map(e.interactions.flatMap(u=>[[u.unit+" "+u.other,u],[u.other+" "+u.unit,u]])),i=Math.max(1e-9,...e.interactions.map(({value:u})=>Math.abs(u))),c=s.map(u=>s.map(l=>{const d=u===l?void 0:r.get(u+" "+l);if(!d)return null;const{value:f,detail:p}=Wt(d,o,""),m=u+" and "+l+": "+f+" "+a+(p&&", "+p);return{shade:d.value/i,text:o(d.value),words:m,framed:Wi(d)}}));return rs({rows:s,columns:s,cells:c,width:t,paints:s.map(St(s)),tall:s.length<=10?38:void 0,above:"red: below 0, blue: above 0; strongest colour: "+o(i).replace("+","")+" "+a,title:n,desc:"Effect of dropping a pair minus the two single effects, in "+a+". Framed: the interval excludes 0."})}function wn({width:e,view:t,up:n,across:s,keys:o=[],room:a=0,xOf:r,yOf:i,strong:c=null,inside:u,desc:l}){const d=He([{text:n,key:"none",ink:"ink",weight:600},...o],{x:8,y:10,width:e}),[f,p,m]=[d.height+10,d.height+Ii-co,e-Bi-a],[g,v]=[r([$n,m]),i([p,f])],y=Ft(s,{y:p+32,ends:[$n,m],within:[0,e]});return se({width:e,height:p+co+y.more,title:t.title,desc:l,marks:[ze(v,[$n,m],{strong:c}),Me(g,[p,p],{grid:!1}),y.marks,u(g,v),d.marks]})}const ji=e=>e<=20?Array.from({length:e+1},(t,n)=>n):D([0,e],[0,1],{most:8,round:!1}).ticks,mo=({measure:e},t)=>{const n=R(e);return s=>n.share?ts(n,[],s):D([Math.min(...t),Math.max(...t)],s,{most:6})};function Mt({measure:e}){const{title:t,unit:n}=R(e);return t+(n&&n!=="%"&&!e.name.startsWith(n)?", "+n:"")}const Fi=[{order:"best first",text:"best kept",stroke:"accent",shape:"dot"},{order:"greedy best",text:"best, greedy",stroke:"accent",dash:[2,3],shape:"dot",hollow:!0},{order:"worst first",text:"worst kept",stroke:"bad",shape:"square"},{order:"greedy worst",text:"worst, greedy",stroke:"bad",dash:[2,3],shape:"square",hollow:!0},{order:"least connected first",text:"best connected kept",stroke:"good",dash:[9,3],shape:"diamond"},{order:"most connected first",text:"least connected kept",stroke:4,dash:[9,3,2,3],shape:"diamond"},{order:"random",text:"random sets",stroke:"dim",dash:[5,4],shape:"diamond",hollow:!0}];function Li({order:e,draws:t,low:n,high:s,units:o,accuracy:a},{measure:r},i){const c=R(r),u=te(c,a);return e==="random"?t+" random sets: "+u+" on average, "+c.show(n)+" to "+te(c,s):i+": "+u+", kept: "+(o.length>Ci?o.length+" units":o.join(", ")||"none")}function qi({retention:e}){return[...new Set(e.map(({dropped:n})=>n))].sort((n,s)=>n-s).flatMap(n=>{const s=e.flatMap(o=>o.dropped===n&&o.flops!==null?[o.flops]:[]);return s.length?[{dropped:n,cost:s.reduce((o,a)=>o+a,0)/s.length/1e6}]:[]})}function zi(e,t,n){const s=e.units.length,o=Fi.map(({stroke:l,...d})=>({...d,stroke:typeof l=="number"?Ln().unit(l):l,points:e.retention.filter(({order:f})=>f===d.order).sort((f,p)=>f.dropped-p.dropped)})).filter(({points:l})=>l.length),a=n.flops?qi(e):[],r=Math.max(...a.map(({cost:l})=>l)),i=l=>D([0,r],l,{most:5}),c=a.length?14+Ge(i([0,1]).ticks.map(i([0,1]).named),11):0,u={text:"MFLOP per sample, right axis",stroke:"ink",width:1,dash:[7,3,1,3]};return wn({width:t,view:n,up:Mt(e),across:"units kept, of "+s,keys:[...o.map(({text:l,stroke:d,dash:f})=>({text:l,stroke:d,dash:f,width:2})),...a.length?[u]:[]],room:c,xOf:l=>D([s,0],l,{ticks:ji(s).toReversed(),named:String}),yOf:mo(e,e.retention.flatMap(({accuracy:l,low:d,high:f,order:p})=>p==="random"?[l,d,f]:[l])),desc:Mt(e)+" against how many units are kept, by order: "+o.map(({text:l})=>l).join(", ")+". The band spans random sets.",inside(l,d){const f={x:({dropped:v})=>l(s-v),y:({accuracy:v})=>d(v)},[p,m]=d.range,g=i([p,m]);return[Lt(o.find(({order:v})=>v==="random")?.points??[],{...f,y:({low:v,high:y})=>[d(v),d(y)],fill:"unmatched"}),o.toReversed().map(({points:v,stroke:y,dash:_,shape:O,hollow:S,text:A})=>{const N={...f,r:3.5,fill:S?"surface":y,stroke:y,width:1.2,words:x=>Li(x,e,A)};return[ie(v,{...f,stroke:y,dash:_}),O==="dot"?pe(v,N):zt(v,{...N,text:O})]}),ie(a,{x:f.x,y:v=>g(v.cost),stroke:u.stroke,width:1,dash:u.dash}),a.length?ze(g,[t-2,t-2],{grid:!1}):[]]}})}function Hi(e,t,n){const s=e.anytime.toSorted((r,i)=>r.iterations-i.iterations),{passes:o="iterations"}=n,a=R(e.measure);return wn({width:t,view:n,up:Mt(e),across:o+" run",xOf:r=>D([s[0].iterations,s[s.length-1].iterations],r,{ticks:s.map(({iterations:i})=>i),named:String}),yOf:mo(e,s.flatMap(({low:r,high:i})=>[r,i])),desc:Mt(e)+" after each number of "+o+": "+s.map(({iterations:r,accuracy:i})=>r+": "+te(a,i)).join(", "),inside(r,i){const c={x:({iterations:l})=>r(l),y:({accuracy:l})=>i(l)},u=l=>l?"; "+Number((l/1e6).toPrecision(3))+" MFLOP per sample":"";return[ie(s,{...c,stroke:"accent"}),re(s,{...c,y:({low:l,high:d})=>[i(l),i(d)],r:3}),pe(s,{...c,fill:"accent",words:({iterations:l,accuracy:d,low:f,high:p,flops:m})=>l+" "+(l===1?o.slice(0,-1):o)+": "+te(a,d)+", "+Wt({value:d,low:f,high:p},a.show,"").detail+u(m)})]}})}function Gi(e,t,n){const[{share:s,change:o,changeUnit:a},r]=[R(e.measure),St(e.units)],i=s?100:1,c=Oe(e),u=({value:p,standard_error:m})=>[-1,0,1].map(g=>i*(p+g*gn*(m??0))),l=c.map(p=>({unit:p,points:e.convergence.filter(m=>m.unit===p).sort((m,g)=>m.permutations-g.permutations)})),d=l.flatMap(({points:p})=>p.flatMap(u)),f=Math.max(1,...e.convergence.map(({permutations:p})=>p));return wn({width:t,view:n,up:"Shapley value, "+a,across:"sampled orders of the units",strong:0,keys:c.map(p=>({text:p,stroke:r(p),width:3})),xOf:p=>D([0,f],p,{most:6,round:!1}),yOf:p=>D([Math.min(0,...d),Math.max(0,...d)],p,{most:6}),desc:"Shapley values against the number of sampled orders, with 95 % intervals.",inside:(p,m)=>l.map(({unit:g,points:v})=>{const y={x:({permutations:O})=>p(O),y:({value:O})=>m(i*O)},_={stroke:r(g),opacity:n.pointed&&n.pointed!==g?io:1};return[re(v.filter(O=>O.standard_error!==null),{...y,..._,r:0,width:1,y:O=>[m(u(O)[0]),m(u(O)[2])]}),ie(v,{...y,..._}),pe(v,{...y,r:2,fill:r(g),opacity:_.opacity,words:({permutations:O,value:S})=>g+": "+o(S)+" "+a+" after "+O+" orders"})]})})}var Ji=Object.freeze({__proto__:null,anytime:Hi,convergence:Gi,effect:Di,effectRows:fo,interactions:Ui,intervalOf:po,lostWords:bn,retention:zi,shownWords:uo,unitsShown:Oe,use:Pi});const yn=We(!1),go=e=>e[0].toUpperCase()+e.slice(1),$o={use:{title:"Observed use",reads:()=>Le(Pr)},effect:{title:"Caused effect",reads(e){if(!e)return"";const t=bn(e),n="Bars: Shapley values. Diamonds: "+t+".";return[e.shapley.length?n:go(t)+".","Whiskers: 95 %.",uo(e)].filter(Boolean).join(" ")}},retention:{title:"Retention",reads:e=>R(e?.measure).title+Le({"":" as {units} are dropped, with the best or the worst kept longest. Band: random sets of the same size."}),has:e=>e.retention.length>0},interactions:{title:"Interactions",reads:e=>"Effect of a pair minus both single effects, in "+R(e?.measure).changeUnit+". Below 0: worse together. Framed: 95 % interval excludes 0.",has:e=>e.interactions.length>0},anytime:{title:"Iterations",reads:()=>Le({"":"The full model after each number of {passes}. Whiskers: 95 % intervals."}),has:e=>e.anytime.length>1},convergence:{title:"Convergence",reads:()=>"Shapley values against the number of sampled orders. Whiskers: 95 % intervals (1.96 standard errors).",has:e=>e.convergence.length>0}};function bo(e,t){const n=le();if(!n)return null;const s=e===V,o=Ds(n,s?"effect":e),a=ns(n,e);return{name:e,facts:{...Tr(n),kind:e==="use"?"observed":"caused",...Object.keys(a).length?{signs:a}:{}},python:e==="convergence"&&n.exact?void 0:{figure:"importance",panel:e},rows:()=>Ps(o),json:()=>s?{result:n}:{[Bs[e]]:o},picture:t}}function Be({name:e,width:t=640,children:n}){const s=le(),{reads:o,has:a=()=>!0}=$o[e],r=!s||!a(s),{passes:i}=J(jt()),c=e==="anytime"?go(i):$o[e].title,u=e==="use"||e==="effect"||e==="convergence";function l(f,p=null){const m=le();if(!m||!a(m))return null;const g=c+ln(m)+": "+m.model;return Ji[e](m,f,{title:g,passes:i,pointed:p,flops:yn.value})}const d=f=>{const p=e==="use"&&s?Oe(s)[f?.row??-1]:void 0;be.value=f?.unit??p??null};return $`<${Ee}
    id=${e}
    title=${c}
    reads=${o(s)}
    more=${xe[e]}
    tag=${e==="use"?"observed":"caused"}
    formats=${Ve}
    written=${()=>bo(e,r?{}:{scene:f=>l(f??t)})}
    hidden=${r}
  >
    ${n}
    <${Je}
      id=${"plot-"+e}
      scene=${f=>l(f,u?be.value:null)}
      onPoint=${u?d:void 0}
      drawn=${()=>le()?.id??""}
      label=${f=>f.title+". "+f.desc}
    />
    <${Ke}
      words=${c+" as a table"}
      caption=${()=>s&&c+ln(s)+", "+s.words+Nr(s,e)}
      rows=${s&&(()=>Ps(Ds(s,e)))}
    />
  <//>`}function Ki(){const{job:e,starting:t,problem:n}=K(V),s=Sr();if(s)return $`<p class="hint" role="alert">${s.title+". "+s.message}</p>`;if(Se.value.read_only)return Hn(n)&&$`<p class="hint" id="importance-refused">${n?.message}</p>`;if(!h.model||e||t||n||h.problem?.refused)return null;const[o,a]=_r(h);return $`
    <button type="button" class="button" id="importance-start" onClick=${Is}>${o}</button>
    <p class="hint">${a}</p>
  `}const wo=({id:e,name:t,hint:n,...s})=>$`<div class="control importance-of">
    <label class="control-name" for=${e}>${t}</label>
    <${ct} id=${e} look="small-input" ...${s} />
    <span class="hint">${n}</span>
  </div>`;function Yi(){const e=on(h);if(e.length<2)return null;const{distribution:t}=h.choice;return $`<${wo}
    id="importance-distribution"
    name="Data"
    hint="Trained-on and held-out data are never mixed."
    options=${e.map(n=>[n,oe[n]])}
    chosen=${e.includes(t)?t:e[0]}
    onChoose=${n=>Yt(n===e[0]?"in":n)}
  />`}function Xi(){if(!W(h))return null;const e=(h.model?.layers??[]).map(({name:t})=>[t,Fe(t)+": Shapley values"]);return $`<${wo}
    id="importance-layer"
    name="Experts"
    hint="Shapley values compare the experts of one layer; all others stay."
    options=${[["","each expert alone"],...e]}
    chosen=${Q.value}
    onChoose=${t=>Q.value=t}
  />`}const Vi=({of:e})=>$`<dl class="fact-list">
    ${Cr(e).map(([t,n])=>$`<div>
          <dt>${t}</dt>
          <dd>${n}</dd>
        </div>`)}
  </dl>`;function Qi(){const e=le(),{name:t}=R(e?.measure);return $`<div class="importance-grid">
    <${Ee}
      id=${V}
      title="Importance of every unit"
      reads="Scores with some units dropped, on the same samples. A unit that is used a lot may not be needed: compare the panels below."
      more=${xe.importance}
      tag="caused"
      formats=${["csv","json"]}
      written=${()=>bo(V,{})}
    >
      <${qn} name=${V} what="Subsets of units" />
      <div class="importance-facts" data-result=${e?e.id:""}>
        <${Yi} /><${Xi} /><${Ki} />
        ${e?$`<${Vi} of=${e} />`:$`<p class="hint writes">The panels appear below when the scores are computed.</p>`}
      </div>
    <//>
    <${Be} name="use" />
    <${Be} name="effect" />
    <${Be} name="retention">
      <div class="control">
        <${zn}
          id="drop-second-axis"
          label="Second axis"
          options=${[["none",t+" alone"],["flops","with FLOPs"]]}
          chosen=${yn.value?"flops":"none"}
          onChoose=${n=>yn.value=n==="flops"}
        />
      </div>
    <//>
    <${Be} name="interactions" width=${480} />
    <${Be} name="anytime" width=${480} />
    <${Be} name="convergence" />
  </div>`}const[Zi,vn,yo,ec,tc,nc]=[236,196,52,14,30,36],Pe={tokens:"by "+Z.tokens,weight:"by "+Z.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"random order"},sc=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),Et=e=>e==="all"?"all data sets":e,oc=(e,t)=>t==="figure"?e.figure:e.change,ac=(e,t)=>t==="figure"?e.random:e.random_change,vo=e=>e?[e.value,e.low,e.high]:[];function nt(e,t){const{value:n,low:s,high:o}=e;return t(n)+(s===null||o===null?"":" (95 %: "+t(s)+" to "+t(o)+")")}const rc=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),ko=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,At=e=>e===void 0?"":", over "+M(e)+" samples",xo=(e,t)=>e.draws??t.draws;function ic(e){const t=e.curve.filter(o=>o.random).map(o=>xo(o,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function cc(e,t){const n=R(t.measure),s=i=>te(n,i),o=i=>n.change(i)+" "+n.changeUnit,a=Et(e.domain)+", "+ee(e.share)+" % kept ("+M(e.experts)+" experts), "+Pe[t.order]+": ",r=e.random&&e.random_change?"; "+xo(e,t)+" random sets "+s(e.random.value)+rc(e.random,s):"";return a+nt(e.figure,s)+"; change "+nt(e.change,o)+At(ko(t,e.domain))+r}function lc({found:e,domain:t,shown:n,mark:s,dx:o,dy:a,width:r}){const i=R(e.measure),c=e.curve.filter(k=>k.domain===t).sort((k,I)=>I.share-k.share),u=e.baseline.find(k=>k.domain===t)?.figure,l=n==="figure"?u:{value:0,low:null,high:null},d=s.figures.get(t),f=d&&(n==="figure"?d.figure:d.change),p=[...l?[{share:1,at:l}]:[],...c.map(k=>({share:k.share,at:oc(k,n)}))],m=c.flatMap(k=>[ac(k,n)].flatMap(I=>I?[{share:k.share,at:I}]:[])),v=[...p,...m].flatMap(({at:k})=>vo(k)).concat(vo(f)).filter(k=>k!==null),[y,_]=[Math.min(...v),Math.max(...v)],O=.06*(_-y||Math.abs(_)||1),[S,A,N,x]=[o+yo,o+r-ec,a+tc,a+vn-nc],T=Math.min(s.share,...c.map(k=>k.share),.9),C=D([1,T],[S,A],{round:!1,ticks:[1,.75,.5,.25,0].filter(k=>k>=T-.02),named:k=>Math.round(100*k)+(k===1?" %":"")}),E=i.share?100:1,H=D([E*(y-O),E*(_+O)],[x,N],{round:!1,most:6}),{named:Bt}=H;n==="change"&&(H.named=k=>(k>0?"+":"")+Bt(k));const G={x:({share:k})=>C(k),y:({at:k})=>H(E*k.value)},De=({at:{low:k,high:I}})=>k===null||I===null?null:[H(E*k),H(E*I)],b=k=>te(i,k),at=k=>l&&!k?Et(t)+", all experts: "+nt(u??l,b)+At(ko(e,t)):cc(c[k-(l?1:0)],e),rt=(k,I)=>l&&!I?"ink":"accent",An=d&&f?[{share:s.share,at:f}]:[],Tn=m.length&&l?[{share:1,at:{...l,low:l.value,high:l.value}},...m]:m;return[X([Et(t)],{x:S,y:a+14,down:0,size:12.5,weight:650,room:A-S}),ze(H,[S,A],{strong:n==="change"?0:null}),Me(C,[N,x],{grid:!1}),Lt(Tn,{...G,y:({at:{value:k,low:I,high:jo}})=>[H(E*(I??k)),H(E*(jo??k))],fill:"unmatched"}),ie(Tn,{...G,stroke:"unmatched",width:1.5,dash:[4,3]}),ut([s],{x:G.x,y:[N,x],stroke:"marker",width:1.2,dash:[3,3]}),p.length>1?ie(p,{...G,stroke:"accent"}):[],re(p,{...G,y:De,r:0,stroke:rt}),pe(p,{...G,r:3.5,fill:(k,I)=>l&&!I?"surface":"accent",stroke:(k,I)=>l&&!I?"ink":void 0,width:1.5,words:(k,I)=>at(I),reach:14,rise:14}),re(An,{...G,y:De,r:0,stroke:"marker"}),zt(An,{...G,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:d&&uc(t,s,d,i),reach:14,rise:14})]}function uc(e,{share:t},{figure:n,change:s,count:o},a){const r=u=>te(a,u),i=u=>a.change(u)+" "+a.changeUnit;return Et(e)+", with the experts dropped on this page, "+ee(t)+" % kept: "+nt(n,r)+(s?"; change "+nt(s,i):"")+At(o)}function Oo(e,t,n,s){const o=sc(e),a=Math.max(1,Math.min(o.length,Math.floor(s/Zi))),r=s/a,i=Math.ceil(o.length/a)*vn,c=R(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",l=t==="figure"?c.title+u:"Change of "+c.name,d=He([{text:l,key:"none",ink:"ink",weight:600},{text:Pe[e.order]+"; whiskers 95 %"+At(e.count),stroke:"accent"},...e.draws?[{text:ic(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:yo,y:i+8,width:s,size:11.5});return se({width:s,height:i+d.height+4,title:l+" while fewer experts are kept, "+Pe[e.order]+": "+e.model,desc:"A facet a data set: "+l+" against the share of experts that is kept. The line goes "+Pe[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed line marks the bars.",marks:[o.map((f,p)=>lc({found:e,domain:f,shown:t,mark:n,width:r,dx:p%a*r,dy:Math.floor(p/a)*vn})),d.marks]})}const _o=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:o,change:a,random:r,random_change:i})=>[t,n,s,...[o,a,r,i].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],Tt=26,[So,dc,st]=[5,40,18],[kn,hc]=[.25,.85],Rt="Filled cells stay (darker: dropped later). Struck cells are dropped.";function Mo(e,t,n=So){const s=Math.max(1,...e.map(r=>r.experts)),o=t/s,a=Math.max(n,Math.min(dc,o<So?o:Math.floor(o)));return{cell:a,width:a*s,height:Tt*e.length}}function pc({layers:e,counts:t,places:n},s,o){if(!n)return{goes:!1,opacity:kn};const a=e[s].experts-t[s],r=n[s][o],i=Math.max(1,e[s].experts-1);return{goes:r<a,opacity:kn+(hc-kn)*r/i}}function Eo(e,t,n,s){const o=n-(n>8?2:n>3?1:0),a=e.layers.flatMap((l,d)=>Array.from({length:l.experts},(f,p)=>{const[m,g]=[t+p*n,d*Tt+(Tt-st)/2];return{row:d,expert:p,x:m,y:g,...pc(e,d,p)}})),r=(l,d=st)=>({x:({x:f})=>[f+l,f+o-l],y:({y:f})=>[f+(st-d)/2+l,f+(st+d)/2-l]}),[i,c]=[!1,!0].map(l=>a.filter(({goes:d})=>d===l)),u={x:r(3).x,y:({y:l})=>[l+st-3,l+3]};return[pt(i,{...r(0),fill:"accent",opacity:({opacity:l})=>l,words:s}),o>7?[pt(c,{...r(.5),stroke:"bad",width:1,words:s}),ut(c,{...u,stroke:"bad"})]:pt(c,{...r(0,2),fill:"bad",words:s})]}function fc(e,t,n,s){const{cell:o,width:a,height:r}=Mo(e.layers,t);return se({width:a,height:r,title:n,desc:Rt,marks:Eo(e,0,o,s)})}function mc(e,t,n){const{layers:s,counts:o}=e,a=s.map(({name:l})=>Fe(l)),r=s.map((l,d)=>o[d]+" of "+l.experts),i=Math.min(.3*t,Math.ceil(Ge(a,11.5))+12),c=Mo(s,t-i-Ge(r,11.5)-10,.5),u=(l,d)=>(d+.5)*Tt;return se({width:t,height:c.height+6,title:n,desc:"A row a layer, a cell an expert. "+Rt,marks:[X(a,{x:i-8,y:u,size:11.5,anchor:"end",room:i-10}),Eo(e,i,c.cell),X(r,{x:i+c.width+8,y:u,size:11.5,fill:"dim"})]})}const F="pruning",Nt=8,gc=64*1024*1024,$c=700,bc=20,{state:w,update:P,subscribe:ol}=Nn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function ot(){const{model:e,order:t,way:n,samples:s,draws:o,layers:a}=w,r=n==="together"?"all":"layer",i=to(t,a,s);return{model:e,data:ae(),samples:s,order:t,scope:r,at_once:i,points:Nt,draws:o,seed:0}}function Ao(){const{model:e,data:t,samples:n,order:s,at_once:o,seed:a}=ot();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:o,seed:a})}function z(){const{known:e,order:t}=w,n=e&&e.of===Ao()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=h;return t!=="weight"||!s?null:{...wc(s),of:"",preliminary:!0}}let Ct=null;function wc(e){const{layers:t}=w;if(Ct?.use===e&&Ct.layers===t)return Ct;const n=pi(e);return Ct={use:e,layers:t,sequence:n,places:Zs(t,n)}}function To(){const e=z();return e?di(w.layers,e.places,w.counts):[]}function de(){return{stay:w.counts.reduce((t,n)=>t+n,0),whole:w.layers.reduce((t,n)=>t+n.experts,0)}}function yc(e,t){const{way:n,layers:s,counts:o}=w;P({counts:hi(n,s,z()?.sequence??[],o,e,t),said:""})}function vc(e){const{way:t,layers:n}=w,s=z()?.sequence??[],o=t==="together"?Xs(n,s,e):xt(n,e/de().whole);P({counts:o,said:""})}const kc=()=>P({counts:pn(w.layers),said:""});function It(e){const t=JSON.stringify(ot());P({...e,said:""}),w.way!=="own"&&Ro(),JSON.stringify(ot())!==t&&(w.found&&P({found:null}),je(F))}function Ro(){const{way:e,layers:t}=w,{stay:n,whole:s}=de();if(!s)return;const o=z()?.sequence??[];P({counts:e==="alike"?xt(t,n/s):Xs(t,o,n)})}const xn=()=>Dt(F,"/prunings",ot());function xc(){q({kind:"drop",units:To(),least:0,top_k:null})}function On(){const e=To(),{choice:t}=h,n=t.kind==="drop"&&t.top_k===null?U():[];return e.length>0&&e.length===n.length&&e.every((s,o)=>s===n[o])}const No=e=>"/prunings/"+encodeURIComponent(w.found?.id??"")+"/"+e+"?keep="+w.counts.join(",");async function Oc(){if(!w.found)return null;P({said:""});try{return await(await Gn(No("keep-list"))).blob()}catch(e){return P({said:e.message}),null}}async function _c(){if(!w.found||w.writes)return null;const e=No("model");P({said:"",writes:!0});try{const t=await Gn(e);return Number(t.headers.get("Content-Length")??1/0)<=gc?await t.blob():(await t.body?.cancel(),oa+e)}catch(t){return P({said:t.message}),null}finally{P({writes:!1})}}let Co=0;async function Sc({job:e}){if(!e||!["running","done"].includes(e.state)||!w.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Co<$c)||!t&&w.found?.id===e.id&&w.found.complete)return;Co=performance.now();const n=await _e("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||K(F).job?.id!==e.id||n.model!==w.model)&&!(w.found?.id===n.id&&Mc(n,w.found))&&n.sequence.length){const s=Ao(),o=w.known?.of===s?w.known:{of:s,sequence:n.sequence,places:Zs(w.layers,n.sequence)};P({known:o,found:n}),w.way==="together"&&Ro()}}const Mc=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Io(e){const{choice:t}=h,n=new Set(t.kind==="drop"?U():[]);return e.map(s=>{let o=0;for(let a=1;a<=s.experts;a+=1)n.has(s.name+".e"+a)||(o+=1);return Math.max(o,ue(s))})}function Bo(e,t){const n=xt(e,t[0]/e[0].experts);return t.some((s,o)=>s!==n[o])}async function Ec(){const{model:e}=w,t=await _e("GET","/jobs?kind="+F+"&limit="+bc).catch(()=>null);if(!t||w.model!==e||K(F).job||K(F).starting)return;const n=JSON.stringify(ae()),s=t.items.find(({state:f,owner:p,request:m})=>["running","queued","done"].includes(f)&&p!=="another"&&m.model===e&&JSON.stringify(m.data)===n&&!m.keep&&m.points===Nt);if(!s)return;const o=s.request,{order:a,scope:r,samples:i,draws:c}=o,u=r==="all"?"together":Bo(w.layers,w.counts)?"own":"alike";P({order:a,way:u,samples:i,draws:c});const l=ot();Object.keys(l).every(f=>JSON.stringify(l[f])===JSON.stringify(s.request[f]))&&xn()}let _n="",Sn=!1;function Ac(){const e=[jn(F,t=>{Sc(t)}),Ht(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],o=t&&s.length?t.id:null;if(o!==w.model&&(w.model&&je(F),_n=JSON.stringify(ae()),Sn=!0,P({model:o,layers:s,counts:Io(s),known:null,found:null,said:""})),!o||!n.has("choice"))return;if(Sn){Sn=!1;const r=Io(s);P({counts:r,way:Bo(s,r)?"own":"alike"}),Ec();return}const a=JSON.stringify(ae());a!==_n&&(_n=a,(w.found||K(F).job)&&je(F),P({found:null}))})];return()=>{e.forEach(t=>t()),Dn(F),P({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const Tc=[["tokens","by "+Z.tokens+", observed"],["weight","by "+Z.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","random"]],Rc=[["alike","same share in every layer"],["together","one ranking over all layers"],["own","set layer by layer"]],Nc={tokens:"Observed: experts with the fewest tokens go first. This predicts effects badly.",weight:"Observed: experts with the least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone; those that cost least go first.",greedy:"Caused: at each step every remaining expert is dropped in turn; the one that costs least goes.",chance:"Random order: the baseline for the other orders."};function Cc(){const{order:e,layers:t,samples:n,draws:s,way:o}=w,a=fi(t,o==="together"?"all":"layer",Nt),r=to(e,t,n),c=eo(t,e,r)+a*(1+s)+1,u=h.evaluation?.baseline?.samples_per_second,l=u?", about "+Wn(c*n/u):"",d=r>1?" Experts go "+M(r)+" at once.":"";return M(c)+" sets of experts on "+M(n)+" samples"+l+"."+d}function Ic(){const{order:e,way:t,samples:n,draws:s,found:o,model:a}=w;if(!a)return null;const{job:r,starting:i,problem:c}=K(F),u=i||r!==null&&["queued","running"].includes(r.state),l=!!o?.complete,{read_only:d}=Se.value,f=Hn(c)&&c?.message,p=(m,g,v,y,_)=>{const O="studio-"+m;return Kn(g,O,$`<${ct} look="small-input" ...${{id:O,options:v,chosen:y,onChoose:_}} />`)};return $`<div class="interventions drop-row">
      ${p("order","Drop order",Tc,e,m=>It({order:m}))}
      ${p("way","Layers",Rc,t,m=>It({way:m}))}
      ${p("samples","Samples",Jn([32,64,128,256],n),String(n),m=>It({samples:Number(m)}))}
      ${p("draws","Random sets",Jn([0,4,8,16],s),String(s),m=>It({draws:Number(m)}))}
      ${!d&&$`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${u||l}
          onClick=${()=>xn()}
        >
          ${l?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${Nc[e]} ${f||(l||u||d?"":Cc())}
    </p>`}function Bc(){const{model:e,found:t}=w,{job:n,starting:s,problem:o}=K(F);Se.value.read_only&&e&&!t&&!n&&!s&&!o&&he(xn)}const Po=e=>$`<${Ut}
    look="studio-bar"
    ...${e}
    label=${"Experts kept: "+e.name}
    words=${M(e.value)+" of "+M(e.most)}
    wait=${e.least>=e.most}
  />`;function Pc(){const{layers:e,counts:t}=w;return e.map((n,s)=>{const o={value:t[s],least:ue(n),most:n.experts},a=r=>yc(s,r);return $`<${Po}
      key=${n.name}
      id=${"studio-bar-"+s}
      name=${Fe(n.name)}
      ...${o}
      onInput=${a}
    />`})}function Dc(){const{stay:e,whole:t}=de(),n=w.layers.reduce((s,o)=>s+ue(o),0);return $`<${Po}
    ...${{id:"studio-bar-all",name:"all layers",value:e,least:n,most:t}}
    onInput=${vc}
  />`}function Wc(){const e=z();if(!e)return $`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+Z.weight+". Compute the order for the final ranking. ":"";return $`${t}${Rt}`}function Uc({row:e,expert:t}){const{layers:n,counts:s}=w,o=z(),a=n[e],r=ht(a)[t];if(!o)return r;const i=o.places[e][t],c=i>=a.experts-s[e],u="it stays while at least "+(a.experts-i)+" of "+a.experts+" are kept";return r+(c?" stays":" goes")+": number "+(i+1)+" to go in its layer, "+u}function jc(){return $`<${Je}
    look="studio-cells"
    drawn=${()=>{const t=z();return w.counts.join(",")+(t?t.preliminary?" preliminary":" known":"")}}
    scene=${t=>{const{layers:n,counts:s,model:o}=w,a=z(),{stay:r,whole:i}=de(),c=r+" of "+i+" experts stay"+(a?"":"; the order is not computed yet");return o&&fc({layers:n,counts:s,places:a?.places??null},t,c,Uc)}}
    label=${({title:t})=>t}
  />`}function Mn(){const{layers:e,counts:t}=w,n=z();return[["layer","expert","goes_as","stays"],...e.flatMap((s,o)=>ht(s).map((a,r)=>{const i=n?n.places[o][r]:null;return[s.name,a,i===null?"":i+1,i===null?"":String(i>=s.experts-t[o])]}))]}function Do(e){const{id:t,model:n,revision:s,order:o,scope:a,at_once:r,draws:i,seed:c,count:u,chosen_on:l}=e,d=e.data.map(m=>({name:m.name,count:m.count,stand_in:m.stand_in})),f={keep:[...w.counts],points:Nt},p={order:o,scope:a,at_once:r,draws:i,seed:c,...f};return{model:n,revision:s,data:d,samples:u,order_chosen_on:l,...p,pruning:t,kind:"caused"}}function Fc(){const{found:e,layers:t,counts:n}=w,s=z();if(!e||!s)return null;const{stay:o,whole:a}=de(),r=M(o)+" of "+M(a)+" experts stay, "+Pe[e.order]+": "+e.model,i=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:Rt,facts:{...Do(e),kind:i},python:{figure:"kept-experts"},rows:Mn,json:()=>os(Mn()),picture:{scene:(c=640)=>mc({layers:t,counts:n,places:s.places},c,r)}}}function Lc(){const{found:e,said:t,writes:n,model:s}=w;if(!s)return null;const{stay:o,whole:a}=de(),r=o===a,i=z()!==null,c=async(u,l)=>{const d=await u,f=(s+l).replace(/[^\w.-]+/g,"_");typeof d=="string"?qa(d,f):d&&za(d,d.type,f)};return $`<div class="interventions drop-row">
      <span class="studio-total"
        >${M(o)+" of "+M(a)+" experts stay, "+ee(o/a)+" %"}</span
      >
      <${Y} id="studio-apply" wait=${r||!i||On()} act=${xc}>
        ${On()?"Applied to the page":"Apply to the page"}
      <//>
      <${Y} id="studio-restore" wait=${r} act=${kc}>Keep all<//>
      <${Y} id="studio-keep-list" wait=${!e} act=${()=>c(Oc(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${Y} id="studio-model" wait=${!e||n} act=${()=>c(_c(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Compute first to download.")}
    </p>`}function Wo(){const{stay:e,whole:t}=de(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:o}=h;if(!s||!o||!On())return n;const{accuracy:a,change:r,done:i}=s;a&&n.figures.set("all",{figure:a,change:r&&r.accuracy,count:i});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},l=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:l,count:c.count})}return n}const qc=[["figure","score"],["change","paired change"]];function zc(e){const{found:t}=w;return!t||!t.curve.length?null:{name:"pruning-retention",facts:Do(t),python:{figure:"retention"},rows:()=>_o(t),json:()=>({pruning:t}),picture:{scene:(n=Hc)=>Oo(t,e,Wo(),n)}}}const Hc=960;function Gc(){const e=qe("figure"),{found:t}=w,n=t&&t.curve.length?t:null;return $`<${Ee}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Re.curves}
    more=${xe.curves}
    tag="caused"
    formats=${Ve}
    written=${()=>zc(e.value)}
    hidden=${n===null}
  >
    ${Kn("Show","studio-shown",$`<${ct} id="studio-shown" look="small-input" options=${qc} chosen=${e.value} onChoose=${s=>e.value=s} />`)}
    <${Je}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:o}=w;return o&&o.curve.length?Oo(o,e.value,Wo(),s):null}}
      drawn=${()=>w.found?.id+" "+w.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${Ke}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+Pe[n.order]+", "+n.model:""}
      rows=${n&&(()=>_o(n))}
    />
  <//>`}function Jc(){it(()=>{const o=[Ac(),L(Bc)];return()=>o.forEach(a=>a())},[]);const{model:e,found:t}=w,{stay:n,whole:s}=de();return $`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${Ee}
      id="drop-studio"
      title="Pruning studio"
      reads=${Re.studio}
      more=${xe.studio}
      formats=${Ve}
      written=${Fc}
    >
      <div><${Ic} /></div>
      <${qn} name=${F} what="Pruning of experts" />
      <div>
        <div class="studio-whole"><${Dc} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Pc} /></div>
          <${jc} />
        </div>
        <p class="hint studio-legend"><${Wc} /></p>
        <${Ke}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>M(n)+" of "+M(s)+" experts stay"}
          rows=${e&&Mn}
        />
      </div>
      <div><${Lc} /></div>
    <//>
    <${Gc} />
  </div>`}const Kc=is.at(-1),Yc=Rn("drop","samples").offered;function Xc(){const{model:e,sets:t}=h,n=ae(),s=t.filter(o=>e?.held_out.includes(o.name)&&n.includes(o.name));return $`<div id="drop-caption" class="caption">
    ${e&&$`<${Va} ...${e} />`}
    <${Xa} sets=${t} used=${n} />
    ${s.length>0&&$`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(o=>o.name).join(", ")}
      </span>`}
  </div>`}const En=({id:e,name:t,hidden:n=!1,children:s})=>$`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function Vc(){const{model:e,choice:t}=h,n=e?Xt(e):[$e.kind],s=Object.keys(Ws).map(o=>[o,Ws[o],n.includes(o)?"":"Not supported by this model."]);return $`<${En}
    id="drop-kind-control"
    name=${"Click "+J(jt()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${zn}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${o=>q({kind:o})}
    />
  <//>`}function Qc(){const{model:e,choice:t}=h,n=e?.layers??[],{passes:s}=J(jt());return n.length?$`<${En} id="drop-top-k-control" name="Experts per token">
    <${Yn}
      id="drop-top-k"
      label="Number of experts per token"
      chosen=${t.top_k}
      most=${Math.min(...n.map(o=>o.experts))}
      none=${[...new Set(n.map(o=>o.top_k))].join(" or ")+", as trained"}
      onChoose=${o=>q({top_k:o})}
    />
  <//>`:$`<${En} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Yn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??Kc}
        none="as trained"
        onChoose=${o=>q({iterations:o})}
      />
    <//>`}function Zc(){const{model:e,choice:t}=h,n=e?.units.length===0?[]:[Le(Ir[t.kind],e),In(e)];return $`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function el(){const{model:e,sets:t,choice:n}=h;return $`
    <div class="page-head">
      <h1>Drop</h1>
      <${Xc} />
      <span class="pin-tool"><${Ga} ...${Hs} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${ua("link")}Copy link</button>
    </div>
    <${Ja} ...${Hs} />
    <${Ka}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${Vc} /><${$i} /><${Qc} /></div>
        <${ki} />
        <${Ai} />
        <${xi} />
        <div class="interventions drop-row">
          <${Ya}
            page="drop"
            ...${{model:e,sets:t,sizes:Yc,samples:n.samples,choose:q}}
            used=${ae()}
            reset=${()=>q({...$e})}
          />
        </div>
        <${Zc} />
      </div>
    <//>
    <${li} />
    <div class="drop-grid">
      <div class="column"><${Yr} />${!dn()&&$`<${zs} />`}</div>
      <div class="column"><${Xr} /><${Vr} />${dn()&&$`<${zs} />`}</div>
    </div>
    <${Jc} />
    <${Qi} />
  `}function Uo({pin:e,...t}){return ne.value=e??"",$s({...t,rule:""})}aa("drop",({model:e,sample:t,...n})=>h.model?.id!==e?null:(ia({model:e,sample:t}),Uo(n)));const tl=ra({Tree:el,choice:()=>{const{rule:e,...t}=h.choice;return{...t,pin:ne.value||null}},take:e=>{Uo(e)},open({pin:e,...t},n){const s=n.closest(".page");ne.value=e??"",ms(t);const o=[hs(),Ar(),ca(Vt),L(()=>{Object.assign(s.dataset,{state:h.status,fresh:String(h.fresh)})}),L(()=>{s.dataset.compares=String(Ze()!==null)}),L(()=>la(h.evaluation?.measure??null))];return()=>{o.forEach(a=>a()),bs(),Ha()}}});da({drop:()=>ys});export{tl as mount};
