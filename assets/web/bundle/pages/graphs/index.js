/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{aZ as ct,a_ as C,a$ as Rs,S as Ls,Q as lt,W as As,U as ut,Y as Cs,X as Ns,b0 as dt,a5 as pt,ak as Is,h as Ds,b1 as js,P as Se,g as Ps,n as ht,A as Fs,q as _e,af as se,ah as mt,j as Ee,x as ft,N as R,aC as Ws,y as N,z as Te,k as Us,aD as Gs,aE as qs,ad as Hs,ae as zs,ab as Bs,aX as Ks,aY as Vs,b2 as gt,b3 as $t,av as Js,ai as wt,D as Re,a7 as vt,p as kt,b4 as Ys,d as yt,H as bt,aG as Xs,J as Zs,K as Qs,L as en,b5 as tn,I as ne,a8 as sn,b6 as Le,o as nn,b7 as on,f as an,a as rn,aP as cn,b8 as ln,G as xt,b9 as un,aV as dn,R as pn,aW as hn,O as mn,ba as fn}from"../../shared.js";import{ag as Ot,af as gn,A as Mt,n as $n,d as wn,F as St,a1 as _t,aS as vn,a0 as kn,aB as yn,Z as bn,ad as oe,ah as xn,E as S,Q as ae,R as Ae,s as p,r as G,aj as Ce,an as Ne,S as re,B as Et,V as Tt,t as Ie,H as On,G as Mn,au as Sn,k as _n,aI as j,ap as Rt,T as ie,aq as En,b4 as Tn,aH as Rn,ar as Ln,f as L,al as An,b5 as Cn,ai as Nn,b6 as In,U as Dn,a_ as jn,ax as Pn,ay as Fn,c as Wn,i as Lt,az as Un,av as Gn,aw as qn,m as Hn,P as zn}from"../../boot.js";const Bn=150,Kn=1e5,ce={x:0,y:0,zoom:1},le=Ot("graphs","least","keep","drop","data","samples"),At=Ot("graphs","unit","order","colour","links","scale","compare"),{offered:Ct}=gn("graphs","samples"),Vn={status:"loading",problem:null,model:null,sets:[],graph:null,choice:{...le},cut:null,view:{...At},map:{...ce},hover:-1,pair:null},Nt=Mt(Vn),{state:u,subscribe:De}=Nt;function b(e){Nt.update(e),["choice","view","map","graph"].some(t=>t in e)&&Yn()}function It(e,t){const s=new Uint8Array(e.count);for(const a of e.weakest.slice(0,t.least))s[a]=1;for(const a of t.drop)s[e.place.get(a)]=1;const n=lt(e.links.learned,s,t.keep),o=e.units.filter((a,i)=>s[i]),r=e.prior?lt(C(e,"prior"),s,t.keep):{states:null,last:-1};return{...n,dropped:s,names:o,states:{learned:n.states,prior:r.states},last:{learned:n.last,prior:r.last}}}function Dt(e,t,s){const n=s.map(i=>i.name),o=e.data.filter(i=>n.includes(i)),r=bn(t.units,e.drop).slice(0,t.count-1),a=e.keep===null||e.keep>=1||t.links.learned.count===0?null:e.keep;return{...e,keep:a,drop:r,least:Math.min(e.least,t.count-1),data:o.length===n.length?[]:o}}const je=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function I(e){const{graph:t,sets:s}=u,n=t?Dt({...u.choice,...e},t,s):{...u.choice,...e};if(je(n,u.choice))return;if(!t){b({choice:n});return}const o=It(t,n);if(!o.stay){wn("One module stays","A network without modules computes nothing.","bad"),b({});return}b({choice:n,cut:o})}function q(e){const t={...u.view,...e};je(t,u.view)||b({view:t})}const ue=e=>Math.min(Kn,e.links.learned.count);function Jn(e){const t=ct(e.links.learned,.5);return Math.min(ue(e),t>=e.count/2?t:2*e.count)}const de=({constants:e})=>e.includes("link_probability"),pe=()=>u.graph,_=()=>u.graph?Math.min(ue(u.graph),u.view.links===null?Jn(u.graph):u.view.links):0,H=e=>e==="learned"?_():Math.min(_(),C(pe(),e).count);function P(e="learned"){const t=H(e);return t?C(pe(),e).p[t-1]:1/0}const jt=e=>ct(C(pe(),e),P(e));function z(e){e!==u.hover&&b({hover:e})}function F(e){q({unit:e>=0?pe().units[e]:null})}const W=()=>{const e=u.graph&&u.view.unit!==null?u.graph.place.get(u.view.unit):void 0;return e===void 0?-1:e},B=$n({...le,...At,map:null});let K=0;function Yn(){K||(K=setTimeout(Xn,Bn))}function Xn(){K=0;const{model:e,choice:t,view:s,map:n,graph:o}=u;if(!e||!o)return;const{sample:r}=oe();xn("graphs",{...t,...s,map:n,sample:r,model:e.id},o.units),B.value={...t,...s,map:je(n,ce)?null:[n.x,n.y,n.zoom].join(",")}}function Pt({least:e,keep:t,drop:s,data:n,samples:o,map:r,...a}){const i=yn(r);return{choice:{least:e,keep:t,drop:s,data:n,samples:o},view:a,map:i?Ls.clamped(i):{...ce}}}function Ft({choice:e,view:t},s,n){const o=Dt(e,s,n),r=t.unit!==null&&s.place.has(t.unit)?t.unit:null;return{choice:o,view:{...t,unit:r,compare:t.compare&&!!s.prior},cut:It(s,o)}}function Wt(e){B.value=e,b(Pt(e))}function Pe(e){const{graph:t,sets:s}=u,n=Pt(e);b(t?{...n,...Ft(n,t,s)}:n)}let V=0,Fe=null;const We=()=>Fe;async function Ue(e){const t=V+=1;Fe=e;const s=u.model!==null&&u.model.id!==e;if(b({...{status:"loading",problem:null,graph:null,cut:null,hover:-1,pair:null},...s?{model:null,sets:[]}:{}}),!!e)try{const[o,r]=await Promise.all([St("GET","/models/"+encodeURIComponent(e)),St("GET","/data")]);if(t!==V)return;if(!de(o)){b({status:"failed",problem:{title:"No graph",detail:"",status:404}});return}const a=await Rs(e);if(t!==V)return;const i=o.domains.map(m=>r.items.find(g=>g.name===m)).filter(m=>m!==void 0),{choice:c,view:d}=u,l=Ft(u,a,i),h={id:e,units:a.units};_t("drop",h,c.drop),vn(e,o.domains,c.data),c.least>=a.count&&kn(`"least" is ${c.least}; ${e} has ${a.count} modules: shown is ${l.choice.least}.`),d.unit!==l.view.unit&&_t("unit",h,[d.unit]),b({model:o,sets:i,graph:a,...l,status:"ready"})}catch(o){if(t!==V)return;const{title:r="The page failed",message:a,status:i}=o;b({status:"failed",problem:{title:r,detail:a,status:i}})}}function Ut(){V+=1,Fe=null,clearTimeout(K),K=0,Object.assign(u,{status:"loading",model:null,graph:null,cut:null,sets:[],hover:-1,pair:null})}var Zn=Object.freeze({__proto__:null,CHOICE:le,SIZES:Ct,WHOLE:ce,askedFor:We,begin:Wt,choose:I,chosen:W,hasLinks:de,leave:Ut,likelyOf:jt,look:q,most:ue,open:Ue,pick:F,point:z,said:B,shownLinks:_,shownOf:H,state:u,subscribe:De,take:Pe,threshold:P,update:b});const D={graph:"Modules with similar signatures lie near each other. Darker lines: more probable links. Grey: dropped or cut. Click a module.",matrix:"Probability of the link between the modules of a row and a column. Learned and prior have the same order.",effect:"Accuracy beside the full model, on the same samples, 95 % intervals. Grey: random sets of the same size.",module:"Strongest links, attention, contribution and drop effect. Rank 1 is the best connected module.",statistics:"Statistics of the learned graph and of its prior. \xB1: standard deviation over graphs sampled from the probabilities.",degrees:"Share of modules with at least this many expected links. Long tail: hubs. Step: equal groups.",clusters:"Number of connected groups when only the most probable links are kept. Diamond: the chosen share."},Ge={graph:"Modules are moved a little so that none covers another.",effect:"Data in and out of distribution are shown separately. Random sets keep the same share of links.",module:"Connectivity q is the sum of the module's link probabilities, itself included."},Gt=". Arrow keys walk from module to module, Enter chooses one, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.",qt={learned:"The graph of the modules"+Gt,prior:"The prior in the same places"+Gt,matrix:"Link probabilities as a matrix. Arrow keys walk from pair to pair, with Shift ten at a time; Enter chooses the module of the row, Escape lets go."},Qn="With a bandwidth of 1 no link is less probable than exp(\u22122) = 0.135, and many modules cannot all point away from each other (about exp(\u22121) = 0.37): a sparse prior is never reached.";function eo(e,t){const s=t*(t-1)/2;return e===s?Qn:S(e)+" of "+S(s)+" pairs have a link; truncation leaves out the others."}const to={learned:"as learned",prior:"prior, matched"},O={},Ht=[.72,.92,1.2,1.65];function so({q:e,orders:t,count:s}){const n=new Float32Array(s);return t.connectivity.forEach((r,a)=>n[r]=Ht[3-Math.floor(4*a/s)]),Math.min(...e)>.98*Math.max(...e)?n.fill(Ht[1]):n}const J=({graph:e,view:t})=>As[t.colour](e,G());function no(e){const[t,s]=[H(e),jt(e)];if(!t)return", no links";const n=u.cut?.states[e],{live:o,cut:r}=n?dt(n,t):{live:t,cut:0},a=" with p \u2265 "+P(e).toFixed(3);if(r)return", "+S(o)+" kept and "+S(r)+" cut links"+a;const i=s>t?" of "+S(s)+" links":t===1?" link":" links";return", "+S(t)+i+a}class oo{constructor(t,s){this.which=s,this.host=t,this.canvas=t.querySelector("canvas"),this.graph=null,this.colour=null,this.shown=void 0,this.states=null,this.map=new ut(t,this.canvas,{onTheme:()=>this.rebuild(),onDrawn:()=>this.publish(),onView:n=>b({map:{...n}})}),this.stops=[Cs(this.map,{hovered:()=>u.hover,chosen:()=>W(),start:()=>u.graph.orders.connectivity[0],point:n=>z(n),pick:n=>F(n)}),De((n,o)=>this.onState(n,o)),Ns(this.map,{tool:()=>"move",hover:n=>z(n),pick:n=>F(n===W()?-1:n),select:()=>{}})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}get drawn(){return u.graph&&(this.which==="learned"||u.view.compare&&u.graph.prior)?u:null}onState(t,s){const{drawn:n}=this;if(!n){this.map.items&&(this.map.items=null,this.map.links=null,this.graph=null,this.map.draw());return}this.graph!==n.graph||this.colour!==n.view.colour?this.rebuild():(s.has("cut")&&this.map.setDropped(n.cut.dropped),(s.has("cut")||s.has("view"))&&this.relink(n),["cut","view","hover","map"].some(o=>s.has(o))&&this.mark(n))}rebuild(){const{drawn:t}=this;if(!t)return;const{graph:s,view:n}=t,{of:o,paints:r}=J(t);Object.assign(this,{graph:s,colour:n.colour,linked:""}),this.map.setModules({places:s.places,halves:s.halves,category:o,paints:r,sizes:so(s),names:s.units},t.cut.dropped),this.relink(t),this.mark(t)}relink(t){const s=H(this.which),n=t.cut.states[this.which];this.shown===s&&this.states===n&&this.map.links||(Object.assign(this,{shown:s,states:n}),this.map.setLinks(C(t.graph,this.which),n,s))}mark(t){const s=W();this.map.follow(t.map),this.map.ringed=s>=0?[s]:[],this.map.focus=t.hover>=0?t.hover:s,this.map.heading=t.view.compare?to[this.which]+no(this.which):"",this.map.caption=t.hover>=0?qe(t,t.hover):"",this.map.draw()}publish(){const{canvas:t}=this,{graph:s}=u;t.dataset.painted=s.model,t.dataset.shown=String(this.shown),t.dataset.gone=String(this.map.gone.length),t.dataset.focus=this.map.focus>=0?s.units[this.map.focus]:"",t.dataset.spent=this.map.spent.toFixed(2)}}function qe({graph:e,cut:t},s){const n=e.orders.connectivity.indexOf(s)+1;return[...[e.units[s]+": q "+e.q[s].toFixed(2),"rank "+n+" of "+e.count,"community c"+(e.communities[s]+1)],...t.dropped[s]?["dropped"]:[]].join(", ")}function He({which:e}){const t=ae(null);return Ae(()=>{const s=new oo(t.current,e);return O[e]=s,()=>{O[e]===s&&delete O[e],s.dispose()}},[]),p`<div ref=${t} class=${"graph-canvas graph-canvas-"+e}>
    <canvas id=${"graph-picture-"+e} tabindex="0" role="img" aria-label=${qt[e]}></canvas>
    <div class="skeleton" aria-hidden="true" hidden=${e!=="learned"||u.status!=="loading"}></div>
  </div>`}var ao=Object.freeze({__proto__:null,Drawing:He,colouringOf:J,maps:O,wordsOf:qe});const ro=Ce(()=>u.view.colour),zt=Ce(()=>u.graph&&[ro.value,pt.value]&&Ne(()=>J(u))),[io,ze]=["graph","graph-module"],co=10,lo=220,uo={status:"loading",problem:null,evaluation:null,fresh:!1,effects:new Map},{state:x,update:he}=Mt(uo);let me="";function Y(){const{choice:e,sets:t}=u;return e.data.length?e.data:t.map(s=>s.name)}function Bt(e,t,s){const{model:n,choice:o}=u;return"/evaluations/stream"+Tt({model:n.id,data:Y().join(","),samples:o.samples,drop:e.join(","),keep_edges:t,controls:s})}const X=Is({owner:io,statusOf:()=>x.status,update:he,begin(){const{model:e,choice:t,cut:s}=u;e&&s&&me&&X.ask(e.id,()=>Bt(s.names,t.keep,co))}}),Be=()=>JSON.stringify([u.model?.id,Y(),u.choice.samples]),po=Ce(()=>{const{model:e,cut:t,status:s,choice:n}=u;return e&&t&&s==="ready"?JSON.stringify([Be(),t.names,n.keep]):""});function ho(e){const t=me;if(!e){t&&Xt();return}t&&JSON.parse(t)[0]!==Be()&&Jt(),me=e,X.restart(t?lo:0)}function Kt(){const e=re(()=>{const t=po.value;Ne(()=>ho(t))});return()=>{e(),Xt()}}const Vt=e=>e+" "+Be(),fe=e=>x.effects.get(Vt(e)),Ke=(e,t)=>he({effects:new Map(x.effects).set(e,t)});function Jt(){Et(ze),he({effects:new Map([...x.effects].filter(([,{status:e}])=>e!=="running"))})}function Yt(e){Jt();const t=Vt(e);if(x.problem&&x.problem.refused){Ke(t,{status:"failed",problem:x.problem});return}Ke(t,{status:"running",evaluation:null}),js(ze,Bt([e],null,0),s=>Ke(t,s))}function Xt(){X.close(),Et(ze),me="",he({status:"loading",problem:null,evaluation:null,fresh:!1,effects:new Map})}function Zt(e){const{least:t}=u.choice;return Ds(e,["drop","mute","keep_edges","iterations"],{least_connected:x.fresh&&t?t:null})}const{cancel:mo}=X,fo=()=>X.restart();var go=Object.freeze({__proto__:null,aloneOf:fe,cancel:mo,facts:Zt,follow:Kt,measure:Yt,measured:Y,restart:fo,state:x});const $o=e=>_n(e)+" %";function wo(e){if(!e)return{value:Te};const{flops:t,saved:s}=e,n=se(e)===mt?"":"nothing saved",o=s===null?"":s>0?Mn(s)+" % saved":n;return{value:t===null?Te:Sn(t),detail:t===null?"counting":o}}const Qt=e=>({name:"Random modules",...Hs(e,{waiting:zs(e,"module"),sets:t=>t+" sets",unit:({unit:t})=>t})});function vo(){const{evaluation:e,fresh:t}=x,s=e&&se(e)===mt?"full model":"",[n,o]=e?Ee(e):[],{accuracy:r,change:a,loss:i}=ft(n?n.evaluation:null,{none:s}),c=n?Qt(n.evaluation):{name:"Random modules",value:Te},d=o&&ft(o.evaluation,{none:s}),l=n?n.where:"";return p`
    <${R} id="graph-accuracy" ...${N(r,l)} />
    <${R} id="graph-change" ...${N(a,l)} />
    <${R} id="graph-control" ...${N(c,l)} />
    ${d&&p`
        <${R} id="graph-accuracy-out" ...${N(d.accuracy,o.where)} />
        <${R} id="graph-change-out" ...${N(d.change,o.where)} />
        <${R} ...${N(Qt(o.evaluation),o.where)} />
      `}
    <${R} id="graph-loss" ...${N(i,l)} />
    <${R} id="graph-flops" name="FLOPs per sample" ...${wo(e)} />
    <${Ws} id="graph-speed" evaluation=${t?e:null} />
  `}const ko=e=>Us(e,{chosen:u.choice.samples,waiting:"Waiting for the graph",intervention:se}),es=e=>Gs(e,{named:"this choice",sets:"random sets of as many modules",saved:!0},qs(e));function Z(){const{evaluation:e}=x;return e?.accuracy?e:null}function yo(e){const t=Ie(e.measure),s=Ee(e).flatMap(({where:n,evaluation:{accuracy:o}})=>o?[(n&&n+" ")+On(t,o.value)]:[]);return t.title+" with "+se(e)+": "+s.join("; ")}const ts="graph-effect-picture";function bo(){const e=Z();if(!e)return null;const t=Math.max(560,document.getElementById(ts)?.clientWidth??0);return{name:"graph-effect",facts:Zt(e),python:{figure:"accuracy",draws:e.control?.draws},rows:()=>es(e),json:()=>({result:e}),picture:{scene:s=>_e(e,s??t)}}}function xo(){const{fresh:e,status:t}=x,s=Z();return p`<${Se}
    id="graph-effect"
    title="Effect of this choice"
    tag="caused"
    reads=${D.effect}
    more=${Ge.effect}
    formats=${["svg","png","csv","json"]}
    written=${bo}
  >
    <div class="numbers graph-numbers" data-fresh=${String(e)}><${vo} /></div>
    <${Ps} name="graph" look="drop-progress" followed=${go} progressOf=${ko} />
    <${ht}
      id=${ts}
      look="drop-picture"
      height=${228}
      widest=${900}
      data=${{"data-fresh":String(e),"data-state":t}}
      scene=${n=>{const o=Z();return o&&_e(o,n)}}
      drawn=${()=>Z()?.id??""}
      label=${()=>yo(Z())}
    />
    <${Fs}
      words="The effect as a table"
      data=${{"data-graph-table":"effect"}}
      caption=${()=>(s&&_e(s,640).desc)??""}
      rows=${s&&(()=>es(s))}
    />
  <//>`}const Q=1e3,Ve={value:0,most:0,words:""},ss=e=>Number(((e/Q)**2).toPrecision(3)),ns=e=>Math.round(Q*Math.sqrt(e));function Oo(){const{graph:e,choice:t,cut:s}=u,n={id:"graph-least",name:"Least connected dropped",onInput:Mo},o={id:"graph-keep",name:"Links kept",onInput:So};if(!e||!s)return p`<${j} ...${n} ...${Ve} /><${j} ...${o} ...${Ve} />`;const r=$o,a=t.drop.length?", "+s.names.length+" with those named":"",i=t.least+" of "+e.count+" ("+r(t.least/e.count)+")"+a,c=e.links_kind!=="complete"&&e.edges>0,d=t.keep===null?1:t.keep,l=r(d)+": "+S(s.live)+" of "+S(s.total)+" links";return p`
    <${j} ...${n} value=${t.least} most=${e.count-1} words=${i} />
    <${j}
      ...${o}
      value=${ns(d)}
      most=${c?Q:0}
      words=${c?l:"a complete graph has none to choose from"}
    />
  `}const Mo=e=>I({least:e}),So=e=>I({keep:e>=Q?null:ss(e)});function _o(){const{graph:e,cut:t}=u,s={id:"graph-threshold",name:"Links drawn"};if(!e||!t)return p`<${j} ...${s} ...${Ve} />`;const n=ue(e),o=_(),{learned:r}=e.links,a=gt(r,t.states.learned,o,t.dropped),c=(o?"p \u2265 "+P().toFixed(3)+": ":"")+Tn(dt(t.states.learned,o),t.live,r.count)+"; ",d=a.count+(a.count===1?" cluster":" clusters")+", the largest of "+a.largest;return p`<${j}
    ...${s}
    value=${ns(o/Math.max(1,n))}
    most=${Q}
    words=${c+d}
    onInput=${l=>q({links:Math.round(ss(l)*n)})}
  />`}function Eo(){const{model:e,sets:t,choice:s}=u;return p`<div class="graph-data">
    <div class="control">
      <span class="control-name">Data</span>
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${Bs}>
        <${Ks}
          sets=${t}
          used=${Y()}
          attribute="data-graph-set"
          about=${n=>Vs(n,!!e?.held_out.includes(n.name))}
          onChoose=${n=>I({data:n})}
        />
      </div>
    </div>
    <div class="control">
      <span class="control-name">Samples</span>
      <${Rt}
        id="graph-samples"
        look="plain-select"
        label="Number of samples"
        options=${En(Ct,s.samples)}
        chosen=${String(s.samples)}
        onChoose=${n=>I({samples:Number(n)})}
      />
    </div>
    <${ie} id="graph-reset" act=${()=>I({...le})}>Reset<//>
  </div>`}const To=()=>p`<div class="graph-controls">
    <div class="graph-sliders"><${Oo} /></div>
    <${Eo} />
  </div>`,Je=({name:e,words:t,options:s})=>Ln(t,"graph-"+e,p`<${Rt}
      id=${"graph-"+e}
      look="plain-select"
      label=${t}
      options=${s}
      chosen=${u.view[e]}
      onChoose=${n=>q({[e]:n})}
    />`),Ro=[["community","community"],["degree","expected links"]],Lo=[["fixed","0 to 1"],["range","as they vary"]];function Ao(){const{graph:e,view:t}=u,s=!e||!e.prior;return p`<${ie}
    id="graph-compare"
    pressed=${t.compare}
    wait=${s}
    title=${s?"This model was made without a prior":"Draw the matched prior beside it: as many of its links, in the same places"}
    act=${()=>q({compare:!t.compare})}
  >
    beside the prior
  <//>`}const Co=()=>O.learned?[O.learned.map]:[],No=()=>p`<div class="graph-tools">
    <${Je} name="colour" words="Colour" options=${Ro} />
    <${Ao} />
    <div class="zoom"><${Rn} mapsOf=${Co} /></div>
  </div>`;function Io(){const{graph:e}=u,t=[["matched",!e||e.ordered_by==="prior"?"matched prior":"communities, best first"],["communities","communities"],["connectivity","connectivity"]];return p`<div class="graph-bar">
    <${Je} name="order" words="Order" options=${t} />
    <${Je} name="scale" words="Shades" options=${Lo} />
  </div>`}function Do(){const{value:e}=zt;return p`<div class="graph-legend">
    <span class="control-name">${e?.what}</span>
    ${e?.entries.map(({name:t,count:s,paint:n})=>p`<span class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{background:n}}></span>
          ${t}<small>${s}</small>
        </span>`)}
  </div>`}const jo=()=>p`<p class="hidden-visually" aria-live="polite">
    ${u.graph&&u.hover>=0?qe(u,u.hover):""}
  </p>`,Po=10,os=148,Fo=3,as="#e69f00",ge=()=>u,$e=(e,t)=>L(100*e,t===void 0?1:t)+" %";function rs(e,t,s,n,o){const[r,a]=s,i=wt(Array.from({length:a},String),[0,o]),c=wt(Array.from({length:r},String),[0,o]),d=Math.max(...t)||1,l=Math.max(d,Fo/t.length),h=t.map((f,w)=>({weight:f,x:i.extent(w%a),y:c.extent(Math.floor(w/a))})),m=([f,w])=>[f+1,w-1],{width:g,height:$}=n;return Re({width:o,height:o,title:"Where "+e.unit+" reads "+e.sample,desc:"The image under the attention of the module's read-in: the fuller the orange the more it reads there.",marks:[{shape:"image",source:n,sx:0,sy:0,sw:g,sh:$,x:0,y:0,w:o,h:o},vt(h,{x:f=>f.x,y:f=>f.y,fill:as,opacity:({weight:f})=>.75*f/l}),vt(h.filter(({weight:f})=>f===d),{x:f=>m(f.x),y:f=>m(f.y),stroke:as,width:2})]})}function Wo({asked:e,weights:t,grid:s,picture:n,words:o}){const r=ae(null);return An(()=>{const a=r.current;kt(rs(e,t,s,n,os),G().font,a),a.style.width=a.style.height=os+"px",a.dataset.painted=e.unit+" "+e.sample},[e,t,n,pt.value]),p`<figure class="module-map">
    <canvas
      ref=${r}
      role="img"
      id="graph-read-in"
      aria-label=${"Where "+e.unit+" reads the sample. "+o}
    ></canvas>
    <figcaption class="hint">${o}</figcaption>
  </figure>`}function Uo({about:e,asked:t,picture:s,waiting:n}){const o=l=>p`<p class="hint">${l}</p>`;if(!ge().model.samples)return o("This model does not read samples.");if(!t.sample)return o("Choose a sample above to see where this module reads it.");if(!e.read_in)return o(n?"Reading the sample":"Nothing was read.");const{weights:r,grid:a}=e.read_in,i=$e(Math.max(...r)),c=$e(1/r.length),d="At most "+i+" of its reading in one token; evenly it would be "+c+".";return!a||!s?o(d):p`<${Wo} ...${{asked:t,weights:r,grid:a,picture:s,words:d}} />`}function Go({unit:e,probability:t}){const s=ge().graph.place.get(e),{of:n,paints:o}=zt.value,r=t.toFixed(2),[a,i]=[()=>z(s),()=>z(-1)];return p`<li>
    <button
      type="button"
      class="neighbour"
      data-neighbour=${e}
      aria-label=${e+", link probability "+r}
      onClick=${()=>F(s)}
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
  </li>`}const Ye=({name:e,value:t,note:s})=>p`<div>
    <dt>${e}</dt>
    <dd>${t}${s&&p`<small>${" "+s}</small>`}</dd>
  </div>`;function qo({about:e}){const{count:t}=ge().graph,s=e.read_out_share??null;return p`<dl class="fact-list">
    <${Ye}
      name="Connectivity q"
      value=${e.connectivity.toFixed(2)}
      note=${"rank "+e.rank+" of "+t}
    />
    <${Ye} name="Community" value=${"c"+(e.community+1)} />
    ${s!==null&&p`<${Ye}
        name="Share in the answer"
        value=${$e(s,2)}
        note=${"rank "+e.read_out_rank+"; evenly "+$e(1/t,2)}
      />`}
  </dl>`}function is(e){const{change:t,by:s,lossUnit:n}=Ie(e.measure),o=({low:m,high:g},$)=>m===null||g===null?"":" (95 %: "+$(m)+" to "+$(g)+")",r=m=>Cn(m,3),{accuracy:a,loss:i,data:c,beyond:d}=e,l=S(e.count??$t({data:c})),h=e.where?" "+e.where:"";return t(a.value)+" "+s+o(a,t)+", "+r(i.value)+(n?" "+n:"")+" of loss"+o(i,r)+", on "+l+" samples"+h+(d?"; "+is(d):"")}function Xe(e){const t=fe(e.asked.unit);if(t&&t.evaluation&&t.evaluation.change){const{measure:o,data:r}=t.evaluation,[a,i]=Ee(t.evaluation).flatMap(({where:c,count:d,evaluation:{change:l}})=>l?[{...l,measure:o,data:r,where:c,count:d??$t({data:r})}]:[]);return a?{...a,beyond:i??null,running:t.status==="running"}:null}const{drop_effect:s}=e.about;if(!s||u.choice.data.length)return null;const n=u.model?.held_out.length||s.distribution==="out";return{...s,where:n?Js[s.distribution]:""}}function Ho(e){const t=fe(e.asked.unit),s=Xe(e);return s?is(s)+(s.running?" so far.":"."):t&&t.status==="running"?"Measuring":t&&t.problem?t.problem.title+". "+t.problem.detail:"Not measured yet."}function zo(e){const{graph:t,cut:s}=ge(),{unit:n}=e.asked,o=Xe(e),r=fe(n)?.status==="running",a=u.choice.drop,i=a.includes(n),c=!i&&!!s.dropped[t.place.get(n)],d=()=>I({drop:i?a.filter(l=>l!==n):[...a,n]});return p`<div class="module-caused">
    <p class="module-effect" id="graph-module-effect" role="status">${Ho(e)}</p>
    <div class="actions">
      <${ie} id="graph-measure" wait=${r||t.count<2} act=${()=>Yt(n)}>
        ${o&&!o.running?"Measure again":"Measure its drop effect"}
      <//>
      <${ie}
        id="graph-leave-out"
        pressed=${i}
        wait=${c}
        title=${c?"The slider drops it already":void 0}
        act=${d}
      >
        ${i?"Bring it back":"Drop it too"}
      <//>
    </div>
  </div>`}const Ze=({text:e,tag:t})=>p`<h3 class="small-title">${e+" "}<span class="tag">${t}</span></h3>`;function cs(e){const{about:t}=e;return p`
    <div class="module-grid">
      <div>
        <${Ze} text="Strongest links" tag="observed" />
        <ol class="neighbours">
          ${t.neighbours.slice(0,Po).map(s=>p`<${Go} key=${s.unit} ...${s} />`)}
        </ol>
      </div>
      <div><${Ze} text="Read-in" tag="observed" /><${Uo} ...${e} /></div>
    </div>
    <${qo} about=${t} />
    <${Ze} text="Dropped alone" tag="caused" />
    <${zo} ...${e} />
  `}function we(){const{status:e,graph:t,view:s,choice:n}=u;return e!=="ready"||!t||!s.unit?null:{model:t.model,unit:s.unit,sample:oe().sample,samples:n.samples}}const ve=Nn(()=>{const e=we();return e&&JSON.stringify(e)},async e=>{const{model:t,unit:s,sample:n,samples:o}=JSON.parse(e),r=u.model?.samples?n:null,[a,i]=await Promise.all([Ys(t,s,r,o),r?In(r):null]);return{about:a,picture:i}}),{follow:Bo}=ve;function Qe(){const[e,t]=[we(),ve.answer()];return e&&t&&{asked:e,...t}}function Ko(){const e=ae(null),[t,s,n]=[we(),Qe(),ve.problem()];if(s&&(e.current=s),!t)return p`<div class="message">
      ${yt("No module chosen","Click a module in the graph, or a row of the matrix.")}
    </div>`;if(s)return p`<${cs} ...${s} />`;if(n)return p`<div class="message" role="alert">
      ${yt(n.title||"It failed",n.message,{words:"Try again",act:ve.again})}
    </div>`;const{current:o}=e;if(o?.asked.model!==t.model||o.asked.unit!==t.unit)return p`<div class="skeleton module-skeleton" aria-hidden="true"></div>`;const r={...o.about,read_in:null,read_out_share:null};return p`<${cs} asked=${t} about=${r} waiting=${!0} />`}function Vo(){const e=we();return p`<${Se}
    id="graph-module"
    title=${e?"Module "+e.unit:"Module"}
    reads=${D.module}
    more=${Ge.module}
    formats=${["svg","png","csv","json"]}
    written=${Jo}
  >
    <div class="graph-module" data-unit=${Qe()?.asked.unit??""}><${Ko} /></div>
  <//>`}function Jo(){const e=Qe();if(!e)return null;const{about:t,asked:s,picture:n}=e,o=Xe(e),r=[["what","name","value","low","high"]];for(const i of t.neighbours)r.push(["link probability",i.unit,i.probability,"",""]);const{read_in:a}=t;a&&a.tokens.forEach((i,c)=>r.push(["read-in",i,a.weights[c],"",""])),t.read_out_share!==null&&r.push(["share in the answer",s.unit,t.read_out_share,"",""]);for(const i of o?[o,...o.beyond?[o.beyond]:[]]:[])for(const c of["accuracy","loss"]){const d=i[c],l=(c==="accuracy"?Ie(i.measure).name:c)+(i.where?", "+i.where:"");r.push(["drop effect, caused",l,d.value,d.low??"",d.high??""])}return{name:"graph-module-"+s.unit,facts:{model:t.model,revision:t.revision,seed:null,sample:s.sample,drop:[],unit:s.unit,drop_effect_data:o?o.data:null,drop_effect_state:o?o.running?"running":"done":null,kind:"observed on the full model; the drop effect, where it is given, was caused"},python:{figure:"module"},rows:()=>r,json:()=>({module:t,drop_effect:o}),picture:{scene(i=480){if(!a||!a.grid||!n)throw new Error("Choose a sample: the picture is its read-in map.");return rs(s,a.weights,a.grid,n,i)}}}}const et=(e,t)=>t==="learned"?"learned":"prior: "+e.prior,tt=e=>["learned","prior"].filter(e);function Yo(e,t){if(e===null)return"\u2013";const s=Math.abs(e)>=100?0:Math.abs(e)>=10?1:3;return(Number.isInteger(e)&&t===null?L(e,0):L(e,s))+(t===null?"":" \xB1 "+L(t,s))}function Xo({graph:e}){const t=[...new Set(e.statistics.map(a=>a.on))],s=[...new Set(e.statistics.map(a=>a.name))],n=tt(a=>a==="learned"||e.prior),o=a=>a?void 0:"first";function r(a){const i=e.statistics.filter(d=>d.name===a),c=t.flatMap(d=>{const l=i.find(h=>h.on===d);return n.map((h,m)=>{const g=l?.[h];return p`<td class=${o(m)}>${g&&Yo(g.value,g.deviation??null)}</td>`})});return p`<tr>
      <th scope="row">${i[0].title}</th>
      ${c}
    </tr>`}return p`<table class="figures graph-figures">
    <caption>
      ${e.distance===null?"No prior to compare with":"Prior: "+e.prior+", distance to it as it was matched: "+e.distance.toFixed(3)+". "+eo(e.edges,e.count)}
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
  </table>`}const ke=228,[Zo,Qo,ea]=[42,14,38],ls={learned:{stroke:"accent",width:2},prior:{stroke:"dim",width:1.5,dash:[5,4]}};function us({curves:e,across:t,up:s,axes:n,width:o,title:r,keys:a=[],besides:i=()=>[]}){const c=bt([{text:n[1],key:"none",ink:"ink",weight:600},...e.map(({which:w,name:v})=>({text:v,...ls[w]})),...a],{x:8,y:12,width:o,size:11.5}),[d,l,h,m]=[Zo,o-Qo,c.height+12,ke-ea],[g,$]=[t([d,l]),s([m,h])],f=Xs(n[0],{y:ke-6,ends:[d,l],within:[0,o],size:11.5});return Re({width:o,height:ke+f.more,title:r,desc:n[1]+" against "+n[0]+": "+e.map(({name:w})=>w).join(", ")+".",marks:[Zs($,[d,l],{strong:null}),Qs(g,[h,m],{strong:null}),f.marks,e.map(({which:w,path:v})=>en(v,{x:y=>g(y.x),y:y=>$(y.y),...ls[w]})),e.flatMap(({spots:w})=>w.map(v=>({shape:"none",spot:{x:g(v.x),y:$(v.y),reach:7,rise:10,words:v.words,of:v}}))),i(g,$),c.marks]})}const ds=(e,t)=>Array.from({length:Math.floor(t)-Math.ceil(e)+1},(s,n)=>Math.ceil(e)+n),ps=e=>e<0?L(10**e,-e):String(10**e);function ta(e){const t=[...e].sort((n,o)=>n-o),s=t.map((n,o)=>100*(t.length-o)/t.length);return{x:[0,...t,...t.slice(-1)],y:[100,...s,0]}}function hs(e,t){const s=tt(o=>e.degrees[o]).map(o=>{const{x:r,y:a}=ta(e.degrees[o]??[]),i=r.map((l,h)=>({x:l,y:a[h]})),c=i.flatMap((l,h)=>h?[{x:i[h-1].x,y:l.y},l]:[l]),d=i.map(l=>({...l,words:L(l.y,1)+" % of the modules have "+L(l.x,2)+" or more"}));return{which:o,name:et(e,o),path:c,spots:d}}),n=Math.max(...s.flatMap(({path:o})=>o.map(r=>r.x)));return us({curves:s,width:t,title:"Distribution of the expected links of "+e.model,axes:["expected links of a module","Modules, %"],across:o=>ne([0,n],o,{round:!1,most:7}),up:o=>ne([0,102],o,{ticks:[0,25,50,75,100],named:String})})}const ms=new WeakMap;function ye(e,t){const s=ms.get(e)||{};return ms.set(e,s),s[t]=s[t]||tn(C(e,t),e.count)}function fs({graph:e,choice:t,cut:s}){const{learned:n}=e.links,o=gt(n,s.states.learned,n.count,s.dropped);return{share:t.keep===null?1:t.keep,...o}}function gs(e,t){const{graph:s}=e,n=100/(s.count*(s.count-1)),o=l=>Math.log10(Math.max(n,100*l)),r=tt(l=>s.matrices[l]).map(l=>{const h=ye(s,l).map(({share:m,clusters:g})=>({x:o(m),y:Math.log10(g),words:L(Math.max(n,100*m),2)+" % of the links: "+g+" clusters, "+et(s,l)}));return{which:l,name:et(s,l),path:[...h,{x:2,y:h[h.length-1].y}],spots:h}}),a=fs(e),i=a.count+" clusters of the modules that stay, the largest of "+a.largest,[c,d]=[Math.log10(.8*n),Math.log10(1.2*s.count)];return us({curves:r,width:t,title:"Clusters of "+s.model+" as links are cut",axes:["links kept, % (log scale)","Clusters (log scale)"],across:l=>ne([2.02,c],l,{ticks:ds(c,2),named:ps}),up:l=>ne([-.06,d],l,{ticks:ds(0,d),named:ps}),keys:[{text:"\u25C6 this choice",key:"none",ink:"ink"}],besides:(l,h)=>sn([a],{x:({share:m})=>l(o(m)),y:({count:m})=>h(Math.log10(m)),text:"diamond",r:6.5,fill:"marker",stroke:"surface",width:2,words:i,reach:14,rise:14})})}const $s=2**31-1,ws=new WeakMap,vs=(e,t)=>e.matrices[t];function sa(e,t){const s=vs(e,t),n=ws.get(s);if(n)return n;const o=C(e,t),r=new Int32Array(e.count*e.count).fill($s);for(let a=0;a<o.count;a+=1){const[i,c]=[o.from[a],o.to[a]];r[i*e.count+c]=r[c*e.count+i]=a}for(let a=0;a<e.count;a+=1)r[a*(e.count+1)]=-1;return ws.set(s,r),r}function na(e){let[t,s]=[1/0,-1/0];for(const n of["learned","prior"]){const o=e.matrices[n];if(o)for(let r=0;r<e.count;r+=1)for(let a=r+1;a<e.count;a+=1){const i=o[r*e.count+a];t=Math.min(t,i),s=Math.max(s,i)}}return s>t?[t,s]:[0,1]}function oa(e,t,{order:s,cut:n,span:o,colours:r,block:a}){const{count:i}=e,c=Math.ceil(i/a),d=aa(e,t,o),l=sa(e,t),h=n.last[t],m=new Uint32Array(c*c),g=Le(r.gone);for(let $=0,f=0;$<c;$+=1){const w=Math.min(i,($+1)*a);for(let v=0;v<c;v+=1,f+=1){const y=Math.min(i,(v+1)*a);let[M,E,T,xe,at]=[0,0,0,0,0];for(let A=$*a;A<w;A+=1){const rt=s[A]*i,Ts=n.dropped[s[A]];for(let Oe=v*a;Oe<y;Oe+=1){const Me=s[Oe];if(at+=1,Ts||n.dropped[Me])continue;xe+=1,M+=d[rt+Me];const it=l[rt+Me];it!==$s&&(T+=1,it<=h&&(E+=1))}}if(2*xe<at)m[f]=g;else{const A=Math.round(M/xe);m[f]=2*E>=T?r.live[A]:r.cut[A]}}}return st(c,c,m)}const ks=new WeakMap;function aa(e,t,[s,n]){const o=vs(e,t),r=s+" "+n,a=ks.get(o);if(a&&a.key===r)return a.shades;const i=255/(n-s),c=new Uint8ClampedArray(o.length);for(let d=0;d<c.length;d+=1)c[d]=(o[d]-s)*i;return ks.set(o,{key:r,shades:c}),c}function st(e,t,s){const n=document.createElement("canvas");return Object.assign(n,{width:e,height:t}),n.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(s.buffer),e,t),0,0),n}const nt=e=>({bitmap:e,width:e.width,height:e.height,get href(){return e.toDataURL("image/png")}});function ra(e,t,s){const{of:n,paints:o}=J(e),r=o.map(Le),a=Le(s.line),i=Uint32Array.from(t,c=>e.cut.dropped[c]?a:r[n[c]]);return{across:nt(st(t.length,1,i)),down:nt(st(1,t.length,i))}}const ys=270;function ia({span:e,colours:t},{height:s,width:n},o,r){const a=n>=ys,[i,c]=[s-(a?20:40),Math.max(30,Math.min(180,n/3,n-r-190))],d=t.stops.map(($,f)=>[f/(t.stops.length-1),$]),l=($,f,w,v=i)=>({shape:"text",x:$,y:v+9,text:f,size:11,fill:o.dim,anchor:w}),[h,m]=a?[r+c+50,i]:[r,i+20],g=t.greys.map(($,f)=>[f,$]);return[l(r-6,e[0].toFixed(2),"end"),{shape:"rect",x:r,y:i,w:c,h:10,fill:{x0:r,x1:r+c,stops:d},stroke:o.line},l(r+c+6,e[1].toFixed(2),"start"),{shape:"rect",x:h,y:m,w:22,h:10,fill:{x0:h,x1:h+22,stops:g},stroke:o.line},l(h+28,"cut","start",m),{shape:"rect",x:h+58,y:m,w:22,h:10,fill:t.gone,stroke:o.line},l(h+86,"dropped","start",m)]}let be=null;const[bs,ot,k,ca]=[26,22,6,34],la=520,xs=520,ua=8,da=150,pa=220,Os={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]};class ha{constructor(t){this.host=t,this.canvas=t.querySelector("canvas"),this.key=null,this.frame=0,this.later=0,this.slow=!1,this.range=[0,1],this.made=null,this.ground=null,this.frameNow=null,this.canvas.addEventListener("pointermove",s=>this.point(this.pairAt(s))),this.canvas.addEventListener("pointerleave",()=>this.point(null)),this.canvas.addEventListener("blur",()=>this.point(null)),this.canvas.addEventListener("click",s=>this.pick(this.pairAt(s))),this.canvas.addEventListener("keydown",s=>this.onKey(s)),this.stops=[De((s,n)=>{n.has("cut")||n.has("graph")?this.draw(!0):["view","hover","pair"].some(o=>n.has(o))&&this.draw()}),Dn(()=>this.draw()),nn(t,()=>this.draw())]}dispose(){cancelAnimationFrame(this.frame),clearTimeout(this.later),this.stops.forEach(t=>t())}draw(t){if(t&&this.slow){this.later||(this.later=setTimeout(()=>this.paint(),da));return}this.frame||(this.frame=requestAnimationFrame(()=>this.paint()))}bitmaps(t,s,n){const{graph:o,cut:r,view:a}=t,i=o.orders[a.order],c=[o,r,i,a.scale,s.surface,n],{key:d,made:l}=this;if(l&&d&&c.every((f,w)=>f===d[w]))return l;(!this.key||this.key[0]!==o)&&(this.range=na(o)),this.key=c;const h=a.scale==="fixed"?[0,1]:this.range,m=on(s),$=(o.prior?["learned","prior"]:["learned"]).map(f=>({which:f,canvas:oa(o,f,{order:i,cut:r,span:h,colours:m,block:n}),title:f==="learned"?"learned":"prior: "+o.prior+", matched"}));return this.made={squares:$,order:i,span:h,colours:m,block:n},this.made}layout(t,s){const n=s<la?1:t,o=document.fullscreenElement?Math.max(xs,window.innerHeight-pa):xs,r=Math.floor(Math.min((s-bs*(n-1))/n-k,o)),a=Array.from({length:t},(c,d)=>({x:k+d%n*(r+bs+k),y:ot+k+Math.floor(d/n)*(r+ot+k)})),i=Math.ceil(t/n);return{side:r,places:a,width:s,height:i*(r+ot+k)+ca+(s<ys?20:0)}}sceneOf(t,s){const n=U(),o=G(),r=this.layout(n.graph.prior?2:1,t),a=r.side*(window.devicePixelRatio||1),i=this.bitmaps(n,o,s?1:Math.max(1,Math.round(n.graph.count/a))),c=[];return i.squares.forEach((d,l)=>c.push(...this.squareItems(n,i,d,r.places[l],r.side,o))),c.push(...ia(i,r,o,k+34)),{width:t,height:r.height,background:o.surface,title:"Link probabilities of "+n.graph.model,desc:"Rows and columns are modules in the order of "+ma[n.view.order]+"; grey is what is dropped.",items:c,frame:r,made:i}}squareItems(t,s,n,{x:o,y:r},a,i){const{graph:c}=t,{order:d}=s,{canvas:l,title:h}=n,m=nt(l),g=c.count/s.block,$=[{shape:"text",x:o,y:r-k-7,text:an(h,a,12,rn(i.font),600),size:12,weight:600,fill:i.ink},{shape:"image",source:m,sx:0,sy:0,sw:g,sh:g,x:o,y:r,w:a,h:a},{shape:"rect",x:o-.5,y:r-.5,w:a+1,h:a+1,stroke:i.line,width:1}],f=ra(t,d,i),w={shape:"image",sx:0,sy:0};return $.push({...w,source:f.down,sw:1,sh:c.count,x:o-k,y:r,w:k-2,h:a}),$.push({...w,source:f.across,sw:c.count,sh:1,x:o,y:r-k,w:a,h:k-2}),$}paint(){cancelAnimationFrame(this.frame),clearTimeout(this.later),this.frame=this.later=0;const t=this.host.clientWidth;if(t<60)return;if(!u.graph){this.ground=null,delete this.canvas.dataset.painted,this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height);return}const s=performance.now(),n=G(),{canvas:o,scene:r}=this.squares(U(),n,t),a=cn(this.canvas,t,r.height);a.clearRect(0,0,t,r.height),a.drawImage(o,0,0,t,r.height),ln(a,this.marks(U(),r,n),n.font),this.frameNow=r.frame,this.canvas.style.width=t+"px",this.canvas.style.height=r.height+"px",this.publish(U(),performance.now()-s)}squares(t,s,n){const{graph:o,cut:r,view:a}=t,i=[o,r,a.order,a.scale,a.colour,s.surface,n,window.devicePixelRatio],{ground:c}=this;if(c&&i.every((m,g)=>m===c.key[g]))return c;const d=performance.now(),l=this.sceneOf(n),h=c?c.canvas:document.createElement("canvas");return kt({...l,background:null},s.font,h),this.slow=performance.now()-d>ua,this.ground={key:i,canvas:h,scene:l}}marks(t,{frame:{side:s,places:n},made:o},r){const{graph:a,hover:i,pair:c}=t,{order:d}=o,l=s/a.count,h=[],m=($,f,w)=>{const v=d.indexOf($)*l,y=Math.max(l,2);for(const{x:M,y:E}of n){const T={shape:"rect",stroke:r.marker,width:f,opacity:w};h.push({...T,x:M-k,y:E+v,w:s+k,h:y}),h.push({...T,x:M+v,y:E-k,w:y,h:s+k})}},g=W();if(g>=0&&m(g,1.4,.9),!c&&i>=0&&i!==g&&m(i,1,.6),c){const[$,f]=c.map(y=>d.indexOf(y)*l),w=Math.max(l,5),v=(l-w)/2;for(const{x:y,y:M}of n){const E={shape:"path",stroke:r.marker,width:1,opacity:.5},T={shape:"rect",x:y+f+v,y:M+$+v,w,h:w};h.push({...E,d:"M"+(y-k)+","+(M+$+l/2)+"h"+(s+k)},{...E,d:"M"+(y+f+l/2)+","+(M-k)+"v"+(s+k)},{...T,stroke:r.surface,width:3},{...T,stroke:r.marker,width:1.5})}}return h}publish(t,s){const{dataset:n}=this.canvas;n.painted=t.graph.model,n.order=t.view.order,n.spent=s.toFixed(2),n.pair=t.pair?t.pair.map(o=>t.graph.units[o]).join(","):""}pairAt(t){const{graph:s}=u;if(!s||!this.frameNow||!this.made)return null;const n=this.canvas.getBoundingClientRect(),[o,r]=[t.clientX-n.left,t.clientY-n.top],{side:a,places:i}=this.frameNow;for(const{x:c,y:d}of i){const[l,h]=[o-c,r-d].map(g=>Math.floor(g/a*s.count)),m=g=>g>=0&&g<s.count;if(m(h)&&m(l))return[this.made.order[h],this.made.order[l]]}return null}point(t){((n,o)=>n===o||n&&o&&n[0]===o[0]&&n[1]===o[1])(t,u.pair)||b({pair:t,hover:t?t[0]:-1})}pick(t){t&&F(t[0]===W()?-1:t[0])}onKey(t){if(!u.graph||!this.made||t.ctrlKey||t.metaKey||t.altKey)return;const{order:s}=this.made,n=s.length-1;if(Os[t.key]){const o=t.shiftKey?10:1,r=u.pair?u.pair.map(i=>s.indexOf(i)):[-1,-1],a=Os[t.key].map((i,c)=>Math.max(0,Math.min(n,r[c]+(r[c]<0?1:o*i))));this.point([s[a[0]],s[a[1]]])}else if(t.key==="Enter"||t.key===" ")this.pick(u.pair);else if(t.key==="Escape")this.point(null),F(-1);else return;t.preventDefault()}scene(t){const s=this.sceneOf(t??Math.max(720,this.host.clientWidth),!0);return{...s,items:[...s.items,...this.marks(U(),s,G())]}}}const U=()=>u,ma={matched:"the matched prior",communities:"their communities",connectivity:"their connectivity"};function fa({graph:e,cut:t,pair:s}){if(!s)return"";const[n,o]=s,r=n*e.count+o,{learned:a,prior:i}=e.matrices,c="p "+a[r].toFixed(3),d=i?", prior "+i[r].toFixed(3):"",l=t.dropped[n]||t.dropped[o]?", dropped":"";return e.units[n]+" and "+e.units[o]+": "+c+d+l}function ga(){const e=ae(null);Ae(()=>{const s=new ha(e.current);return be=s,()=>{be===s&&(be=null),s.dispose()}},[]);const t=u.graph&&fa(U());return p`
    <div ref=${e} class="graph-matrix">
      <canvas id="graph-matrix-picture" tabindex="0" role="img" aria-label=${qt.matrix}></canvas>
      <div class="skeleton" aria-hidden="true" hidden=${u.status!=="loading"}></div>
    </div>
    <p class="hint" id="graph-pair" aria-live="polite">
      ${t||"Point at a pair, or walk with the arrow keys; Enter chooses the row."}
    </p>
  `}const $a=1e5,Ms=640;function ee(){const{graph:e,choice:t,cut:s,view:n}=u;return{model:e.model,revision:e.revision,seed:null,prior:e.prior,drop:s.names,least_connected:t.least,keep_edges:t.keep,unit:n.unit,kind:"observed"}}const Ss=e=>["learned","prior"].filter(t=>e.matrices[t]);function wa(e,t){const s=[["module","x","y","connectivity","community","expected_links","left_out"]];return e.units.forEach((n,o)=>s.push([n,...e.layout[o],e.q[o],e.communities[o],e.degrees.learned[o],!!t.dropped[o]])),s}function _s(e,t,s){const{from:n,to:o,p:r}=e.links.learned,{learned:a}=t.states,i=[["module","other","probability","kept"]];for(let c=0;c<Math.min(s,$a);c+=1)i.push([e.units[n[c]],e.units[o[c]],r[c],a[c]===un]);return i}function va(e){const{graph:t,view:s}=u,n="Graph of the modules of "+t.model,o="Discs are modules, lines the "+_()+" most probable links; grey is what is dropped.",r=e&&e/(s.compare&&O.prior?.map.items?2:1),a=O.learned.map.scene(n,o,r),i=s.compare&&O.prior?.map.items?O.prior.map.scene(n,o,r):null,{entries:c,what:d}=J(u),l=a.width+(i?.width??0),h=bt([{text:d,key:"none"},...c.map(({name:g,paint:$})=>({text:g,key:"dot",fill:$,ink:"ink"}))],{x:10,y:a.height+16,width:l}),m=a.height+h.height+16;return Re({width:l,height:m,title:n,desc:o,marks:[xt(a,0,0),i?xt(i,a.width,0):[],h.marks]})}const ka={graph:({graph:e,cut:t,view:s})=>({name:"graph",facts:{...ee(),links_drawn:_(),least_probability_drawn:P(),...s.compare?{prior_links_drawn:H("prior"),prior_least_probability_drawn:P("prior")}:{}},python:{figure:"graph"},rows:()=>_s(e,t,_()),json:()=>{const[n,o]=[wa(e,t),_s(e,t,_())];return{module_columns:n[0],modules:n.slice(1),link_columns:o[0],links:o.slice(1)}},file:n=>"/models/"+encodeURIComponent(e.model)+"/graph/file"+Tt({format:n,most:_(),drop:t.names.join(","),keep_edges:u.choice.keep}),picture:{scene:va}}),"graph-matrix":({graph:e,view:t})=>{const s=e.orders[t.order],n=s.map(a=>e.units[a]),o=Ss(e),r=(a,i)=>s.map(c=>e.matrices[a]?.[i*e.count+c]);return{name:"graph-matrix",facts:{...ee(),order:t.order},python:{figure:"matrix"},rows:()=>[["graph","module",...n],...o.flatMap(a=>s.map(i=>[a,e.units[i],...r(a,i)]))],json:()=>({order:n,...Object.fromEntries(o.map(a=>[a,s.map(i=>r(a,i))]))}),picture:be??{}}},"graph-statistics":({graph:e})=>({name:"graph-statistics",python:{figure:"statistics"},facts:{...ee(),drop:[],keep_edges:null,least_connected:0},rows:()=>[["name","on","learned","learned_deviation","prior","prior_deviation"],...e.statistics.map(({name:t,on:s,learned:n,prior:o})=>[t,s,n.value??"",n.deviation??"",o?o.value??"":"",o?o.deviation??"":""])],json:()=>({statistics:e.statistics,distance_to_prior:e.distance}),picture:{}}),"graph-degrees":({graph:e})=>({name:"graph-degrees",python:{figure:"degrees"},facts:{...ee(),drop:[],keep_edges:null,least_connected:0},rows:()=>[["module","learned","prior"],...e.units.map((t,s)=>[t,e.degrees.learned[s],e.degrees.prior?e.degrees.prior[s]:""])],json:()=>({units:e.units,degrees:e.degrees}),picture:{scene:(t=Ms)=>hs(e,t)}}),"graph-clusters":({graph:e})=>{const t=Ss(e);return{name:"graph-clusters",python:{figure:"clusters",shares:ye(e,"learned").map(({share:s})=>s)},facts:ee(),rows:()=>[["graph","links_kept","share","clusters","largest"],...t.flatMap(s=>ye(e,s).map(n=>[s,n.kept,n.share,n.clusters,n.largest]))],json:()=>({choice:fs(u),...Object.fromEntries(t.map(s=>[s,ye(e,s)]))}),picture:{scene:(s=Ms)=>gs(u,s)}}}};function ya(e){const{graph:t,cut:s,view:n}=u;return t&&s&&ka[e]({graph:t,cut:s,view:n})}const ba=200,te=({id:e,children:t,formats:s=["svg","png","csv","json"],...n})=>p`<${Se} id=${e} tag="observed" formats=${s} written=${()=>ya(e)} ...${n}>${t}<//>`;function xa(){const{compare:e}=u.view;return p`<${te}
    id="graph"
    title="Graph"
    reads=${D.graph}
    more=${Ge.graph}
    look="panel-graph"
    formats=${["svg","png","csv","json","graphml","gexf"]}
  >
    <div class="graph-bar">
      <div class="graph-links"><${_o} /></div>
      <${No} />
    </div>
    <div class="graph-pictures" data-compare=${String(e)}>
      <${He} which="learned" />
      ${e&&p`<${He} which="prior" />`}
    </div>
    <${Do} />
    <${jo} />
  <//>`}const Oa=()=>p`<${te} id="graph-matrix" title="Link probabilities" reads=${D.matrix}>
    <${Io} />
    <${ga} />
  <//>`;function Ma(){const{graph:e}=u;return p`<${te}
    id="graph-statistics"
    title="Learned and prior"
    reads=${D.statistics}
    formats=${["csv","json"]}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="Statistics of the graph">
      ${e&&p`<${Xo} graph=${e} />`}
    </div>
  <//>`}const Es=({id:e,scene:t})=>p`<${ht}
    id=${e}
    scene=${t}
    height=${ke}
    drawn=${()=>u.graph?.model??""}
    label=${({title:s,desc:n})=>s+". "+n}
  />`,Sa=()=>p`<${te} id="graph-degrees" title="Degree distribution" reads=${D.degrees}>
    <${Es}
      id="plot-graph-degrees"
      scene=${e=>u.graph&&hs(u.graph,e)}
    />
  <//>`;function _a(){const e=jn(null);return Ae(()=>{let t=setTimeout(()=>{});const s=re(()=>{const{graph:n,choice:o,cut:r}=u,a=n&&r&&{graph:n,choice:o,cut:r};clearTimeout(t),a&&a.graph===e.peek()?.graph?t=setTimeout(()=>e.value=a,ba):e.value=a});return()=>{s(),clearTimeout(t)}},[]),p`<${te} id="graph-clusters" title="Clusters as links are cut" reads=${D.clusters}>
    <${Es}
      id="plot-graph-clusters"
      scene=${t=>e.value&&gs(e.value,t)}
    />
  <//>`}const Ea={learned:"learned links",frozen:"frozen links",complete:"every module linked to every other"};function Ta(){const{graph:e,model:t,sets:s}=u;return!e||!t?null:p`
    <${pn} id=${e.model} revision=${e.revision} />
    <span>${e.count+" modules, "+e.readouts+" read-out modules"}</span>
    <span>${Ea[e.links_kind]+(e.prior?", prior "+e.prior:", no prior")}</span>
    <${hn} sets=${s} used=${Y()} />
  `}function Ra(){const{graph:e}=u,{least:t,keep:s,drop:n,data:o,samples:r}=B.value,{sample:a}=oe(),i=e&&{model:e.model,sample:a,units:n,least:t,edges:s,data:o,samples:r};return p`<a
    class="tool tool-text"
    id="graph-to-drop"
    href=${i?qn("drop",i,e.units):"/drop"}
    onClick=${Gn}
    >${Lt("drop")}This choice on Drop</a
  >`}function La(){const{problem:e}=u;if(!e)return null;const t=(Hn()??[]).filter(de).map(({id:o})=>o),n="The units of this model are not linked with probabilities; "+(t.length?"models with links: "+t.join(", "):"no model here has any")+".";return p`<${mn}
    id="graph"
    title=${e.status===404?"No graph":e.title}
    detail=${e.detail||n}
    status=${e.status}
    fits=${de}
    again=${()=>{Ue(We())}}
  />`}function Aa(){const e=u.status==="failed";return p`
    <div class="page-head">
      <h1>Graphs</h1>
      <div id="graph-caption" class="caption"><${Ta} /></div>
      <div class="head-actions" hidden=${e}>
        <${Ra} />
        <button type="button" class="tool tool-text" data-copy-link="true">${Lt("link")}Copy link</button>
      </div>
    </div>
    ${e?p`<${La} />`:p`
            <${dn}><${To} /><//>
            <div class="graphs-grid">
              <div class="column"><${xa} /><${Oa} /><${Ma} /></div>
              <div class="column">
                <${xo} /><${Vo} /><${Sa} /><${_a} />
              </div>
            </div>
          `}
  `}Pn("graphs",async({model:e,sample:t,...s})=>{Wn({model:e,sample:t}),Pe(s)});function Ca(){let e=Un(location.search).model;return re(()=>{const{model:t}=oe(),s=e??t;e=null,s!==We()&&Ne(()=>{Ue(s)})})}const Na=Fn({Tree:Aa,choice:()=>B.value,take:Pe,open(e,t){const s=t.closest(".page");Wt(e);const n=[Ca(),Kt(),Bo(),re(()=>{const{status:o,fresh:r}=x;Object.assign(s.dataset,{status:u.status,evaluation:o,fresh:String(r)})})];return()=>{n.forEach(o=>o()),Ut()}}});zn({graph:()=>Zn,graphDrawing:()=>()=>ut,graphMaps:()=>ao,links:()=>fn});export{Na as mount};
