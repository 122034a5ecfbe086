/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{aT as ct,aU as T,aV as Cs,S as Ls,C as lt,J as Rs,G as ut,I as As,H as Is,aW as dt,aX as ht,a8 as Ns,n as js,aY as Ds,ay as Me,au as Ps,az as pt,aA as Ws,h as Se,aZ as ne,ax as mt,c as _e,ar as ft,as as S,av as Fs,at as C,N as Ee,q as Us,aB as zs,aC as qs,aw as Gs,W as Hs,a3 as Bs,aR as Ks,aS as Vs,a_ as gt,a$ as wt,aj as Js,a6 as $t,v as Te,$ as vt,a as kt,b0 as Ys,u as yt,T as bt,ao as Xs,_ as Zs,x as Qs,aq as en,b1 as tn,Y as ae,a2 as sn,b2 as Ce,o as nn,b3 as an,aI as on,b4 as rn,V as xt,b5 as cn,aO as ln,aQ as un,aP as dn,b6 as hn}from"../../shared.js";import{ab as Ot,aa as pn,v as Mt,L as mn,f as fn,d as St,X as _t,aA as gn,W as wn,al as $n,U as vn,an as oe,ad as kn,$ as re,a0 as Le,s as h,r as q,z as L,aX as Re,aC as Ae,a1 as ie,w as Et,O as Tt,m as Ie,C as yn,B as bn,aI as xn,p as On,aY as I,ao as Ct,a as N,aQ as Mn,aZ as Sn,a_ as _n,ag as En,A as _,af as Tn,a$ as Cn,ay as Ln,b0 as Rn,G as An,aL as In,aR as Nn,aS as jn,J as Lt,i as Rt,aU as Dn,ai as Pn,aj as Wn,b1 as Fn,h as Un}from"../../boot.js";const zn=150,qn=1e5,ce={x:0,y:0,zoom:1},le=Ot("graphs","least","keep","drop","data","samples"),At=Ot("graphs","unit","order","colour","links","scale","compare"),{offered:It}=pn("graphs","samples"),Gn={status:"loading",problem:null,model:null,sets:[],graph:null,choice:{...le},cut:null,view:{...At},map:{...ce},hover:-1,pair:null},Nt=Mt(Gn),{state:u,subscribe:Ne}=Nt;function y(e){Nt.update(e),["choice","view","map","graph"].some(t=>t in e)&&Bn()}function jt(e,t){const s=new Uint8Array(e.count);for(const o of e.weakest.slice(0,t.least))s[o]=1;for(const o of t.drop)s[e.place.get(o)]=1;const n=lt(e.links.learned,s,t.keep),a=e.units.filter((o,i)=>s[i]),r=e.prior?lt(T(e,"prior"),s,t.keep):{states:null,last:-1};return{...n,dropped:s,names:a,states:{learned:n.states,prior:r.states},last:{learned:n.last,prior:r.last}}}function Dt(e,t,s){const n=s.map(i=>i.name),a=e.data.filter(i=>n.includes(i)),r=vn(t.units,e.drop).slice(0,t.count-1),o=e.keep===null||e.keep>=1||t.links.learned.count===0?null:e.keep;return{...e,keep:o,drop:r,least:Math.min(e.least,t.count-1),data:a.length===n.length?[]:a}}const je=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function R(e){const{graph:t,sets:s}=u,n=t?Dt({...u.choice,...e},t,s):{...u.choice,...e};if(je(n,u.choice))return;if(!t){y({choice:n});return}const a=jt(t,n);if(!a.stay){fn("One module stays","A network without modules computes nothing.","bad"),y({});return}y({choice:n,cut:a})}function G(e){const t={...u.view,...e};je(t,u.view)||y({view:t})}const ue=e=>Math.min(qn,e.links.learned.count);function Hn(e){const t=ct(e.links.learned,.5);return Math.min(ue(e),t>=e.count/2?t:2*e.count)}const De=({constants:e})=>e.includes("link_probability"),de=()=>u.graph,O=()=>u.graph?Math.min(ue(u.graph),u.view.links===null?Hn(u.graph):u.view.links):0,H=e=>e==="learned"?O():Math.min(O(),T(de(),e).count);function j(e="learned"){const t=H(e);return t?T(de(),e).p[t-1]:1/0}const Pt=e=>ct(T(de(),e),j(e));function B(e){e!==u.hover&&y({hover:e})}function D(e){G({unit:e>=0?de().units[e]:null})}const P=()=>{const e=u.graph&&u.view.unit!==null?u.graph.place.get(u.view.unit):void 0;return e===void 0?-1:e},K=mn({...le,...At,map:null});let V=0;function Bn(){V||(V=setTimeout(Kn,zn))}function Kn(){V=0;const{model:e,choice:t,view:s,map:n,graph:a}=u;if(!e||!a)return;const{sample:r}=oe();kn("graphs",{...t,...s,map:n,sample:r,model:e.id},a.units),K.value={...t,...s,map:je(n,ce)?null:[n.x,n.y,n.zoom].join(",")}}function Wt({least:e,keep:t,drop:s,data:n,samples:a,map:r,...o}){const i=$n(r);return{choice:{least:e,keep:t,drop:s,data:n,samples:a},view:o,map:i?Ls.clamped(i):{...ce}}}function Ft({choice:e,view:t},s,n){const a=Dt(e,s,n),r=t.unit!==null&&s.place.has(t.unit)?t.unit:null;return{choice:a,view:{...t,unit:r,compare:t.compare&&!!s.prior},cut:jt(s,a)}}function Ut(e){K.value=e,y(Wt(e))}function Pe(e){const{graph:t,sets:s}=u,n=Wt(e);y(t?{...n,...Ft(n,t,s)}:n)}let J=0,We=null;const Fe=()=>We;async function Ue(e){const t=J+=1;We=e;const s=u.model!==null&&u.model.id!==e;if(y({...{status:"loading",problem:null,graph:null,cut:null,hover:-1,pair:null},...s?{model:null,sets:[]}:{}}),!!e)try{const[a,r]=await Promise.all([St("GET","/models/"+encodeURIComponent(e)),St("GET","/data")]);if(t!==J)return;if(!De(a)){y({status:"failed",problem:{title:"No graph",detail:"",status:404}});return}const o=await Cs(e);if(t!==J)return;const i=a.domains.map(m=>r.items.find(g=>g.name===m)).filter(m=>m!==void 0),{choice:c,view:d}=u,l=Ft(u,o,i),p={id:e,units:o.units};_t("drop",p,c.drop),gn(e,a.domains,c.data),c.least>=o.count&&wn(`"least" is ${c.least}; ${e} has ${o.count} modules: shown is ${l.choice.least}.`),d.unit!==l.view.unit&&_t("unit",p,[d.unit]),y({model:a,sets:i,graph:o,...l,status:"ready"})}catch(a){if(t!==J)return;const{title:r="The page failed",message:o,status:i}=a;y({status:"failed",problem:{title:r,detail:o,status:i}})}}function zt(){J+=1,We=null,clearTimeout(V),V=0,Object.assign(u,{status:"loading",model:null,graph:null,cut:null,sets:[],hover:-1,pair:null})}var Vn=Object.freeze({__proto__:null,CHOICE:le,SIZES:It,WHOLE:ce,askedFor:Fe,begin:Ut,choose:R,chosen:P,hasLinks:De,leave:zt,likelyOf:Pt,look:G,most:ue,open:Ue,pick:D,point:B,said:K,shownLinks:O,shownOf:H,state:u,subscribe:Ne,take:Pe,threshold:j,update:y});const A={graph:"Modules stand near each other where their signatures do; a line is a link, the fuller the more probable. Grey is dropped or cut. Click a module.",matrix:"A row and a column are modules; the scale below says how probable their link is. Both are in one order, the prior as it was matched.",effect:"Paired with the model as it is, on the same samples; random sets are as many modules drawn by chance. Data sets not shown in training stand apart.",module:"Its strongest links, where it reads the sample, what the answer takes from it and what it matters. Rank 1 is the best connected.",statistics:"What the learned graph is like beside its prior; \xB1 is the standard deviation over graphs sampled from the probabilities.",degrees:"Share of the modules with at least so many expected links: a long tail is hubs, a step is a block.",clusters:"Into how many groups the whole graph falls when only the most probable links are kept; the diamond is the share that is chosen."},ze={graph:"Modules that would cover each other stand a little apart.",effect:"Data sets that training showed, and those it left out, each together; random sets keep the same share of links.",module:"Connectivity q is the sum of the module's link probabilities, itself included."},qt=". Arrow keys walk from module to module, Enter chooses one, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.",Gt={learned:"The graph of the modules"+qt,prior:"The prior in the same places"+qt,matrix:"Link probabilities as a matrix. Arrow keys walk from pair to pair, with Shift ten at a time; Enter chooses the module of the row, Escape lets go."},Jn="With a bandwidth of 1 no link is less probable than exp(\u22122) = 0.135, and many modules cannot all point away from each other (about exp(\u22121) = 0.37): a sparse prior is never reached.",Yn={learned:"as learned",prior:"prior, matched"},M={},Xn=(e,t)=>e.x===t.x&&e.y===t.y&&e.zoom===t.zoom,Ht=[.72,.92,1.2,1.65];function Zn({q:e,orders:t,count:s}){const n=new Float32Array(s);return t.connectivity.forEach((r,o)=>n[r]=Ht[3-Math.floor(4*o/s)]),Math.min(...e)>.98*Math.max(...e)?n.fill(Ht[1]):n}const Y=({graph:e,view:t})=>Rs[t.colour](e,q());function Qn(e){const[t,s]=[H(e),Pt(e)];if(!t)return", no links";const n=u.cut?.states[e],{live:a,cut:r}=n?dt(n,t):{live:t,cut:0},o=" with p \u2265 "+j(e).toFixed(3);if(r)return", "+L(a)+" kept and "+L(r)+" cut links"+o;const i=s>t?" of "+L(s)+" links":t===1?" link":" links";return", "+L(t)+i+o}class ea{constructor(t,s){this.which=s,this.host=t,this.canvas=t.querySelector("canvas"),this.graph=null,this.colour=null,this.shown=void 0,this.states=null,this.map=new ut(t,this.canvas,{onTheme:()=>this.rebuild(),onDrawn:()=>this.publish(),onView:n=>y({map:{...n}})}),this.stops=[As(this.map,{hovered:()=>u.hover,chosen:()=>P(),start:()=>u.graph.orders.connectivity[0],point:n=>B(n),pick:n=>D(n)}),Ne((n,a)=>this.onState(n,a)),Is(this.map,{tool:()=>"move",hover:n=>B(n),pick:n=>D(n===P()?-1:n),select:()=>{}})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}get drawn(){return u.graph&&(this.which==="learned"||u.view.compare&&u.graph.prior)?u:null}onState(t,s){const{drawn:n}=this;if(!n){this.map.items&&(this.map.items=null,this.map.links=null,this.graph=null,this.map.draw());return}this.graph!==n.graph||this.colour!==n.view.colour?this.rebuild():(s.has("cut")&&this.map.setDropped(n.cut.dropped),(s.has("cut")||s.has("view"))&&this.relink(n),["cut","view","hover","map"].some(a=>s.has(a))&&this.mark(n))}rebuild(){const{drawn:t}=this;if(!t)return;const{graph:s,view:n}=t,{of:a,paints:r}=Y(t);Object.assign(this,{graph:s,colour:n.colour,linked:""}),this.map.setModules({places:s.places,halves:s.halves,category:a,paints:r,sizes:Zn(s),names:s.units},t.cut.dropped),this.relink(t),this.mark(t)}relink(t){const s=H(this.which),n=t.cut.states[this.which];this.shown===s&&this.states===n&&this.map.links||(Object.assign(this,{shown:s,states:n}),this.map.setLinks(T(t.graph,this.which),n,s))}mark(t){const s=P();Xn(this.map.view,t.map)||(this.map.view={...t.map},this.map.stale=!0),this.map.ringed=s>=0?[s]:[],this.map.focus=t.hover>=0?t.hover:s,this.map.heading=t.view.compare?Yn[this.which]+Qn(this.which):"",this.map.caption=t.hover>=0?qe(t,t.hover):"",this.map.draw()}publish(){const{canvas:t}=this,{graph:s}=u;t.dataset.painted=s.model,t.dataset.shown=String(this.shown),t.dataset.gone=String(this.map.gone.length),t.dataset.focus=this.map.focus>=0?s.units[this.map.focus]:"",t.dataset.spent=this.map.spent.toFixed(2)}}function qe({graph:e,cut:t},s){const n=e.orders.connectivity.indexOf(s)+1;return e.units[s]+": q "+e.q[s].toFixed(2)+", rank "+n+" of "+e.count+", community c"+(e.communities[s]+1)+(t.dropped[s]?", dropped":"")}function Ge({which:e}){const t=re(null);return Le(()=>{const s=new ea(t.current,e);return M[e]=s,()=>{M[e]===s&&delete M[e],s.dispose()}},[]),h`<div ref=${t} class=${"graph-canvas graph-canvas-"+e}>
    <canvas id=${"graph-picture-"+e} tabindex="0" role="img" aria-label=${Gt[e]}></canvas>
    <div class="skeleton" aria-hidden="true" hidden=${e!=="learned"||u.status!=="loading"}></div>
  </div>`}var ta=Object.freeze({__proto__:null,Drawing:Ge,colouringOf:Y,maps:M,wordsOf:qe});const sa=Re(()=>u.view.colour),Bt=Re(()=>u.graph&&[sa.value,ht.value]&&Ae(()=>Y(u))),[na,He]=["graph","graph-module"],aa=10,oa=220,ra={status:"loading",problem:null,evaluation:null,fresh:!1,effects:new Map},{state:x,update:he}=Mt(ra);let pe="";function X(){const{choice:e,sets:t}=u;return e.data.length?e.data:t.map(s=>s.name)}function Kt(e,t,s){const{model:n,choice:a}=u;return"/evaluations/stream"+Tt({model:n.id,data:X().join(","),samples:a.samples,drop:e.join(","),keep_edges:t,controls:s})}const Z=Ns({owner:na,statusOf:()=>x.status,update:he,begin(){const{model:e,choice:t,cut:s}=u;e&&s&&pe&&Z.ask(e.id,()=>Kt(s.names,t.keep,aa))}}),Be=()=>JSON.stringify([u.model?.id,X(),u.choice.samples]),ia=Re(()=>{const{model:e,cut:t,status:s,choice:n}=u;return e&&t&&s==="ready"?JSON.stringify([Be(),t.names,n.keep]):""});function ca(e){const t=pe;if(!e){t&&Zt();return}t&&JSON.parse(t)[0]!==Be()&&Yt(),pe=e,Z.restart(t?oa:0)}function Vt(){const e=ie(()=>{const t=ia.value;Ae(()=>ca(t))});return()=>{e(),Zt()}}const Jt=e=>e+" "+Be(),me=e=>x.effects.get(Jt(e)),Ke=(e,t)=>he({effects:new Map(x.effects).set(e,t)});function Yt(){Et(He),he({effects:new Map([...x.effects].filter(([,{status:e}])=>e!=="running"))})}function Xt(e){Yt();const t=Jt(e);if(x.problem&&x.problem.refused){Ke(t,{status:"failed",problem:x.problem});return}Ke(t,{status:"running",evaluation:null}),Ds(He,Kt([e],null,0),s=>Ke(t,s))}function Zt(){Z.close(),Et(He),pe="",he({status:"loading",problem:null,evaluation:null,fresh:!1,effects:new Map})}function Qt(e){const{least:t}=u.choice;return js(e,["drop","mute","keep_edges","iterations"],{least_connected:x.fresh&&t?t:null})}const{cancel:la}=Z,ua=()=>Z.restart();var da=Object.freeze({__proto__:null,aloneOf:me,cancel:la,facts:Qt,follow:Vt,measure:Xt,measured:X,restart:ua,state:x});const ha=e=>On(e)+" %";function pa(e){if(!e)return{value:Ee};const{flops:t,saved:s}=e,n=ne(e)===mt?"":"nothing saved",a=s===null?"":s>0?bn(s)+" % saved":n;return{value:t===null?Ee:xn(t),detail:t===null?"counting":a}}const es=e=>({name:"Random modules",...Gs(e,{waiting:Hs(e,"module"),sets:t=>t+" sets",unit:({unit:t})=>t})});function ma(){const{evaluation:e,fresh:t}=x,s=e&&ne(e)===mt?"the model as it is":"",[n,a]=e?_e(e):[],{accuracy:r,change:o,loss:i}=ft(n?n.evaluation:null,{none:s}),c=n?es(n.evaluation):{name:"Random modules",value:Ee},d=a&&ft(a.evaluation,{none:s}),l=n?n.where:"";return h`
    <${S} id="graph-accuracy" ...${C(r,l)} />
    <${S} id="graph-change" ...${C(o,l)} />
    <${S} id="graph-control" ...${C(c,l)} />
    ${d&&h`
        <${S} id="graph-accuracy-out" ...${C(d.accuracy,a.where)} />
        <${S} id="graph-change-out" ...${C(d.change,a.where)} />
        <${S} ...${C(es(a.evaluation),a.where)} />
      `}
    <${S} id="graph-loss" ...${C(i,l)} />
    <${S} id="graph-flops" name="FLOPs per sample" ...${pa(e)} />
    <${Fs} id="graph-speed" evaluation=${t?e:null} />
  `}const fa=e=>Us(e,{chosen:u.choice.samples,waiting:"Waiting for the graph",sets:" modules",intervention:ne}),ts=e=>zs(e,{named:"this choice",sets:"random sets of as many modules",saved:!0},qs(e));function Q(){const{evaluation:e}=x;return e?.accuracy?e:null}function ga(e){const t=Ie(e.measure),s=_e(e).flatMap(({where:n,evaluation:{accuracy:a}})=>a?[(n&&n+" ")+yn(t,a.value)]:[]);return t.title+" with "+ne(e)+": "+s.join("; ")}const ss="graph-effect-picture";function wa(){const e=Q();if(!e)return null;const t=Math.max(560,document.getElementById(ss)?.clientWidth??0);return{name:"graph-effect",facts:Qt(e),python:{figure:"accuracy",draws:e.control?.draws},rows:()=>ts(e),json:()=>({result:e}),picture:{scene:()=>Se(e,t)}}}function $a(){const{fresh:e,status:t}=x,s=Q();return h`<${Me}
    id="graph-effect"
    title="Effect of this choice"
    tag="caused"
    reads=${A.effect}
    more=${ze.effect}
    formats=${["svg","png","csv","json"]}
    written=${wa}
  >
    <div class="numbers graph-numbers" data-fresh=${String(e)}><${ma} /></div>
    <${Ps} name="graph" look="drop-progress" followed=${da} progressOf=${fa} />
    <${pt}
      id=${ss}
      look="drop-picture"
      height=${228}
      widest=${900}
      data=${{"data-fresh":String(e),"data-state":t}}
      scene=${n=>{const a=Q();return a&&Se(a,n)}}
      drawn=${()=>Q()?.id??""}
      label=${()=>ga(Q())}
    />
    <${Ws}
      words="The effect as a table"
      data=${{"data-graph-table":"effect"}}
      caption=${()=>(s&&Se(s,640).desc)??""}
      rows=${s&&(()=>ts(s))}
    />
  <//>`}const ee=1e3,Ve={value:0,most:0,words:""},ns=e=>Number(((e/ee)**2).toPrecision(3)),as=e=>Math.round(ee*Math.sqrt(e));function va(){const{graph:e,choice:t,cut:s}=u,n={id:"graph-least",name:"Least connected dropped",onInput:ka},a={id:"graph-keep",name:"Links kept",onInput:ya};if(!e||!s)return h`<${I} ...${n} ...${Ve} /><${I} ...${a} ...${Ve} />`;const r=ha,o=t.drop.length?", "+s.names.length+" with those named":"",i=t.least+" of "+e.count+" ("+r(t.least/e.count)+")"+o,c=e.links_kind!=="complete"&&e.edges>0,d=t.keep===null?1:t.keep,l=r(d)+": "+L(s.live)+" of "+L(s.pairs)+" links";return h`
    <${I} ...${n} value=${t.least} most=${e.count-1} words=${i} />
    <${I}
      ...${a}
      value=${as(d)}
      most=${c?ee:0}
      words=${c?l:"a complete graph has none to choose from"}
    />
  `}const ka=e=>R({least:e}),ya=e=>R({keep:e>=ee?null:ns(e)});function ba(){const{graph:e,cut:t}=u,s={id:"graph-threshold",name:"Links drawn"};if(!e||!t)return h`<${I} ...${s} ...${Ve} />`;const n=ue(e),a=O(),{learned:r}=e.links,o=gt(r,t.states.learned,a,t.dropped),c=(a?"p \u2265 "+j().toFixed(3)+": ":"")+Sn(dt(t.states.learned,a),t.live,r.count)+"; ",d=o.count+(o.count===1?" cluster":" clusters")+", the largest of "+o.largest;return h`<${I}
    ...${s}
    value=${as(a/Math.max(1,n))}
    most=${ee}
    words=${c+d}
    onInput=${l=>G({links:Math.round(ns(l)*n)})}
  />`}function xa(){const{model:e,sets:t,choice:s}=u;return h`<div class="graph-data">
    <div class="control">
      <span class="control-name">Data</span>
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${Bs}>
        <${Ks}
          sets=${t}
          used=${X()}
          attribute="data-graph-set"
          about=${n=>Vs(n,!!e?.held_out.includes(n.name))}
          onChoose=${n=>R({data:n})}
        />
      </div>
    </div>
    <div class="control">
      <span class="control-name">Samples</span>
      <${Ct}
        id="graph-samples"
        look="plain-select"
        label="Number of samples"
        options=${Mn(It,s.samples)}
        chosen=${String(s.samples)}
        onChoose=${n=>R({samples:Number(n)})}
      />
    </div>
    <${N} id="graph-reset" act=${()=>R({...le})}>Reset<//>
  </div>`}const Oa=()=>h`<div class="graph-controls">
    <div class="graph-sliders"><${va} /></div>
    <${xa} />
  </div>`,Je=({name:e,words:t,options:s})=>En(t,"graph-"+e,h`<${Ct}
      id=${"graph-"+e}
      look="plain-select"
      label=${t}
      options=${s}
      chosen=${u.view[e]}
      onChoose=${n=>G({[e]:n})}
    />`),Ma=[["community","community"],["degree","expected links"]],Sa=[["fixed","0 to 1"],["range","as they vary"]];function _a(){const{graph:e,view:t}=u,s=!e||!e.prior;return h`<${N}
    id="graph-compare"
    pressed=${t.compare}
    wait=${s}
    title=${s?"This model was made without a prior":"Draw the matched prior beside it: as many of its links, in the same places"}
    act=${()=>G({compare:!t.compare})}
  >
    beside the prior
  <//>`}const Ea=()=>M.learned?[M.learned.map]:[],Ta=()=>h`<div class="graph-tools">
    <${Je} name="colour" words="Colour" options=${Ma} />
    <${_a} />
    <div class="zoom"><${_n} mapsOf=${Ea} /></div>
  </div>`;function Ca(){const{graph:e}=u,t=[["matched",!e||e.ordered_by==="prior"?"matched prior":"communities, best first"],["communities","communities"],["connectivity","connectivity"]];return h`<div class="graph-bar">
    <${Je} name="order" words="Order" options=${t} />
    <${Je} name="scale" words="Shades" options=${Sa} />
  </div>`}function La(){const{value:e}=Bt;return h`<div class="graph-legend">
    <span class="control-name">${e?.what}</span>
    ${e?.entries.map(({name:t,count:s,paint:n})=>h`<span class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{background:n}}></span>
          ${t}<small>${s}</small>
        </span>`)}
  </div>`}const Ra=()=>h`<p class="hidden-visually" aria-live="polite">
    ${u.graph&&u.hover>=0?qe(u,u.hover):""}
  </p>`,Aa=10,os=148,Ia=3,rs="#e69f00",fe=()=>u,ge=(e,t)=>_(100*e,t===void 0?1:t)+" %";function is(e,t,s,n,a){const[r,o]=s,i=$t(Array.from({length:o},String),[0,a]),c=$t(Array.from({length:r},String),[0,a]),d=Math.max(...t)||1,l=Math.max(d,Ia/t.length),p=t.map((f,w)=>({weight:f,x:i.extent(w%o),y:c.extent(Math.floor(w/o))})),m=([f,w])=>[f+1,w-1],{width:g,height:$}=n;return Te({width:a,height:a,title:"Where "+e.unit+" reads "+e.sample,desc:"The image under the attention of the module's read-in: the fuller the orange the more it reads there.",marks:[{shape:"image",source:n,sx:0,sy:0,sw:g,sh:$,x:0,y:0,w:a,h:a},vt(p,{x:f=>f.x,y:f=>f.y,fill:rs,opacity:({weight:f})=>.75*f/l}),vt(p.filter(({weight:f})=>f===d),{x:f=>m(f.x),y:f=>m(f.y),stroke:rs,width:2})]})}function Na({asked:e,weights:t,grid:s,picture:n,words:a}){const r=re(null);return Tn(()=>{const o=r.current;kt(is(e,t,s,n,os),q().font,o),o.style.width=o.style.height=os+"px",o.dataset.painted=e.unit+" "+e.sample},[e,t,n,ht.value]),h`<figure class="module-map">
    <canvas
      ref=${r}
      role="img"
      id="graph-read-in"
      aria-label=${"Where "+e.unit+" reads the sample. "+a}
    ></canvas>
    <figcaption class="hint">${a}</figcaption>
  </figure>`}function ja({about:e,asked:t,picture:s,waiting:n}){const a=l=>h`<p class="hint">${l}</p>`;if(!fe().model.samples)return a("This model does not read samples.");if(!t.sample)return a("Choose a sample above to see where this module reads it.");if(!e.read_in)return a(n?"Reading the sample":"Nothing was read.");const{weights:r,grid:o}=e.read_in,i=ge(Math.max(...r)),c=ge(1/r.length),d="At most "+i+" of its reading in one token; evenly it would be "+c+".";return!o||!s?a(d):h`<${Na} ...${{asked:t,weights:r,grid:o,picture:s,words:d}} />`}function Da({unit:e,probability:t}){const s=fe().graph.place.get(e),{of:n,paints:a}=Bt.value,r=t.toFixed(2),[o,i]=[()=>B(s),()=>B(-1)];return h`<li>
    <button
      type="button"
      class="neighbour"
      data-neighbour=${e}
      aria-label=${e+", link probability "+r}
      onClick=${()=>D(s)}
      onPointerEnter=${o}
      onPointerLeave=${i}
      onFocus=${o}
      onBlur=${i}
    >
      <span class="swatch" aria-hidden="true" style=${{background:a[n[s]]}}></span>
      <span class="neighbour-name">${e}</span>
      <span class="bar-track" aria-hidden="true">
        <span class="bar-fill" style=${{width:100*t+"%"}}></span>
      </span>
      <span class="neighbour-value">${r}</span>
    </button>
  </li>`}const Ye=({name:e,value:t,note:s})=>h`<div>
    <dt>${e}</dt>
    <dd>${t}${s&&h`<small>${" "+s}</small>`}</dd>
  </div>`;function Pa({about:e}){const{count:t}=fe().graph,s=e.read_out_share??null;return h`<dl class="fact-list">
    <${Ye}
      name="Connectivity q"
      value=${e.connectivity.toFixed(2)}
      note=${"rank "+e.rank+" of "+t}
    />
    <${Ye} name="Community" value=${"c"+(e.community+1)} />
    ${s!==null&&h`<${Ye}
        name="Share in the answer"
        value=${ge(s,2)}
        note=${"rank "+e.read_out_rank+"; evenly "+ge(1/t,2)}
      />`}
  </dl>`}function cs(e){const{change:t,by:s,lossUnit:n}=Ie(e.measure),a=({low:m,high:g},$)=>m===null||g===null?"":" (95 %: "+$(m)+" to "+$(g)+")",r=m=>Cn(m,3),{accuracy:o,loss:i,data:c,beyond:d}=e,l=L(e.count??wt({data:c})),p=e.where?" "+e.where:"";return t(o.value)+" "+s+a(o,t)+", "+r(i.value)+(n?" "+n:"")+" of loss"+a(i,r)+", on "+l+" samples"+p+(d?"; "+cs(d):"")}function Xe(e){const t=me(e.asked.unit);if(t&&t.evaluation&&t.evaluation.change){const{measure:a,data:r}=t.evaluation,[o,i]=_e(t.evaluation).flatMap(({where:c,count:d,evaluation:{change:l}})=>l?[{...l,measure:a,data:r,where:c,count:d??wt({data:r})}]:[]);return o?{...o,beyond:i??null,running:t.status==="running"}:null}const{drop_effect:s}=e.about;if(!s||u.choice.data.length)return null;const n=u.model?.held_out.length||s.distribution==="out";return{...s,where:n?Js[s.distribution]:""}}function Wa(e){const t=me(e.asked.unit),s=Xe(e);return s?cs(s)+(s.running?" so far.":"."):t&&t.status==="running"?"Measuring":t&&t.problem?t.problem.title+". "+t.problem.detail:"Not measured yet."}function Fa(e){const{graph:t,cut:s}=fe(),{unit:n}=e.asked,a=Xe(e),r=me(n)?.status==="running",o=u.choice.drop,i=o.includes(n),c=!i&&!!s.dropped[t.place.get(n)],d=()=>R({drop:i?o.filter(l=>l!==n):[...o,n]});return h`<div class="module-caused">
    <p class="module-effect" id="graph-module-effect" role="status">${Wa(e)}</p>
    <div class="actions">
      <${N} id="graph-measure" wait=${r||t.count<2} act=${()=>Xt(n)}>
        ${a&&!a.running?"Measure again":"Measure its drop effect"}
      <//>
      <${N}
        id="graph-leave-out"
        pressed=${i}
        wait=${c}
        title=${c?"The slider drops it already":void 0}
        act=${d}
      >
        ${i?"Bring it back":"Drop it too"}
      <//>
    </div>
  </div>`}const Ze=({text:e,tag:t})=>h`<h3 class="small-title">${e+" "}<span class="tag">${t}</span></h3>`;function ls(e){const{about:t}=e;return h`
    <div class="module-grid">
      <div>
        <${Ze} text="Strongest links" tag="observed" />
        <ol class="neighbours">
          ${t.neighbours.slice(0,Aa).map(s=>h`<${Da} key=${s.unit} ...${s} />`)}
        </ol>
      </div>
      <div><${Ze} text="Read-in" tag="observed" /><${ja} ...${e} /></div>
    </div>
    <${Pa} about=${t} />
    <${Ze} text="Dropped alone" tag="caused" />
    <${Fa} ...${e} />
  `}function we(){const{status:e,graph:t,view:s,choice:n}=u;return e!=="ready"||!t||!s.unit?null:{model:t.model,unit:s.unit,sample:oe().sample,samples:n.samples}}const $e=Ln(()=>{const e=we();return e&&JSON.stringify(e)},async e=>{const{model:t,unit:s,sample:n,samples:a}=JSON.parse(e),r=u.model?.samples?n:null,[o,i]=await Promise.all([Ys(t,s,r,a),r?Rn(r):null]);return{about:o,picture:i}}),{follow:Ua}=$e;function Qe(){const[e,t]=[we(),$e.answer()];return e&&t&&{asked:e,...t}}function za(){const e=re(null),[t,s,n]=[we(),Qe(),$e.problem()];if(s&&(e.current=s),!t)return h`<div class="message">
      ${yt("No module chosen","Click a module in the graph, or a row of the matrix.")}
    </div>`;if(s)return h`<${ls} ...${s} />`;if(n)return h`<div class="message" role="alert">
      ${yt(n.title||"It failed",n.message,{words:"Try again",act:$e.again})}
    </div>`;const{current:a}=e;if(a?.asked.model!==t.model||a.asked.unit!==t.unit)return h`<div class="skeleton module-skeleton" aria-hidden="true"></div>`;const r={...a.about,read_in:null,read_out_share:null};return h`<${ls} asked=${t} about=${r} waiting=${!0} />`}function qa(){const e=we();return h`<${Me}
    id="graph-module"
    title=${e?"Module "+e.unit:"Module"}
    reads=${A.module}
    more=${ze.module}
    formats=${["svg","png","csv","json"]}
    written=${Ga}
  >
    <div class="graph-module" data-unit=${Qe()?.asked.unit??""}><${za} /></div>
  <//>`}function Ga(){const e=Qe();if(!e)return null;const{about:t,asked:s,picture:n}=e,a=Xe(e),r=[["what","name","value","low","high"]];for(const i of t.neighbours)r.push(["link probability",i.unit,i.probability,"",""]);const{read_in:o}=t;o&&o.tokens.forEach((i,c)=>r.push(["read-in",i,o.weights[c],"",""])),t.read_out_share!==null&&r.push(["share in the answer",s.unit,t.read_out_share,"",""]);for(const i of a?[a,...a.beyond?[a.beyond]:[]]:[])for(const c of["accuracy","loss"]){const d=i[c],l=(c==="accuracy"?Ie(i.measure).name:c)+(i.where?", "+i.where:"");r.push(["drop effect, caused",l,d.value,d.low??"",d.high??""])}return{name:"graph-module-"+s.unit,facts:{model:t.model,revision:t.revision,seed:null,sample:s.sample,drop:[],unit:s.unit,drop_effect_data:a?a.data:null,drop_effect_state:a?a.running?"running":"done":null,kind:"observed on the whole model; the drop effect, where it is given, was caused"},python:{figure:"module"},rows:()=>r,json:()=>({module:t,drop_effect:a}),picture:{scene(){if(!o||!o.grid||!n)throw new Error("Choose a sample: the picture is its read-in map.");return is(s,o.weights,o.grid,n,480)}}}}const et=(e,t)=>t==="learned"?"learned":"prior: "+e.prior,tt=e=>["learned","prior"].filter(e);function Ha(e,t){if(e===null)return"\u2013";const s=Math.abs(e)>=100?0:Math.abs(e)>=10?1:3;return(Number.isInteger(e)&&t===null?_(e,0):_(e,s))+(t===null?"":" \xB1 "+_(t,s))}function Ba({graph:e}){const t=[...new Set(e.statistics.map(o=>o.on))],s=[...new Set(e.statistics.map(o=>o.name))],n=tt(o=>o==="learned"||e.prior),a=o=>o?void 0:"first";function r(o){const i=e.statistics.filter(d=>d.name===o),c=t.flatMap(d=>{const l=i.find(p=>p.on===d);return n.map((p,m)=>{const g=l?.[p];return h`<td class=${a(m)}>${g&&Ha(g.value,g.deviation??null)}</td>`})});return h`<tr>
      <th scope="row">${i[0].title}</th>
      ${c}
    </tr>`}return h`<table class="figures graph-figures">
    <caption>
      ${e.distance===null?"No prior to compare with":"Prior: "+e.prior+", distance to it as it was matched: "+e.distance.toFixed(3)+". "+Jn}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${t.map(o=>h`<th scope="colgroup" colspan=${n.length} class="first">${o}</th>`)}
      </tr>
      <tr>
        <td></td>
        ${t.flatMap(()=>n.map((o,i)=>h`<th scope="col" class=${a(i)}>${o}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${s.map(r)}
    </tbody>
  </table>`}const ve=228,[Ka,Va,Ja]=[42,14,38],us={learned:{stroke:"accent",width:2},prior:{stroke:"dim",width:1.5,dash:[5,4]}};function ds({curves:e,across:t,up:s,axes:n,width:a,title:r,keys:o=[],besides:i=()=>[]}){const c=bt([{text:n[1],key:"none",ink:"ink",weight:600},...e.map(({which:f,name:w})=>({text:w,...us[f]})),...o],{x:8,y:12,width:a,size:11.5}),[d,l,p,m]=[Ka,a-Va,c.height+12,ve-Ja],[g,$]=[t([d,l]),s([m,p])];return Te({width:a,height:ve,title:r,desc:n[1]+" against "+n[0]+": "+e.map(({name:f})=>f).join(", ")+".",marks:[Xs($,[d,l],{strong:null}),Zs(g,[p,m],{strong:null}),Qs([n[0]],{x:(d+l)/2,y:ve-9,size:11.5,fill:"dim",anchor:"middle"}),e.map(({which:f,path:w})=>en(w,{x:k=>g(k.x),y:k=>$(k.y),...us[f]})),e.flatMap(({spots:f})=>f.map(w=>({shape:"none",spot:{x:g(w.x),y:$(w.y),reach:7,rise:10,words:w.words,of:w}}))),i(g,$),c.marks]})}const hs=(e,t)=>Array.from({length:Math.floor(t)-Math.ceil(e)+1},(s,n)=>Math.ceil(e)+n),ps=e=>e<0?_(10**e,-e):String(10**e);function Ya(e){const t=[...e].sort((n,a)=>n-a),s=t.map((n,a)=>100*(t.length-a)/t.length);return{x:[0,...t,...t.slice(-1)],y:[100,...s,0]}}function ms(e,t){const s=tt(a=>e.degrees[a]).map(a=>{const{x:r,y:o}=Ya(e.degrees[a]??[]),i=r.map((l,p)=>({x:l,y:o[p]})),c=i.flatMap((l,p)=>p?[{x:i[p-1].x,y:l.y},l]:[l]),d=i.map(l=>({...l,words:_(l.y,1)+" % of the modules have "+_(l.x,2)+" or more"}));return{which:a,name:et(e,a),path:c,spots:d}}),n=Math.max(...s.flatMap(({path:a})=>a.map(r=>r.x)));return ds({curves:s,width:t,title:"Distribution of the expected links of "+e.model,axes:["expected links of a module","Modules, %"],across:a=>ae([0,n],a,{round:!1,most:7}),up:a=>ae([0,102],a,{ticks:[0,25,50,75,100],named:String})})}const fs=new WeakMap;function ke(e,t){const s=fs.get(e)||{};return fs.set(e,s),s[t]=s[t]||tn(T(e,t),e.count)}function gs({graph:e,choice:t,cut:s}){const{learned:n}=e.links,a=gt(n,s.states.learned,n.count,s.dropped);return{share:t.keep===null?1:t.keep,...a}}function ws(e,t){const{graph:s}=e,n=100/(s.count*(s.count-1)),a=l=>Math.log10(Math.max(n,100*l)),r=tt(l=>s.matrices[l]).map(l=>{const p=ke(s,l).map(({share:m,clusters:g})=>({x:a(m),y:Math.log10(g),words:_(Math.max(n,100*m),2)+" % of the links: "+g+" clusters, "+et(s,l)}));return{which:l,name:et(s,l),path:[...p,{x:2,y:p[p.length-1].y}],spots:p}}),o=gs(e),i=o.count+" clusters of the modules that stay, the largest of "+o.largest,[c,d]=[Math.log10(.8*n),Math.log10(1.2*s.count)];return ds({curves:r,width:t,title:"Clusters of "+s.model+" as links are cut",axes:["links kept, % (log scale)","Clusters (log scale)"],across:l=>ae([2.02,c],l,{ticks:hs(c,2),named:ps}),up:l=>ae([-.06,d],l,{ticks:hs(0,d),named:ps}),keys:[{text:"\u25C6 this choice",key:"none",ink:"ink"}],besides:(l,p)=>sn([o],{x:({share:m})=>l(a(m)),y:({count:m})=>p(Math.log10(m)),text:"diamond",r:6.5,fill:"marker",stroke:"surface",width:2,words:i,reach:14,rise:14})})}const $s=2**31-1,vs=new WeakMap,ks=(e,t)=>e.matrices[t];function Xa(e,t){const s=ks(e,t),n=vs.get(s);if(n)return n;const a=T(e,t),r=new Int32Array(e.count*e.count).fill($s);for(let o=0;o<a.count;o+=1){const[i,c]=[a.from[o],a.to[o]];r[i*e.count+c]=r[c*e.count+i]=o}for(let o=0;o<e.count;o+=1)r[o*(e.count+1)]=-1;return vs.set(s,r),r}function Za(e){let[t,s]=[1/0,-1/0];for(const n of["learned","prior"]){const a=e.matrices[n];if(a)for(let r=0;r<e.count;r+=1)for(let o=r+1;o<e.count;o+=1){const i=a[r*e.count+o];t=Math.min(t,i),s=Math.max(s,i)}}return s>t?[t,s]:[0,1]}function Qa(e,t,{order:s,cut:n,span:a,colours:r,block:o}){const{count:i}=e,c=Math.ceil(i/o),d=eo(e,t,a),l=Xa(e,t),p=n.last[t],m=new Uint32Array(c*c),g=Ce(r.gone);for(let $=0,f=0;$<c;$+=1){const w=Math.min(i,($+1)*o);for(let k=0;k<c;k+=1,f+=1){const b=Math.min(i,(k+1)*o);let[F,U,z,be,ot]=[0,0,0,0,0];for(let E=$*o;E<w;E+=1){const rt=s[E]*i,Ts=n.dropped[s[E]];for(let xe=k*o;xe<b;xe+=1){const Oe=s[xe];if(ot+=1,Ts||n.dropped[Oe])continue;be+=1,F+=d[rt+Oe];const it=l[rt+Oe];it!==$s&&(z+=1,it<=p&&(U+=1))}}if(2*be<ot)m[f]=g;else{const E=Math.round(F/be);m[f]=2*U>=z?r.live[E]:r.cut[E]}}}return st(c,c,m)}const ys=new WeakMap;function eo(e,t,[s,n]){const a=ks(e,t),r=s+" "+n,o=ys.get(a);if(o&&o.key===r)return o.shades;const i=255/(n-s),c=new Uint8ClampedArray(a.length);for(let d=0;d<c.length;d+=1)c[d]=(a[d]-s)*i;return ys.set(a,{key:r,shades:c}),c}function st(e,t,s){const n=document.createElement("canvas");return Object.assign(n,{width:e,height:t}),n.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(s.buffer),e,t),0,0),n}const nt=e=>({bitmap:e,width:e.width,height:e.height,get href(){return e.toDataURL("image/png")}});function to(e,t,s){const{of:n,paints:a}=Y(e),r=a.map(Ce),o=Ce(s.line),i=Uint32Array.from(t,c=>e.cut.dropped[c]?o:r[n[c]]);return{across:nt(st(t.length,1,i)),down:nt(st(1,t.length,i))}}function so({span:e,colours:t},{height:s,width:n},a,r){const[o,i]=[s-20,Math.min(180,n/3)],c=t.stops.map((p,m)=>[m/(t.stops.length-1),p]),d=(p,m,g)=>({shape:"text",x:p,y:o+9,text:m,size:11,fill:a.dim,anchor:g}),l=r+i+50;return[d(r-6,e[0].toFixed(2),"end"),{shape:"rect",x:r,y:o,w:i,h:10,fill:{x0:r,x1:r+i,stops:c},stroke:a.line},d(r+i+6,e[1].toFixed(2),"start"),{shape:"rect",x:l,y:o,w:22,h:10,fill:{x0:l,x1:l+22,stops:t.greys.map((p,m)=>[m,p])},stroke:a.line},d(l+28,"cut","start"),{shape:"rect",x:l+58,y:o,w:22,h:10,fill:t.gone,stroke:a.line},d(l+86,"dropped","start")]}let ye=null;const[bs,at,v,no]=[26,22,6,34],ao=520,xs=520,oo=8,ro=150,io=220,Os={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]};class co{constructor(t){this.host=t,this.canvas=t.querySelector("canvas"),this.key=null,this.frame=0,this.later=0,this.slow=!1,this.range=[0,1],this.made=null,this.ground=null,this.frameNow=null,this.canvas.addEventListener("pointermove",s=>this.point(this.pairAt(s))),this.canvas.addEventListener("pointerleave",()=>this.point(null)),this.canvas.addEventListener("blur",()=>this.point(null)),this.canvas.addEventListener("click",s=>this.pick(this.pairAt(s))),this.canvas.addEventListener("keydown",s=>this.onKey(s)),this.stops=[Ne((s,n)=>{n.has("cut")||n.has("graph")?this.draw(!0):["view","hover","pair"].some(a=>n.has(a))&&this.draw()}),An(()=>this.draw()),nn(t,()=>this.draw())]}dispose(){cancelAnimationFrame(this.frame),clearTimeout(this.later),this.stops.forEach(t=>t())}draw(t){if(t&&this.slow){this.later||(this.later=setTimeout(()=>this.paint(),ro));return}this.frame||(this.frame=requestAnimationFrame(()=>this.paint()))}bitmaps(t,s,n){const{graph:a,cut:r,view:o}=t,i=a.orders[o.order],c=[a,r,i,o.scale,s.surface,n],{key:d,made:l}=this;if(l&&d&&c.every((f,w)=>f===d[w]))return l;(!this.key||this.key[0]!==a)&&(this.range=Za(a)),this.key=c;const p=o.scale==="fixed"?[0,1]:this.range,m=an(s),$=(a.prior?["learned","prior"]:["learned"]).map(f=>({which:f,canvas:Qa(a,f,{order:i,cut:r,span:p,colours:m,block:n}),title:f==="learned"?"learned":"prior: "+a.prior+", matched"}));return this.made={squares:$,order:i,span:p,colours:m,block:n},this.made}layout(t,s){const n=s<ao?1:t,a=document.fullscreenElement?Math.max(xs,window.innerHeight-io):xs,r=Math.floor(Math.min((s-bs*(n-1))/n-v,a)),o=Array.from({length:t},(c,d)=>({x:v+d%n*(r+bs+v),y:at+v+Math.floor(d/n)*(r+at+v)})),i=Math.ceil(t/n);return{side:r,places:o,width:s,height:i*(r+at+v)+no}}sceneOf(t,s){const n=W(),a=q(),r=this.layout(n.graph.prior?2:1,t),o=r.side*(window.devicePixelRatio||1),i=this.bitmaps(n,a,s?1:Math.max(1,Math.round(n.graph.count/o))),c=[];return i.squares.forEach((d,l)=>c.push(...this.squareItems(n,i,d,r.places[l],r.side,a))),c.push(...so(i,r,a,v+34)),{width:t,height:r.height,background:a.surface,title:"Link probabilities of "+n.graph.model,desc:"Rows and columns are modules in the order of "+lo[n.view.order]+"; grey is what is dropped.",items:c,frame:r,made:i}}squareItems(t,s,n,{x:a,y:r},o,i){const{graph:c}=t,{order:d}=s,{canvas:l,title:p}=n,m=nt(l),g=c.count/s.block,$=[{shape:"text",x:a,y:r-v-7,text:p,size:12,weight:600,fill:i.ink},{shape:"image",source:m,sx:0,sy:0,sw:g,sh:g,x:a,y:r,w:o,h:o},{shape:"rect",x:a-.5,y:r-.5,w:o+1,h:o+1,stroke:i.line,width:1}],f=to(t,d,i),w={shape:"image",sx:0,sy:0};return $.push({...w,source:f.down,sw:1,sh:c.count,x:a-v,y:r,w:v-2,h:o}),$.push({...w,source:f.across,sw:c.count,sh:1,x:a,y:r-v,w:o,h:v-2}),$}paint(){cancelAnimationFrame(this.frame),clearTimeout(this.later),this.frame=this.later=0;const t=this.host.clientWidth;if(t<60)return;if(!u.graph){this.ground=null,delete this.canvas.dataset.painted,this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height);return}const s=performance.now(),n=q(),{canvas:a,scene:r}=this.squares(W(),n,t),o=on(this.canvas,t,r.height);o.clearRect(0,0,t,r.height),o.drawImage(a,0,0,t,r.height),rn(o,this.marks(W(),r,n),n.font),this.frameNow=r.frame,this.canvas.style.width=t+"px",this.canvas.style.height=r.height+"px",this.publish(W(),performance.now()-s)}squares(t,s,n){const{graph:a,cut:r,view:o}=t,i=[a,r,o.order,o.scale,o.colour,s.surface,n,window.devicePixelRatio],{ground:c}=this;if(c&&i.every((m,g)=>m===c.key[g]))return c;const d=performance.now(),l=this.sceneOf(n),p=c?c.canvas:document.createElement("canvas");return kt({...l,background:null},s.font,p),this.slow=performance.now()-d>oo,this.ground={key:i,canvas:p,scene:l}}marks(t,{frame:{side:s,places:n},made:a},r){const{graph:o,hover:i,pair:c}=t,{order:d}=a,l=s/o.count,p=[],m=($,f,w)=>{const k=d.indexOf($)*l,b=Math.max(l,2);for(const{x:F,y:U}of n){const z={shape:"rect",stroke:r.marker,width:f,opacity:w};p.push({...z,x:F-v,y:U+k,w:s+v,h:b}),p.push({...z,x:F+k,y:U-v,w:b,h:s+v})}},g=P();if(g>=0&&m(g,1.4,.9),!c&&i>=0&&i!==g&&m(i,1,.6),c){const[$,f]=c.map(w=>d.indexOf(w)*l);for(const{x:w,y:k}of n){p.push({shape:"path",d:"M"+(w-v)+","+(k+$+l/2)+"h"+(s+v),stroke:r.marker,width:1,opacity:.5}),p.push({shape:"path",d:"M"+(w+f+l/2)+","+(k-v)+"v"+(s+v),stroke:r.marker,width:1,opacity:.5});const b=Math.max(l,5);p.push({shape:"rect",x:w+f+(l-b)/2,y:k+$+(l-b)/2,w:b,h:b,stroke:r.surface,width:3}),p.push({shape:"rect",x:w+f+(l-b)/2,y:k+$+(l-b)/2,w:b,h:b,stroke:r.marker,width:1.5})}}return p}publish(t,s){const{dataset:n}=this.canvas;n.painted=t.graph.model,n.order=t.view.order,n.spent=s.toFixed(2),n.pair=t.pair?t.pair.map(a=>t.graph.units[a]).join(","):""}pairAt(t){const{graph:s}=u;if(!s||!this.frameNow||!this.made)return null;const n=this.canvas.getBoundingClientRect(),[a,r]=[t.clientX-n.left,t.clientY-n.top],{side:o,places:i}=this.frameNow;for(const{x:c,y:d}of i){const[l,p]=[a-c,r-d].map(g=>Math.floor(g/o*s.count)),m=g=>g>=0&&g<s.count;if(m(p)&&m(l))return[this.made.order[p],this.made.order[l]]}return null}point(t){((n,a)=>n===a||n&&a&&n[0]===a[0]&&n[1]===a[1])(t,u.pair)||y({pair:t,hover:t?t[0]:-1})}pick(t){t&&D(t[0]===P()?-1:t[0])}onKey(t){if(!u.graph||!this.made||t.ctrlKey||t.metaKey||t.altKey)return;const{order:s}=this.made,n=s.length-1;if(Os[t.key]){const a=t.shiftKey?10:1,r=u.pair?u.pair.map(i=>s.indexOf(i)):[-1,-1],o=Os[t.key].map((i,c)=>Math.max(0,Math.min(n,r[c]+(r[c]<0?1:a*i))));this.point([s[o[0]],s[o[1]]])}else if(t.key==="Enter"||t.key===" ")this.pick(u.pair);else if(t.key==="Escape")this.point(null),D(-1);else return;t.preventDefault()}scene(){const t=this.sceneOf(Math.max(720,this.host.clientWidth),!0);return{...t,items:[...t.items,...this.marks(W(),t,q())]}}}const W=()=>u,lo={matched:"the matched prior",communities:"their communities",connectivity:"their connectivity"};function uo({graph:e,cut:t,pair:s}){if(!s)return"";const[n,a]=s,r=n*e.count+a,{learned:o,prior:i}=e.matrices,c="p "+o[r].toFixed(3),d=i?", prior "+i[r].toFixed(3):"",l=t.dropped[n]||t.dropped[a]?", dropped":"";return e.units[n]+" and "+e.units[a]+": "+c+d+l}function ho(){const e=re(null);Le(()=>{const s=new co(e.current);return ye=s,()=>{ye===s&&(ye=null),s.dispose()}},[]);const t=u.graph&&uo(W());return h`
    <div ref=${e} class="graph-matrix">
      <canvas id="graph-matrix-picture" tabindex="0" role="img" aria-label=${Gt.matrix}></canvas>
      <div class="skeleton" aria-hidden="true" hidden=${u.status!=="loading"}></div>
    </div>
    <p class="hint" id="graph-pair" aria-live="polite">
      ${t||"Point at a pair, or walk with the arrow keys; Enter chooses the row."}
    </p>
  `}const po=1e5,Ms=640;function te(){const{graph:e,choice:t,cut:s,view:n}=u;return{model:e.model,revision:e.revision,seed:null,prior:e.prior,drop:s.names,least_connected:t.least,keep_edges:t.keep,unit:n.unit,kind:"observed"}}const Ss=e=>["learned","prior"].filter(t=>e.matrices[t]);function mo(e,t){const s=[["module","x","y","connectivity","community","expected_links","left_out"]];return e.units.forEach((n,a)=>s.push([n,...e.layout[a],e.q[a],e.communities[a],e.degrees.learned[a],!!t.dropped[a]])),s}function _s(e,t,s){const{from:n,to:a,p:r}=e.links.learned,{learned:o}=t.states,i=[["module","other","probability","kept"]];for(let c=0;c<Math.min(s,po);c+=1)i.push([e.units[n[c]],e.units[a[c]],r[c],o[c]===cn]);return i}function fo(){const{graph:e,view:t}=u,s="Graph of the modules of "+e.model,n="Discs are modules, lines the "+O()+" most probable links; grey is what is dropped.",a=M.learned.map.scene(s,n),r=t.compare&&M.prior?.map.items?M.prior.map.scene(s,n):null,{entries:o,what:i}=Y(u),c=a.width+(r?.width??0),d=bt([{text:i,key:"none"},...o.map(({name:p,paint:m})=>({text:p,key:"dot",fill:m,ink:"ink"}))],{x:10,y:a.height+16,width:c}),l=a.height+d.height+16;return Te({width:c,height:l,title:s,desc:n,marks:[xt(a,0,0),r?xt(r,a.width,0):[],d.marks]})}const go={graph:({graph:e,cut:t,view:s})=>({name:"graph",facts:{...te(),links_drawn:O(),least_probability_drawn:j(),...s.compare?{prior_links_drawn:H("prior"),prior_least_probability_drawn:j("prior")}:{}},python:{figure:"graph"},rows:()=>_s(e,t,O()),json:()=>{const[n,a]=[mo(e,t),_s(e,t,O())];return{module_columns:n[0],modules:n.slice(1),link_columns:a[0],links:a.slice(1)}},file:n=>"/models/"+encodeURIComponent(e.model)+"/graph/file"+Tt({format:n,most:O(),drop:t.names.join(","),keep_edges:u.choice.keep}),picture:{scene:fo}}),"graph-matrix":({graph:e,view:t})=>{const s=e.orders[t.order],n=s.map(o=>e.units[o]),a=Ss(e),r=(o,i)=>s.map(c=>e.matrices[o]?.[i*e.count+c]);return{name:"graph-matrix",facts:{...te(),order:t.order},python:{figure:"matrix"},rows:()=>[["graph","module",...n],...a.flatMap(o=>s.map(i=>[o,e.units[i],...r(o,i)]))],json:()=>({order:n,...Object.fromEntries(a.map(o=>[o,s.map(i=>r(o,i))]))}),picture:ye??{}}},"graph-statistics":({graph:e})=>({name:"graph-statistics",python:{figure:"statistics"},facts:{...te(),drop:[],keep_edges:null,least_connected:0},rows:()=>[["name","on","learned","learned_deviation","prior","prior_deviation"],...e.statistics.map(({name:t,on:s,learned:n,prior:a})=>[t,s,n.value??"",n.deviation??"",a?a.value??"":"",a?a.deviation??"":""])],json:()=>({statistics:e.statistics,distance_to_prior:e.distance}),picture:{}}),"graph-degrees":({graph:e})=>({name:"graph-degrees",python:{figure:"degrees"},facts:{...te(),drop:[],keep_edges:null,least_connected:0},rows:()=>[["module","learned","prior"],...e.units.map((t,s)=>[t,e.degrees.learned[s],e.degrees.prior?e.degrees.prior[s]:""])],json:()=>({units:e.units,degrees:e.degrees}),picture:{scene:()=>ms(e,Ms)}}),"graph-clusters":({graph:e})=>{const t=Ss(e);return{name:"graph-clusters",python:{figure:"clusters",shares:ke(e,"learned").map(({share:s})=>s)},facts:te(),rows:()=>[["graph","links_kept","share","clusters","largest"],...t.flatMap(s=>ke(e,s).map(n=>[s,n.kept,n.share,n.clusters,n.largest]))],json:()=>({choice:gs(u),...Object.fromEntries(t.map(s=>[s,ke(e,s)]))}),picture:{scene:()=>ws(u,Ms)}}}};function wo(e){const{graph:t,cut:s,view:n}=u;return t&&s&&go[e]({graph:t,cut:s,view:n})}const $o=200,se=({id:e,children:t,formats:s=["svg","png","csv","json"],...n})=>h`<${Me} id=${e} tag="observed" formats=${s} written=${()=>wo(e)} ...${n}>${t}<//>`;function vo(){const{compare:e}=u.view;return h`<${se}
    id="graph"
    title="Graph"
    reads=${A.graph}
    more=${ze.graph}
    look="panel-graph"
    formats=${["svg","png","csv","json","graphml","gexf"]}
  >
    <div class="graph-bar">
      <div class="graph-links"><${ba} /></div>
      <${Ta} />
    </div>
    <div class="graph-pictures" data-compare=${String(e)}>
      <${Ge} which="learned" />
      ${e&&h`<${Ge} which="prior" />`}
    </div>
    <${La} />
    <${Ra} />
  <//>`}const ko=()=>h`<${se} id="graph-matrix" title="Link probabilities" reads=${A.matrix}>
    <${Ca} />
    <${ho} />
  <//>`;function yo(){const{graph:e}=u;return h`<${se}
    id="graph-statistics"
    title="Learned and prior"
    reads=${A.statistics}
    formats=${["csv","json"]}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="Statistics of the graph">
      ${e&&h`<${Ba} graph=${e} />`}
    </div>
  <//>`}const Es=({id:e,scene:t})=>h`<${pt}
    id=${e}
    scene=${t}
    height=${ve}
    drawn=${()=>u.graph?.model??""}
    label=${({title:s,desc:n})=>s+". "+n}
  />`,bo=()=>h`<${se} id="graph-degrees" title="Degree distribution" reads=${A.degrees}>
    <${Es}
      id="plot-graph-degrees"
      scene=${e=>u.graph&&ms(u.graph,e)}
    />
  <//>`;function xo(){const e=In(null);return Le(()=>{let t=setTimeout(()=>{});const s=ie(()=>{const{graph:n,choice:a,cut:r}=u,o=n&&r&&{graph:n,choice:a,cut:r};clearTimeout(t),o&&o.graph===e.peek()?.graph?t=setTimeout(()=>e.value=o,$o):e.value=o});return()=>{s(),clearTimeout(t)}},[]),h`<${se} id="graph-clusters" title="Clusters as links are cut" reads=${A.clusters}>
    <${Es}
      id="plot-graph-clusters"
      scene=${t=>e.value&&ws(e.value,t)}
    />
  <//>`}const Oo={learned:"learned links",frozen:"frozen links",complete:"every module linked to every other"};function Mo(){const{graph:e,model:t,sets:s}=u;return!e||!t?null:h`
    <${un} id=${e.model} revision=${e.revision} />
    <span>${e.count+" modules, "+e.readouts+" read-out modules"}</span>
    <span>${Oo[e.links_kind]+(e.prior?", prior "+e.prior:", no prior")}</span>
    <${dn} sets=${s} used=${X()} />
  `}function So(){const{graph:e}=u,{least:t,keep:s,drop:n,data:a,samples:r}=K.value,{sample:o}=oe(),i=e&&{model:e.model,sample:o,units:n,least:t,edges:s,data:a,samples:r};return h`<a
    class="tool tool-text"
    id="graph-to-drop"
    href=${i?Wn("drop",i,e.units):"/drop"}
    onClick=${Pn}
    >${Rt("drop")}This choice on Drop</a
  >`}function _o(){const{problem:e}=u;if(!e)return null;const t=e.status===404,s=(Fn()??[]).filter(De).map(({id:r})=>r),a="The units of this model are not linked with probabilities; "+(s.length?"models with links: "+s.join(", "):"no model here has any")+".";return h`<div class="message" role="alert">
    <p class="message-title">${t?"No graph":e.title}</p>
    <p class="message-detail" id="graph-problem-detail">${e.detail||a}</p>
    <div id="graph-others" class="graph-others">
      ${t&&s.map(r=>h`<${N} key=${r} look="button" act=${()=>Lt({model:r})}>${r}<//>`)}
    </div>
    <${N}
      id="graph-retry"
      look="button"
      hidden=${t||e.status===403}
      act=${()=>{Ue(Fe())}}
    >
      Try again
    <//>
  </div>`}function Eo(){const e=u.status==="failed";return h`
    <div class="page-head">
      <h1>Graphs</h1>
      <div id="graph-caption" class="caption"><${Mo} /></div>
      <div class="head-actions" hidden=${e}>
        <${So} />
        <button type="button" class="tool tool-text" data-copy-link="true">${Rt("link")}Copy link</button>
      </div>
    </div>
    ${e?h`<${_o} />`:h`
            <${ln}><${Oa} /><//>
            <div class="graphs-grid">
              <div class="column"><${vo} /><${ko} /><${yo} /></div>
              <div class="column">
                <${$a} /><${qa} /><${bo} /><${xo} />
              </div>
            </div>
          `}
  `}Nn("graphs",async({model:e,sample:t,...s})=>{Lt({model:e,sample:t}),Pe(s)});function To(){let e=Dn(location.search).model;return ie(()=>{const{model:t}=oe(),s=e??t;e=null,s!==Fe()&&Ae(()=>{Ue(s)})})}const Co=jn({Tree:Eo,choice:()=>K.value,take:Pe,open(e,t){const s=t.closest(".page");Ut(e);const n=[To(),Vt(),Ua(),ie(()=>{const{status:a,fresh:r}=x;Object.assign(s.dataset,{status:u.status,evaluation:a,fresh:String(r)})})];return()=>{n.forEach(a=>a()),zt()}}});Un({graph:()=>Vn,graphDrawing:()=>()=>ut,graphMaps:()=>ta,links:()=>hn});export{Co as mount};
