/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{I as Pe,H as Ue,g as je,E as j,K as Le,W as qe,F as We,Y as oe,R as Be,C as L,u as h,a4 as D,a as b,s as u,a5 as Fe,n as Ge,m as S,_ as Je,o as q,w as p,a6 as De,a7 as He,t as ie,a8 as Ke,a9 as Ye,l as Xe,v as ze,r as Qe,b as re,aa as Ve,ab as Ze,ac as et,p as tt,O as nt,x as I,ad as st,y as at,Q as ot}from"../../boot.js";import{M as it,j as rt,r as H,n as ct,f as ce,O as le,d as lt,Q as ut,R as dt,W as K,V as W,N as ue,k as ht,w as de,o as pt,a as mt,h as he,g as ft,X as gt,Y as bt,J as pe,U as $t,q as Y,T as me,Z as yt,_ as vt,$ as wt,a0 as kt}from"../../shared.js";const Ot="drop",St=10,_t=250,w=Pe("drop"),{offered:fe}=Ue("drop","iterations"),Et={status:"loading",problem:null,model:null,graph:null,graphProblem:null,sets:[],choice:{...w},evaluation:null,fresh:!1},{state:i,update:f,subscribe:$}=je(Et),C=()=>i.model,M=()=>i.choice.data.length?i.choice.data:i.sets.map(e=>e.name),_=({model:e})=>e!==null&&e.constants.includes("link_probability");function X(e=i.choice.least){const{graph:t}=i;return!e||!t?[]:oe(t.connectivity).slice(0,e).map(n=>C().units[n])}function E(){const e=new Set([...i.choice.units,...X()]);return i.model?i.model.units.filter(t=>e.has(t)):[]}const ge=e=>g({units:Tt(e),least:0});function Tt(e){const t=new Set(e);return C().units.filter(n=>t.has(n))}function Rt(){const{choice:e}=i,t={model:C().id,data:M().join(","),samples:e.samples,[e.kind]:E().join(","),iterations:e.iterations,keep_edges:e.edges,controls:St};return"/evaluations/stream"+We(t)}const T=it({owner:Ot,statusOf:()=>i.status,update:f,async begin(e){i.choice.least&&!i.graph&&!i.graphProblem&&await be(),!(!e()||!i.model||!document.querySelector('[data-widget="drop-page"]'))&&(Nt(),T.ask(i.model.id,Rt))}});function Nt(){const e=C();Le("drop",{...i.choice,model:e.id,sample:qe().sample},e.units)}const It=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function g(e,t=!1){const n={...i.choice,...e};It(n,i.choice)||(f({choice:n}),i.model&&T.restart(t?_t:0))}let R=null;function be(){const e=C();if(R&&R.id===e.id)return R.coming;const t=j("GET","/models/"+encodeURIComponent(e.id)+"/graph").then(n=>i.model===e&&f({graph:n})).catch(n=>i.model===e&&f({graphProblem:n,choice:{...i.choice,least:0}}));return R={id:e.id,coming:t},t}const z=e=>["drop","mute",...e.fields.includes("contributions")?["mean","resample"]:[]];function Ct(e,t,n){const a=n.map(c=>c.name),s=e.data.filter(c=>a.includes(c)),o=t.constants.includes("link_probability"),r=t.most_iterations??null;return{...e,kind:z(t).includes(e.kind)?e.kind:w.kind,units:Be(t.units,e.units),least:o?Math.min(e.least,t.units.length-1):0,edges:o?e.edges:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:s.length===a.length?[]:s}}let B=0;async function $e(e,t){const n=B+=1;if(t&&f({choice:{...w,...t}}),!e){f({status:"loading"});return}try{const[a,s]=await Promise.all([j("GET","/models/"+encodeURIComponent(e)),j("GET","/data")]);if(n!==B)return;const o=a.domains.map(r=>s.items.find(c=>c.name===r)).filter(r=>r!==void 0);if(R=null,f({model:a,sets:o,graph:null,graphProblem:null,evaluation:null}),f({choice:Ct(i.choice,a,o)}),_(i)&&be(),!o.length){f({status:"empty"});return}T.restart()}catch(a){const{title:s,message:o}=a;n===B&&f({status:"failed",problem:{title:s,detail:o}})}}function ye(){B+=1,T.close(),R=null,Object.assign(i,{status:"loading",model:null,sets:[],graph:null,graphProblem:null}),Object.assign(i,{evaluation:null,fresh:!1,problem:null})}function ve(){const e=i.evaluation;return rt(e,["drop","mute","mean","resample","iterations","keep_edges"],{least_connected:i.fresh&&i.choice.least?i.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function Mt(){i.model&&T.restart()}const{cancel:xt}=T;var we=Object.freeze({__proto__:null,ITERATIONS:fe,NOTHING:w,cancel:xt,choose:g,facts:ve,hasLinks:_,kindsOf:z,leave:ye,leaveOut:ge,leftOut:E,measured:M,open:$e,restart:Mt,state:i,subscribe:$,weakest:X});const O="importance",ke=10,Oe=20,At=24e3,Pt=24,[Ut,jt]=[250,19],x={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let A=null,F=!1;const y=L(null);function Se({model:e,choice:t}){const n=e.units.length;return n<=Oe?t.samples:Math.min(t.samples,Math.max(30,Math.min(300,Math.round(At/n))))}function Q(e){const{model:t,choice:n}=e,a={model:t.id,data:M(),samples:Se(e),kind:n.kind},s=n.edges===null?{}:{keep_edges:n.edges};return{...a,...s,iterations:n.iterations,seed:0}}function Lt(e){const{model:t,evaluation:n}=e,a=t?t.units.length:0;if(a<=ke)return["Score all "+2**a+" subsets of the "+a+" units",""];if(a<=Oe)return["Score sampled subsets of the "+a+" units",""];const{units:s}=q(t),o=_(e)?4:2,r=a+20*(o+8),c=Se(e),d=n&&n.baseline&&n.baseline.samples_per_second,l=d?"; about "+He(r*c/d):"";return["Leave out each of the "+p(a)+" "+s+" alone, then more and more","About "+p(r)+" sets on "+p(c)+" samples"+l+". It can be cancelled and taken up again."]}const _e=()=>De(O,"/importances",Q(i)),qt=()=>i.model?i.model.units.length:0;async function Wt(e){if(!e.model||e.status==="empty")return;const t=JSON.stringify(Q(e));if(t!==A&&(A=t,y.value=null,await Je(O),t!==A))return;const{job:n,starting:a,problem:s}=D(O);!n&&!a&&!s&&e.status==="done"&&qt()<=ke&&!F&&_e()}async function Bt({job:e}){if(!e||e.state!=="done")return null;const t=y.value;return t&&t.id===e.id?t:j("GET","/importances/"+encodeURIComponent(e.id))}function Ee(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...S(e.measure).share?{}:{measure:e.measure}}}const Ft=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function V(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(a=>Ft(n[a])))]}function Z(e,t){if(t==="effect"){const n=new Map(e.single.map(a=>[a.unit,a]));return e.shapley.length?e.shapley.map(({unit:a,value:s,low:o,high:r,standard_error:c})=>{const{unit:d,...l}=n.get(a)||{};return{unit:a,...{shapley:s,shapley_low:o,shapley_high:r,standard_error:c},...Object.fromEntries(Object.entries(l).map(([m,k])=>["single_"+m,k]))}}):e.single}return e[x[t][0]]}function Gt(e){H(e,()=>{const{value:t}=y;if(!t)return null;const n=Z(t,e),{title:a}=S(t.measure),s=x[e][1].replace("Accuracy",a)+": "+t.model,o={...Ee(t),kind:e==="use"?"observed":"caused"};return{name:e,facts:o,rows:()=>V(n),json:()=>({[x[e][0]]:n}),picture:ct(e,s,s+", "+t.words)}})}function Jt(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable;e?ce(t,V(Z(e,n)),x[n][1]+", "+e.words):le(t)})}function Dt(e){const t=S(e.measure),n=r=>ie(t,r),a=[["all units",n(e.baseline)],["none",n(e.baseline-e.total)]];if(!e.shapley.length)return[["sets","Each of "+p(e.units.length)+" alone, then more and more"+", on "+p(e.count)+" samples"],...a,["left out by",e.words]];const s=e.exact?"All "+p(2**e.units.length)+" subsets":"Sampled orders",o=e.shapley.reduce((r,c)=>r+c.value,0);return[["subsets",s+" of "+e.units.length+" units on "+p(e.count)+" samples"],...a,["sum of Shapley values",t.change(o)+" "+t.changeUnit],["left out by",e.words]]}function Ht(e){const t=Math.min(e.units.length,Pt);for(const a of["use","effect"]){const s=document.getElementById("plot-"+a);s&&(s.style.height=Math.max(Ut,90+jt*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length)}function Kt({entry:e}){const{job:t,starting:n,problem:a}=e.value,s=i.problem,o=!!(t||n||a||s&&s.refused),[r,c]=Lt(i);return u`
    <button type="button" class="button" id="importance-start" hidden=${o} onClick=${()=>{F=!1,_e()}}>${r}</button>
    <p class="hint">${o?"":c}</p>
  `}const Yt=()=>u`<dl class="fact-list" hidden=${!y.value}>
    ${(y.value?Dt(y.value):[]).map(([e,t])=>u`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;h("importance",e=>{const t=L(D(O));Object.keys(x).forEach(Gt),H(O,()=>{const{value:s}=y;if(!s)return null;const o=Z(s,"effect");return{name:"importance",facts:{...Ee(s),kind:"caused"},rows:()=>V(o),json:()=>({result:s}),picture:{}}});async function n(s){const{job:o}=t.value=s;o&&o.state==="cancelled"&&JSON.stringify(Q(i))===A&&(F=!0);const r=await Bt(s).catch(c=>(Ge(c.title||"No result",c.message,"bad"),null));t.value===s&&(y.value=r,Jt(r),r&&Ht(r),e.dataset.result=r?r.id:"")}const a=[b(e,()=>u`<${Kt} entry=${t} /><${Yt} />`),Fe(O,n),$((s,o)=>{["status","choice","model"].some(r=>o.has(r))&&(Wt(s),n(D(O)))})];return()=>{a.forEach(s=>s()),A=null,F=!1,y.value=null}});const ee=e=>de(e,i.model),Xt=(e,{draws:t,draws_done:n,exact:a,size:s})=>(a&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+s;function zt(){const{evaluation:e}=i,{accuracy:t,change:n,loss:a}=ut(e),s=e?dt(e,{waiting:ee(e)===K?K:"scored next",sets:Xt,unit:({share:o,unit:r})=>o?r+" on average":"on average"}):{value:ue};return u`
    <${W} id="drop-accuracy-number" main=${!0} ...${t} />
    <${W} id="drop-change-number" main=${!0} ...${n} />
    <${W} ...${a} />
    <${W} id="drop-control-number" name="Random sets" ...${s} />
  `}h("drop-numbers",e=>{const t=[b(e,zt),$(({fresh:n,evaluation:a},s)=>{e.dataset.fresh=String(n),s.has("evaluation")&&Ke(a&&a.measure)})];return()=>t.forEach(n=>n())});function Qt(e){const{model:t}=e;return ht(e,{intervention:ee,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:n=>ee(n)===K?" Click a "+q(t).unit+" to leave it out.":""})}const Vt=({model:e})=>e!==null;h("drop-progress",e=>lt(e,"drop",we,Qt,Vt));function Te({id:e,name:t,title:n,value:a,before:s,words:o}){const r=Math.max(a||0,s||0)||1,c=d=>100*(d||0)/r+"%";return u`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:c(a),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!s} style=${{left:c(s)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function Zt({flops:e,saved:t}){return e===null?"counting":Ye(e)+(t===null?"":t>0?", "+Xe(t)+" % saved":", nothing saved")}function en({baseline:e,samples_per_second:t}){const n=e&&e.samples_per_second;return t?p(t)+(n?", "+p(n)+" as it is":""):ue}function tn(){const{evaluation:e}=i,t=e&&e.baseline;return u`
    <${Te}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${t?.flops}
      words=${e?Zt(e):""}
    />
    <${Te}
      id="drop-speed"
      name="Samples per second"
      title="Each was timed when it was scored; what else the machine did then is in it."
      value=${e?.samples_per_second}
      before=${t?.samples_per_second}
      words=${e?en(e):""}
    />
  `}h("drop-costs",e=>{const t=[b(e,tn),$(({fresh:n})=>e.dataset.fresh=String(n))];return()=>t.forEach(n=>n())});const Re=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],nn="in distribution",P="out of distribution";function te(e){const t=new Map(e.data.map(s=>[s.name,s])),n=e.data.some(s=>s.held_out),a=e.by_domain.map(s=>{const o=t.get(s.name),r=s.name+(o?.stand_in?" (stand-in)":"");return{...s,name:r,...n?{distribution:o?.held_out?P:nn}:{}}});return[...a.filter(s=>s.distribution!==P),...a.filter(s=>s.distribution===P)]}const sn=e=>bt(e,{named:"this set",sets:"random sets of as many",each:!0});function Ne(e,{measure:t}){const n=e.some(s=>s.distribution)?[...Re,"distribution"]:Re;return[n.map(s=>s==="accuracy"?S(t).name:s),...e.map(s=>n.map(o=>s[o]))]}const an={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>ft(e,gt(t),n,{model:t}),rows:sn,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>he(e.by_label,"label",e,n,t),rows:e=>Ne(e.by_label,e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>he(te(e),"data set",e,n,t),rows:e=>Ne(te(e),e)}};function on(e,t){const n=S(t.measure),a=r=>ie(n,r),{accuracy:s}=t;if(e==="accuracy"&&s){const r=["this set ("+de(t,i.model)+") "+a(s.value)];return t.baseline&&r.push("as it is "+a(t.baseline.accuracy.value)),t.control&&t.control.mean!==null&&r.push("random sets on average "+a(t.control.mean)),(n.share?"Accuracies":n.title)+": "+r.join("; ")}const o=e==="labels"?t.by_label:te(t);return"Change of "+n.name+" in "+n.changeUnit+": "+o.map(r=>r.name+(r.distribution===P?", "+P:"")+" "+n.change(r.change)).join("; ")}class rn{constructor(t){this.host=t,this.key=t.dataset.key??"",this.about=an[this.key],this.canvas=t.querySelector("canvas"),this.spots=void 0,this.table=document.querySelector('[data-drop-table="'+this.key+'"]');const n=()=>this.draw();this.stops=[$((a,s)=>{t.dataset.fresh=String(a.fresh),t.dataset.state=a.status,(s.has("evaluation")||s.has("model"))&&this.draw(!0)}),ze(n),pt(t,n)],this.canvas.addEventListener("pointermove",a=>this.name(a)),H("drop-"+this.key,()=>this.exported())}dispose(){this.stops.forEach(t=>t())}draw(t){const{evaluation:n,model:a}=i,s=n&&this.about.has(n);this.host.dataset.shown=String(!!s);const o=this.key==="labels"&&n&&n.state==="done"&&!s;if(this.host.closest(".panel").style.display=o?"none":"",!s){delete this.canvas.dataset.painted,this.table&&le(this.table);return}const r=Math.min(this.host.clientWidth,this.about.widest||1/0);if(r<60)return;const c=this.about.scene(n,a,r);if(mt({...c,background:null},Qe().font,this.canvas),this.canvas.style.width=c.width+"px",this.canvas.style.height=c.height+"px",this.canvas.dataset.painted=n.id,this.spots=c.spots,!!t&&(this.canvas.setAttribute("aria-label",on(this.key,n)),!!this.table)){if(this.key==="accuracy"){const{share:d,title:l}=S(n.measure);this.table.setAttribute("aria-label",(d?"Accuracies":l)+" as a table")}ce(this.table,this.about.rows(n),c.desc)}}name(t){const n=this.canvas.getBoundingClientRect(),[a,s]=[t.clientX-n.left,t.clientY-n.top],o=(this.spots||[]).find(r=>Math.hypot(r.x-a,r.y-s)<7);this.canvas.title=o?o.words:""}exported(){const{evaluation:t,model:n}=i;if(!t||!this.about.has(t))return null;const a=this.about.rows(t);return{name:"drop-"+this.key,facts:ve(),rows:()=>a,json:()=>this.key==="accuracy"?{result:t}:{columns:a[0],rows:a.slice(1)},picture:{scene:()=>this.about.scene(t,n,Math.max(560,this.host.clientWidth))}}}}h("drop-picture",e=>{const t=new rn(e);return()=>t.dispose()});const ne={drop:"removed",mute:"muted",mean:"mean",resample:"resampled"},cn={drop:"Remove ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Ie="data-drop-unit",U=e=>e!==null&&e.units.length>Ve;function G(e,t){const n=new Set(E());e.forEach(c=>t?n.add(c):n.delete(c));const{choice:a,model:s}=i,o=new Set(X());if(!e.some(c=>o.has(c))&&a.least){const c=new Set(a.units);e.forEach(l=>t?c.add(l):c.delete(l));const d=s.units.filter(l=>c.has(l));g({units:d})}else ge([...n])}const Ce=(e,t,n)=>t?"Bring "+e+" back":cn[n]+e;function ln({unit:e,index:t,away:n,kind:a}){const s=Ce(e,n,a),[o,r]=[()=>Y(e),()=>Y(null)];return u`<button
    type="button"
    class="chip"
    ...${{[Ie]:e}}
    data-state=${n?a==="drop"?"dropped":"muted":"on"}
    title=${s}
    aria-pressed=${String(n)}
    aria-label=${e+(n?", "+ne[a]:"")+". "+s}
    onClick=${()=>G([e],!n)}
    onPointerEnter=${o}
    onPointerLeave=${r}
    onFocus=${o}
    onBlur=${r}
  >
    <span class="swatch" aria-hidden="true" style=${{background:nt(t)}}></span>
    ${e}
    <span class="chip-state">${n?ne[a]:""}</span>
  </button>`}function un(){const{model:e,choice:t}=i;if(!e||U(e))return null;const n=E();return e.units.map((a,s)=>u`<${ln} key=${a} ...${{unit:a,index:s,away:n.includes(a),kind:t.kind}} />`)}h("drop-units",e=>{e.addEventListener("keydown",pe);const t=[b(e,un),$(({model:n})=>e.hidden=U(n))];return()=>t.forEach(n=>n())});const dn=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function hn(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:oe(n.connectivity).reverse()).map(s=>t.units[s])}function J(e){const{model:t,graph:n}=i;return t?et(t.units,e,n&&n.connectivity):[]}function pn(){const{model:e,graph:t}=i,{units:n,unit:a}=q(e),s=p(E().length)+" of "+p(e.units.length),o=t?"; the stronger the colour, the better connected":"";return s+" "+(e.units.length===1?a:n)+" left out"+o}function mn({asked:e,order:t}){const{model:n,graph:a}=i;if(!n||!U(n))return null;const s=J(e.value).length,o=Ze(n.units,e.value,a&&a.connectivity,q(n)),r=()=>G(J(e.value),!0);return u`
    <input
      type="search"
      class="small-input"
      id="drop-find"
      placeholder="m1, m5..m9, m1*, q<30"
      aria-label="Find units: names, ranges, a beginning with *, or their connectivity q"
      title="Names, ranges, a beginning with *, or the connectivity: q<30"
      autocomplete="off"
      aria-describedby="drop-unfound"
      value=${e.value}
      onInput=${c=>e.value=c.currentTarget.value}
      onKeyDown=${c=>c.key==="Enter"&&r()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${o}</span>
    <${me} id="drop-take" wait=${!s} act=${r}>${s?"Leave "+s+" out":"Leave out"}<//>
    <${me} id="drop-bring" wait=${!s} act=${()=>G(J(e.value),!1)}>Bring back<//>
    <${yt}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${dn}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!a}
      hidden=${!_(i)}
    />
    <span class="hint" id="drop-count">${pn()}</span>
  `}h("drop-many",e=>{const[t,n]=[L(""),L("name")],a=re("div",{class:"interventions drop-row"}),s=re("div",{role:"group","aria-label":"Units"});e.replaceChildren(a,s);const o=new $t(s,Ie,{toggle:G,point:l=>Y(l),about(l,v){const{graph:m,model:k,choice:xe}=i,Ae=m?", q "+m.connectivity[k.units.indexOf(l)].toFixed(1):"";return l+Ae+". "+Ce(l,v,xe.kind)}});function r(){if(!U(i.model))return;const l=i,{graph:v,model:m}=l;o.show(hn(n.value,l)),v&&o.shade(k=>v.connectivity[m.units.indexOf(k)])}const c=()=>o.ring(J(t.value)),d=[b(a,()=>u`<${mn} asked=${t} order=${n} />`),n.subscribe(r),t.subscribe(c),$(({model:l,choice:v},m)=>{e.hidden=!U(l),!e.hidden&&((m.has("model")||m.has("graph"))&&(r(),c()),["model","choice","graph"].some(k=>m.has(k))&&(o.mark(E(),ne[v.kind]),s.dataset.kind=v.kind))})];return()=>d.forEach(l=>l())});const Me=({id:e,name:t,label:n,value:a,most:s,words:o,wait:r=!1,onSlide:c})=>u`<div class="control" title=${n}>
    <span class="control-name">${t}</span>
    <input
      type="range"
      class="range"
      id=${e}
      min="0"
      max=${s}
      step="1"
      aria-label=${n}
      disabled=${r}
      value=${a}
      onInput=${d=>c(Number(d.currentTarget.value))}
    />
    <output class="readout">${o}</output>
  </div>`;function fn(){if(!_(i))return null;const{model:e,graph:t,graphProblem:n,choice:a}=i,s=a.edges===null?1:a.edges;return u`
    <${Me}
      id="drop-least"
      name="n least connected"
      label="Leave out the n units of least connectivity q"
      value=${a.least}
      most=${e.units.length-1}
      words=${a.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${o=>g({least:o},!0)}
    />
    <${Me}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*s)}
      most=${100}
      words=${tt(s)+" %"}
      onSlide=${o=>g({edges:o===100?null:o/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  `}h("drop-links",e=>{const t=[b(e,fn),$(n=>e.hidden=!_(n))];return()=>t.forEach(n=>n())});const gn=fe.at(-1),N=()=>at();let se=null,ae=null;const bn={open(e,t){const n=e!==se;se=e;const a=(t||{}).model||null,s=i.model;return(n||!s||s.id!==a)&&$e(a,n?e:null),N()},setKind(e){return e&&g({kind:e}),N()},setIterations(e){const t=e;return g({iterations:Number.isInteger(t)&&t>0?t:null}),N()},setSamples(e){const t=Number(e);return Number.isInteger(t)&&t>0&&g({samples:t}),N()},reset(e){return e&&(I("drop-kind",{value:w.kind}),I("drop-iterations",{value:""}),I("drop-samples",{value:String(w.samples)}),g({...w})),N()}};h("drop-page",e=>{const t=[b(document.getElementById("drop-caption"),wn),$((n,a)=>{e.dataset.state=n.status,e.dataset.fresh=String(n.fresh),!(!a.has("model")||!n.model)&&($n(n.model),yn(n.model))})];return()=>{t.forEach(n=>n()),se=null,ye()}});function $n({most_iterations:e}){I("drop-iterations",{max:e===null?gn:e})}function yn(e){const t=z(e);ae=ae||vn(document.querySelector('[data-widget="drop-sentence"]'));const n=Object.entries(ae).map(([s,o])=>({value:s,label:o,disabled:!t.includes(s)})),{kind:a}=i.choice;I("drop-kind",{data:n,...t.includes(a)?{}:{value:w.kind}})}const vn=e=>JSON.parse(e.dataset.names);function wn(){const{model:e,sets:t}=i,n=M(),a=t.filter(s=>e?.held_out.includes(s.name)&&n.includes(s.name));return u`
    ${e&&u`<${wt} ...${e} />`}
    <${vt} sets=${t} used=${n} />
    ${a.length>0&&u`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+a.map(s=>s.name).join(", ")}
      </span>`}
  `}function kn({name:e,title:t,stand_in:n},a){const s=a?"; out of distribution: the model was never trained on it":"";return{title:t+s,label:e+(n?", stand-in":"")+": "+t+s,notes:[...n?["stand-in"]:[],...a?["OOD"]:[]]}}function On(){const{model:e,sets:t}=i;return u`<${kt}
    sets=${t}
    used=${M()}
    attribute="data-drop-set"
    about=${n=>kn(n,!!e?.held_out.includes(n.name))}
    onChoose=${n=>g({data:n})}
  />`}h("drop-sets",e=>(e.addEventListener("keydown",pe),b(e,On))),h("drop-sentence",e=>{const t=JSON.parse(e.dataset.kinds),n=()=>st(t[i.choice.kind],i.model);return b(e,()=>u`${n()}`)}),ot({drop:()=>we});export{bn as callbacks};
