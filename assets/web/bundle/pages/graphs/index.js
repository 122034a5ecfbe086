/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{aY as ct,aZ as C,an as Rs,a_ as As,S as Cs,Q as lt,a5 as ut,W as Ns,U as dt,Y as js,X as Is,a$ as pt,H as ht,aw as Ds,D as Se,J as Fs,K as Ps,L as Ws,b0 as Us,b1 as mt,I as oe,a8 as qs,ak as Hs,h as Gs,b2 as zs,P as _e,g as Bs,n as ft,A as Ks,q as Ee,af as ae,ah as gt,j as Te,y as re,x as $t,N as q,aE as Vs,k as Js,aF as Ys,aG as Xs,z as Le,ae as Zs,ad as Qs,aW as en,b3 as Re,E as wt,a7 as N,o as tn,b4 as sn,b5 as kt,b6 as nn,b7 as on,p as vt,F as yt,G as bt,b8 as an,b9 as xt,ax as rn,ai as Ot,ba as cn,d as Mt,aV as ln,R as un,aX as dn,O as pn,bb as hn}from"../../shared.js";import{ak as St,aj as mn,A as _t,n as fn,d as gn,a6 as Et,aV as $n,a5 as wn,aD as kn,a3 as vn,ah as Ae,al as yn,F as E,an as Ce,ar as Tt,R as ie,S as Ne,s as p,r as H,f as A,U as je,B as Lt,Z as Rt,t as Ie,I as bn,H as xn,av as On,k as Mn,aK as I,b6 as Sn,aJ as _n,Y as En,X as Tn,T as De,V as Ln,ap as Rn,b7 as An,am as Cn,b8 as Nn,ay as jn,az as In,c as Dn,aB as Fn,i as At,aw as Pn,ax as Wn,m as Un,b0 as qn,Q as Hn}from"../../boot.js";const Gn=150,zn=1e5,ce={x:0,y:0,zoom:1},le=St("graphs","least","keep","drop","data","samples"),Ct=St("graphs","unit","order","colour","links","scale","compare"),{offered:Nt}=mn("graphs","samples"),Bn={status:"loading",problem:null,model:null,sets:[],graph:null,choice:{...le},cut:null,view:{...Ct},map:{...ce},hover:-1,pair:null},jt=_t(Bn),{state:l,subscribe:Fe}=jt;function y(e){jt.update(e),["choice","view","map","graph"].some(t=>t in e)&&Vn()}function It(e,t){const s=new Uint8Array(e.count);for(const a of e.weakest.slice(0,t.least))s[a]=1;for(const a of t.drop)s[e.place.get(a)]=1;const n=lt(e.links.learned,s,t.keep),o=e.units.filter((a,i)=>s[i]),r=e.prior?lt(C(e,"prior"),s,t.keep):{states:null,last:-1};return{...n,dropped:s,names:o,states:{learned:n.states,prior:r.states},last:{learned:n.last,prior:r.last}}}function Dt(e,t,s){const n=s.map(i=>i.name),o=e.data.filter(i=>n.includes(i)),r=vn(t.units,e.drop).slice(0,t.count-1),a=e.keep===null||e.keep>=1||t.links.learned.count===0?null:e.keep;return{...e,keep:a,drop:r,least:Math.min(e.least,t.count-1),data:o.length===n.length?[]:o}}const Pe=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function D(e){const{graph:t,sets:s}=l,n=t?Dt({...l.choice,...e},t,s):{...l.choice,...e};if(Pe(n,l.choice))return;if(!t){y({choice:n});return}const o=It(t,n);if(!o.stay){gn("One module stays","A network without modules computes nothing.","bad"),y({});return}y({choice:n,cut:o})}function G(e){const t={...l.view,...e};Pe(t,l.view)||y({view:t})}const ue=e=>Math.min(zn,e.links.learned.count);function Kn(e){const t=ct(e.links.learned,.5);return Math.min(ue(e),t>=e.count/2?t:2*e.count)}const de=({constants:e})=>e.includes("link_probability"),pe=()=>l.graph,T=()=>l.graph?Math.min(ue(l.graph),l.view.links===null?Kn(l.graph):l.view.links):0,z=e=>e==="learned"?T():Math.min(T(),C(pe(),e).count);function F(e="learned"){const t=z(e);return t?C(pe(),e).p[t-1]:1/0}const Ft=e=>ct(C(pe(),e),F(e));function B(e){e!==l.hover&&y({hover:e})}function P(e){G({unit:e>=0?pe().units[e]:null})}const W=()=>{const e=l.graph&&l.view.unit!==null?l.graph.place.get(l.view.unit):void 0;return e===void 0?-1:e},K=fn({...le,...Ct,map:null});let V=0;function Vn(){V||(V=setTimeout(Jn,Gn))}function Jn(){V=0;const{model:e,choice:t,view:s,map:n,graph:o}=l;if(!e||!o)return;const{sample:r}=Ae();yn("graphs",{...t,...s,map:n,sample:r,model:e.id},o.units),K.value={...t,...s,map:Pe(n,ce)?null:[n.x,n.y,n.zoom].join(",")}}function Pt({least:e,keep:t,drop:s,data:n,samples:o,map:r,...a}){const i=kn(r);return{choice:{least:e,keep:t,drop:s,data:n,samples:o},view:a,map:i?Cs.clamped(i):{...ce}}}function Wt({choice:e,view:t},s,n){const o=Dt(e,s,n),r=t.unit!==null&&s.place.has(t.unit)?t.unit:null;return{choice:o,view:{...t,unit:r,compare:t.compare&&!!s.prior},cut:It(s,o)}}function Ut(e){K.value=e,y(Pt(e))}function We(e){const{graph:t,sets:s}=l,n=Pt(e);y(t?{...n,...Wt(n,t,s)}:n)}const qt={status:"loading",graph:null,cut:null,hover:-1,pair:null};let J=0,Y;function Ht(){const e=Y??null;Y=void 0,Ue(e)}async function Ue(e){if(e===Y)return;const t=J+=1;Y=e;const s=l.model!==null&&l.model.id!==e;if(y({...qt,problem:null,...s?{model:null,sets:[]}:{}}),!!e)try{const{model:n,sets:o}=await Rs(e);if(t!==J)return;if(!de(n)){y({status:"failed",problem:{title:"No graph",detail:"",status:404}});return}const r=await As(e);if(t!==J)return;const{choice:a,view:i}=l,c=Wt(l,r,o),d={id:e,units:r.units};Et("drop",d,a.drop),$n(e,n.domains,a.data),a.least>=r.count&&wn(`"least" is ${a.least}; ${e} has ${r.count} modules: shown is ${c.choice.least}.`),i.unit!==c.view.unit&&Et("unit",d,[i.unit]),y({model:n,sets:o,graph:r,...c,status:"ready"})}catch(n){if(t!==J)return;const{title:o="The page failed",message:r,status:a}=n;y({status:"failed",problem:{title:o,detail:r,status:a}})}}function Gt(){J+=1,Y=void 0,clearTimeout(V),V=0,Object.assign(l,qt,{model:null,sets:[]})}var Yn=Object.freeze({__proto__:null,CHOICE:le,SIZES:Nt,WHOLE:ce,again:Ht,begin:Ut,choose:D,chosen:W,hasLinks:de,leave:Gt,likelyOf:Ft,look:G,most:ue,open:Ue,pick:P,point:B,said:K,shownLinks:T,shownOf:z,state:l,subscribe:Fe,take:We,threshold:F,update:y});const j={graph:"Modules with similar signatures lie near each other. Darker lines: more probable links. Grey: dropped or cut. Click a module.",matrix:"Probability of the link between the modules of a row and a column. Learned and prior have the same order.",effect:"Accuracy beside the full model, on the same samples, 95 % intervals. Grey: random sets of the same size.",module:"Strongest links, attention to the sample, share in the answer and drop effect.",statistics:"Statistics of the learned graph and its prior. \xB1: standard deviation over sampled graphs.",degrees:"Share of modules with at least this many expected links. Long tail: hubs. Step: equal groups.",clusters:"Number of connected groups when only the most probable links are kept. Diamond: the chosen share."},qe={graph:"Modules are shifted a little so that none covers another.",effect:"Data in and out of distribution are shown separately. Random sets keep the same share of the links.",module:"Connectivity q is the sum of the module's link probabilities, its own included. Rank 1: best connected, or largest share."},zt=". Arrow keys walk from module to module, Enter chooses one, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.",Bt={learned:"The graph of the modules"+zt,prior:"The prior in the same places"+zt,matrix:"Link probabilities as a matrix. Arrow keys walk from pair to pair, with Shift ten at a time; Enter chooses the module of the row, Escape lets go."},Xn="With a bandwidth of 1 every link has a probability of at least exp(\u22122) = 0.135, about exp(\u22121) = 0.37 among many modules: a sparse prior is never reached.";function Zn(e,t){const s=t*(t-1)/2;return e===s?Xn:E(e)+" of "+E(s)+" pairs have a link; the others are truncated."}const Qn={learned:"learned",prior:"matched prior"},_={},Kt=[.72,.92,1.2,1.65];function eo({q:e,orders:t,count:s}){const n=new Float32Array(s);return t.connectivity.forEach((r,a)=>n[r]=Kt[3-Math.floor(4*a/s)]),Math.min(...e)>.98*Math.max(...e)?n.fill(Kt[1]):n}const X=({graph:e,view:t})=>Ns[t.colour](e,H()),to=Ce(()=>l.view.colour),He=Ce(()=>l.graph&&[to.value,ut.value]&&Tt(()=>X(l)));function so(e){const[t,s]=[z(e),Ft(e)];if(!t)return": no links";const n=l.cut?.states[e],{live:o,cut:r}=n?pt(n,t):{live:t,cut:0},a=", p \u2265 "+F(e).toFixed(3);if(r)return": "+E(o)+" kept, "+E(r)+" cut"+a;const i=s>t?" of "+E(s)+" links":t===1?" link":" links";return": "+E(t)+i+a}class no{constructor(t,s){this.which=s,this.host=t,this.canvas=t.querySelector("canvas"),this.graph=null,this.colour=null,this.shown=void 0,this.states=null,this.map=new dt(t,this.canvas,{onTheme:()=>this.rebuild(),onDrawn:()=>this.publish(),onView:n=>y({map:{...n}})}),this.stops=[js(this.map,{hovered:()=>l.hover,chosen:()=>W(),start:()=>l.graph.orders.connectivity[0],point:n=>B(n),pick:n=>P(n)}),Fe((n,o)=>this.onState(n,o)),Is(this.map,{tool:()=>"move",hover:n=>B(n),pick:n=>P(n===W()?-1:n),select:()=>{}})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}get drawn(){return l.graph&&(this.which==="learned"||l.view.compare&&l.graph.prior)?l:null}onState(t,s){const{drawn:n}=this;if(!n){this.map.items&&(this.map.items=null,this.map.links=null,this.graph=null,this.map.draw());return}this.graph!==n.graph||this.colour!==n.view.colour?this.rebuild():(s.has("cut")&&this.map.setDropped(n.cut.dropped),(s.has("cut")||s.has("view"))&&this.relink(n),["cut","view","hover","map"].some(o=>s.has(o))&&this.mark(n))}rebuild(){const{drawn:t}=this;if(!t)return;const{graph:s,view:n}=t,{of:o,paints:r}=X(t);Object.assign(this,{graph:s,colour:n.colour,linked:""});const{places:a,halves:i,units:c}=s;this.map.setModules({places:a,halves:i,category:o,paints:r,sizes:eo(s),names:c},t.cut.dropped),this.relink(t),this.mark(t)}relink(t){const s=z(this.which),n=t.cut.states[this.which];this.shown===s&&this.states===n&&this.map.links||(Object.assign(this,{shown:s,states:n}),this.map.setLinks(C(t.graph,this.which),n,s))}mark(t){const s=W();this.map.follow(t.map),this.map.ringed=s>=0?[s]:[],this.map.focus=t.hover>=0?t.hover:s,this.map.heading=t.view.compare?Qn[this.which]+so(this.which):"",this.map.caption=t.hover>=0?Ge(t,t.hover):"",this.map.draw()}publish(){const{canvas:t}=this,{graph:s}=l;t.dataset.painted=s.model,t.dataset.shown=String(this.shown),t.dataset.gone=String(this.map.gone.length),t.dataset.focus=this.map.focus>=0?s.units[this.map.focus]:"",t.dataset.spent=this.map.spent.toFixed(2)}}function Ge({graph:e,cut:t},s){const n=e.orders.connectivity.indexOf(s)+1;return[e.units[s]+": q "+e.q[s].toFixed(2),"rank "+n+" of "+e.count,"community c"+(e.communities[s]+1)].join(", ")+(t.dropped[s]?", dropped":"")}function ze({which:e}){const t=ie(null);return Ne(()=>{const s=new no(t.current,e);return _[e]=s,()=>{_[e]===s&&delete _[e],s.dispose()}},[]),p`<div ref=${t} class=${"graph-canvas graph-canvas-"+e}>
    <canvas id=${"graph-picture-"+e} tabindex="0" role="img" aria-label=${Bt[e]}></canvas>
    <div class="skeleton" aria-hidden="true" hidden=${e!=="learned"||l.status!=="loading"}></div>
  </div>`}var oo=Object.freeze({__proto__:null,Drawing:ze,colouring:He,colouringOf:X,maps:_,wordsOf:Ge});const Be=(e,t)=>t==="learned"?"learned":"prior: "+e.prior,Ke=e=>["learned","prior"].filter(e);function ao(e,t){if(e===null)return"\u2013";const s=Math.abs(e)>=100?0:Math.abs(e)>=10?1:3;return(Number.isInteger(e)&&t===null?A(e,0):A(e,s))+(t===null?"":" \xB1 "+A(t,s))}function ro({graph:e}){const t=[...new Set(e.statistics.map(a=>a.on))],s=[...new Set(e.statistics.map(a=>a.name))],n=Ke(a=>a==="learned"||e.prior),o=a=>a?void 0:"first";function r(a){const i=e.statistics.filter(d=>d.name===a),c=t.flatMap(d=>{const u=i.find(m=>m.on===d);return n.map((m,h)=>{const f=u?.[m];return p`<td class=${o(h)}>${f&&ao(f.value,f.deviation??null)}</td>`})});return p`<tr>
      <th scope="row">${i[0].title}</th>
      ${c}
    </tr>`}return p`<table class="figures graph-figures">
    <caption>
      ${e.distance===null?"Trained without a prior.":"Prior: "+e.prior+", distance to the matched prior: "+e.distance.toFixed(3)+". "+Zn(e.edges,e.count)}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${t.map(a=>p`<th scope="colgroup" colspan=${n.length} class="first">${a}</th>`)}
      </tr>
      <tr>
        <td></td>
        ${t.flatMap(()=>n.map((a,i)=>p`<th scope="col" class=${o(i)}>${a}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${s.map(r)}
    </tbody>
  </table>`}const he=228,[io,co,lo]=[42,14,38],Vt={learned:{stroke:"accent",width:2},prior:{stroke:"dim",width:1.5,dash:[5,4]}};function Jt({curves:e,across:t,up:s,axes:n,width:o,title:r,keys:a=[],besides:i=()=>[]}){const c=ht([{text:n[1],key:"none",ink:"ink",weight:600},...e.map(({which:$,name:k})=>({text:k,...Vt[$]})),...a],{x:8,y:12,width:o,size:11.5}),[d,u,m,h]=[io,o-co,c.height+12,he-lo],[f,w]=[t([d,u]),s([h,m])],g=Ds(n[0],{y:he-6,ends:[d,u],within:[0,o],size:11.5});return Se({width:o,height:he+g.more,title:r,desc:n[1]+" against "+n[0]+": "+e.map(({name:$})=>$).join(", ")+".",marks:[Fs(w,[d,u],{strong:null}),Ps(f,[m,h],{strong:null}),g.marks,e.map(({which:$,path:k})=>Ws(k,{x:b=>f(b.x),y:b=>w(b.y),...Vt[$]})),e.flatMap(({spots:$})=>$.map(k=>({shape:"none",spot:{x:f(k.x),y:w(k.y),reach:7,rise:10,words:k.words,of:k}}))),i(f,w),c.marks]})}const Yt=(e,t)=>Array.from({length:Math.floor(t)-Math.ceil(e)+1},(s,n)=>Math.ceil(e)+n),Xt=e=>e<0?A(10**e,-e):String(10**e);function uo(e){const t=[...e].sort((n,o)=>n-o),s=t.map((n,o)=>100*(t.length-o)/t.length);return{x:[0,...t,...t.slice(-1)],y:[100,...s,0]}}function Zt(e,t){const s=Ke(o=>e.degrees[o]).map(o=>{const{x:r,y:a}=uo(e.degrees[o]??[]),i=r.map((u,m)=>({x:u,y:a[m]})),c=i.flatMap((u,m)=>m?[{x:i[m-1].x,y:u.y},u]:[u]),d=i.map(u=>({...u,words:A(u.y,1)+" % of the modules have "+A(u.x,2)+" or more"}));return{which:o,name:Be(e,o),path:c,spots:d}}),n=Math.max(...s.flatMap(({path:o})=>o.map(r=>r.x)));return Jt({curves:s,width:t,title:"Distribution of the expected links of "+e.model,axes:["expected links of a module","Modules, %"],across:o=>oe([0,n],o,{round:!1,most:7}),up:o=>oe([0,102],o,{ticks:[0,25,50,75,100],named:String})})}const Qt=new WeakMap;function me(e,t){const s=Qt.get(e)||{};return Qt.set(e,s),s[t]=s[t]||Us(C(e,t),e.count)}function es({graph:e,choice:t,cut:s}){const{learned:n}=e.links,o=mt(n,s.states.learned,n.count,s.dropped);return{share:t.keep===null?1:t.keep,...o}}function ts(e,t){const{graph:s}=e,n=100/(s.count*(s.count-1)),o=u=>Math.log10(Math.max(n,100*u)),r=Ke(u=>s.matrices[u]).map(u=>{const m=me(s,u).map(({share:h,clusters:f})=>({x:o(h),y:Math.log10(f),words:A(Math.max(n,100*h),2)+" % of the links: "+f+" clusters, "+Be(s,u)}));return{which:u,name:Be(s,u),path:[...m,{x:2,y:m[m.length-1].y}],spots:m}}),a=es(e),i=a.count+" clusters of the remaining modules, the largest of "+a.largest,[c,d]=[Math.log10(.8*n),Math.log10(1.2*s.count)];return Jt({curves:r,width:t,title:"Clusters of "+s.model+" as links are cut",axes:["links kept, % (log scale)","Clusters (log scale)"],across:u=>oe([2.02,c],u,{ticks:Yt(c,2),named:Xt}),up:u=>oe([-.06,d],u,{ticks:Yt(0,d),named:Xt}),keys:[{text:"\u25C6 this choice",key:"none",ink:"ink"}],besides:(u,m)=>qs([a],{x:({share:h})=>u(o(h)),y:({count:h})=>m(Math.log10(h)),text:"diamond",r:6.5,fill:"marker",stroke:"surface",width:2,words:i,reach:14,rise:14})})}const[po,Ve]=["graph","graph-module"],ho=10,mo=220,fo={status:"loading",problem:null,evaluation:null,fresh:!1,effects:new Map},{state:x,update:fe}=_t(fo);let ge="";function Z(){const{choice:e,sets:t}=l;return e.data.length?e.data:t.map(s=>s.name)}function ss(e,t,s){const{model:n,choice:o}=l;return"/evaluations/stream"+Rt({model:n.id,data:Z().join(","),samples:o.samples,drop:e.join(","),keep_edges:t,controls:s})}const Q=Hs({owner:po,statusOf:()=>x.status,update:fe,begin(){const{model:e,choice:t,cut:s}=l;e&&s&&ge&&Q.ask(e.id,()=>ss(s.names,t.keep,ho))}}),Je=()=>JSON.stringify([l.model?.id,Z(),l.choice.samples]),go=Ce(()=>{const{model:e,cut:t,status:s,choice:n}=l;return e&&t&&s==="ready"?JSON.stringify([Je(),t.names,n.keep]):""});function $o(e){const t=ge;if(!e){t&&is();return}t&&JSON.parse(t)[0]!==Je()&&as(),ge=e,Q.restart(t?mo:0)}function ns(){const e=je(()=>{const t=go.value;Tt(()=>$o(t))});return()=>{e(),is()}}const os=e=>e+" "+Je(),$e=e=>x.effects.get(os(e)),Ye=(e,t)=>fe({effects:new Map(x.effects).set(e,t)});function as(){Lt(Ve),fe({effects:new Map([...x.effects].filter(([,{status:e}])=>e!=="running"))})}function rs(e){as();const t=os(e);if(x.problem&&x.problem.refused){Ye(t,{status:"failed",problem:x.problem});return}Ye(t,{status:"running",evaluation:null}),zs(Ve,ss([e],null,0),s=>Ye(t,s))}function is(){Q.close(),Lt(Ve),ge="",fe({status:"loading",problem:null,evaluation:null,fresh:!1,effects:new Map})}function cs(e){const{least:t}=l.choice;return Gs(e,["drop","mute","keep_edges","iterations"],{least_connected:x.fresh&&t?t:null})}const{cancel:wo}=Q,ko=()=>Q.restart();var vo=Object.freeze({__proto__:null,aloneOf:$e,cancel:wo,facts:cs,follow:ns,measure:rs,measured:Z,restart:ko,state:x});const yo=e=>Mn(e)+" %";function bo(e){if(!e)return{value:Le};const{flops:t,saved:s}=e,n=ae(e)===gt?"":"nothing saved",o=s===null?"":s>0?xn(s)+" % saved":n;return{value:t===null?Le:On(t),detail:t===null?"counting":o}}function xo(e){const t="Random modules";if(!e)return{name:t,value:Le};const s=Zs(e,"module");return{name:t,...Qs(e,{waiting:s,sets:n=>n+" sets",unit:({unit:n})=>n})}}function Oo(){const{evaluation:e,fresh:t}=x,s=e&&ae(e)===gt?"full model":"",n=e?Te(e):[{where:"",evaluation:e}],o=re($t(n[0].evaluation,{none:s}).loss,n[0].where);return p`
    ${n.slice(0,2).map(({where:r,evaluation:a},i)=>{const{accuracy:c,change:d}=$t(a,{none:s}),u=i?"-out":"";return p`
        <${q} id=${"graph-accuracy"+u} ...${re(c,r)} />
        <${q} id=${"graph-change"+u} ...${re(d,r)} />
        <${q} id=${"graph-control"+u} ...${re(xo(a),r)} />
      `})}
    <${q} id="graph-loss" ...${o} />
    <${q} id="graph-flops" name="FLOPs per sample" ...${bo(e)} />
    <${Vs} id="graph-speed" evaluation=${t?e:null} />
  `}const Mo=e=>Js(e,{chosen:l.choice.samples,waiting:"Waiting for the graph",intervention:ae}),ls=e=>Ys(e,{named:"this choice",sets:"random sets of as many modules",saved:!0},Xs(e));function ee(){const{evaluation:e}=x;return e?.accuracy?e:null}function So(e){const t=Ie(e.measure),s=Te(e).flatMap(({where:n,evaluation:{accuracy:o}})=>o?[(n&&n+" ")+bn(t,o.value)]:[]);return t.title+" with "+ae(e)+": "+s.join("; ")}const us="graph-effect-picture";function _o(){const e=ee();if(!e)return null;const t=Math.max(560,document.getElementById(us)?.clientWidth??0);return{name:"graph-effect",facts:cs(e),python:{figure:"accuracy",draws:e.control?.draws},rows:()=>ls(e),json:()=>({result:e}),picture:{scene:s=>Ee(e,s??t)}}}function Eo(){const{fresh:e,status:t}=x,s=ee();return p`<${_e}
    id="graph-effect"
    title="Effect of this choice"
    tag="caused"
    reads=${j.effect}
    more=${qe.effect}
    formats=${["svg","png","csv","json"]}
    written=${_o}
  >
    <div class="numbers graph-numbers" data-fresh=${String(e)}><${Oo} /></div>
    <${Bs} name="graph" look="drop-progress" followed=${vo} progressOf=${Mo} />
    <${ft}
      id=${us}
      look="drop-picture"
      height=${228}
      widest=${900}
      data=${{"data-fresh":String(e),"data-state":t}}
      scene=${n=>{const o=ee();return o&&Ee(o,n)}}
      drawn=${()=>ee()?.id??""}
      label=${()=>So(ee())}
    />
    <${Ks}
      words="The effect as a table"
      data=${{"data-graph-table":"effect"}}
      caption=${()=>(s&&Ee(s,640).desc)??""}
      rows=${s&&(()=>ls(s))}
    />
  <//>`}const te=1e3,Xe={value:0,most:0,words:""},ds=e=>Number(((e/te)**2).toPrecision(3)),ps=e=>Math.round(te*Math.sqrt(e));function To(){const{graph:e,choice:t,cut:s}=l,n={id:"graph-least",name:"Least connected dropped",onInput:Lo},o={id:"graph-keep",name:"Links kept",onInput:Ro};if(!e||!s)return p`<${I} ...${n} ...${Xe} /><${I} ...${o} ...${Xe} />`;const r=yo,a=t.drop.length?", "+s.names.length+" with those named":"",i=t.least+" of "+e.count+" ("+r(t.least/e.count)+")"+a,c=e.links_kind!=="complete"&&e.edges>0,d=t.keep===null?1:t.keep,u=r(d)+": "+E(s.live)+" of "+E(s.total)+" links";return p`
    <${I} ...${n} value=${t.least} most=${e.count-1} words=${i} />
    <${I}
      ...${o}
      value=${ps(d)}
      most=${c?te:0}
      words=${c?u:"all: the graph is complete"}
    />
  `}const Lo=e=>D({least:e}),Ro=e=>D({keep:e>=te?null:ds(e)});function Ao(){const{graph:e,cut:t}=l,s={id:"graph-threshold",name:"Links drawn"};if(!e||!t)return p`<${I} ...${s} ...${Xe} />`;const n=ue(e),o=T(),{learned:r}=e.links,a=mt(r,t.states.learned,o,t.dropped),c=(o?"p \u2265 "+F().toFixed(3)+": ":"")+Sn(pt(t.states.learned,o),t.live,r.count)+"; ",d=a.count+(a.count===1?" cluster":" clusters")+", the largest of "+a.largest;return p`<${I}
    ...${s}
    value=${ps(o/Math.max(1,n))}
    most=${te}
    words=${c+d}
    onInput=${u=>G({links:Math.round(ds(u)*n)})}
  />`}function Co(){const{model:e,sets:t,choice:s}=l;return p`<div class="graph-controls">
    <div class="graph-sliders"><${To} /></div>
    <div class="graph-data">
      <${en}
        page="graph"
        ...${{model:e,sets:t,sizes:Nt,samples:s.samples,choose:D}}
        used=${Z()}
        reset=${()=>D({...le})}
      />
    </div>
  </div>`}const Ze=({name:e,words:t,options:s})=>En(t,"graph-"+e,p`<${Tn}
      id=${"graph-"+e}
      look="plain-select"
      label=${t}
      options=${s}
      chosen=${l.view[e]}
      onChoose=${n=>G({[e]:n})}
    />`),No=[["community","community"],["degree","expected links"]],jo=[["fixed","0 to 1"],["range","as they vary"]];function Io(){const{graph:e,view:t}=l,s=!e||!e.prior;return p`<${De}
    id="graph-compare"
    pressed=${t.compare}
    wait=${s}
    title=${s?"This model was trained without a prior":"Show as many links of the matched prior, in the same places"}
    act=${()=>G({compare:!t.compare})}
  >
    Compare with prior
  <//>`}const Do=()=>_.learned?[_.learned.map]:[],Fo=()=>p`<div class="graph-tools">
    <${Ze} name="colour" words="Colour" options=${No} />
    <${Io} />
    <div class="zoom"><${_n} mapsOf=${Do} /></div>
  </div>`;function Po(){const{graph:e}=l,t=[["matched",!e||e.ordered_by==="prior"?"matched prior":"communities, best first"],["communities","communities"],["connectivity","connectivity"]];return p`<div class="graph-bar">
    <${Ze} name="order" words="Order" options=${t} />
    <${Ze} name="scale" words="Shades" options=${jo} />
  </div>`}function Wo(){const{value:e}=He;return p`<div class="graph-legend">
    <span class="control-name">${e?.what}</span>
    ${e?.entries.map(({name:t,count:s,paint:n})=>p`<span class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{background:n}}></span>
          ${t}<small>${s}</small>
        </span>`)}
  </div>`}const Uo=()=>p`<p class="hidden-visually" aria-live="polite">
    ${l.graph&&l.hover>=0?Ge(l,l.hover):""}
  </p>`,hs=2**31-1,ms=new WeakMap,fs=(e,t)=>e.matrices[t];function qo(e,t){const s=fs(e,t),n=ms.get(s);if(n)return n;const o=C(e,t),r=new Int32Array(e.count*e.count).fill(hs);for(let a=0;a<o.count;a+=1){const[i,c]=[o.from[a],o.to[a]];r[i*e.count+c]=r[c*e.count+i]=a}for(let a=0;a<e.count;a+=1)r[a*(e.count+1)]=-1;return ms.set(s,r),r}function Ho(e){let[t,s]=[1/0,-1/0];for(const n of["learned","prior"]){const o=e.matrices[n];if(o)for(let r=0;r<e.count;r+=1)for(let a=r+1;a<e.count;a+=1){const i=o[r*e.count+a];t=Math.min(t,i),s=Math.max(s,i)}}return s>t?[t,s]:[0,1]}function Go(e,t,{order:s,cut:n,span:o,colours:r,block:a}){const{count:i}=e,c=Math.ceil(i/a),d=zo(e,t,o),u=qo(e,t),m=n.last[t],h=new Uint32Array(c*c),f=Re(r.gone);for(let w=0,g=0;w<c;w+=1){const $=Math.min(i,(w+1)*a);for(let k=0;k<c;k+=1,g+=1){const b=Math.min(i,(k+1)*a);let[O,M,L,R,xe]=[0,0,0,0,0];for(let S=w*a;S<$;S+=1){const rt=s[S]*i,Ls=n.dropped[s[S]];for(let Oe=k*a;Oe<b;Oe+=1){const Me=s[Oe];if(xe+=1,Ls||n.dropped[Me])continue;R+=1,O+=d[rt+Me];const it=u[rt+Me];it!==hs&&(L+=1,it<=m&&(M+=1))}}if(2*R<xe)h[g]=f;else{const S=Math.round(O/R);h[g]=2*M>=L?r.live[S]:r.cut[S]}}}return Qe(c,c,h)}const gs=new WeakMap;function zo(e,t,[s,n]){const o=fs(e,t),r=s+" "+n,a=gs.get(o);if(a&&a.key===r)return a.shades;const i=255/(n-s),c=new Uint8ClampedArray(o.length);for(let d=0;d<c.length;d+=1)c[d]=(o[d]-s)*i;return gs.set(o,{key:r,shades:c}),c}function Qe(e,t,s){const n=document.createElement("canvas");return Object.assign(n,{width:e,height:t}),n.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(s.buffer),e,t),0,0),n}const et=e=>({bitmap:e,width:e.width,height:e.height,get href(){return e.toDataURL("image/png")}});function Bo(e,t,s){const{of:n,paints:o}=X(e),r=o.map(Re),a=Re(s.line),i=Uint32Array.from(t,c=>e.cut.dropped[c]?a:r[n[c]]);return{across:et(Qe(t.length,1,i)),down:et(Qe(1,t.length,i))}}const $s=270;function Ko({span:e,colours:t},{height:s,width:n},o){const r=n>=$s,[a,i]=[s-(r?20:40),Math.max(30,Math.min(180,n/3,n-o-190))],c=(h,f,w,g=a)=>wt([h],{x:f,y:g+9,down:0,size:11,fill:"dim",anchor:w}),d=(h,f,w,g=a)=>{const $=b=>b.map((O,M)=>[M/(b.length-1),O]),k=typeof w=="string"?w:{x0:h,x1:h+f,stops:$(w)};return N([0],{x:[h,h+f],y:[g,g+10],fill:k,stroke:"line"})},[u,m]=r?[o+i+50,a]:[o,a+20];return[[c(e[0].toFixed(2),o-6,"end"),d(o,i,t.stops),c(e[1].toFixed(2),o+i+6,"start")],[d(u,22,t.greys,m),c("cut",u+28,"start",m)],[d(u+58,22,t.gone,m),c("dropped",u+86,"start",m)]]}let we=null;const[ws,tt,v,Vo]=[26,22,6,34],Jo=520,ks=520,Yo=8,Xo=150,Zo=220,vs={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]};class Qo{constructor(t){this.host=t,this.canvas=t.querySelector("canvas"),this.key=null,this.frame=0,this.later=0,this.slow=!1,this.range=[0,1],this.made=null,this.ground=null,this.frameNow=null,this.canvas.addEventListener("pointermove",s=>this.point(this.pairAt(s))),this.canvas.addEventListener("pointerleave",()=>this.point(null)),this.canvas.addEventListener("blur",()=>this.point(null)),this.canvas.addEventListener("click",s=>this.pick(this.pairAt(s))),this.canvas.addEventListener("keydown",s=>this.onKey(s)),this.stops=[Fe((s,n)=>{n.has("cut")||n.has("graph")?this.draw(!0):["view","hover","pair"].some(o=>n.has(o))&&this.draw()}),Ln(()=>this.draw()),tn(t,()=>this.draw())]}dispose(){cancelAnimationFrame(this.frame),clearTimeout(this.later),this.stops.forEach(t=>t())}draw(t){if(t&&this.slow){this.later||(this.later=setTimeout(()=>this.paint(),Xo));return}this.frame||(this.frame=requestAnimationFrame(()=>this.paint()))}bitmaps(t,s,n){const{graph:o,cut:r,view:a}=t,i=o.orders[a.order],c=[o,r,i,a.scale,s.surface,n],{key:d,made:u}=this;if(u&&d&&c.every((g,$)=>g===d[$]))return u;(!this.key||this.key[0]!==o)&&(this.range=Ho(o)),this.key=c;const m=a.scale==="fixed"?[0,1]:this.range,h=sn(s),w=(o.prior?["learned","prior"]:["learned"]).map(g=>({which:g,canvas:Go(o,g,{order:i,cut:r,span:m,colours:h,block:n}),title:g==="learned"?"learned":"prior: "+o.prior+", matched"}));return this.made={squares:w,order:i,span:m,colours:h,block:n},this.made}layout(t,s){const n=s<Jo?1:t,o=document.fullscreenElement?Math.max(ks,window.innerHeight-Zo):ks,r=Math.floor(Math.min((s-ws*(n-1))/n-v,o)),a=Array.from({length:t},(c,d)=>({x:v+d%n*(r+ws+v),y:tt+v+Math.floor(d/n)*(r+tt+v)})),i=Math.ceil(t/n);return{side:r,places:a,width:s,height:i*(r+tt+v)+Vo+(s<$s?20:0)}}sceneOf(t,s){const n=U(),o=H(),r=this.layout(n.graph.prior?2:1,t),a=r.side*(window.devicePixelRatio||1),i=this.bitmaps(n,o,s?1:Math.max(1,Math.round(n.graph.count/a))),c=[i.squares.map((d,u)=>this.squareMarks(n,i,d,r.places[u],r.side,o)),Ko(i,r,v+34)];return{width:t,height:r.height,background:o.surface,title:"Link probabilities of "+n.graph.model,desc:"Rows and columns are modules in the order of "+ea[n.view.order]+"; grey is what is dropped.",items:kt(c,o).items,frame:r,made:i}}squareMarks(t,s,{canvas:n,title:o},{x:r,y:a},i,c){const{count:d}=t.graph,u=Bo(t,s.order,c),m=d/s.block,h={shape:"image",sx:0,sy:0};return[wt([o],{x:r,y:a-v-7,down:0,weight:600,room:i}),{...h,source:et(n),sw:m,sh:m,x:r,y:a,w:i,h:i},N([0],{x:[r-.5,r+i+.5],y:[a-.5,a+i+.5],stroke:"line",width:1}),{...h,source:u.down,sw:1,sh:d,x:r-v,y:a,w:v-2,h:i},{...h,source:u.across,sw:d,sh:1,x:r,y:a-v,w:i,h:v-2}]}paint(){cancelAnimationFrame(this.frame),clearTimeout(this.later),this.frame=this.later=0;const t=this.host.clientWidth;if(t<60)return;if(!l.graph){this.ground=null,delete this.canvas.dataset.painted,this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height);return}const s=performance.now(),n=H(),{canvas:o,scene:r}=this.squares(U(),n,t),a=nn(this.canvas,t,r.height);a.clearRect(0,0,t,r.height),a.drawImage(o,0,0,t,r.height),on(a,this.marks(U(),r,n),n.font),this.frameNow=r.frame,this.canvas.style.width=t+"px",this.canvas.style.height=r.height+"px",this.publish(U(),performance.now()-s)}squares(t,s,n){const{graph:o,cut:r,view:a}=t,i=[o,r,a.order,a.scale,a.colour,s.surface,n,window.devicePixelRatio],{ground:c}=this;if(c&&i.every((h,f)=>h===c.key[f]))return c;const d=performance.now(),u=this.sceneOf(n),m=c?c.canvas:document.createElement("canvas");return vt({...u,background:null},s.font,m),this.slow=performance.now()-d>Yo,this.ground={key:i,canvas:m,scene:u}}marks({graph:t,hover:s,pair:n},{frame:{side:o,places:r},made:{order:a}},i){const c=o/t.count,d=$=>a.indexOf($)*c,u=W(),m=[{unit:u,width:1.4,opacity:.9},{unit:n||s===u?-1:s,width:1,opacity:.6}].filter(({unit:$})=>$>=0),h=Math.max(c,5),[f,w]=(n??[]).map(d),g=r.map(({x:$,y:k})=>[m.map(({unit:b,...O})=>{const M=[d(b),d(b)+Math.max(c,2)],[L,R]=[[$-v,$+o],[k-v,k+o]];return[N([0],{x:L,y:M.map(S=>k+S),stroke:"marker",...O}),N([0],{x:M.map(S=>$+S),y:R,stroke:"marker",...O})]}),(n?["surface","marker"]:[]).map((b,O)=>{const[M,L]=[$+w+c/2,k+f+c/2],R={stroke:"marker",opacity:.5};return[O?[]:yt([0],{...R,x:[$-v,$+o],y:L}),O?[]:yt([0],{...R,x:M,y:[k-v,k+o]}),N([0],{x:[M-h/2,M+h/2],y:[L-h/2,L+h/2],stroke:b,width:O?1.5:3})]})]);return kt(g,i).items}publish(t,s){const{dataset:n}=this.canvas;n.painted=t.graph.model,n.order=t.view.order,n.spent=s.toFixed(2),n.pair=t.pair?t.pair.map(o=>t.graph.units[o]).join(","):""}pairAt(t){const{graph:s}=l;if(!s||!this.frameNow||!this.made)return null;const n=this.canvas.getBoundingClientRect(),[o,r]=[t.clientX-n.left,t.clientY-n.top],{side:a,places:i}=this.frameNow;for(const{x:c,y:d}of i){const[u,m]=[o-c,r-d].map(f=>Math.floor(f/a*s.count)),h=f=>f>=0&&f<s.count;if(h(m)&&h(u))return[this.made.order[m],this.made.order[u]]}return null}point(t){((n,o)=>n===o||n&&o&&n[0]===o[0]&&n[1]===o[1])(t,l.pair)||y({pair:t,hover:t?t[0]:-1})}pick(t){t&&P(t[0]===W()?-1:t[0])}onKey(t){if(!l.graph||!this.made||t.ctrlKey||t.metaKey||t.altKey)return;const{order:s}=this.made,n=s.length-1;if(vs[t.key]){const o=t.shiftKey?10:1,r=l.pair?l.pair.map(i=>s.indexOf(i)):[-1,-1],a=vs[t.key].map((i,c)=>Math.max(0,Math.min(n,r[c]+(r[c]<0?1:o*i))));this.point([s[a[0]],s[a[1]]])}else if(t.key==="Enter"||t.key===" ")this.pick(l.pair);else if(t.key==="Escape")this.point(null),P(-1);else return;t.preventDefault()}scene(t){const s=this.sceneOf(t??Math.max(720,this.host.clientWidth),!0);return{...s,items:[...s.items,...this.marks(U(),s,H())]}}}const U=()=>l,ea={matched:"the matched prior",communities:"their communities",connectivity:"their connectivity"};function ta({graph:e,cut:t,pair:s}){if(!s)return"";const[n,o]=s,r=n*e.count+o,{learned:a,prior:i}=e.matrices,c="p "+a[r].toFixed(3),d=i?", prior "+i[r].toFixed(3):"",u=t.dropped[n]||t.dropped[o]?", dropped":"";return e.units[n]+" and "+e.units[o]+": "+c+d+u}function sa(){const e=ie(null);Ne(()=>{const s=new Qo(e.current);return we=s,()=>{we===s&&(we=null),s.dispose()}},[]);const t=l.graph&&ta(U());return p`
    <div ref=${e} class="graph-matrix">
      <canvas id="graph-matrix-picture" tabindex="0" role="img" aria-label=${Bt.matrix}></canvas>
      <div class="skeleton" aria-hidden="true" hidden=${l.status!=="loading"}></div>
    </div>
    <p class="hint" id="graph-pair" aria-live="polite">
      ${t||"Point at a pair, or walk with the arrow keys; Enter chooses the row."}
    </p>
  `}const na=1e5,ys=640;function se(){const{graph:e,choice:t,cut:s,view:n}=l;return{model:e.model,revision:e.revision,seed:null,prior:e.prior,drop:s.names,least_connected:t.least,keep_edges:t.keep,unit:n.unit,kind:"observed"}}const bs=e=>["learned","prior"].filter(t=>e.matrices[t]);function oa(e,t){const s=[["module","x","y","connectivity","community","expected_links","left_out"]];return e.units.forEach((n,o)=>s.push([n,...e.layout[o],e.q[o],e.communities[o],e.degrees.learned[o],!!t.dropped[o]])),s}function xs(e,t,s){const{from:n,to:o,p:r}=e.links.learned,{learned:a}=t.states,i=[["module","other","probability","kept"]];for(let c=0;c<Math.min(s,na);c+=1)i.push([e.units[n[c]],e.units[o[c]],r[c],a[c]===an]);return i}function aa(e){const{graph:t,view:s}=l,n="Graph of the modules of "+t.model,o="Discs are modules, lines the "+T()+" most probable links; grey is what is dropped.",r=e&&e/(s.compare&&_.prior?.map.items?2:1),a=_.learned.map.scene(n,o,r),i=s.compare&&_.prior?.map.items?_.prior.map.scene(n,o,r):null,{entries:c,what:d}=X(l),u=a.width+(i?.width??0),m=ht([{text:d,key:"none"},...c.map(({name:f,paint:w})=>({text:f,key:"dot",fill:w,ink:"ink"}))],{x:10,y:a.height+16,width:u}),h=a.height+m.height+16;return Se({width:u,height:h,title:n,desc:o,marks:[bt(a,0,0),i?bt(i,a.width,0):[],m.marks]})}const ra={graph:({graph:e,cut:t,view:s})=>({name:"graph",facts:{...se(),links_drawn:T(),least_probability_drawn:F(),...s.compare?{prior_links_drawn:z("prior"),prior_least_probability_drawn:F("prior")}:{}},python:{figure:"graph"},rows:()=>xs(e,t,T()),json:()=>{const[n,o]=[oa(e,t),xs(e,t,T())];return{module_columns:n[0],modules:n.slice(1),link_columns:o[0],links:o.slice(1)}},file:n=>"/models/"+encodeURIComponent(e.model)+"/graph/file"+Rt({format:n,most:T(),drop:t.names.join(","),keep_edges:l.choice.keep}),picture:{scene:aa}}),"graph-matrix":({graph:e,view:t})=>{const s=e.orders[t.order],n=s.map(a=>e.units[a]),o=bs(e),r=(a,i)=>s.map(c=>e.matrices[a]?.[i*e.count+c]);return{name:"graph-matrix",facts:{...se(),order:t.order},python:{figure:"matrix"},rows:()=>[["graph","module",...n],...o.flatMap(a=>s.map(i=>[a,e.units[i],...r(a,i)]))],json:()=>({order:n,...Object.fromEntries(o.map(a=>[a,s.map(i=>r(a,i))]))}),picture:we??{}}},"graph-statistics":({graph:e})=>({name:"graph-statistics",python:{figure:"statistics"},facts:{...se(),drop:[],keep_edges:null,least_connected:0},rows:()=>[["name","on","learned","learned_deviation","prior","prior_deviation"],...e.statistics.map(({name:t,on:s,learned:n,prior:o})=>[t,s,n.value??"",n.deviation??"",o?o.value??"":"",o?o.deviation??"":""])],json:()=>({statistics:e.statistics,distance_to_prior:e.distance}),picture:{}}),"graph-degrees":({graph:e})=>({name:"graph-degrees",python:{figure:"degrees"},facts:{...se(),drop:[],keep_edges:null,least_connected:0},rows:()=>[["module","learned","prior"],...e.units.map((t,s)=>[t,e.degrees.learned[s],e.degrees.prior?e.degrees.prior[s]:""])],json:()=>({units:e.units,degrees:e.degrees}),picture:{scene:(t=ys)=>Zt(e,t)}}),"graph-clusters":({graph:e})=>{const t=bs(e);return{name:"graph-clusters",python:{figure:"clusters",shares:me(e,"learned").map(({share:s})=>s)},facts:se(),rows:()=>[["graph","links_kept","share","clusters","largest"],...t.flatMap(s=>me(e,s).map(n=>[s,n.kept,n.share,n.clusters,n.largest]))],json:()=>({choice:es(l),...Object.fromEntries(t.map(s=>[s,me(e,s)]))}),picture:{scene:(s=ys)=>ts(l,s)}}}};function ia(e){const{graph:t,cut:s,view:n}=l;return t&&s&&ra[e]({graph:t,cut:s,view:n})}const ca=10,Os=148,la=3,Ms="#e69f00",ke=()=>l,ve=(e,t)=>A(100*e,t===void 0?1:t)+" %";function Ss(e,t,s,n,o){const[r,a]=s,i=Ot(Array.from({length:a},String),[0,o]),c=Ot(Array.from({length:r},String),[0,o]),d=Math.max(...t)||1,u=Math.max(d,la/t.length),m=t.map((g,$)=>({weight:g,x:i.extent($%a),y:c.extent(Math.floor($/a))})),h=([g,$])=>[g+1,$-1],{width:f,height:w}=n;return Se({width:o,height:o,title:"Where "+e.unit+" reads "+e.sample,desc:"The image under the attention of the module's read-in: the fuller the orange the more it reads there.",marks:[{shape:"image",source:n,sx:0,sy:0,sw:f,sh:w,x:0,y:0,w:o,h:o},N(m,{x:g=>g.x,y:g=>g.y,fill:Ms,opacity:({weight:g})=>.75*g/u}),N(m.filter(({weight:g})=>g===d),{x:g=>h(g.x),y:g=>h(g.y),stroke:Ms,width:2})]})}function ua({asked:e,weights:t,grid:s,picture:n,words:o}){const r=ie(null);return Rn(()=>{const a=r.current;vt(Ss(e,t,s,n,Os),H().font,a),a.style.width=a.style.height=Os+"px",a.dataset.painted=e.unit+" "+e.sample},[e,t,n,ut.value]),p`<figure class="module-map">
    <canvas
      ref=${r}
      role="img"
      id="graph-read-in"
      aria-label=${"Where "+e.unit+" reads the sample. "+o}
    ></canvas>
    <figcaption class="hint">${o}</figcaption>
  </figure>`}function da({about:e,asked:t,picture:s,waiting:n}){const o=u=>p`<p class="hint">${u}</p>`;if(!ke().model.samples)return o("This model reads no samples.");if(!t.sample)return o("Choose a sample above to see where this module attends.");if(!e.read_in)return o(n?"Reading the sample":"This module reads nothing of the sample.");const{weights:r,grid:a}=e.read_in,i=ve(Math.max(...r)),c=ve(1/r.length),d="Most attention to one token: "+i+". Equal attention: "+c+".";return!a||!s?o(d):p`<${ua} ...${{asked:t,weights:r,grid:a,picture:s,words:d}} />`}function pa({unit:e,probability:t}){const s=ke().graph.place.get(e),{of:n,paints:o}=He.value,r=t.toFixed(2),[a,i]=[()=>B(s),()=>B(-1)];return p`<li>
    <button
      type="button"
      class="neighbour"
      data-neighbour=${e}
      aria-label=${e+", link probability "+r}
      onClick=${()=>P(s)}
      onPointerEnter=${a}
      onPointerLeave=${i}
      onFocus=${a}
      onBlur=${i}
    >
      <span class="swatch" aria-hidden="true" style=${{background:o[n[s]]}}></span>
      <span class="neighbour-name">${e}</span>
      <span class="bar-track" aria-hidden="true">
        <span class="bar-fill" style=${{width:100*t+"%"}}></span>
      </span>
      <span class="neighbour-value">${r}</span>
    </button>
  </li>`}const st=({name:e,value:t,note:s})=>p`<div>
    <dt>${e}</dt>
    <dd>${t}${s&&p`<small>${" "+s}</small>`}</dd>
  </div>`;function ha({about:e}){const{count:t}=ke().graph,s=e.read_out_share??null;return p`<dl class="fact-list">
    <${st}
      name="Connectivity q"
      value=${e.connectivity.toFixed(2)}
      note=${"rank "+e.rank+" of "+t}
    />
    <${st} name="Community" value=${"c"+(e.community+1)} />
    ${s!==null&&p`<${st}
        name="Share in the answer"
        value=${ve(s,2)}
        note=${"rank "+e.read_out_rank+"; equal share: "+ve(1/t,2)}
      />`}
  </dl>`}function _s(e){const{change:t,by:s,lossUnit:n}=Ie(e.measure),o=({low:h,high:f},w)=>h===null||f===null?"":" (95 %: "+w(h)+" to "+w(f)+")",r=h=>An(h,3),{accuracy:a,loss:i,data:c,beyond:d}=e,u=E(e.count??xt({data:c})),m=e.where?" "+e.where:"";return t(a.value)+" "+s+o(a,t)+", "+r(i.value)+(n?" "+n:"")+" of loss"+o(i,r)+", on "+u+" samples"+m+(d?"; "+_s(d):"")}function nt(e){const t=$e(e.asked.unit);if(t&&t.evaluation&&t.evaluation.change){const{measure:o,data:r}=t.evaluation,[a,i]=Te(t.evaluation).flatMap(({where:c,count:d,evaluation:{change:u}})=>u?[{...u,measure:o,data:r,where:c,count:d??xt({data:r})}]:[]);return a?{...a,beyond:i??null,running:t.status==="running"}:null}const{drop_effect:s}=e.about;if(!s||l.choice.data.length)return null;const n=l.model?.held_out.length||s.distribution==="out";return{...s,where:n?rn[s.distribution]:""}}function ma(e){const t=$e(e.asked.unit),s=nt(e);return s?_s(s)+(s.running?" so far.":"."):t&&t.status==="running"?"Measuring":t&&t.problem?t.problem.title+". "+t.problem.detail:"Not measured yet."}function fa(e){const{graph:t,cut:s}=ke(),{unit:n}=e.asked,o=nt(e),r=$e(n)?.status==="running",a=l.choice.drop,i=a.includes(n),c=!i&&!!s.dropped[t.place.get(n)],d=()=>D({drop:i?a.filter(u=>u!==n):[...a,n]});return p`<div class="module-caused">
    <p class="module-effect" id="graph-module-effect" role="status">${ma(e)}</p>
    <div class="actions">
      <${De} id="graph-measure" wait=${r||t.count<2} act=${()=>rs(n)}>
        ${o&&!o.running?"Measure again":"Measure its drop effect"}
      <//>
      <${De}
        id="graph-leave-out"
        pressed=${i}
        wait=${c}
        title=${c?"Dropped by the slider":void 0}
        act=${d}
      >
        ${i?"Bring it back":"Drop it too"}
      <//>
    </div>
  </div>`}const ot=({text:e,tag:t})=>p`<h3 class="small-title">${e+" "}<span class="tag">${t}</span></h3>`;function Es(e){const{about:t}=e;return p`
    <div class="module-grid">
      <div>
        <${ot} text="Strongest links" tag="observed" />
        <ol class="neighbours">
          ${t.neighbours.slice(0,ca).map(s=>p`<${pa} key=${s.unit} ...${s} />`)}
        </ol>
      </div>
      <div><${ot} text="Read-in" tag="observed" /><${da} ...${e} /></div>
    </div>
    <${ha} about=${t} />
    <${ot} text="Dropped alone" tag="caused" />
    <${fa} ...${e} />
  `}function ye(){const{status:e,graph:t,view:s,choice:n}=l;return e!=="ready"||!t||!s.unit?null:{model:t.model,unit:s.unit,sample:Ae().sample,samples:n.samples}}const be=Cn(()=>{const e=ye();return e&&JSON.stringify(e)},async e=>{const{model:t,unit:s,sample:n,samples:o}=JSON.parse(e),r=l.model?.samples?n:null,[a,i]=await Promise.all([cn(t,s,r,o),r?Nn(r):null]);return{about:a,picture:i}}),{follow:ga}=be;function at(){const[e,t]=[ye(),be.answer()];return e&&t&&{asked:e,...t}}function $a(){const e=ie(null),[t,s,n]=[ye(),at(),be.problem()];if(s&&(e.current=s),!t)return p`<div class="message">
      ${Mt("No module chosen","Click a module in the graph, or a row of the matrix.")}
    </div>`;if(s)return p`<${Es} ...${s} />`;if(n)return p`<div class="message" role="alert">
      ${Mt(n.title||"It failed",n.message,{words:"Try again",act:be.again})}
    </div>`;const{current:o}=e;if(o?.asked.model!==t.model||o.asked.unit!==t.unit)return p`<div class="skeleton module-skeleton" aria-hidden="true"></div>`;const r={...o.about,read_in:null,read_out_share:null};return p`<${Es} asked=${t} about=${r} waiting=${!0} />`}function wa(){const e=ye();return p`<${_e}
    id="graph-module"
    title=${e?"Module "+e.unit:"Module"}
    reads=${j.module}
    more=${qe.module}
    formats=${["svg","png","csv","json"]}
    written=${ka}
  >
    <div class="graph-module" data-unit=${at()?.asked.unit??""}><${$a} /></div>
  <//>`}function ka(){const e=at();if(!e)return null;const{about:t,asked:s,picture:n}=e,o=nt(e),r=[["what","name","value","low","high"]];for(const i of t.neighbours)r.push(["link probability",i.unit,i.probability,"",""]);const{read_in:a}=t;a&&a.tokens.forEach((i,c)=>r.push(["read-in",i,a.weights[c],"",""])),t.read_out_share!==null&&r.push(["share in the answer",s.unit,t.read_out_share,"",""]);for(const i of o?[o,...o.beyond?[o.beyond]:[]]:[])for(const c of["accuracy","loss"]){const d=i[c],u=(c==="accuracy"?Ie(i.measure).name:c)+(i.where?", "+i.where:"");r.push(["drop effect, caused",u,d.value,d.low??"",d.high??""])}return{name:"graph-module-"+s.unit,facts:{model:t.model,revision:t.revision,seed:null,sample:s.sample,drop:[],unit:s.unit,drop_effect_data:o?o.data:null,drop_effect_state:o?o.running?"running":"done":null,kind:"observed on the full model; the drop effect, where it is given, was caused"},python:{figure:"module"},rows:()=>r,json:()=>({module:t,drop_effect:o}),picture:{scene(i=480){if(!a||!a.grid||!n)throw new Error("Choose a sample: the picture is its read-in map.");return Ss(s,a.weights,a.grid,n,i)}}}}const va={learned:"learned links",frozen:"frozen links",complete:"every module linked to every other"};function ya(){const{graph:e,model:t,sets:s}=l;return!e||!t?null:p`
    <${un} id=${e.model} revision=${e.revision} />
    <span>${e.count+" modules, "+e.readouts+" read-out modules"}</span>
    <span>${va[e.links_kind]+(e.prior?", prior "+e.prior:", no prior")}</span>
    <${dn} sets=${s} used=${Z()} />
  `}function ba(){const{graph:e}=l,{least:t,keep:s,drop:n,data:o,samples:r}=K.value,{sample:a}=Ae(),i=e&&{model:e.model,sample:a,units:n,least:t,edges:s,data:o,samples:r};return p`<a
    class="tool tool-text"
    id="graph-to-drop"
    href=${i?Wn("drop",i,e.units):"/drop"}
    onClick=${Pn}
    >${At("drop")}This choice on Drop</a
  >`}function xa(){const{problem:e}=l;if(!e)return null;const t=(Un()??[]).filter(de).map(({id:o})=>o),n="The units of this model are not linked with probabilities; "+(t.length?"models with links: "+t.join(", "):"no model here has any")+".";return p`<${pn}
    id="graph"
    title=${e.status===404?"No graph":e.title}
    detail=${e.detail||n}
    status=${e.status}
    fits=${de}
    again=${Ht}
  />`}const Oa=200,ne=({id:e,children:t,formats:s=["svg","png","csv","json"],...n})=>p`<${_e} id=${e} tag="observed" formats=${s} written=${()=>ia(e)} ...${n}>${t}<//>`;function Ma(){const{compare:e}=l.view;return p`<${ne}
    id="graph"
    title="Graph"
    reads=${j.graph}
    more=${qe.graph}
    look="panel-graph"
    formats=${["svg","png","csv","json","graphml","gexf"]}
  >
    <div class="graph-bar">
      <div class="graph-links"><${Ao} /></div>
      <${Fo} />
    </div>
    <div class="graph-pictures" data-compare=${String(e)}>
      <${ze} which="learned" />
      ${e&&p`<${ze} which="prior" />`}
    </div>
    <${Wo} />
    <${Uo} />
  <//>`}const Sa=()=>p`<${ne} id="graph-matrix" title="Link probabilities" reads=${j.matrix}>
    <${Po} />
    <${sa} />
  <//>`;function _a(){const{graph:e}=l;return p`<${ne}
    id="graph-statistics"
    title="Learned and prior"
    reads=${j.statistics}
    formats=${["csv","json"]}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="Statistics of the graph">
      ${e&&p`<${ro} graph=${e} />`}
    </div>
  <//>`}const Ts=({id:e,scene:t})=>p`<${ft}
    id=${e}
    scene=${t}
    height=${he}
    drawn=${()=>l.graph?.model??""}
    label=${({title:s,desc:n})=>s+". "+n}
  />`,Ea=()=>p`<${ne} id="graph-degrees" title="Degree distribution" reads=${j.degrees}>
    <${Ts}
      id="plot-graph-degrees"
      scene=${e=>l.graph&&Zt(l.graph,e)}
    />
  <//>`;function Ta(){const e=qn(null);return Ne(()=>{let t=setTimeout(()=>{});const s=je(()=>{const{graph:n,choice:o,cut:r}=l,a=n&&r&&{graph:n,choice:o,cut:r};clearTimeout(t),a&&a.graph===e.peek()?.graph?t=setTimeout(()=>e.value=a,Oa):e.value=a});return()=>{s(),clearTimeout(t)}},[]),p`<${ne} id="graph-clusters" title="Clusters as links are cut" reads=${j.clusters}>
    <${Ts}
      id="plot-graph-clusters"
      scene=${t=>e.value&&ts(e.value,t)}
    />
  <//>`}function La(){const e=l.status==="failed";return p`
    <div class="page-head">
      <h1>Graphs</h1>
      <div id="graph-caption" class="caption"><${ya} /></div>
      <div class="head-actions" hidden=${e}>
        <${ba} />
        <button type="button" class="tool tool-text" data-copy-link="true">${At("link")}Copy link</button>
      </div>
    </div>
    ${e?p`<${xa} />`:p`
            <${ln}><${Co} /><//>
            <div class="graphs-grid">
              <div class="column"><${Ma} /><${Sa} /><${_a} /></div>
              <div class="column">
                <${Eo} /><${wa} /><${Ea} /><${Ta} />
              </div>
            </div>
          `}
  `}jn("graphs",async({model:e,sample:t,...s})=>{Dn({model:e,sample:t}),We(s)});const Ra=In({Tree:La,choice:()=>K.value,take:We,open(e,t){const s=t.closest(".page");Ut(e);const n=[Fn(Ue),ns(),ga(),je(()=>{const{status:o,fresh:r}=x;Object.assign(s.dataset,{status:l.status,evaluation:o,fresh:String(r)})})];return()=>{n.forEach(o=>o()),Gt()}}});Hn({graph:()=>Yn,graphDrawing:()=>()=>dt,graphMaps:()=>oo,links:()=>hn});export{Ra as mount};
