/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{K as We,J as Be,j as Fe,t as q,M as Ge,Z as Je,H as De,V as He,a9 as Ke,aa as W,W as ze,_ as le,F as B,y as f,ab as z,d as $,s as d,ac as Ve,n as Xe,m as N,a3 as ce,o as F,w as y,ad as Ye,ae as Ze,x as ue,af as Qe,ag as et,u as tt,z as nt,r as st,c as de,ah as at,ai as ot,a as he,aj as it,ak as rt,p as lt,R as ct,A as x,al as ut,C as dt,S as ht}from"../../boot.js";import{L as pt,k as mt,r as V,q as ft,f as pe,M as me,e as gt,c as fe,O as ge,Q as k,R as O,n as bt,W as X,T as $t,N as yt,V as vt,w as be,o as wt,a as kt,i as $e,h as Ot,X as St,Y as _t,I as ye,U as Et,u as Y,Z as Tt,_ as Rt,$ as Nt}from"../../shared.js";const Ct="drop",It=10,Mt=250,v=We("drop"),{offered:ve}=Be("drop","iterations"),xt={status:"loading",problem:null,model:null,graph:null,graphProblem:null,sets:[],choice:{...v},evaluation:null,fresh:!1},{state:i,update:m,subscribe:w}=Fe(xt),P=()=>i.model,A=()=>i.choice.data.length?i.choice.data:i.sets.map(e=>e.name),C=({model:e})=>e!==null&&e.constants.includes("link_probability");function Z(e=i.choice.least){const{graph:t}=i;return!e||!t?[]:le(t.connectivity).slice(0,e).map(n=>P().units[n])}function I(){const e=new Set([...i.choice.units,...Z()]);return i.model?i.model.units.filter(t=>e.has(t)):[]}const we=e=>g({units:Pt(e),least:0});function Pt(e){const t=new Set(e);return P().units.filter(n=>t.has(n))}function At(){const{choice:e}=i,t={model:P().id,data:A().join(","),samples:e.samples,[e.kind]:I().join(","),iterations:e.iterations,keep_edges:e.edges,controls:It};return"/evaluations/stream"+De(t)}const E=pt({owner:Ct,statusOf:()=>i.status,update:m,async begin(e){i.choice.least&&!i.graph&&!i.graphProblem&&await ke(),!(!e()||!i.model||!document.querySelector('[data-widget="drop-page"]'))&&(Ut(),E.ask(i.model.id,At))}});function Ut(){const e=P();Ge("drop",{...i.choice,model:e.id,sample:Je().sample},e.units)}const jt=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function g(e,t=!1){const n={...i.choice,...e};jt(n,i.choice)||(m({choice:n}),i.model&&E.restart(t?Mt:0))}let T=null;function ke(){const e=P();if(T&&T.id===e.id)return T.coming;const t=q("GET","/models/"+encodeURIComponent(e.id)+"/graph").then(n=>i.model===e&&m({graph:n})).catch(n=>i.model===e&&m({graphProblem:n,choice:{...i.choice,least:0}}));return T={id:e.id,coming:t},t}const G=e=>["drop","mute",...e.fields.includes("contributions")?["mean","resample"]:[]];function Lt(e,t,n){const a=n.map(l=>l.name),s=e.data.filter(l=>a.includes(l)),o=t.constants.includes("link_probability"),r=t.most_iterations??null;return He("units",t,e.units),Ke(t.id,a,e.data),G(t).includes(e.kind)||W(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${v.kind}.`),!o&&(e.least||e.edges!==null)&&W(`Units of ${t.id} are not linked: "least" and "edges" are left out.`),o&&e.least>=t.units.length&&W(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&W(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:G(t).includes(e.kind)?e.kind:v.kind,units:ze(t.units,e.units),least:o?Math.min(e.least,t.units.length-1):0,edges:o?e.edges:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:s.length===a.length?[]:s}}let J=0,Oe=null;function qt(){E.close(),T=null,m({...{model:null,sets:[],graph:null,graphProblem:null,evaluation:null},fresh:!1,problem:null,status:"loading"})}async function Q(e,t){const n=J+=1;if(Oe=e,t&&m({choice:{...v,...t}}),i.model&&i.model.id!==e&&qt(),!e){m({status:"loading"});return}try{const[a,s]=await Promise.all([q("GET","/models/"+encodeURIComponent(e)),q("GET","/data")]);if(n!==J)return;const o=a.domains.map(r=>s.items.find(l=>l.name===r)).filter(r=>r!==void 0);if(T=null,m({model:a,sets:o,graph:null,graphProblem:null,evaluation:null}),m({choice:Lt(i.choice,a,o)}),C(i)&&ke(),!o.length){m({status:"empty"});return}E.restart()}catch(a){const{title:s,message:o}=a;n===J&&m({status:"failed",problem:{title:s,detail:o}})}}function Se(){J+=1,E.close(),T=null,Object.assign(i,{status:"loading",model:null,sets:[],graph:null,graphProblem:null}),Object.assign(i,{evaluation:null,fresh:!1,problem:null})}function _e(){const e=i.evaluation;return mt(e,["drop","mute","mean","resample","iterations","keep_edges"],{least_connected:i.fresh&&i.choice.least?i.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function Wt(){if(i.model){E.restart();return}m({status:"loading",problem:null}),Q(Oe,null)}const{cancel:Bt}=E;var Ee=Object.freeze({__proto__:null,ITERATIONS:ve,NOTHING:v,cancel:Bt,choose:g,facts:_e,hasLinks:C,kindsOf:G,leave:Se,leaveOut:we,leftOut:I,measured:A,open:Q,restart:Wt,state:i,subscribe:w,weakest:Z});const S="importance",Te=10,Re=20,Ft=24e3,Gt=24,[Jt,Dt]=[250,19],U={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let R=null,D=!1;const b=B(null);function Ne({model:e,choice:t}){const n=e.units.length;return n<=Re?t.samples:Math.min(t.samples,Math.max(30,Math.min(300,Math.round(Ft/n))))}function ee(e){const{model:t,choice:n}=e,a={model:t.id,data:A(),samples:Ne(e),kind:n.kind},s=n.edges===null?{}:{keep_edges:n.edges};return{...a,...s,iterations:n.iterations,seed:0}}function Ht(e){const{model:t,evaluation:n}=e,a=t?t.units.length:0;if(a<=Te)return["Score all "+2**a+" subsets of the "+a+" units",""];if(a<=Re)return["Score sampled subsets of the "+a+" units",""];const{units:s}=F(t),o=C(e)?4:2,r=a+20*(o+8),l=Ne(e),u=n&&n.baseline&&n.baseline.samples_per_second,c=u?"; about "+Ze(r*l/u):"";return["Leave out each of the "+y(a)+" "+s+" alone, then more and more","About "+y(r)+" sets on "+y(l)+" samples"+c+". It can be cancelled and taken up again."]}const Ce=()=>Ye(S,"/importances",ee(i)),Kt=()=>i.model?i.model.units.length:0;async function zt(e){if(!e.model&&R&&(R=null,b.value=null,ce(S)),!e.model||e.status==="empty")return;const t=JSON.stringify(ee(e));if(t!==R&&(R=t,b.value=null,await ce(S),t!==R))return;const{job:n,starting:a,problem:s}=z(S);!n&&!a&&!s&&e.status==="done"&&Kt()<=Te&&!D&&Ce()}async function Vt({job:e}){if(!e||e.state!=="done")return null;const t=b.value;return t&&t.id===e.id?t:q("GET","/importances/"+encodeURIComponent(e.id))}function Ie(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...N(e.measure).share?{}:{measure:e.measure}}}const Xt=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function te(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(a=>Xt(n[a])))]}function ne(e,t){if(t==="effect"){const n=new Map(e.single.map(a=>[a.unit,a]));return e.shapley.length?e.shapley.map(({unit:a,value:s,low:o,high:r,standard_error:l})=>{const{unit:u,...c}=n.get(a)||{};return{unit:a,...{shapley:s,shapley_low:o,shapley_high:r,standard_error:l},...Object.fromEntries(Object.entries(c).map(([h,_])=>["single_"+h,_]))}}):e.single}return e[U[t][0]]}function Yt(e){V(e,()=>{const{value:t}=b;if(!t)return null;const n=ne(t,e),{title:a}=N(t.measure),s=U[e][1].replace("Accuracy",a)+": "+t.model,o={...Ie(t),kind:e==="use"?"observed":"caused"};return{name:e,facts:o,rows:()=>te(n),json:()=>({[U[e][0]]:n}),picture:ft(e,s,s+", "+t.words)}})}function Zt(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable;e?pe(t,te(ne(e,n)),U[n][1]+", "+e.words):me(t)})}function Qt(e){const t=N(e.measure),n=r=>ue(t,r),a=[["all units",n(e.baseline)],["none",n(e.baseline-e.total)]];if(!e.shapley.length)return[["sets","Each of "+y(e.units.length)+" alone, then more and more"+", on "+y(e.count)+" samples"],...a,["left out by",e.words]];const s=e.exact?"All "+y(2**e.units.length)+" subsets":"Sampled orders",o=e.shapley.reduce((r,l)=>r+l.value,0);return[["subsets",s+" of "+e.units.length+" units on "+y(e.count)+" samples"],...a,["sum of Shapley values",t.change(o)+" "+t.changeUnit],["left out by",e.words]]}function en(e){const t=Math.min(e.units.length,Gt);for(const a of["use","effect"]){const s=document.getElementById("plot-"+a);s&&(s.style.height=Math.max(Jt,90+Dt*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length)}function tn({entry:e}){const{job:t,starting:n,problem:a}=e.value,s=i.problem,o=!!(!i.model||t||n||a||s&&s.refused),[r,l]=Ht(i);return d`
    <button type="button" class="button" id="importance-start" hidden=${o} onClick=${()=>{D=!1,Ce()}}>${r}</button>
    <p class="hint">${o?"":l}</p>
  `}const nn=()=>d`<dl class="fact-list" hidden=${!b.value}>
    ${(b.value?Qt(b.value):[]).map(([e,t])=>d`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;f("importance",e=>{const t=B(z(S));Object.keys(U).forEach(Yt),V(S,()=>{const{value:s}=b;if(!s)return null;const o=ne(s,"effect");return{name:"importance",facts:{...Ie(s),kind:"caused"},rows:()=>te(o),json:()=>({result:s}),picture:{}}});async function n(s){const{job:o}=t.value=s;o&&o.state==="cancelled"&&JSON.stringify(ee(i))===R&&(D=!0);const r=await Vt(s).catch(l=>(Xe(l.title||"No result",l.message,"bad"),null));t.value===s&&(b.value=r,Zt(r),r&&en(r),e.dataset.result=r?r.id:"")}const a=[$(e,()=>d`<${tn} entry=${t} /><${nn} />`),Ve(S,n),w((s,o)=>{["status","choice","model"].some(r=>o.has(r))&&(zt(s),n(z(S)))})];return()=>{a.forEach(s=>s()),R=null,D=!1,b.value=null}});const se=e=>be(e,i.model),sn=(e,{draws:t,draws_done:n,exact:a,size:s})=>(a&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+s,an=({share:e,unit:t})=>e?t+" on average":"on average";function Me(e){const t="Random sets";if(!e)return{name:t,value:yt};const n=se(e)===X?X:"scored next";return{name:t,...vt(e,{waiting:n,sets:sn,unit:an})}}function on(){const{evaluation:e}=i,[t,n]=e?fe(e):[],a=t?t.evaluation:null,{accuracy:s,change:o,loss:r}=ge(a),l=t?t.where:"",u=n&&ge(n.evaluation);return d`
    <${k} id="drop-accuracy-number" main=${!0} ...${O(s,l)} />
    <${k} id="drop-change-number" main=${!0} ...${O(o,l)} />
    <${k} ...${O(r,l)} />
    <${k} id="drop-control-number" ...${O(Me(a),l)} />
    ${u&&d`
        <${k} id="drop-accuracy-out" main=${!0} ...${O(u.accuracy,n.where)} />
        <${k} id="drop-change-out" main=${!0} ...${O(u.change,n.where)} />
        <${k} ...${O(u.loss,n.where)} />
        <${k} ...${O(Me(n.evaluation),n.where)} />
      `}
  `}f("drop-numbers",e=>{const t=[$(e,on),w(({fresh:n,evaluation:a},s)=>{e.dataset.fresh=String(n),s.has("evaluation")&&Qe(a&&a.measure)})];return()=>t.forEach(n=>n())});function rn(e){const{model:t}=e;return bt(e,{intervention:se,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:n=>se(n)===X?" Click a "+F(t).unit+" to leave it out.":""})}f("drop-progress",e=>gt(e,"drop",Ee,rn));function ln({id:e,name:t,title:n,value:a,before:s,words:o}){const r=Math.max(a||0,s||0)||1,l=u=>100*(u||0)/r+"%";return d`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:l(a),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!s} style=${{left:l(s)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function cn({flops:e,saved:t}){return e===null?"counting":et(e)+(t===null?"":t>0?", "+tt(t)+" % saved":", nothing saved")}function un(){const{evaluation:e}=i,t=e&&e.baseline;return d`
    <${ln}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${t?.flops}
      words=${e?cn(e):""}
    />
    <${$t} id="drop-speed" evaluation=${i.fresh?e:null} />
  `}f("drop-costs",e=>{const t=[$(e,un),w(({fresh:n})=>e.dataset.fresh=String(n))];return()=>t.forEach(n=>n())});const xe=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],dn="in distribution",j="out of distribution";function ae(e){const t=new Map(e.data.map(s=>[s.name,s])),n=e.data.some(s=>s.held_out),a=e.by_domain.map(s=>{const o=t.get(s.name),r=s.name+(o?.stand_in?" (stand-in)":"");return{...s,name:r,...n?{distribution:o?.held_out?j:dn}:{}}});return[...a.filter(s=>s.distribution!==j),...a.filter(s=>s.distribution===j)]}const hn=e=>St(e,{named:"this set",sets:"random sets of as many",each:!0},_t(e));function Pe(e,{measure:t}){const n=e.some(s=>s.distribution)?[...xe,"distribution"]:xe;return[n.map(s=>s==="accuracy"?N(t).name:s),...e.map(s=>n.map(o=>s[o]))]}const pn={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Ot(e,n,{model:t}),rows:hn,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>$e(e.by_label,"label",e,n,t),rows:e=>Pe(e.by_label,e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>$e(ae(e),"data set",e,n,t),rows:e=>Pe(ae(e),e)}};function mn(e,t){const n=N(t.measure),a=o=>ue(n,o);if(e==="accuracy"){const o=fe(t).flatMap(({where:r,evaluation:{accuracy:l,baseline:u,control:c}})=>{const p=r&&r+" ",h=l?[p+"this set ("+be(t,i.model)+") "+a(l.value)]:[];return u&&h.push(p+"as it is "+a(u.accuracy.value)),c&&c.mean!==null&&h.push(p+"random sets on average "+a(c.mean)),h});return(n.share?"Accuracies":n.title)+": "+o.join("; ")}const s=e==="labels"?t.by_label:ae(t);return"Change of "+n.name+" in "+n.changeUnit+": "+s.map(o=>o.name+(o.distribution===j?", "+j:"")+" "+n.change(o.change)).join("; ")}class fn{constructor(t){this.host=t,this.key=t.dataset.key??"",this.about=pn[this.key],this.canvas=t.querySelector("canvas"),this.spots=void 0,this.table=document.querySelector('[data-drop-table="'+this.key+'"]');const n=()=>this.draw();this.stops=[w((a,s)=>{t.dataset.fresh=String(a.fresh),t.dataset.state=a.status,(s.has("evaluation")||s.has("model"))&&this.draw(!0)}),nt(n),wt(t,n)],this.canvas.addEventListener("pointermove",a=>this.name(a)),V("drop-"+this.key,()=>this.exported())}dispose(){this.stops.forEach(t=>t())}draw(t){const{evaluation:n,model:a}=i,s=n&&this.about.has(n);this.host.dataset.shown=String(!!s);const o=this.key==="labels"&&n&&n.state==="done"&&!s;if(this.host.closest(".panel").style.display=o?"none":"",!s){delete this.canvas.dataset.painted,this.table&&me(this.table);return}const r=Math.min(this.host.clientWidth,this.about.widest||1/0);if(r<60)return;const l=this.about.scene(n,a,r);if(kt({...l,background:null},st().font,this.canvas),this.canvas.style.width=l.width+"px",this.canvas.style.height=l.height+"px",this.canvas.dataset.painted=n.id,this.spots=l.spots,!!t&&(this.canvas.setAttribute("aria-label",mn(this.key,n)),!!this.table)){if(this.key==="accuracy"){const{share:u,title:c}=N(n.measure);this.table.setAttribute("aria-label",(u?"Accuracies":c)+" as a table")}pe(this.table,this.about.rows(n),l.desc)}}name(t){const n=this.canvas.getBoundingClientRect(),[a,s]=[t.clientX-n.left,t.clientY-n.top],o=(this.spots||[]).find(r=>Math.hypot(r.x-a,r.y-s)<7);this.canvas.title=o?o.words:""}exported(){const{evaluation:t,model:n}=i;if(!t||!this.about.has(t))return null;const a=this.about.rows(t);return{name:"drop-"+this.key,facts:_e(),rows:()=>a,json:()=>this.key==="accuracy"?{result:t}:{columns:a[0],rows:a.slice(1)},picture:{scene:()=>this.about.scene(t,n,Math.max(560,this.host.clientWidth))}}}}f("drop-picture",e=>{const t=new fn(e);return()=>t.dispose()});const oe={drop:"removed",mute:"muted",mean:"mean",resample:"resampled"},gn={drop:"Remove ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Ae="data-drop-unit",L=e=>e!==null&&e.units.length>at;function H(e,t){const n=new Set(I());e.forEach(l=>t?n.add(l):n.delete(l));const{choice:a,model:s}=i,o=new Set(Z());if(!e.some(l=>o.has(l))&&a.least){const l=new Set(a.units);e.forEach(c=>t?l.add(c):l.delete(c));const u=s.units.filter(c=>l.has(c));g({units:u})}else we([...n])}const Ue=(e,t,n)=>t?"Bring "+e+" back":gn[n]+e;function bn({unit:e,index:t,away:n,kind:a,measured:s}){const o=n?s?oe[a]:"not "+oe[a]+" yet":"",r=Ue(e,n,a),[l,u]=[()=>Y(e),()=>Y(null)];return d`<button
    type="button"
    class="chip"
    ...${{[Ae]:e}}
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
    <span class="swatch" aria-hidden="true" style=${{background:ct(t)}}></span>
    ${e}
    <span class="chip-state">${o}</span>
  </button>`}function $n(){const{model:e,choice:t,status:n,fresh:a}=i;if(!e||L(e))return null;const s=a||n!=="failed"&&n!=="cancelled",o=I();return e.units.map((r,l)=>d`<${bn} key=${r} ...${{unit:r,index:l,away:o.includes(r),kind:t.kind,measured:s}} />`)}f("drop-units",e=>{e.addEventListener("keydown",ye);const t=[$(e,$n),w(({model:n})=>e.hidden=L(n))];return()=>t.forEach(n=>n())});const yn=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function vn(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:le(n.connectivity).reverse()).map(s=>t.units[s])}function K(e){const{model:t,graph:n}=i;return t?rt(t.units,e,n&&n.connectivity):[]}function wn(){const{model:e,graph:t}=i,{units:n,unit:a}=F(e),s=y(I().length)+" of "+y(e.units.length),o=t?"; the stronger the colour, the better connected":"";return s+" "+(e.units.length===1?a:n)+" left out"+o}function kn({asked:e,order:t}){const{model:n,graph:a}=i;if(!n||!L(n))return null;const s=K(e.value).length,o=ot(n.units,e.value,a&&a.connectivity,F(n)),r=()=>H(K(e.value),!0);return d`
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
    <${he} id="drop-take" wait=${!s} act=${r}>${s?"Leave "+s+" out":"Leave out"}<//>
    <${he} id="drop-bring" wait=${!s} act=${()=>H(K(e.value),!1)}>Bring back<//>
    <${it}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${yn}
      chosen=${t.value}
      onChoose=${l=>t.value=l}
      wait=${!a}
      hidden=${!C(i)}
    />
    <span class="hint" id="drop-count">${wn()}</span>
  `}f("drop-many",e=>{const[t,n]=[B(""),B("name")],a=de("div",{class:"interventions drop-row"}),s=de("div",{role:"group","aria-label":"Units"});e.replaceChildren(a,s);const o=new Et(s,Ae,{toggle:H,point:c=>Y(c),about(c,p){const{graph:h,model:_,choice:Le}=i,qe=h?", q "+h.connectivity[_.units.indexOf(c)].toFixed(1):"";return c+qe+". "+Ue(c,p,Le.kind)}});function r(){if(!L(i.model))return;const c=i,{graph:p,model:h}=c;o.show(vn(n.value,c)),p&&o.shade(_=>p.connectivity[h.units.indexOf(_)])}const l=()=>o.ring(K(t.value)),u=[$(a,()=>d`<${kn} asked=${t} order=${n} />`),n.subscribe(r),t.subscribe(l),w(({model:c,choice:p},h)=>{e.hidden=!L(c),!e.hidden&&((h.has("model")||h.has("graph"))&&(r(),l()),["model","choice","graph"].some(_=>h.has(_))&&(o.mark(I(),oe[p.kind]),s.dataset.kind=p.kind))})];return()=>u.forEach(c=>c())});const je=({id:e,name:t,label:n,value:a,most:s,words:o,wait:r=!1,onSlide:l})=>d`<div class="control" title=${n}>
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
  </div>`;function On(){if(!C(i))return null;const{model:e,graph:t,graphProblem:n,choice:a}=i,s=a.edges===null?1:a.edges;return d`
    <${je}
      id="drop-least"
      name="n least connected"
      label="Leave out the n units of least connectivity q"
      value=${a.least}
      most=${e.units.length-1}
      words=${a.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${o=>g({least:o},!0)}
    />
    <${je}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*s)}
      most=${100}
      words=${lt(s)+" %"}
      onSlide=${o=>g({edges:o===100?null:o/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  `}f("drop-links",e=>{const t=[$(e,On),w(n=>e.hidden=!C(n))];return()=>t.forEach(n=>n())});const Sn=ve.at(-1),M=()=>dt();let ie=null,re=null;const _n={open(e,t){const n=e!==ie;ie=e;const a=(t||{}).model||null,s=i.model;return(n||!s||s.id!==a)&&Q(a,n?e:null),M()},setKind(e){return e&&g({kind:e}),M()},setIterations(e){const t=e;return g({iterations:Number.isInteger(t)&&t>0?t:null}),M()},setSamples(e){const t=Number(e);return Number.isInteger(t)&&t>0&&g({samples:t}),M()},reset(e){return e&&(x("drop-kind",{value:v.kind}),x("drop-iterations",{value:""}),x("drop-samples",{value:String(v.samples)}),g({...v})),M()}};f("drop-page",e=>{const t=[$(document.getElementById("drop-caption"),Nn),w((n,a)=>{e.dataset.state=n.status,e.dataset.fresh=String(n.fresh),!(!a.has("model")||!n.model)&&(En(n.model),Tn(n.model))})];return()=>{t.forEach(n=>n()),ie=null,Se()}});function En({most_iterations:e}){x("drop-iterations",{max:e===null?Sn:e})}function Tn(e){const t=G(e);re=re||Rn(document.querySelector('[data-widget="drop-sentence"]'));const n=Object.entries(re).map(([s,o])=>({value:s,label:o,disabled:!t.includes(s)})),{kind:a}=i.choice;x("drop-kind",{data:n,...t.includes(a)?{}:{value:v.kind}})}const Rn=e=>JSON.parse(e.dataset.names);function Nn(){const{model:e,sets:t}=i,n=A(),a=t.filter(s=>e?.held_out.includes(s.name)&&n.includes(s.name));return d`
    ${e&&d`<${Rt} ...${e} />`}
    <${Tt} sets=${t} used=${n} />
    ${a.length>0&&d`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+a.map(s=>s.name).join(", ")}
      </span>`}
  `}function Cn({name:e,title:t,stand_in:n},a){const s=a?"; out of distribution: the model was never trained on it":"";return{title:t+s,label:e+(n?", stand-in":"")+": "+t+s,notes:[...n?["stand-in"]:[],...a?["OOD"]:[]]}}function In(){const{model:e,sets:t}=i;return d`<${Nt}
    sets=${t}
    used=${A()}
    attribute="data-drop-set"
    about=${n=>Cn(n,!!e?.held_out.includes(n.name))}
    onChoose=${n=>g({data:n})}
  />`}f("drop-sets",e=>(e.addEventListener("keydown",ye),$(e,In))),f("drop-sentence",e=>{const t=JSON.parse(e.dataset.kinds),n=()=>ut(t[i.choice.kind],i.model);return $(e,()=>d`${n()}`)}),ht({drop:()=>Ee});export{_n as callbacks};
