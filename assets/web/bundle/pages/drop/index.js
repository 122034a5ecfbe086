/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{K as qe,J as We,j as Be,t as q,M as Fe,Z as Ge,H as Je,_ as re,V as De,a9 as He,aa as W,W as Ke,F as B,y as m,ab as z,d as $,s as d,ac as ze,n as Ve,m as N,a3 as le,o as F,w as y,ad as Xe,ae as Ye,x as ce,af as Ze,ag as Qe,u as et,z as tt,r as nt,c as ue,ah as st,ai as at,a as de,aj as ot,ak as it,p as rt,R as lt,A as x,al as ct,C as ut,S as dt}from"../../boot.js";import{L as ht,k as pt,r as V,q as mt,f as he,M as pe,e as ft,c as me,O as fe,Q as k,R as O,n as gt,W as X,T as bt,N as $t,V as yt,w as ge,o as vt,a as wt,i as be,h as kt,X as Ot,Y as St,I as $e,U as _t,u as Y,Z as Et,_ as Tt,$ as Rt}from"../../shared.js";const Nt="drop",It=10,Ct=250,v=qe("drop"),{offered:ye}=We("drop","iterations"),Mt={status:"loading",problem:null,model:null,graph:null,graphProblem:null,sets:[],choice:{...v},evaluation:null,fresh:!1},{state:i,update:f,subscribe:w}=Be(Mt),P=()=>i.model,A=()=>i.choice.data.length?i.choice.data:i.sets.map(e=>e.name),I=({model:e})=>e!==null&&e.constants.includes("link_probability");function Z(e=i.choice.least){const{graph:t}=i;return!e||!t?[]:re(t.connectivity).slice(0,e).map(n=>P().units[n])}function C(){const e=new Set([...i.choice.units,...Z()]);return i.model?i.model.units.filter(t=>e.has(t)):[]}const ve=e=>g({units:xt(e),least:0});function xt(e){const t=new Set(e);return P().units.filter(n=>t.has(n))}function Pt(){const{choice:e}=i,t={model:P().id,data:A().join(","),samples:e.samples,[e.kind]:C().join(","),iterations:e.iterations,keep_edges:e.edges,controls:It};return"/evaluations/stream"+Je(t)}const E=ht({owner:Nt,statusOf:()=>i.status,update:f,async begin(e){i.choice.least&&!i.graph&&!i.graphProblem&&await we(),!(!e()||!i.model||!document.querySelector('[data-widget="drop-page"]'))&&(At(),E.ask(i.model.id,Pt))}});function At(){const e=P();Fe("drop",{...i.choice,model:e.id,sample:Ge().sample},e.units)}const Ut=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function g(e,t=!1){const n={...i.choice,...e};Ut(n,i.choice)||(f({choice:n}),i.model&&E.restart(t?Ct:0))}let T=null;function we(){const e=P();if(T&&T.id===e.id)return T.coming;const t=q("GET","/models/"+encodeURIComponent(e.id)+"/graph").then(n=>i.model===e&&f({graph:n})).catch(n=>i.model===e&&f({graphProblem:n,choice:{...i.choice,least:0}}));return T={id:e.id,coming:t},t}const G=e=>["drop","mute",...e.fields.includes("contributions")?["mean","resample"]:[]];function jt(e,t,n){const a=n.map(l=>l.name),s=e.data.filter(l=>a.includes(l)),o=t.constants.includes("link_probability"),r=t.most_iterations??null;return De("units",t,e.units),He(t.id,a,e.data),G(t).includes(e.kind)||W(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${v.kind}.`),!o&&(e.least||e.edges!==null)&&W(`Units of ${t.id} are not linked: "least" and "edges" are left out.`),o&&e.least>=t.units.length&&W(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&W(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:G(t).includes(e.kind)?e.kind:v.kind,units:Ke(t.units,e.units),least:o?Math.min(e.least,t.units.length-1):0,edges:o?e.edges:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:s.length===a.length?[]:s}}let J=0;function Lt(){E.close(),T=null,f({...{model:null,sets:[],graph:null,graphProblem:null,evaluation:null},fresh:!1,problem:null,status:"loading"})}async function ke(e,t){const n=J+=1;if(t&&f({choice:{...v,...t}}),i.model&&i.model.id!==e&&Lt(),!e){f({status:"loading"});return}try{const[a,s]=await Promise.all([q("GET","/models/"+encodeURIComponent(e)),q("GET","/data")]);if(n!==J)return;const o=a.domains.map(r=>s.items.find(l=>l.name===r)).filter(r=>r!==void 0);if(T=null,f({model:a,sets:o,graph:null,graphProblem:null,evaluation:null}),f({choice:jt(i.choice,a,o)}),I(i)&&we(),!o.length){f({status:"empty"});return}E.restart()}catch(a){const{title:s,message:o}=a;n===J&&f({status:"failed",problem:{title:s,detail:o}})}}function Oe(){J+=1,E.close(),T=null,Object.assign(i,{status:"loading",model:null,sets:[],graph:null,graphProblem:null}),Object.assign(i,{evaluation:null,fresh:!1,problem:null})}function Se(){const e=i.evaluation;return pt(e,["drop","mute","mean","resample","iterations","keep_edges"],{least_connected:i.fresh&&i.choice.least?i.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function qt(){i.model&&E.restart()}const{cancel:Wt}=E;var _e=Object.freeze({__proto__:null,ITERATIONS:ye,NOTHING:v,cancel:Wt,choose:g,facts:Se,hasLinks:I,kindsOf:G,leave:Oe,leaveOut:ve,leftOut:C,measured:A,open:ke,restart:qt,state:i,subscribe:w,weakest:Z});const S="importance",Ee=10,Te=20,Bt=24e3,Ft=24,[Gt,Jt]=[250,19],U={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let R=null,D=!1;const b=B(null);function Re({model:e,choice:t}){const n=e.units.length;return n<=Te?t.samples:Math.min(t.samples,Math.max(30,Math.min(300,Math.round(Bt/n))))}function Q(e){const{model:t,choice:n}=e,a={model:t.id,data:A(),samples:Re(e),kind:n.kind},s=n.edges===null?{}:{keep_edges:n.edges};return{...a,...s,iterations:n.iterations,seed:0}}function Dt(e){const{model:t,evaluation:n}=e,a=t?t.units.length:0;if(a<=Ee)return["Score all "+2**a+" subsets of the "+a+" units",""];if(a<=Te)return["Score sampled subsets of the "+a+" units",""];const{units:s}=F(t),o=I(e)?4:2,r=a+20*(o+8),l=Re(e),u=n&&n.baseline&&n.baseline.samples_per_second,c=u?"; about "+Ye(r*l/u):"";return["Leave out each of the "+y(a)+" "+s+" alone, then more and more","About "+y(r)+" sets on "+y(l)+" samples"+c+". It can be cancelled and taken up again."]}const Ne=()=>Xe(S,"/importances",Q(i)),Ht=()=>i.model?i.model.units.length:0;async function Kt(e){if(!e.model&&R&&(R=null,b.value=null,le(S)),!e.model||e.status==="empty")return;const t=JSON.stringify(Q(e));if(t!==R&&(R=t,b.value=null,await le(S),t!==R))return;const{job:n,starting:a,problem:s}=z(S);!n&&!a&&!s&&e.status==="done"&&Ht()<=Ee&&!D&&Ne()}async function zt({job:e}){if(!e||e.state!=="done")return null;const t=b.value;return t&&t.id===e.id?t:q("GET","/importances/"+encodeURIComponent(e.id))}function Ie(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...N(e.measure).share?{}:{measure:e.measure}}}const Vt=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function ee(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(a=>Vt(n[a])))]}function te(e,t){if(t==="effect"){const n=new Map(e.single.map(a=>[a.unit,a]));return e.shapley.length?e.shapley.map(({unit:a,value:s,low:o,high:r,standard_error:l})=>{const{unit:u,...c}=n.get(a)||{};return{unit:a,...{shapley:s,shapley_low:o,shapley_high:r,standard_error:l},...Object.fromEntries(Object.entries(c).map(([h,_])=>["single_"+h,_]))}}):e.single}return e[U[t][0]]}function Xt(e){V(e,()=>{const{value:t}=b;if(!t)return null;const n=te(t,e),{title:a}=N(t.measure),s=U[e][1].replace("Accuracy",a)+": "+t.model,o={...Ie(t),kind:e==="use"?"observed":"caused"};return{name:e,facts:o,rows:()=>ee(n),json:()=>({[U[e][0]]:n}),picture:mt(e,s,s+", "+t.words)}})}function Yt(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable;e?he(t,ee(te(e,n)),U[n][1]+", "+e.words):pe(t)})}function Zt(e){const t=N(e.measure),n=r=>ce(t,r),a=[["all units",n(e.baseline)],["none",n(e.baseline-e.total)]];if(!e.shapley.length)return[["sets","Each of "+y(e.units.length)+" alone, then more and more"+", on "+y(e.count)+" samples"],...a,["left out by",e.words]];const s=e.exact?"All "+y(2**e.units.length)+" subsets":"Sampled orders",o=e.shapley.reduce((r,l)=>r+l.value,0);return[["subsets",s+" of "+e.units.length+" units on "+y(e.count)+" samples"],...a,["sum of Shapley values",t.change(o)+" "+t.changeUnit],["left out by",e.words]]}function Qt(e){const t=Math.min(e.units.length,Ft);for(const a of["use","effect"]){const s=document.getElementById("plot-"+a);s&&(s.style.height=Math.max(Gt,90+Jt*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length)}function en({entry:e}){const{job:t,starting:n,problem:a}=e.value,s=i.problem,o=!!(!i.model||t||n||a||s&&s.refused),[r,l]=Dt(i);return d`
    <button type="button" class="button" id="importance-start" hidden=${o} onClick=${()=>{D=!1,Ne()}}>${r}</button>
    <p class="hint">${o?"":l}</p>
  `}const tn=()=>d`<dl class="fact-list" hidden=${!b.value}>
    ${(b.value?Zt(b.value):[]).map(([e,t])=>d`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;m("importance",e=>{const t=B(z(S));Object.keys(U).forEach(Xt),V(S,()=>{const{value:s}=b;if(!s)return null;const o=te(s,"effect");return{name:"importance",facts:{...Ie(s),kind:"caused"},rows:()=>ee(o),json:()=>({result:s}),picture:{}}});async function n(s){const{job:o}=t.value=s;o&&o.state==="cancelled"&&JSON.stringify(Q(i))===R&&(D=!0);const r=await zt(s).catch(l=>(Ve(l.title||"No result",l.message,"bad"),null));t.value===s&&(b.value=r,Yt(r),r&&Qt(r),e.dataset.result=r?r.id:"")}const a=[$(e,()=>d`<${en} entry=${t} /><${tn} />`),ze(S,n),w((s,o)=>{["status","choice","model"].some(r=>o.has(r))&&(Kt(s),n(z(S)))})];return()=>{a.forEach(s=>s()),R=null,D=!1,b.value=null}});const ne=e=>ge(e,i.model),nn=(e,{draws:t,draws_done:n,exact:a,size:s})=>(a&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+s,sn=({share:e,unit:t})=>e?t+" on average":"on average";function Ce(e){const t="Random sets";if(!e)return{name:t,value:$t};const n=ne(e)===X?X:"scored next";return{name:t,...yt(e,{waiting:n,sets:nn,unit:sn})}}function an(){const{evaluation:e}=i,[t,n]=e?me(e):[],a=t?t.evaluation:null,{accuracy:s,change:o,loss:r}=fe(a),l=t?t.where:"",u=n&&fe(n.evaluation);return d`
    <${k} id="drop-accuracy-number" main=${!0} ...${O(s,l)} />
    <${k} id="drop-change-number" main=${!0} ...${O(o,l)} />
    <${k} ...${O(r,l)} />
    <${k} id="drop-control-number" ...${O(Ce(a),l)} />
    ${u&&d`
        <${k} id="drop-accuracy-out" main=${!0} ...${O(u.accuracy,n.where)} />
        <${k} id="drop-change-out" main=${!0} ...${O(u.change,n.where)} />
        <${k} ...${O(u.loss,n.where)} />
        <${k} ...${O(Ce(n.evaluation),n.where)} />
      `}
  `}m("drop-numbers",e=>{const t=[$(e,an),w(({fresh:n,evaluation:a},s)=>{e.dataset.fresh=String(n),s.has("evaluation")&&Ze(a&&a.measure)})];return()=>t.forEach(n=>n())});function on(e){const{model:t}=e;return gt(e,{intervention:ne,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:n=>ne(n)===X?" Click a "+F(t).unit+" to leave it out.":""})}const rn=({model:e})=>e!==null;m("drop-progress",e=>ft(e,"drop",_e,on,rn));function ln({id:e,name:t,title:n,value:a,before:s,words:o}){const r=Math.max(a||0,s||0)||1,l=u=>100*(u||0)/r+"%";return d`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:l(a),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!s} style=${{left:l(s)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function cn({flops:e,saved:t}){return e===null?"counting":Qe(e)+(t===null?"":t>0?", "+et(t)+" % saved":", nothing saved")}function un(){const{evaluation:e}=i,t=e&&e.baseline;return d`
    <${ln}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${t?.flops}
      words=${e?cn(e):""}
    />
    <${bt} id="drop-speed" evaluation=${i.fresh?e:null} />
  `}m("drop-costs",e=>{const t=[$(e,un),w(({fresh:n})=>e.dataset.fresh=String(n))];return()=>t.forEach(n=>n())});const Me=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],dn="in distribution",j="out of distribution";function se(e){const t=new Map(e.data.map(s=>[s.name,s])),n=e.data.some(s=>s.held_out),a=e.by_domain.map(s=>{const o=t.get(s.name),r=s.name+(o?.stand_in?" (stand-in)":"");return{...s,name:r,...n?{distribution:o?.held_out?j:dn}:{}}});return[...a.filter(s=>s.distribution!==j),...a.filter(s=>s.distribution===j)]}const hn=e=>Ot(e,{named:"this set",sets:"random sets of as many",each:!0},St(e));function xe(e,{measure:t}){const n=e.some(s=>s.distribution)?[...Me,"distribution"]:Me;return[n.map(s=>s==="accuracy"?N(t).name:s),...e.map(s=>n.map(o=>s[o]))]}const pn={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>kt(e,n,{model:t}),rows:hn,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>be(e.by_label,"label",e,n,t),rows:e=>xe(e.by_label,e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>be(se(e),"data set",e,n,t),rows:e=>xe(se(e),e)}};function mn(e,t){const n=N(t.measure),a=o=>ce(n,o);if(e==="accuracy"){const o=me(t).flatMap(({where:r,evaluation:{accuracy:l,baseline:u,control:c}})=>{const p=r&&r+" ",h=l?[p+"this set ("+ge(t,i.model)+") "+a(l.value)]:[];return u&&h.push(p+"as it is "+a(u.accuracy.value)),c&&c.mean!==null&&h.push(p+"random sets on average "+a(c.mean)),h});return(n.share?"Accuracies":n.title)+": "+o.join("; ")}const s=e==="labels"?t.by_label:se(t);return"Change of "+n.name+" in "+n.changeUnit+": "+s.map(o=>o.name+(o.distribution===j?", "+j:"")+" "+n.change(o.change)).join("; ")}class fn{constructor(t){this.host=t,this.key=t.dataset.key??"",this.about=pn[this.key],this.canvas=t.querySelector("canvas"),this.spots=void 0,this.table=document.querySelector('[data-drop-table="'+this.key+'"]');const n=()=>this.draw();this.stops=[w((a,s)=>{t.dataset.fresh=String(a.fresh),t.dataset.state=a.status,(s.has("evaluation")||s.has("model"))&&this.draw(!0)}),tt(n),vt(t,n)],this.canvas.addEventListener("pointermove",a=>this.name(a)),V("drop-"+this.key,()=>this.exported())}dispose(){this.stops.forEach(t=>t())}draw(t){const{evaluation:n,model:a}=i,s=n&&this.about.has(n);this.host.dataset.shown=String(!!s);const o=this.key==="labels"&&n&&n.state==="done"&&!s;if(this.host.closest(".panel").style.display=o?"none":"",!s){delete this.canvas.dataset.painted,this.table&&pe(this.table);return}const r=Math.min(this.host.clientWidth,this.about.widest||1/0);if(r<60)return;const l=this.about.scene(n,a,r);if(wt({...l,background:null},nt().font,this.canvas),this.canvas.style.width=l.width+"px",this.canvas.style.height=l.height+"px",this.canvas.dataset.painted=n.id,this.spots=l.spots,!!t&&(this.canvas.setAttribute("aria-label",mn(this.key,n)),!!this.table)){if(this.key==="accuracy"){const{share:u,title:c}=N(n.measure);this.table.setAttribute("aria-label",(u?"Accuracies":c)+" as a table")}he(this.table,this.about.rows(n),l.desc)}}name(t){const n=this.canvas.getBoundingClientRect(),[a,s]=[t.clientX-n.left,t.clientY-n.top],o=(this.spots||[]).find(r=>Math.hypot(r.x-a,r.y-s)<7);this.canvas.title=o?o.words:""}exported(){const{evaluation:t,model:n}=i;if(!t||!this.about.has(t))return null;const a=this.about.rows(t);return{name:"drop-"+this.key,facts:Se(),rows:()=>a,json:()=>this.key==="accuracy"?{result:t}:{columns:a[0],rows:a.slice(1)},picture:{scene:()=>this.about.scene(t,n,Math.max(560,this.host.clientWidth))}}}}m("drop-picture",e=>{const t=new fn(e);return()=>t.dispose()});const ae={drop:"removed",mute:"muted",mean:"mean",resample:"resampled"},gn={drop:"Remove ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Pe="data-drop-unit",L=e=>e!==null&&e.units.length>st;function H(e,t){const n=new Set(C());e.forEach(l=>t?n.add(l):n.delete(l));const{choice:a,model:s}=i,o=new Set(Z());if(!e.some(l=>o.has(l))&&a.least){const l=new Set(a.units);e.forEach(c=>t?l.add(c):l.delete(c));const u=s.units.filter(c=>l.has(c));g({units:u})}else ve([...n])}const Ae=(e,t,n)=>t?"Bring "+e+" back":gn[n]+e;function bn({unit:e,index:t,away:n,kind:a,measured:s}){const o=n?s?ae[a]:"not "+ae[a]+" yet":"",r=Ae(e,n,a),[l,u]=[()=>Y(e),()=>Y(null)];return d`<button
    type="button"
    class="chip"
    ...${{[Pe]:e}}
    data-state=${n?a==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(o&&", "+o)+". "+r}
    onClick=${()=>H([e],!n)}
    onPointerEnter=${l}
    onPointerLeave=${u}
    onFocus=${l}
    onBlur=${u}
  >
    <span class="swatch" aria-hidden="true" style=${{background:lt(t)}}></span>
    ${e}
    <span class="chip-state">${o}</span>
  </button>`}function $n(){const{model:e,choice:t,status:n,fresh:a}=i;if(!e||L(e))return null;const s=a||n!=="failed"&&n!=="cancelled",o=C();return e.units.map((r,l)=>d`<${bn} key=${r} ...${{unit:r,index:l,away:o.includes(r),kind:t.kind,measured:s}} />`)}m("drop-units",e=>{e.addEventListener("keydown",$e);const t=[$(e,$n),w(({model:n})=>e.hidden=L(n))];return()=>t.forEach(n=>n())});const yn=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function vn(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:re(n.connectivity).reverse()).map(s=>t.units[s])}function K(e){const{model:t,graph:n}=i;return t?it(t.units,e,n&&n.connectivity):[]}function wn(){const{model:e,graph:t}=i,{units:n,unit:a}=F(e),s=y(C().length)+" of "+y(e.units.length),o=t?"; the stronger the colour, the better connected":"";return s+" "+(e.units.length===1?a:n)+" left out"+o}function kn({asked:e,order:t}){const{model:n,graph:a}=i;if(!n||!L(n))return null;const s=K(e.value).length,o=at(n.units,e.value,a&&a.connectivity,F(n)),r=()=>H(K(e.value),!0);return d`
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
      onInput=${l=>e.value=l.currentTarget.value}
      onKeyDown=${l=>l.key==="Enter"&&r()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${o}</span>
    <${de} id="drop-take" wait=${!s} act=${r}>${s?"Leave "+s+" out":"Leave out"}<//>
    <${de} id="drop-bring" wait=${!s} act=${()=>H(K(e.value),!1)}>Bring back<//>
    <${ot}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${yn}
      chosen=${t.value}
      onChoose=${l=>t.value=l}
      wait=${!a}
      hidden=${!I(i)}
    />
    <span class="hint" id="drop-count">${wn()}</span>
  `}m("drop-many",e=>{const[t,n]=[B(""),B("name")],a=ue("div",{class:"interventions drop-row"}),s=ue("div",{role:"group","aria-label":"Units"});e.replaceChildren(a,s);const o=new _t(s,Pe,{toggle:H,point:c=>Y(c),about(c,p){const{graph:h,model:_,choice:je}=i,Le=h?", q "+h.connectivity[_.units.indexOf(c)].toFixed(1):"";return c+Le+". "+Ae(c,p,je.kind)}});function r(){if(!L(i.model))return;const c=i,{graph:p,model:h}=c;o.show(vn(n.value,c)),p&&o.shade(_=>p.connectivity[h.units.indexOf(_)])}const l=()=>o.ring(K(t.value)),u=[$(a,()=>d`<${kn} asked=${t} order=${n} />`),n.subscribe(r),t.subscribe(l),w(({model:c,choice:p},h)=>{e.hidden=!L(c),!e.hidden&&((h.has("model")||h.has("graph"))&&(r(),l()),["model","choice","graph"].some(_=>h.has(_))&&(o.mark(C(),ae[p.kind]),s.dataset.kind=p.kind))})];return()=>u.forEach(c=>c())});const Ue=({id:e,name:t,label:n,value:a,most:s,words:o,wait:r=!1,onSlide:l})=>d`<div class="control" title=${n}>
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
      onInput=${u=>l(Number(u.currentTarget.value))}
    />
    <output class="readout">${o}</output>
  </div>`;function On(){if(!I(i))return null;const{model:e,graph:t,graphProblem:n,choice:a}=i,s=a.edges===null?1:a.edges;return d`
    <${Ue}
      id="drop-least"
      name="n least connected"
      label="Leave out the n units of least connectivity q"
      value=${a.least}
      most=${e.units.length-1}
      words=${a.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${o=>g({least:o},!0)}
    />
    <${Ue}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*s)}
      most=${100}
      words=${rt(s)+" %"}
      onSlide=${o=>g({edges:o===100?null:o/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  `}m("drop-links",e=>{const t=[$(e,On),w(n=>e.hidden=!I(n))];return()=>t.forEach(n=>n())});const Sn=ye.at(-1),M=()=>ut();let oe=null,ie=null;const _n={open(e,t){const n=e!==oe;oe=e;const a=(t||{}).model||null,s=i.model;return(n||!s||s.id!==a)&&ke(a,n?e:null),M()},setKind(e){return e&&g({kind:e}),M()},setIterations(e){const t=e;return g({iterations:Number.isInteger(t)&&t>0?t:null}),M()},setSamples(e){const t=Number(e);return Number.isInteger(t)&&t>0&&g({samples:t}),M()},reset(e){return e&&(x("drop-kind",{value:v.kind}),x("drop-iterations",{value:""}),x("drop-samples",{value:String(v.samples)}),g({...v})),M()}};m("drop-page",e=>{const t=[$(document.getElementById("drop-caption"),Nn),w((n,a)=>{e.dataset.state=n.status,e.dataset.fresh=String(n.fresh),!(!a.has("model")||!n.model)&&(En(n.model),Tn(n.model))})];return()=>{t.forEach(n=>n()),oe=null,Oe()}});function En({most_iterations:e}){x("drop-iterations",{max:e===null?Sn:e})}function Tn(e){const t=G(e);ie=ie||Rn(document.querySelector('[data-widget="drop-sentence"]'));const n=Object.entries(ie).map(([s,o])=>({value:s,label:o,disabled:!t.includes(s)})),{kind:a}=i.choice;x("drop-kind",{data:n,...t.includes(a)?{}:{value:v.kind}})}const Rn=e=>JSON.parse(e.dataset.names);function Nn(){const{model:e,sets:t}=i,n=A(),a=t.filter(s=>e?.held_out.includes(s.name)&&n.includes(s.name));return d`
    ${e&&d`<${Tt} ...${e} />`}
    <${Et} sets=${t} used=${n} />
    ${a.length>0&&d`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+a.map(s=>s.name).join(", ")}
      </span>`}
  `}function In({name:e,title:t,stand_in:n},a){const s=a?"; out of distribution: the model was never trained on it":"";return{title:t+s,label:e+(n?", stand-in":"")+": "+t+s,notes:[...n?["stand-in"]:[],...a?["OOD"]:[]]}}function Cn(){const{model:e,sets:t}=i;return d`<${Rt}
    sets=${t}
    used=${A()}
    attribute="data-drop-set"
    about=${n=>In(n,!!e?.held_out.includes(n.name))}
    onChoose=${n=>g({data:n})}
  />`}m("drop-sets",e=>(e.addEventListener("keydown",$e),$(e,Cn))),m("drop-sentence",e=>{const t=JSON.parse(e.dataset.kinds),n=()=>ct(t[i.choice.kind],i.model);return $(e,()=>d`${n()}`)}),dt({drop:()=>_e});export{_n as callbacks};
