/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{E as R,s as u,af as da,ae as Ue,z as vt,n as ie,ai as V,V as kt,a0 as Fn,R as x,d as xt,ax as pa,az as ha,aA as fa,Y as ma,ac as Rn,an as E,ah as ga,aB as $a,N as Un,ad as Bn,aj as Gn,M as wa,_ as ya,r as G,P as M,al as I,D as _,T,aC as ba,aD as va,aE as _t,aF as ka,aG as qn,aH as Kn,aq as St,ao as ge,f as Wn,a8 as Ot,aI as Hn,U as Jn,at as xa,au as _a,i as Vn,Q as Be,$ as Yn,aJ as Sa,ap as Oa,aK as Aa,F as Ge,a9 as Ea,ak as Ma,aL as Zn,aM as Ta,aN as Pa,av as Ca,aw as ja,c as Qn,ay as Da,O as Na}from"../../boot.js";import{S as Xn,L as Ia,M as La,O as za,Q as At,T as Fa,U as es,V as Ra,W as ts,X as Et,Y as Ua,Z as Ba,_ as Ga,$ as qa,a0 as Ka,F as Wa,E as Ha,z as qe,P as L,c as Y,a1 as Mt,A as ns,G as ss,a2 as os,C as z,a3 as $e,D as Tt,K as Pt,a4 as Ja,a5 as Va,a6 as Ya,a7 as Za,a8 as Qa,d as Xa,e as ei,j as as,g as ti,u as ni,a9 as si,aa as oi,N as Ct,i as ai,ab as Ke,w as ii,I as ri,ac as ci,s as li,ad as ui,ae as is,R as di}from"../../shared.js";const rs=1e3,We=e=>Math.round(e*rs)/rs,pi=(e,t,n)=>Math.max(t,Math.min(n,e)),jt=(e,t,n)=>({pictures:e.pictures.map((s,o)=>o===t?n(s):s)});function Dt(e,{picture:t,index:n},s,o){const a={...s};for(const i of["x","y"]){const r=a[i];r!==void 0&&(a[i]=We(r))}return jt(e,t,i=>i.map((r,c)=>c===n?cs({...r,...a},o):r))}function cs(e,t){const n=Math.min(.5,t(e.size)),s=o=>o>=n&&o<=1-n?o:We(pi(o,n,1-n));return{...e,x:s(e.x),y:s(e.y)}}const ls=(e,t,n,s)=>jt(e,t,o=>[...o,cs(n,s)]),us=(e,{picture:t,index:n})=>jt(e,t,s=>s.filter((o,a)=>a!==n)),ds=(e,t,n,s)=>ls(us(e,t),n,e.pictures[t.picture][t.index],s),hi=e=>({pictures:[...e.pictures].reverse()}),ps=(e,t)=>(e&&t&&e.pictures[t.picture]?e.pictures[t.picture][t.index]:null)||null;function fi(e,t,n){const s=n(t),o=11;let a={x:.5,y:.5,free:-1/0};for(let i=0;i<o;i+=1)for(let r=0;r<o;r+=1){const c=$=>s+(1-2*s)*$/(o-1),[l,p]=[c(r),c(i)],f=e.map($=>Math.hypot($.x-l,$.y-p)-n($.size)-s),m=.001*(.7-Math.hypot(l-.5,p-.5)),h=Math.min(.5,...f)+m;h>a.free&&(a={x:We(l),y:We(p),free:h})}return{x:a.x,y:a.y}}const we=(e,t)=>t===2?["left","right"][e]:"picture "+(e+1),ye=(e,t)=>t===2?["Left picture","Right picture"][e]:"Picture "+(e+1),He=({size:e,colour:t,shape:n})=>e+" "+t+" "+n,hs=e=>Math.round(100*e)+" %",mi=({x:e,y:t})=>hs(e)+" across, "+hs(t)+" down";function Nt(e){if(!e.length)return"nothing";const t=new Map;for(const n of e)t.set(He(n),(t.get(He(n))||0)+1);return[...t].map(([n,s])=>(s>1?s+" \xD7 ":"")+n).join(", ")}const fs=e=>e.pictures.map((t,n)=>ye(n,e.pictures.length)+": "+Nt(t)+".").join(" ");class gi{constructor(t=200){this.most=t,this.past=[],this.last={label:null,time:0}}clear(){this.past=[],this.last={label:null,time:0}}push(t,n,s,o=Date.now()){const a=n!==null&&n===this.last.label&&o-this.last.time<s;this.last={label:n,time:o},!a&&(this.past.push(t),this.past.length>this.most&&this.past.shift())}pop(){return this.last={label:null,time:0},this.past.pop()||null}get depth(){return this.past.length}}let K=null,Je=null;const It=new Map;function Lt(){return Je=Je||R("GET","/scenes/vocabulary").then(e=>(K=$i(e),K),e=>{throw Je=null,e}),Je}function $i(e){const t=new Map(e.shapes.map(({name:n,outline:s})=>[n,s]));It.clear();for(const[n,s]of t)It.set(n,"M"+s.map(([o,a])=>o.toFixed(4)+","+a.toFixed(4)).join("L")+"Z");return{shapes:[...t.keys()],colours:new Map(e.colours.map(({name:n,hex:s})=>[n,s])),sizes:new Map(e.sizes.map(({name:n,radius:s})=>[n,s])),background:e.background,most:e.most_things,side:e.side||48,outlines:t}}const Ve=e=>It.get(e)||"",j=e=>K&&K.sizes.get(e)||.1,be=e=>K&&K.colours.get(e)||"#808080",zt=({x:e,y:t,size:n})=>"translate("+e+" "+t+") scale("+j(n)+")",Ft=()=>u`<rect x="0" y="0" width="1" height="1" fill=${U().background} />`,ms=({things:e})=>u`<svg viewBox="0 0 1 1" aria-hidden="true" class="pair-thumb">
    <${Ft} />
    ${e.map(t=>u`<path d=${Ve(t.shape)} fill=${be(t.colour)} transform=${zt(t)} />`)}
  </svg>`,gs=({shape:e})=>u`<svg viewBox="-1.15 -1.15 2.3 2.3" aria-hidden="true" class="pair-symbol">
    <path d=${Ve(e)} fill="currentColor" />
  </svg>`;function Rt(e,t,n,s){const{outlines:o,background:a}=U(),i=e.map(r=>{const c=j(r.size)*s,l=([p,f])=>(t+r.x*s+p*c).toFixed(2)+","+(n+r.y*s+f*c).toFixed(2);return{shape:"path",d:"M"+(o.get(r.shape)??[]).map(l).join("L")+"Z",fill:be(r.colour)}});return[{shape:"rect",x:t,y:n,w:s,h:s,fill:a},...i]}function U(){if(!K)throw new Error("What pictures are made of has not come yet.");return K}var wi=Object.freeze({__proto__:null,Ground:Ft,Symbol:gs,Thumb:ms,colourOf:be,items:Rt,load:Lt,pathOf:Ve,placed:zt,radiusOf:j,vocabulary:U});const yi=150,Ye=2,Ze=["There is a red circle","There are exactly three red circles"],bi=["s1","s2","s3","s4","view","map","textmap"],$s=Object.entries(da("circuits")).filter(([e])=>!bi.includes(e)),vi=$s.map(([e])=>e),ve={characters:Ue("circuits","s1").longest,pinned:Ue("circuits","focus").most+1},{offered:ws}=Ue("circuits","measured"),Ut=()=>({...Object.fromEntries($s),sentences:[],views:{links:null,circuits:null,text:null},stage:0,model:null,hover_unit:-1,hover_point:-1,tool:"move",waiting:[]}),{state:d,differ:ki}=vt(Ut()),Bt=ie(null),ys=()=>Bt.value,B=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function xi(e){const t={...e};t.sentences&&(t.sentences=t.sentences.slice(0,ve.pinned));const n=(t.sentences||d.sentences).length;(t.sentences||t.focus!==void 0)&&(t.focus=Math.max(0,Math.min(n-1,t.focus===void 0?d.focus:t.focus)));const s=["statement","scene","samples"];for(const o of s)t[o]&&s.forEach(a=>a!==o&&(t[a]=null));return t}const w=e=>{ki(xi(e),B)},Gt=e=>w({stage:Math.max(d.stage,e)}),qt=e=>e.replace(/\s+/g," ").trim();function re(e){const t=qt(e);if(!t)return;const{sentences:n,waiting:s}=d,o=n.indexOf(t);o>=0?w({focus:o}):n.length<ve.pinned?w({sentences:[...n,t],focus:n.length}):s.includes(t)||w({waiting:[...s,t]})}function bs(e){const[t,...n]=d.waiting;t!==void 0&&w({waiting:n,sentences:d.sentences.map((s,o)=>o===e?t:s),focus:e})}const Kt=()=>w({waiting:d.waiting.slice(1)});function vs(e){if(d.sentences.length<2)return;const[t,...n]=d.waiting,s=d.sentences.filter((a,i)=>i!==e),o=d.focus>e?d.focus-1:d.focus;w(t===void 0?{sentences:s,focus:o}:{sentences:[...s,t],waiting:n,focus:s.length})}function ks(e){const t=d.sentences.filter(n=>!e.includes(n));w({sentences:t.length?t:Ze})}function xs(e){const n=[d.sentences[e],...d.sentences.filter((s,o)=>o!==e)];w({sentences:n,focus:n.indexOf(d.sentences[d.focus])})}function Wt(e,{x:t,y:n,zoom:s}){const o=t===0&&n===0&&s===1;w({views:{...d.views,[e]:o?null:{x:t,y:n,zoom:s}}})}const ce=()=>(k()?.units??[]).filter(e=>d.drop.includes(e));function Ht(e,t){const{units:n=[]}=k()??{},s=n.filter(o=>e.includes(o)?t:d.drop.includes(o));n.length&&s.length>=n.length?xt("One module stays","A network without modules computes nothing.","bad"):w({drop:s})}const Jt=e=>Ht([e],!d.drop.includes(e)),Qe=V(()=>d.model,async(e,t)=>{const n=await R("GET","/models/"+encodeURIComponent(e),void 0,{signal:t}),{inputs:s,fields:o,constants:a,pictures:i}=n,r=c=>new kt(404,"No circuits",e+" "+c);if((s||"images")!=="statements")throw r("reads pictures alone: no sentence designs its circuit.");if(![...o,...a].includes("text_attention"))throw r("reads sentences, but they design no circuit.");if(i!==Ye)throw r("reads statements about "+i+" pictures; here they are about "+Ye+".");return Fn("drop",n,d.drop),d.unit!==null&&Fn("unit",n,[d.unit]),n}),k=()=>Qe.answer(),Vt=()=>Qe.problem(),Yt=()=>Vt()?"failed":k()?"ready":"loading",{again:_s}=Qe;function _i(){let{model:e}=pa(location.search);return x(()=>{const{model:t}=Rn(),n=e??t;e=null,E(()=>{n!==d.model&&w({model:n,...d.model?{threshold:null}:{}})})})}let ke=0;function Ss(){const{sentences:e,views:t,lasso:n,model:s}=d;if(!k())return null;const o=B(e,Ze)?[]:e;return{...Object.fromEntries(vi.map(a=>[a,d[a]])),...Object.fromEntries(o.map((a,i)=>["s"+(i+1),a])),model:s,sample:Rn().sample,view:t.links,map:t.circuits,textmap:t.text,lasso:n&&[n.which,n.polygon]}}function Si(){ke=0;const e=Ss();if(!e)return;ga("circuits",e,k()?.units);const{model:t,sample:n,...s}=$a("circuits",location.search);Bt.value=s}function Zt(e){const t=fa(e);return t&&Xn.clamped(t)}function Oi(e){const{on:t,polygon:n}=ha(e);return{which:t[0],polygon:n}}const Os=({units:e},t)=>ma(e,t).slice(0,e.length-1);function Xe({s1:e,s2:t,s3:n,s4:s,view:o,map:a,textmap:i,lasso:r,scene:c,...l}){const p=[e,t,n,s].filter(m=>typeof m=="string"),f=k();w({...l,drop:f?Os(f,l.drop):l.drop,waiting:[],sentences:p.length?p:Ze,views:{links:Zt(o),circuits:Zt(a),text:Zt(i)},lasso:r?Oi(r):null,scene:c?JSON.parse(c):null})}function As(e){Object.assign(d,Ut()),Bt.value=e,Xe(e);const t=[_i(),Qe.follow(),x(()=>{const n=k();E(()=>{if(!n)return;const s=d.unit!==null&&n.units.includes(d.unit)?d.unit:null;w({drop:Os(n,d.drop),unit:s})})}),x(()=>{Ss()&&!ke&&(ke=setTimeout(Si,yi))})];return()=>{t.forEach(n=>n()),clearTimeout(ke),ke=0,Object.assign(d,Ut())}}var Ai=Object.freeze({__proto__:null,EXAMPLES:Ze,LIMITS:ve,PICTURES:Ye,SIZES:ws,again:_s,begin:As,choice:ys,dropped:ce,first:xs,info:k,keepPinned:Kt,look:Wt,pin:re,problem:Vt,reach:Gt,replace:bs,same:B,set:w,state:d,status:Yt,take:Xe,tidy:qt,toggle:Jt,turn:Ht,unpin:vs,withoutUnread:ks});const Ei=250,le=new gi,Es=()=>({status:"loading",problem:null,scene:null,base:null,samples:null,edited:!1,selected:null,undo:0,seen:!1}),{state:g,update:Z}=vt(Es()),Mi=({size:e,colour:t,shape:n,x:s,y:o})=>[e,t,n,s,o].join(" "),Ms=(e,t)=>({...t?{of:t}:{},pictures:e.pictures.map(n=>n.map(Mi))});function Ts(e){const{shapes:t,colours:n,sizes:s,most:o}=U(),a=c=>{const[l,p,f,m,h]=String(c).split(" "),$={shape:f,colour:p,size:l,x:Number(m),y:Number(h)};return t.includes(f)&&n.has(p)&&s.has(l)&&$.x>=0&&$.x<=1&&$.y>=0&&$.y<=1?$:null},i=Array.isArray(e.pictures)?e.pictures:[];return{pictures:[i[0],i[1]].map(c=>Array.isArray(c)?c:[]).map(c=>c.map(a).filter(l=>l!==null).slice(0,o))}}let et=0;const Qt=new Map,Ti=e=>Bn(Qt,e,()=>R("GET","/statements/"+encodeURIComponent(e)),1/0),Pi=100;function Ps(e,t){const n=t.join(" ").toLowerCase();return e.find(({scene:o})=>o?.pictures.flat().some(({colour:a,shape:i})=>n.includes(a+" "+i)))??e[0]}async function Ci(){const{items:e}=await R("GET","/statements?limit="+Pi);if(!e.length)throw new kt(404,"No statements","The service has no statements to offer.");return Ps(e,d.sentences)}function ji(){const{statement:e,scene:t,samples:n}=d,{base:s}=g;return g.status!=="ready"?!1:t?!!g.scene&&B(t,Ms(g.scene,s?.id)):!n&&!g.samples&&!g.edited&&e!==null&&s?.id===e}async function Xt(){const{statement:e,scene:t,samples:n}=d;if(ji())return;const s=et+=1;try{const o=n?null:t?t.of:e;!n&&!t&&!(o&&Qt.has(o))&&Z({status:"loading",problem:null});const a=o?Ti(o):t||n?null:Ci(),[i]=await Promise.all([a,Lt()]);s===et&&Di({scene:t?Ts(t):i?.scene??null,base:i,samples:n})}catch(o){s===et&&Z({status:"failed",problem:o})}Gt(1)}function Di({scene:e,base:t,samples:n}){le.clear();const s=!!(t&&t.scene&&e&&!B(e,t.scene));Z({status:"ready",problem:null,scene:e,base:t,samples:n,edited:s,selected:null,undo:0})}function Cs(e){const{sentences:t}=d,{sentence:n}=e;Qt.set(e.id,Promise.resolve(e));const s=g.base?t.indexOf(g.base.sentence):-1;w({statement:e.id,scene:null,samples:null}),t.includes(n)||s<0?re(n):w({sentences:t.map((o,a)=>a===s?n:o),focus:s})}const en=e=>w({samples:e,statement:null,scene:null});function Q(e,t=g.selected,n=null,s=1/0){if(!g.scene||B(e,g.scene)){X(t);return}le.push({scene:g.scene,selected:g.selected},n,s),tn(e,t)}function tn(e,t){const{base:n}=g;Z({scene:e,selected:ps(e,t)?t:null,edited:!!n&&!B(e,n?.scene),undo:le.depth}),Ni()}let nn=0;function Ni(){clearTimeout(nn),nn=setTimeout(()=>{const{scene:e,base:t,edited:n}=g;e&&w(t&&!n?{statement:t.id,scene:null}:{scene:Ms(e,t?.id),statement:null,samples:null})},Ei)}function sn(){const e=le.pop();e&&tn(e.scene,e.selected)}function js(){g.base?.scene&&Q(g.base.scene,null)}function X(e){B(e,g.selected)||Z({selected:e})}function Ds(){le.clear(),Z({base:null,samples:null,status:"ready",problem:null}),tn({pictures:[[],[]]},null)}const Ns=e=>Z({seen:e});function Is(){return g.samples?{samples:g.samples}:g.base&&!g.edited?{statement:g.base.id}:g.scene?{scene:g.scene}:null}const on=()=>g.samples?.map(e=>Un+"/samples/"+encodeURIComponent(e)+"/image")??g.base?.pictures??[];function Ii(){const e=x(()=>{d.statement,d.scene,d.samples,E(()=>{Xt()})});return()=>{e(),et+=1,clearTimeout(nn),le.clear(),Object.assign(g,Es())}}var Ls=Object.freeze({__proto__:null,addresses:on,edit:Q,empty:Ds,fittingStatement:Ps,follow:Ii,look:Ns,pictures:Is,reset:js,select:X,show:Xt,state:g,take:Cs,takeSamples:en,undo:sn,unpack:Ts});const Li=25,zi=600,zs=()=>({status:"idle",problem:null,reply:null,scene:null,fresh:!1,took:null}),{state:D,update:tt}=vt(zs());function an(){const e=Is(),{model:t,sentences:n,keep_edges:s}=d;if(!t||!k()||!e||!n.length||g.status!=="ready")return null;const o={drop:ce(),...s===null?{}:{keep_edges:s}};return{model:t,what:{sentences:n,intervention:o},pictures:e}}const Fs=({model:e,what:t,pictures:n},s)=>R("POST","/models/"+encodeURIComponent(e)+"/answers",{...t,pictures:n},{signal:s}),Rs=V(()=>{const{base:e,edited:t,samples:n}=g,s=e&&t&&!n?an():null;return s&&e&&JSON.stringify({...s,pictures:{statement:e.id}})},(e,t)=>Fs(JSON.parse(e),t)),Us=()=>Rs.answer();let F=null,W=null,[xe,_e]=[0,0];function Bs(){W?.cancel.abort(),W=null}async function Gs(){const e=F,{scene:t}=g,[n,s]=[{since:performance.now(),cancel:new AbortController},_e||performance.now()];W=n,_e=0;try{const o=await Fs(e,n.cancel.signal);if(W!==n)return;const a=e===F,i=performance.now()-s;tt({reply:o,scene:t,fresh:a,problem:null,took:i,status:a?"done":"asking"})}catch(o){if(W!==n)return;tt({status:"failed",problem:o,fresh:!1})}W=null,F&&e!==F&&Gs()}function Fi(){xe=0;const e=an();if(!e||B(e,F))return;const t=W&&F&&F.model===e.model&&B(F.what,e.what)&&performance.now()-W.since<zi;F=e,tt({status:"asking",fresh:!1}),!t&&(Bs(),Gs())}function qs(){_e=_e||performance.now(),xe||(xe=setTimeout(Fi,Li))}function Ks(){F=null,qs()}function rn(e={}){clearTimeout(xe),F=null,xe=_e=0,Bs(),tt({...zs(),...e})}const Ri={title:"No pictures to ask about",message:"Choose a statement, upload two pictures or edit a scene."};function Ui(){const e=[x(()=>{d.model,E(()=>rn())}),x(()=>{const t=g.status==="failed";E(()=>t&&rn({status:"failed",problem:Ri}))}),x(()=>{an()&&E(qs)}),Rs.follow()];return()=>{e.forEach(t=>t()),rn()}}function cn(){const{reply:e,fresh:t}=D,{base:n,edited:s,samples:o}=g;if(!e)return{};const{drop:a,keep_edges:i=null}=e.intervention;return{model:e.model,revision:e.revision,statement:n?n.id:null,edited:s,samples:o||null,scene:D.scene,drop:a,keep_edges:i,current:t,kind:ln()?"under intervention":"observed"}}function ln(){const{drop:e=[],keep_edges:t}=D.reply?.intervention??{};return e.length>0||typeof t=="number"}const un=()=>ln()?"under intervention":"observed";var Ws=Object.freeze({__proto__:null,again:Ks,before:Us,changed:ln,facts:cn,follow:Ui,state:D,tag:un});const[Se,ee]=[4,8],Oe=new Map,Hs=e=>[1,3,5].map(t=>parseInt(e.slice(t,t+2),16));function Bi(e){const t=Math.floor(e);return e-t!==.5?Math.round(e):t%2?t+1:t}function Gi(e,t){const n=[];return e.forEach(([s,o],a)=>{const[i,r]=e[(a+1)%e.length];o>t!=r>t&&n.push((i-s)*(t-o)/(r-o)+s)}),n.sort((s,o)=>s-o)}function qi(e,t,n,s){const o=[e.shape,e.size,t,n,s].join(" "),a=Oe.get(o);if(a)return a;const{outlines:i,sizes:r}=U(),c=Math.ceil(Math.max(...r.values())*t)+1,l=j(e.size)*t,p=(i.get(e.shape)??[]).map(([y,v])=>[y*l,v*l]),f=2*c,m=new Float32Array(f*f),h=y=>(y+.5)/ee-c;for(let y=0;y<f*ee;y+=1){const v=Gi(p,h(y)-s/Se);if(v.length)for(let b=0;b<f*ee;b+=1){const A=h(b)-n/Se;v.reduce((Re,ua)=>Re+(A<ua?1:0),0)%2&&(m[Math.floor(y/ee)*f+Math.floor(b/ee)]+=1/(ee*ee))}}const $={share:m,margin:c,wide:f};return Oe.set(o,$),Oe.size>400&&Oe.delete(Oe.keys().next().value),$}function Js(e,t){const n=Hs(U().background),s=Float32Array.from({length:3*t*t},(a,i)=>n[i%3]+.5),o=a=>{const i=Bi(a*t*Se);return[Math.floor(i/Se),i%Se]};for(const a of e){const[[i,r],[c,l]]=[o(a.x),o(a.y)],{share:p,margin:f,wide:m}=qi(a,t,r,l),h=Hs(be(a.colour));for(let $=0;$<m;$+=1)for(let y=0;y<m;y+=1){const[v,b]=[i+y-f,c+$-f],A=p[$*m+y];if(!(!A||v<0||b<0||v>=t||b>=t))for(let C=0;C<3;C+=1){const Re=3*(b*t+v)+C;s[Re]=s[Re]*(1-A)+A*(h[C]+.5)}}}return s.map(Math.floor)}function Ki(e){const{side:t}=U(),n=document.createElement("canvas");n.width=n.height=t;const s=n.getContext("2d"),o=s.createImageData(t,t),a=Js(e,t);for(let i=0;i<t*t;i+=1){for(let r=0;r<3;r+=1)o.data[4*i+r]=a[3*i+r];o.data[4*i+3]=255}return s.putImageData(o,0,0),n}const Vs=e=>Ki(e).toDataURL("image/png");var Wi=Object.freeze({__proto__:null,href:Vs,pixels:Js});const[Hi,Ys,Zs]=[1,2,3],[Qs,Ji]=[8,63];function Vi(e){const t=e*(e-1)/2,[n,s]=[new Uint16Array(t),new Uint16Array(t)];for(let o=1,a=0;o<e;o+=1)for(let i=0;i<o;i+=1,a+=1)n[a]=o,s[a]=i;return{from:n,to:s,count:t}}const Yi=(e,t)=>e>t?e*(e-1)/2+t:t*(t-1)/2+e;function Zi(e,t,n){const s=new Uint8Array(e.count);for(let o=0;o<e.count;o+=1)s[o]=Qs+(Ji-Qs)*Math.max(t[o],n[o]);return{...e,weights:s,p:t}}function Qi(e,t,n,s){if(s===null||s>=1)return 0;const a=new Uint32Array(e.count).map((c,l)=>l).filter(c=>t[c]>0).sort((c,l)=>t[l]-t[c]||c-l),i={from:Uint16Array.from(a,c=>e.from[c]),to:Uint16Array.from(a,c=>e.to[c]),count:a.length},{last:r}=Ia(i,n,s);return r<0?1/0:t[a[r]]}function Xi(e,t,n,s,{threshold:o,dropped:a,changes:i}){const{from:r,to:c,count:l}=t,[p,f]=[n.p,s.p],m=a.includes(1),h=i?0:Hi;let[$,y,v]=[0,0,0];for(let b=0;b<l;b+=1){if(m&&(a[r[b]]||a[c[b]])){e[b]=0;continue}const A=p[b]>o&&p[b]>=n.least,C=f[b]>o&&f[b]>=s.least;A&&C?(e[b]=h,$+=1):A?(e[b]=Zs,y+=1):C?(e[b]=Ys,v+=1):e[b]=0}return{kept:$,gained:y,lost:v,links:$+y,drawn:(i?0:$)+y+v}}function er(e,t,n,s,o){const a=[];for(let i=0;i<n;i+=1){if(i===s)continue;const r=Yi(s,i);e[r]&&a.push({other:i,p:t[r],layer:e[r]})}return a.sort((i,r)=>r.p-i.p||i.other-r.other).slice(0,o)}const Xs=1.5;function tr(e){const t=Math.max(...e.flat());return e.map(n=>Float32Array.from(n,s=>t>0?Xs*Math.sqrt(Math.max(0,s)/t):Xs))}const eo=60,to=1e3,dn=e=>"/models/"+encodeURIComponent(e)+"/designs";async function nr(e,t,n){const s={sentences:t},[o,a]=await Promise.all([R("POST",dn(e),s,{signal:n}),wa(dn(e)+"/links",{method:"POST",body:JSON.stringify(s),headers:{"Content-Type":"application/json"},signal:n})]);return ar(o,new Float32Array(await a.arrayBuffer()))}function sr(e){return[0,...Array.from({length:to-1},(n,s)=>e[Math.floor((s+1)/to*e.length)]).map(n=>Math.round(1e4*n)/1e4),1]}function or(e){const t=Float32Array.from(e).sort();return t.length?Math.round(1e3*t[t.length>>1])/1e3:.5}function ar(e,t){const n=e.units.length,s=Vi(n);if(t.length!==e.designs.length*s.count)throw new kt(0,"Incomplete answer","The circuits arrived incomplete. Load the page again.");const o=e.designs.map((a,i)=>t.subarray(i*s.count,(i+1)*s.count));return{...e,count:n,median:or(o[0]),scale:sr(Float32Array.from(t).sort()),place:new Map(e.units.map((a,i)=>[a,i])),pairs:s,p:o,edges:o.map(a=>Zi(s,a,o[0])),sizes:tr(e.designs.map(a=>a.connectivity)),...La(e.layout)}}async function pn(e,t){try{return await R("POST",dn(e),{sentences:[t]}),null}catch(n){return n}}const hn=e=>e?.status===422,ir=e=>e.length>eo?e.slice(0,eo)+"...":e;async function rr(e,t,n){const s=await Promise.all(t.map(a=>pn(e,a)));if(n.aborted)return;const o=t.filter((a,i)=>hn(s[i]));t.forEach((a,i)=>{hn(s[i])&&ya(`"${ir(a)}" is not pinned: ${s[i]?.message}`)}),o.length&&ks(o)}const Ae=V(()=>{const{stage:e,model:t,sentences:n}=d;return e>0&&k()&&n.length?JSON.stringify([t,n]):null},async(e,t)=>{const[n,s]=JSON.parse(e);try{return await nr(n,s,t)}catch(o){throw hn(o)&&await rr(n,s,t),o}});function O(){const e=Ae.latest();return e&&e.model===d.model?e:null}const{problem:fn,waits:no,again:so}=Ae;function ue(){const e=O()?.designs[d.focus];return e&&e.sentence===d.sentences[d.focus]?e.connectivity:null}const te=e=>d.threshold??e.median;function oo(e,t){const{drop:n,keep_edges:s}=d,o=Uint8Array.from(e.units,r=>Number(n.includes(r))),a=e.p.map(r=>({p:r,least:Qi(e.pairs,r,o,s)})),i=a.map((r,c)=>{const l=new Uint8Array(e.pairs.count),p=t==="own"||c===0?r:a[0],f={threshold:te(e),dropped:o,changes:t==="changes"&&c>0};return{layers:l,least:r.least,...Xi(l,e.pairs,r,p,f)}});return{data:e,compared:i,dropped:o}}const nt=Gn(()=>{const e=O();return e&&oo(e,d.links)}),ne=()=>nt.value,ao=()=>(nt.value&&d.links==="own"?oo(nt.value.data,"differences"):nt.value)?.compared??[];function cr(){const e=[Ae.follow(),x(()=>{const t=Ae.answer();!t&&!Ae.problem()||E(()=>{t&&d.threshold===null&&w({threshold:t.median}),Gt(2)})})];return()=>e.forEach(t=>t())}var lr=Object.freeze({__proto__:null,again:so,changes:ao,connectivity:ue,data:O,drawn:ne,follow:cr,problem:fn,refusal:pn,thresholdOf:te,waits:no});const ur=4,dr=60,mn=[.01,.05,.2,.5],gn=.16,pr=e=>gn*mn.filter(t=>e>=t).length,io=(e,t,n)=>Math.max(t,Math.min(n,e));class hr extends za{counts={kept:0,gained:0,lost:0,links:0,drawn:0};own=!1;setCircuit(t,n,s){Object.assign(this,{links:t,layers:n.layers,counts:n,own:s,stale:!0}),this.shown=n.drawn}setDropped(t){super.setDropped(t);const{change:n}=this.modules;if(!n)return;const{groups:s}=this;this.groups=s.flatMap(({order:o,size:a})=>{const i=Array.from({length:mn.length+1},()=>[]);return o.forEach(r=>i[Math.round(pr(n[r])/gn)].push(r)),i.map((r,c)=>({size:a,ring:c*gn,order:Int32Array.from(r)})).filter(r=>r.order.length)})}linkPaints(t){const{gained:n,lost:s}=At(t),{kept:o,gained:a,lost:i}=this.counts,r=l=>io(9/Math.sqrt(l+1),.05,.62),c=io(14/Math.sqrt(a+i+1),.1,.9);return[{colour:this.own?t.accent:t.unmatched,alpha:r(o)},{colour:s,alpha:c,dash:ur},{colour:n,alpha:c}]}linksAt(t){if(t<0||!this.links)return[];const{gained:n,lost:s}=At(G()),o={[Zs]:{paint:n},[Ys]:{paint:s,dash:[4,3]}};return er(this.layers,this.links.p,this.modules.names.length,t,dr).map(({layer:a,...i})=>({...i,...o[a]}))}}const de=e=>u`<span class="badge"><span class="hidden-visually">${"sentence "}</span>${e+1}</span>`,ro=(e,t)=>e.x===t.x&&e.y===t.y&&e.zoom===t.zoom;function co(e){const t=[];return e.pieces.forEach(({text:n,known:s},o)=>{const a=t[t.length-1];a&&n.startsWith("##")?(a.text+=n.slice(2),a.known=a.known&&s,a.pieces.push(o)):t.push({text:n,known:s,pieces:[o]})}),t}function fr(e){const t=e.sentence.toLowerCase(),n=[];let s=0;for(const o of co(e)){const a=t.indexOf(o.text.toLowerCase(),s);a<0||(s=a+o.text.length,o.known||n.push([a,s]))}return n}function mr(e){const{sentence:t}=e;let n=0;return[...fr(e).map(([o,a])=>{const i=t.slice(n,o);return n=a,u`${i}<mark class="unknown" title=${"the model was not trained with this word: it spells it"}>${t.slice(o,a)}</mark>`}),t.slice(n)]}const gr="Arrow keys walk from module to module, Enter chooses one, Delete drops it, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.",Ee=[],st=e=>w({hover_unit:e});function ot(e){const t=O();w({unit:t&&e>=0?t.units[e]:null})}const pe=()=>O()?.place.get(d.unit??"")??-1;function $n(e){const{communities:t,connectivity:n}=e.designs[0],{community:s,degree:o}=Fa;return new Set(t).size>1?s({communities:t},G()):o({degrees:{learned:n}},G())}const wn=e=>e===0||d.links==="own";class $r{constructor(t,n){this.at=n,this.canvas=t,this.data=null,this.map=new hr(t.parentElement,t,{onTheme:()=>this.rebuild(),onDrawn:()=>this.publish(),onView:s=>Wt("links",s)}),this.stops=[x(()=>{const s=ne();E(()=>{const o=s?.data.designs[n]?s.data:null;o===this.data?this.relink():(this.data=o,this.rebuild())})}),x(()=>this.mark()),es(this.map,{tool:()=>"move",hover:st,pick:s=>ot(s===pe()?-1:s),select:()=>{}}),Ra(this.map,{hovered:()=>d.hover_unit,chosen:pe,start:()=>ts(this.drawn.count,s=>this.design.connectivity[s])[0],point:st,pick:ot,drop:s=>Jt(this.drawn.units[s])})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}get drawn(){if(!this.data)throw new Error("There are no circuits to draw.");return this.data}get design(){return this.drawn.designs[this.at]}rebuild(){const t=ne();if(!this.data||!t){this.map.items=this.map.links=null,delete this.canvas.dataset.painted,this.map.draw();return}const{data:n,design:s}=this,{of:o,paints:a}=$n(n),{places:i,halves:r,units:c}=n,l=s.to_first?.code_change??void 0;this.map.setModules({places:i,halves:r,names:c,category:o,paints:a,sizes:n.sizes[this.at],change:l},t.dropped),this.relink(),this.mark()}relink(){const t=ne();!this.data||!t||(String(this.map.dropped)!==String(t.dropped)&&this.map.setDropped(t.dropped),this.map.setCircuit(this.drawn.edges[this.at],t.compared[this.at],wn(this.at)),this.map.draw())}mark(){const{views:t,hover_unit:n}=d,s=pe();if(!this.data)return;const o=t.links||{x:0,y:0,zoom:1};ro(this.map.view,o)||(this.map.view={...o},this.map.stale=!0),this.map.ringed=s>=0?[s]:[],this.map.focus=n>=0?n:s,this.map.draw()}publish(){if(!this.data)return;const{counts:t,gone:n,focus:s,spent:o}=this.map,{links:a,gained:i,lost:r}=t,c={links:String(a),gained:String(i),lost:String(r),gone:String(n.length)},l=s>=0?this.drawn.units[s]:"";Object.assign(this.canvas.dataset,{painted:this.design.sentence,...c,focus:l,spent:o.toFixed(2)})}scene(t){const n=this.at+1+". "+this.design.sentence;this.map.heading=n;const s=wn(this.at)?".":"; blue are gained and orange, dashed, lost against the first circuit.",a=this.map.scene(n,"Discs are modules, their areas as their connectivity from zero; lines are links above "+te(this.drawn)+s,t);return this.map.heading="",a}}const wr=({counts:{links:e,gained:t,lost:n},own:s})=>u`<span class="design-counts">
    ${s?u`<span>${_(e)+(e===1?" link":" links")}</span>`:u`<span>${_(e)}</span>
            <span class="gained" title="links that this circuit has and the first has not">${"+"+_(t)}</span>
            <span class="lost" title="links that the first circuit has and this one has not">
              ${"\u2212"+_(n)}
            </span>`}
  </span>`;function yr({at:e}){const t=M(null);I(()=>{const o=new $r(t.current,e);return Ee[e]=o,()=>{o.dispose(),Ee[e]===o&&(Ee.length=e)}},[]);const n=ne(),s=n?.data.designs[e]?.sentence??d.sentences[e];return u`<figure class="design">
    <figcaption>
      ${de(e)}<span class="design-sentence" title=${s}>${s}</span>
      ${n?.compared[e]&&u`<${wr} counts=${n.compared[e]} own=${wn(e)} />`}
    </figcaption>
    <div class="design-canvas">
      <canvas
        id=${"design-picture-"+(e+1)}
        tabindex="0"
        role="img"
        aria-label=${"Circuit of \u201C"+s+"\u201D. "+gr}
        ref=${t}
      ></canvas>
      ${!n?.data.designs[e]&&u`<div class="skeleton" aria-hidden="true"></div>`}
    </div>
  </figure>`}function br(){const e=d.sentences.length,n=fn()&&!O()?"failed":no()?"waiting":"ready";return u`<div class="designs" data-status=${n} data-count=${e}>
    ${d.sentences.map((s,o)=>u`<${yr} key=${o} at=${o} />`)}
  </div>`}const vr=3,kr=6,lo="\u2013",yn=(e,t)=>e==null?lo:t===void 0?_(e):e.toFixed(t),xr=e=>e.reduce((t,n)=>t+n,0)/e.length,at=[{name:"links",title:"links above the threshold",of:(e,t)=>t.links},{name:"gained",title:"links that this circuit has and circuit 1 has not",of:(e,t,n)=>n?t.gained:null},{name:"lost",title:"links that circuit 1 has and this circuit has not",of:(e,t,n)=>n?t.lost:null},{name:"mean |\u0394P|",title:"mean absolute difference of link probabilities to circuit 1, over all pairs",of:e=>e.to_first&&e.to_first.mean_change,digits:4},{name:"correlation",title:"of link probabilities with circuit 1, over all pairs",of:e=>e.to_first&&e.to_first.correlation,digits:4},{name:"code change",title:"1 - cosine of a module's codes in the two circuits, mean over modules",of:e=>e.to_first&&e.to_first.code_change&&xr(e.to_first.code_change),digits:4},{name:"mean degree",title:"expected number of links of a module",of:e=>e.mean_degree,digits:2},{name:"modularity",title:"of the best communities found",of:e=>e.modularity,digits:3}];function bn(){const e=ao();return(O()?.designs??[]).map((t,n)=>({sentence:t.sentence,cells:at.map(s=>s.of(t,e[n],n))}))}function _r(){const e=at.map(({name:n,title:s})=>u`<th scope="col" title=${s}>${n}</th>`),t=bn().map(({sentence:n,cells:s},o)=>u`<tr>
        <th scope="row">${[de(o)," ",n]}</th>
        ${at.map(({digits:a},i)=>u`<td>${yn(s[i],a)}</td>`)}
      </tr>`);return u`<div class="table-scroll" tabindex="0" role="region" aria-label="Distances of the circuits">
    ${t.length>0&&u`<${Et} heads=${[u`<th scope="col">sentence</th>`,...e]} rows=${t} />`}
  </div>`}function Sr(e,t){const n=e.text_attention&&e.text_attention[t];return n?co(e).map(({text:s,pieces:o})=>({text:s,share:o.reduce((a,i)=>a+(n[i]||0),0)})).sort((s,o)=>o.share-s.share).slice(0,vr):null}const uo=e=>(O()?.designs??[]).map(t=>({sentence:t.sentence,connectivity:t.connectivity[e],rank:1+t.connectivity.filter(n=>n>t.connectivity[e]).length,link_change:t.to_first?t.to_first.module_change[e]:null,code_change:t.to_first&&t.to_first.code_change?t.to_first.code_change[e]:null,words:Sr(t,e)})),Or=({unit:e})=>u`<${Et}
    heads=${["sentence","q, rank","mean |\u0394P|","code change","reads most from"].map(t=>u`<th scope="col">${t}</th>`)}
    rows=${uo(e).map((t,n)=>u`<tr>
          <th scope="row">${de(n)}</th>
          <td>${t.connectivity.toFixed(2)+", "+t.rank}</td>
          <td>${yn(t.link_change,4)}</td>
          <td>${yn(t.code_change,4)}</td>
          <td>
            ${t.words?.map(({text:s,share:o})=>s+" "+(100*o).toFixed(0)+" %").join(", ")??lo}
          </td>
        </tr>`)}
  />`;function po({data:e,field:t,words:n}){const s=e.designs.slice(1).map(i=>i.to_first&&i.to_first[t]).filter(i=>i!==null);if(!s.length)return null;const o=i=>Math.max(...s.map(r=>r[i]));function a(i){const[r,c]=[()=>st(i),()=>st(-1)];return u`<button key=${i} type="button" class="chip" onClick=${()=>ot(i)} ...${{onPointerEnter:r,onPointerLeave:c,onFocus:r,onBlur:c}}>
      ${e.units[i]}<small>${" "+o(i).toFixed(3)}</small>
    </button>`}return u`<div class="moved">
    <span class="control-name">${n}</span>${ts(e.count,o).slice(0,kr).map(a)}
  </div>`}function Ar(){const e=O();if(!e)return null;const t=pe(),n=e.units[t],s=d.drop.includes(n);return u`<div class="design-module" data-unit=${n??""}>
    ${t>=0&&u`<div class="module-head">
          <h3 class="small-title">${"Module "+n}</h3>
          <${T} id="design-drop" pressed=${s} act=${()=>Jt(n)}>
            ${s?"Bring back":"Drop"}
          <//>
          <${T} act=${()=>ot(-1)}>Close<//>
        </div>
        <${Or} unit=${t} />`}
    <${po} data=${e} field="module_change" words="Links changed most (mean |ΔP|)" />
    <${po} data=${e} field="code_change" words="Codes changed most (1 − cosine)" />
    ${t<0&&u`<p class="hint">Click a module to see it in all circuits; Delete drops it.</p>`}
  </div>`}const Er=12,ho={kind:"kind of reasoning",object:"object",colour:"colour that is said"},Mr={red:"#d62728",green:"#2f9e44",blue:"#1c6fd1",yellow:"#e0b400",purple:"#8e5bb5",orange:"#f08c00",black:"#3b4048",white:"#c9d1d9",pink:"#f06595",brown:"#8c5a3c",grey:"#868e96",gray:"#868e96",silver:"#adb5bd",gold:"#c99700",beige:"#cbb994",teal:"#0b8a8a"};function vn(e,t,n){const s=new Map,o=m=>s.get(m)||0;for(const m of e.points){const h=m[t];h!=null&&s.set(h,o(h)+1)}const a=t==="kind"?e.kinds:t==="object"?e.objects:[],i=[...s.keys()].sort((m,h)=>(a.length?a.indexOf(m)-a.indexOf(h):0)||o(h)-o(m)||(m<h?-1:1)),r=(m,h)=>t==="colour"&&Mr[m]||(h<Er?n.unit(h):n.unmatched),c=new Map(i.map((m,h)=>[m,h])),l=i.map((m,h)=>({name:m,count:o(m),paint:r(m,h),index:h})),p=e.points.length-l.reduce((m,{count:h})=>m+h,0);return p&&l.push({name:"none",count:p,paint:n.unmatched,index:i.length}),{of:Int32Array.from(e.points,m=>c.get(m[t])??i.length),paints:[...l.map(m=>m.paint),n.unmatched],entries:l}}const H=["sentence-pca","sentence-map"],Tr="scenes",it=()=>d.set||Tr,fo=(e,t)=>({...e,method:t,perplexity:t==="tsne"?e.perplexity:30});function mo(e){const{places:t,halves:n}=Ba(Float64Array.from(e.flat()),[]);return{places:t(Float64Array.from(e.flat())),halves:n,place:s=>t(Float64Array.from(s))}}async function Pr(e){const t=await R("GET","/sentence-maps/"+encodeURIComponent(e));return{info:t,layouts:{circuits:mo(t.xy),text:mo(t.text_xy)}}}const go=()=>H.forEach(e=>ba(e)),$o=(e,t,n,s)=>new Promise((o,a)=>{let i=!1;const{stop:r}=va(e,"/sentence-maps",t,{done:c=>{Pr(c).then(o,a)},cancelled:()=>s&&o(null),failed(c){i=!0,s?o(null):a(c)},goesOn:()=>i&&!s&&he.again()});n.addEventListener("abort",r)}),N=ie(null),he=V(()=>{const{stage:e,model:t,method:n,perplexity:s,seed:o}=d;return e<2||!t||!k()?null:JSON.stringify(fo({model:t,set:it(),method:n,perplexity:s,seed:o},n))},async(e,t)=>{const n=JSON.parse(e);if(go(),n.method!=="pca"){const s=await $o(H[0],fo(n,"pca"),t,!0);t.throwIfAborted(),s&&(N.value=s)}return $o(H[1],n,t,!1)}),wo=()=>_t(H[1]).job?.state==="cancelled",rt=()=>N.value,P=()=>N.value?.info??null,yo=()=>he.waits()&&!wo(),{problem:kn,again:bo}=he,Me=()=>N.value?"ready":kn()?"failed":wo()?"stopped":"loading",xn=V(()=>N.value?JSON.stringify([N.value.info.id,d.sentences]):null,async(e,t)=>{const[n,s]=JSON.parse(e),o="/sentence-maps/"+encodeURIComponent(n)+"/places",{places:a}=await R("POST",o,{sentences:s},{signal:t});return{id:n,places:new Map(a.map((i,r)=>[s[r],i]))}});function Te(){const e=xn.latest();return e&&e.id===P()?.id?e.places:new Map}const ct=({kind:e,object:t})=>(!d.kinds.length||d.kinds.includes(e))&&(!d.objects.length||d.objects.includes(t)),Cr=Gn(()=>{const[e,{lasso:t}]=[N.value,d];if(!e||!t)return[];const n=Int32Array.from(e.info.points.keys()).filter(s=>ct(e.info.points[s]));return Array.from(new Ua(e.layouts[t.which].places,n).inside(t.polygon))}),lt=()=>Cr.value;function jr(){const e=[x(()=>{const t=N.value?.info;t&&(t.model!==d.model||t.set!==it())&&(N.value=null)}),he.follow(),xn.follow(),x(()=>{const t=he.answer();t&&E(()=>N.value=t)}),x(()=>{const t=xn.problem()??(N.value?he.problem():null);t&&E(()=>xt(t.title||"No map",t.message,"bad"))})];return()=>{e.forEach(t=>t()),go(),N.value=null}}var Dr=Object.freeze({__proto__:null,JOBS:H,again:bo,chosen:lt,chosenSet:it,follow:jr,info:P,map:rt,places:Te,problem:kn,shows:ct,status:Me,waits:yo});const vo={tsne:"t-SNE",pca:"PCA"},ko={circuits:"by their circuits",text:"by their words (text encoder)"},Nr={circuits:"Map of sentences by their circuits",text:"Map of sentences by the text encoder"},Ir=". N and P go from sentence to sentence, Enter pins one, L takes the lasso, Escape lets go, plus and minus zoom, arrows move, 0 shows all.",Lr=64,zr=900,Fr={ArrowRight:[1,0],ArrowLeft:[-1,0],ArrowDown:[0,1],ArrowUp:[0,-1]},se={};function _n(e){const t=[vo[e.method]];return e.method==="tsne"&&t.push("perplexity "+(e.parameters.perplexity??d.perplexity)),[...t,"seed "+e.seed].join(" \xB7 ")}class Rr{constructor(t,n){this.which=n,this.canvas=t,this.layout=null,this.lasso=null,this.marks=[],this.landed=null,this.map=new Xn(t.parentElement,t,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:s=>Wt(n,s)}),this.map.heading=ko[n],this.stops=[x(()=>{rt(),d.kinds,d.objects,d.colour_by,E(()=>this.rebuild())}),x(()=>this.mark()),es(this.map,{tool:()=>d.tool,hover:s=>w({hover_point:s}),pick:s=>this.pin(s),select:s=>w({lasso:s&&{which:n,polygon:Ka(s,Lr)}})})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}pin(t){const n=P();n&&re(n.points[t].text)}rebuild(){const t=rt();if(!t){this.map.items=null,delete this.canvas.dataset.painted,this.map.draw();return}const{info:n,layouts:s}=t,{of:o,paints:a}=vn(n,d.colour_by,G()),i=Ga(n.points.length),{places:r,halves:c}=this.layout=s[this.which],l={order:i.filter(p=>ct(n.points[p])),category:o,paints:a,places:r,halves:c};this.map.setItems(l),this.lasso=null,this.map.caption=_n(n),this.mark()}mark(){const[t,n]=[rt(),Te()],{sentences:s,hover_point:o,lasso:a,views:i}=d,{layout:r}=this;if(!t||!r||!this.map.items)return;if(this.marks=s.flatMap((l,p)=>{const f=n.get(l);if(!f)return[];const[m,h]=r.place(this.which==="text"?f.text_xy:f.xy);return[{x:m,y:h,name:String(p+1),badge:!0,sentence:l}]}),this.map.marks=this.marks,this.land(),this.map.ringed=o>=0?[o]:[],this.lasso!==a){this.lasso=a;const l=a&&new Set(lt());this.map.setStrong(l&&Uint8Array.from(t.info.points,(p,f)=>l.has(f)?1:0)),this.map.lasso=a&&a.which===this.which?a.polygon:null}const c=i[this.which]||{x:0,y:0,zoom:1};ro(this.map.view,c)||(this.map.view={...c},this.map.stale=!0),this.map.draw()}land(){const t=this.landed,n=new Set(this.marks.map(({sentence:i})=>i));if(this.landed=n,!t||ka())return;const s=new Set([...n].filter(i=>!t.has(i)));if(!s.size)return;const o=performance.now(),a=i=>{const r=Math.max(0,1-(i-o)/zr);for(const c of this.marks)s.has(c.sentence)&&(c.rings=r);this.map.draw(),r&&requestAnimationFrame(a)};requestAnimationFrame(a)}key(t){const{map:n}=this;if(!n.items||t.ctrlKey||t.metaKey||t.altKey)return;const s=Fr[t.key],o={"+":()=>n.zoomBy(1.3),"=":()=>n.zoomBy(1.3),"-":()=>n.zoomBy(1/1.3),0:()=>n.fit(),l:()=>w({tool:d.tool==="lasso"?"move":"lasso"}),Enter:()=>d.hover_point>=0&&this.pin(d.hover_point),n:()=>this.step(1),p:()=>this.step(-1),Escape:()=>w({lasso:null,hover_point:-1})};if(s)n.panBy(-40*s[0],-40*s[1]);else if(o[t.key])o[t.key]();else return;t.preventDefault()}step(t){const{order:n,places:s}=this.map.drawn,o=Array.from(n).sort((r,c)=>s[2*r]-s[2*c]||r-c),a=o.indexOf(d.hover_point),i=a<0?0:(a+t+o.length)%o.length;w({hover_point:o[i]})}publish(){const t=P();if(!t)return;const n={points:String(this.map.drawn.order.length),marks:String(this.map.marks.length)},s={painted:t.id,method:t.method,hovered:String(d.hover_point)};Object.assign(this.canvas.dataset,n,s)}scene(t,n){return this.map.scene("Sentences "+ko[this.which]+": "+t.model+", "+_n(t),"Each point is a sentence, coloured by "+ho[d.colour_by]+"; numbers are pinned.",n)}}const xo=e=>[e.kind,e.object,e.colour,e.number,e.relation].filter(Boolean).join(" \xB7 ");function Ur({which:e}){const t=M(null),n=d.hover_point,s=P()?.points[n];return I(()=>{const o=se[e];s&&o&&t.current&&qa(t.current,t.current.parentElement,o.map.placeOf(n))},[n,s]),u`<div class="sentence-card" hidden=${!s} ref=${t}>
    ${s&&[u`<strong>${s.text}</strong>`,u`<p class="hint">${xo(s)}</p>`]}
  </div>`}function _o({which:e}){const t=M(null);return I(()=>{const n=se[e]=new Rr(t.current,e);return()=>{se[e]===n&&delete se[e],n.dispose()}},[]),u`<div class="sentence-canvas">
    <canvas
      id=${"sentence-map-"+e}
      tabindex="0"
      role="img"
      aria-label=${Nr[e]+Ir}
      onKeyDown=${n=>se[e]?.key(n)}
      ref=${t}
    ></canvas>
    <${Ur} which=${e} />
  </div>`}const Pe=12,Br=460;function So(e,t,n,s,o){const a=Math.min(o&&o<Br?1:2,e.length),i=e.map(h=>h(o&&(o-(a-1)*Pe)/a)),[r,c]=[Math.max(...i.map(({width:h})=>h)),Math.max(...i.map(({height:h})=>h))],l=a*r+(a-1)*Pe,p=Math.ceil(i.length/a)*(c+Pe)+10,f=Wa(s.map(({name:h,paint:$})=>({text:h,key:"dot",fill:$,ink:"ink"})),{x:10,y:p,width:l}),m=i.map((h,$)=>Ha(h,$%a*(r+Pe),Math.floor($/a)*(c+Pe)));return qe({width:l,height:p+f.height,title:t,desc:n,marks:[m,f.marks]})}function Oo(e){const{drop:t,keep_edges:n,links:s,unit:o}=d;return{model:e.model,revision:e.revision,seed:null,sentences:e.designs.map(({sentence:a})=>a),threshold:te(e),drop:t,keep_edges:n,links_drawn:s,unit:o,kind:"observed"}}function Gr(e,t){const{gained:n,lost:s}=At(G()),a=e.designs.length>1&&d.links!=="own"?[["gained against 1",n],["lost against 1, dashed",s]]:[],{entries:i,what:r}=$n(e);return So(Ee.filter(c=>c.data).map(c=>l=>c.scene(l)),"Circuits of "+e.model+" above "+te(e),e.designs.map(({sentence:c},l)=>l+1+": "+c).join("; "),[...a.map(([c,l])=>({name:c,paint:l})),...i.map(({name:c,paint:l})=>({name:r+" "+c,paint:l}))],t)}function Ao({data:e,compared:t,dropped:n}){const s=te(e),o=[["module","other",...e.designs.map((p,f)=>"p_"+(f+1)),...e.designs.map((p,f)=>"there_"+(f+1))]],{from:a,to:i,count:r}=e.pairs,c=p=>!n[a[p]]&&!n[i[p]],l=t.map(({least:p},f)=>m=>e.p[f][m]>s&&e.p[f][m]>=p&&c(m));for(let p=0;p<r;p+=1)e.p.some(f=>f[p]>s)&&o.push([e.units[a[p]],e.units[i[p]],...e.p.map(f=>f[p]),...l.map(f=>f(p))]);return o}function qr(){const e=ne();if(!e)return null;const{data:t}=e;return{name:"circuits",python:{figure:"designs"},facts:Oo(t),rows:()=>Ao(e),json:()=>{const[n,...s]=Ao(e);return{units:t.units,layout:t.layout,designs:t.designs,link_columns:n,links:s}},picture:{scene:n=>Gr(t,n)}}}function Kr(){const e=O();if(!e)return null;const t=at.map(({name:n})=>n);return{name:"circuit-distances",python:{figure:"distances"},facts:Oo(e),rows:()=>[["sentence",...t],...bn().map(({sentence:n,cells:s})=>[n,...s.map(o=>o??"")])],json:()=>({distances:bn().map(({sentence:n,cells:s})=>({sentence:n,...Object.fromEntries(t.map((o,a)=>[o,s[a]]))})),to_first:e.designs.map(({sentence:n,to_first:s})=>{const{gained:o,lost:a,...i}=s||{};return{sentence:n,to_first:s&&i}}),module:pe()>=0?uo(pe()):null}),picture:{}}}function Sn(e){const{kinds:t,objects:n,colour_by:s}=d;return{model:e.model,revision:e.revision,seed:e.seed,set:e.set,method:e.method,parameters:e.parameters,variance:e.variance,trustworthiness:e.trustworthiness,kinds_shown:t,objects_shown:n,colour:s,drop:[],map:e.id,kind:"observed"}}const Eo=["text","kind","object","colour","number","relation"];function On(e,t){const n=t.map(s=>[...Eo.map(o=>e.points[s][o]??""),...e.xy[s],...e.text_xy[s]]);return[[...Eo,"x","y","text_x","text_y"],...n]}const Mo=([e,...t])=>({columns:e,rows:t});function Wr(e,t){const{entries:n}=vn(e,d.colour_by,G());return So(["circuits","text"].flatMap(s=>{const o=se[s];return o?a=>o.scene(e,a):[]}),"Maps of "+e.count+" sentences: "+e.model+", "+_n(e),"Left by the circuits that they design, right by the text encoder's embedding. Numbers: "+d.sentences.map((s,o)=>o+1+": "+s).join("; "),n,t)}function Hr(){const e=P();if(!e)return null;const t=Array.from(e.points.keys()).filter(n=>ct(e.points[n]));return{name:"sentence-map",python:{figure:"sentences"},facts:Sn(e),rows:()=>On(e,t),json:()=>({...Mo(On(e,t)),pinned:Object.fromEntries(Te())}),picture:{scene:n=>Wr(e,n)}}}function Jr(){const e=P(),{lasso:t,sentences:n,focus:s}=d,o=Te().get(n[s]);if(!e||!(t||o))return null;const a=()=>On(e,t||!o?lt():o.nearest.map(({index:i})=>i));return{name:"sentences",facts:{...Sn(e),lasso:t,nearest_to:t?null:n[s]},python:{figure:"some-sentences",texts:a().slice(1).map(([i])=>String(i))},rows:a,json:()=>({...Mo(a()),place:t?null:o}),picture:{}}}function Vr(){const e=P();if(!e)return null;const t=["map","space","by","measure","value","null_mean","null_low","null_high","count"];return{name:"sentence-separation",python:{figure:"separation"},facts:Sn(e),rows:()=>[t,...e.separation.map(n=>t.map(s=>n[s]??""))],json:()=>({separation:e.separation}),picture:{}}}const Yr=[["differences","with differences to 1"],["changes","differences to 1 alone"],["own","each by itself"]];function Zr(){const e=ne(),t={id:"design-threshold",name:"Links above",onInput:()=>{}};if(!e)return u`<${Kn} ...${t} value=${0} most=${0} words="" />`;const{data:n,compared:s}=e,o=te(n),a=n.scale.findIndex(c=>c>=o),i=n.scale.length-1,r=s.map(c=>_(c.links)).join(", ");return u`<${Kn}
    ...${t}
    value=${a<0?i:a}
    most=${i}
    words=${"P > "+Number(o.toFixed(4))+": "+r+" of "+_(n.pairs.count)+" links"}
    onInput=${c=>w({threshold:n.scale[c]})}
  />`}const Qr=()=>St("links","design-links",ge({id:"design-links",look:"plain-select",label:"Links that are drawn",options:Yr,chosen:d.links,onChoose:e=>w({links:e})})),ut=(e,t,n)=>u`<span key=${e} class="legend-entry" title=${n}><span class=${e} aria-hidden="true" />${t}</span>`,Xr="1 - cosine of the codes: a step thicker from "+mn.join(", ")+" on",ec="The area of a disc is as its module's connectivity, from zero, on one scale for all circuits";function tc(e){const t=e.designs.flatMap(n=>n.connectivity);return Wn(Math.min(...t),1)+" to "+Wn(Math.max(...t),1)}function nc(){const e=O();if(!e||Mt.value<0)return null;const t=e.designs.length>1&&d.links!=="own",{entries:n,what:s}=$n(e);return u`<div class="graph-legend">
    ${t&&d.links==="differences"&&ut("line line-kept","in both")}
    ${t&&ut("line line-gained","gained against 1")} ${t&&ut("line line-lost","lost against 1")}
    ${t&&ut("ring-key","ring: another code",Xr)}
    <span class="legend-entry" title=${ec}>area: connectivity q, ${tc(e)}</span>
    <span class="control-name">${s+" in 1"}</span>
    ${n.map(({name:o,count:a,paint:i})=>u`<span key=${o} class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{background:i}} />${o}<small>${a}</small>
        </span>`)}
  </div>`}function sc(){const[e,{hover_unit:t}]=[O(),d],n=e&&t>=0?e.designs.map(s=>s.connectivity[t].toFixed(2)).join(", "):"";return u`<p class="hidden-visually" aria-live="polite">${n&&e?.units[t]+": q "+n}</p>`}function oc(){const e=O()?null:fn();return u`<div class="message design-problem" role="alert" hidden=${!e}>
    ${e&&Y(e.title||"No circuits",e.message,{words:"Try again",act:so})}
  </div>`}const ac=()=>u`<${L}
    id="designs"
    title="Circuits side by side"
    tag="observed"
    reads="Discs are modules, at the same places in every circuit. Lines are links. Against circuit 1, blue links are gained and dashed orange links are lost. Click a module."
    formats=${["svg","png","csv","json"]}
    written=${qr}
  >
    <div class="graph-bar">
      <div class="design-threshold"><${Zr} /></div>
      <div class="graph-tools">
        <${Qr} />
        <div class="zoom"><${qn} mapsOf=${()=>Ee.slice(0,1).map(({map:e})=>e)} /></div>
      </div>
    </div>
    <${br} /><${oc} /><${nc} /><${sc} /><${Ar} />
  <//>`,ic=()=>u`<${L}
    id="distances"
    title="Distances"
    tag="observed"
    reads="Distance of each circuit from the first. Links above the slider's threshold count."
    formats=${["csv","json"]}
    written=${Kr}
  >
    <${_r} />
  <//>`,To={true:"true",false:"false",null:"not known"},rc=e=>e<1e3?Math.round(e)+" ms":(e/1e3).toFixed(1)+" s",An=e=>Math.abs(e)<5e-4?"0.0":Hn(e);function dt(e){const t=Us()?.answers.find(({sentence:o})=>o===e.sentence),n=g.edited&&t?t.probability:null,s=e.baseline_probability;return{...e,before:n,moved:n===null?null:e.probability-n,whole:s,caused:s==null?null:e.probability-s,says:e.probability>=.5,right:e.holds===null?null:e.probability>=.5===e.holds}}function En({holds:e,right:t,clear:n,unknown_words:s}){const o=n===!1?", though people might differ":"",a=t?", and so says the network":", the network says otherwise";return(e===null?"whether it is true of these pictures is not known":"by the grammar "+To[String(e)]+o+a)+(s.length?"; spelled in letters, as it never learned: "+s.join(", "):"")}const pt=e=>100*e+"%";function cc(e){const{moved:t,caused:n,holds:s,right:o,clear:a}=e,i=s===null?"truth not known":To[String(s)]+(a===!1?", a close call":""),r=o?"\u2713 Correct":"\u2717 Wrong";return u`<span class="pair-changes">
    <span class="pair-truth" data-holds=${String(s)} title=${En(e)}>${i}</span>
    <span class="pair-answer-said" data-right=${String(o)}>${o===null?"":r}</span>
    <span class="pair-moved">${t===null?"":An(t)+" points by your edit"}</span>
    <span class="pair-moved">${n===null?"":An(n)+" points by what is dropped"}</span>
  </span>`}function lc({answer:e,at:t}){const{sentence:n,probability:s,before:o,moved:a,whole:i,caused:r,unknown_words:c}=e,l={left:pt(0),width:pt(s)},p=a===null?"":"; "+An(a)+" points by your edit",f=u`<span class="pair-track" aria-hidden="true">
    <span class="pair-bar-fill" data-side=${s>=.5} style=${l} />
    <span class="pair-middle" />
    <span
      class="pair-mark-before"
      title="before your edit"
      hidden=${o===null}
      style=${{left:pt(o||0)}}
    />
    <span class="pair-mark-whole" title="full model" hidden=${r===null} style=${{left:pt(i||0)}} />
  </span>`;return u`<button
    type="button"
    class="pair-answer"
    data-answer=${t}
    aria-pressed=${t===d.focus}
    aria-label=${n+" "+Ot(s)+" true by the network; "+En(e)+p}
    title=${c.length?"Never learned, spelled in letters: "+c.join(", "):"Show what modules read for this sentence"}
    onClick=${()=>w({focus:t})}
  >
    <span class="pair-sentence">${n}</span>
    <span class="pair-line">${f}<span class="pair-value">${Ot(s)}</span></span>
    ${cc(e)}
  </button>`}function uc(){const{base:e}=g;return!e||d.sentences.includes(e.sentence)?null:u`<${T} id="pair-own" look="tool tool-text pair-own" act=${()=>re(e.sentence)}>
    ${"Ask also: \u201C"+e.sentence+"\u201D"}
  <//>`}function dc(){const{status:e,reply:t,problem:n,fresh:s,took:o}=D;return e==="failed"?u`<div class="message" role="alert">
      ${Y(n?.title||"No answer",n?.message,{words:"Ask again",act:Ks})}
    </div>`:t?u`<div class="pair-answer-list">
      ${t.answers.map((a,i)=>u`<${lc} key=${i} answer=${dt(a)} at=${i} />`)}
    </div>
    <${uc} />
    <p class="hint" id="pair-took">${s&&o?"Answered in "+rc(o):""}</p>`:u`<div class="pair-answer-list">
      ${d.sentences.map(a=>u`<div class="pair-asked">
            <span class="pair-sentence">${a}</span>
            <span class="pair-line"><span class="pair-track skeleton" aria-hidden="true"></span></span>
          </div>`)}
    </div>`}const pc=["sentence","probability","before_the_edit","whole_network","holds","clear","unknown_words"];function Po(e){const t=s=>s??"",n=e.answers.map(dt).map(s=>[s.sentence,s.probability,t(s.before),t(s.whole),t(s.holds),t(s.clear),s.unknown_words.join(" ")]);return[pc,...n]}function hc(e,t=560){const[n,s]=[16,62],o=ss([0,1],[n,t-84],{ticks:[0,.5,1]}),a=e.answers.map(dt),i=os(a,{top:20-s/2,step:s}),r=c=>[i(c)+12,i(c)+24];return qe({width:t,height:20+a.length*s,title:"Is it true? "+e.model,desc:"How probable the network holds each sentence of the pictures; rings before an edit, triangles the whole network.",marks:[z(a,{x:n,y:i,text:({sentence:c})=>c,size:13,weight:600,room:t-n}),$e(a,{x:o.range,y:r,rx:3,fill:"hair"}),$e(a,{x:c=>[n,o(c.probability)],y:r,fill:({says:c})=>c?"accent":"unmatched"}),Tt(a,{x:o(.5),y:c=>[i(c)+9,i(c)+27],stroke:"ink"}),z(a,{x:o(1)+10,y:c=>i(c)+18,text:c=>Ot(c.probability),size:14,weight:650}),z(a,{x:n,y:c=>i(c)+35,text:En,size:11,fill:"dim",room:t-n}),Pt(a,{x:c=>o(c.before),y:c=>i(c)+18,r:5,fill:"surface",stroke:"ink",width:2}),Ja(a,{x:c=>c.caused===null?null:o(c.whole),y:c=>i(c)+13,text:"down",r:5,fill:"ink"})]})}function fc(){const{reply:e}=D;if(!e)return null;const t=()=>e.answers.map(n=>{const{read_in:s,...o}=n;return{...o,probability_before_the_edit:dt(n).before}});return{name:"answers",facts:cn(),python:{figure:"answers",sentences:e.answers.map(({sentence:n})=>n)},rows:()=>Po(e),json:()=>({answers:t()}),picture:{scene:n=>hc(e,n)}}}function mc(){const{status:e,fresh:t,reply:n}=D;return u`<${L}
    id="pair-answers"
    title="Is it true?"
    tag=${un()}
    look="panel-pair-answers"
    reads="Probability that each sentence is true. Ring: before your edit. Triangle: full model."
    more="Above 50 % the model answers true. A click on a sentence shows what the modules read for it."
    formats=${["svg","png","csv","json"]}
    written=${fc}
  >
    <div class="pair-answers" data-status=${e} data-fresh=${String(t)}><${dc} /></div>
    <${ns}
      words="Answers as a table"
      caption=${()=>"Probability that each sentence is true of the pictures, by the network."}
      rows=${n&&(()=>Po(n))}
    />
  <//>`}const Ce=12,gc="scenes",ht=ie(null);function $c(){const{statement:e,scene:t,gallery:n}=d,s=/\.(\d+)$/.exec((t?t.of:e)||"");return s&&!n?Math.floor(Number(s[1])/Ce)*Ce:0}const oe=V(()=>JSON.stringify([d.gallery,ht.value??0]),async(e,t)=>{const[n,s]=JSON.parse(e),o=i=>R("GET","/statements"+Jn({kind:n,offset:i||null,limit:Ce}),void 0,{signal:t}),[a]=await Promise.all([o(s),Lt()]);return a.items.length||!s?{...a,offset:s}:{...await o(0),offset:0}});function wc(){let e=d.gallery;ht.value=$c();const t=[x(()=>{const{gallery:n}=d;E(()=>{n!==e&&(ht.value=0),e=n})}),oe.follow()];return()=>t.forEach(n=>n())}function yc(){const{model:e,drop:t,keep_edges:n}=d,s=g.base?.id??null;return _a("samples",{model:e,drop:t,edges:n,set:gc,order:s?"nearest":"rerouted",to:s})}function bc(){const{kinds:e=[],stand_in:t,stand_in_for:n,title:s}=oe.latest()??{},o={name:"",count:e.reduce((a,i)=>a+i.count,0)};return u`<div class="pair-filter">
    ${ge({id:"pair-kind",label:"Kind of reasoning",look:"small-input",options:[o,...e].map(({name:a,count:i})=>[a,(a||"all kinds")+" ("+_(i)+")"]),chosen:d.gallery||"",onChoose:a=>w({gallery:a||null})})}
    ${t&&u`<span class="tag tag-warn" id="pair-stand-in" title=${s+(n?", in place of "+n:"")}>
        stand-in data
      </span>`}
    <a class="pair-ordered" href=${yc()} onClick=${xa}>Rank by routing</a>
  </div>`}function vc({statement:e,chosen:t}){const{id:n,sentence:s,kind:o,scene:a,pictures:i}=e,r=e.label?"true":"false";return u`<button
    type="button"
    class="pair-card"
    data-statement=${n}
    aria-label=${s+" "+r+". "+o+"."+(a?" "+fs(a):"")}
    title=${o}
    aria-pressed=${t}
    onClick=${()=>Cs(e)}
  >
    <span class="pair-thumbs">
      ${a?a.pictures.map(c=>u`<${ms} things=${c} />`):i.map(c=>u`<img class="pair-thumb pixels" src=${c} alt="" />`)}
    </span>
    <span class="pair-card-words">
      <span>${s}</span>
      <span class="pair-card-about"><span class="pair-truth" data-holds=${r}>${r}</span>${o}</span>
    </span>
  </button>`}function kc(e){const t=e.querySelector('[aria-pressed="true"]');if(!t||e.contains(document.activeElement))return;const[n,s]=[t.getBoundingClientRect(),e.getBoundingClientRect()];(n.top<s.top||n.bottom>s.bottom)&&(e.scrollTop+=n.top-s.top-8)}function xc(){const e=M(null),[t,n,{base:s}]=[oe.latest(),oe.problem(),g];I(()=>{const i=requestAnimationFrame(()=>e.current&&kc(e.current));return()=>cancelAnimationFrame(i)},[t,s]);const o={words:"Try again",act:oe.again},a=n?"failed":oe.waits()?"loading":"ready";return u`<div class="pair-gallery" data-status=${a} ref=${e}>
    ${n?u`<div class="message" role="alert">
            ${Y(n.title||"No statements",n.message,o)}
          </div>`:t?t.items.length?t.items.map(i=>u`<${vc} key=${i.id} statement=${i} chosen=${i.id===s?.id} />`):u`<div class="message">
                ${Y("No statements","There is none of this kind. Choose another kind.")}
              </div>`:u`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`}
  </div>`}function _c(){const{total:e=0,items:t=[],offset:n=0}=oe.latest()??{},s=(o,a,i)=>u`<${T}
      id=${"pair-"+o}
      look="tool"
      title=${a}
      label=${a}
      wait=${i<0||i>=e}
      act=${()=>ht.value=i}
      >${Vn(o)}<//
    >`;return u`<div class="pager">
    <span class="caption" role="status">
      ${t.length>0&&_(n+1)+" to "+_(n+t.length)+" of "+_(e)}
    </span>
    ${s("previous","Statements before",n-Ce)} ${s("next","Next statements",n+Ce)}
  </div>`}const Co=()=>u`<${L}
    id="pair-gallery"
    title="Statements"
    look="panel-pair-gallery"
    reads="Statements that training did not see. Click a statement to show its pictures."
  >
    <${bc} /><${xc} /><${_c} />
  <//>`,je=ie({words:"",failed:!1});let ft=null;async function Sc(e){const t=e.slice(0,2);if(t.length){je.value={words:"Sending "+t.map(n=>n.name).join(", "),failed:!1};try{const n=[];for(const o of t)n.push(await Ya(o));const s=n.length===2?n:ft?[ft,n[0]]:null;ft=s?null:n[0],je.value={words:s?"":"This is the left picture; now choose the right one.",failed:!1},s&&en(s.map(o=>o.id))}catch(n){je.value={words:n.message,failed:!0}}}}function jo(){const e=M(null);I(()=>{const s=e.current,o=[document.createTextNode("Two pictures of your own: choose them, or drop them here")],a=Va(s,{id:"pair-files",look:"pair-zone",words:o},Sc);for(const i of a)i.classList.add("writes");s.append(...a),ft=null,je.value={words:"",failed:!1}},[]);const{words:t,failed:n}=je.value;return u`<div class="pair-upload">
    <div ref=${e}></div>
    <span class=${"hint"+(n?" danger":"")} role="status" id="pair-upload-said">${t}</span>
  </div>`}var Oc=Object.freeze({__proto__:null,GalleryPanel:Co,Upload:jo,follow:wc});const[Ac,Ec,Mc]=[.02,.1,.005],Tc=700,Do=.09,No={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Pc="Arrow keys move it, with Shift farther, with Alt less; Page Up and Page Down change the picture; Delete takes it away.",De=ie({shape:"circle",colour:"red",size:"large"});let Mn=!1;const ae=()=>ps(g.scene,g.selected),mt=(e,t)=>e.pictures[t].length<U().most;function Tn(e,t){Mn=!0,Q(e,t)}function Io(e,t){const{scene:n}=g;if(!n)return;if(!mt(n,e)){const o="A picture has up to "+U().most+" things: take one away first.";xt("The picture is full",o,"good");return}const s=ls(n,e,t(n),j);Tn(s,{picture:e,index:s.pictures[e].length-1})}const Lo=e=>Io(e,({pictures:t})=>({...De.value,...fi(t[e],De.value.size,j)}));function zo(){const[e,{selected:t}]=[ae(),g];if(!e||!t)return;const n=s=>s+(s>.7?-Do:Do);Io(t.picture,()=>({...e,x:n(e.x),y:n(e.y)}))}function Fo(){const{scene:e,selected:t}=g;if(!e||!t||!ae())return;const n=us(e,t),s=n.pictures[t.picture].length;Tn(n,s?{...t,index:Math.min(t.index,s-1)}:null)}function Cc(){const{scene:e,samples:t,selected:n}=g;if(t)en([...t].reverse());else if(e){const s=e.pictures.length-1-(n?.picture??0);Q(hi(e),n&&{...n,picture:s})}}function jc(e){De.value={...De.value,...e};const{scene:t,selected:n}=g;t&&n&&ae()?Q(Dt(t,n,e,j),n):X(null)}function Dc(){const{scene:e,undo:t,edited:n}=g,s=!ae(),o=(r,c,l,p,f)=>u`<${T} id=${"pair-"+r} title=${l} act=${p} ...${f}>${c}<//>`,[a,i]=[!e,r=>!!(e&&!mt(e,r))];return u`<div class="pair-tools">
    ${o("add-left","Add left","Add a thing to the left picture",()=>Lo(0),{hidden:a,wait:i(0)})}
    ${o("add-right","Add right","Add a thing to the right picture",()=>Lo(1),{hidden:a,wait:i(1)})}
    ${o("duplicate","Duplicate","Duplicate the chosen thing (Ctrl+D)",zo,{hidden:a,wait:s})}
    ${o("delete","Delete","Take the chosen thing away (Delete)",Fo,{hidden:a,wait:s})}
    ${o("undo","Undo","Take the last change back (Ctrl+Z)",sn,{hidden:a,wait:!t})}
    ${o("swap","Swap pictures","Left becomes right and right left",Cc)}
    ${o("reset","As it was","Back to the pictures of the statement",js,{hidden:!n})}
  </div>`}function Nc(){const{shapes:e,colours:t,sizes:n}=U(),s=ae()||De.value,o=Math.max(...n.values()),a=(l,p,f)=>u`<button
      key=${p}
      type="button"
      class="pair-swatch"
      title=${p}
      aria-label=${p}
      aria-pressed=${s[l]===p}
      onClick=${()=>jc({[l]:p})}
      ...${{["data-"+l]:p}}
    >
      ${f}
    </button>`,i=(l,p)=>u`<div class="control">
      <span class="control-name">${l}</span>
      <div class="pair-swatches" role="group" aria-label=${l} onKeyDown=${Za}>${p}</div>
    </div>`,r=l=>u`<span class="pair-dot" style=${{background:l}} />`,c=l=>{const p=Math.round(6+12*l/o)+"px";return u`<span class="pair-size" style=${{width:p,height:p}} />`};return u`<div class="pair-palette">
    ${i("Shape",e.map(l=>a("shape",l,u`<${gs} shape=${l} />`)))}
    ${i("Colour",[...t].map(([l,p])=>a("colour",l,r(p))))}
    ${i("Size",[...n].map(([l,p])=>a("size",l,c(p))))}
    <span class="hint" id="pair-palette-of">
      ${ae()?"of the chosen thing":"of the next thing that is added"}
    </span>
  </div>`}let S=null;function Ro(e,{clientX:t,clientY:n},s){const o=[...e.children].map(c=>c.firstElementChild.getBoundingClientRect()),a=o.findIndex(({left:c,right:l,top:p,bottom:f})=>t>=c&&t<=l&&n>=p&&n<=f),i=a<0?s:a,r=o[i];return{picture:i,x:(t-r.left)/r.width,y:(n-r.top)/r.height}}function Ic(e,t){const n=e.target,s=n.getAttribute("data-thing"),[{scene:o},a]=[g,n.closest(".pair-pictures")];if(s===null||!o||!a){X(null);return}if(e.button)return;e.preventDefault(),n.hasPointerCapture(e.pointerId)&&n.releasePointerCapture(e.pointerId);const i={picture:t,index:Number(s)},[r,c]=[o.pictures[t][i.index],Ro(a,e,t)];S={host:a,at:i,dx:r.x-c.x,dy:r.y-c.y,label:"drag "+Date.now()},X(i),n.focus({preventScroll:!0}),a.dataset.dragging="true",window.addEventListener("pointermove",Uo);for(const l of["pointerup","pointercancel"])window.addEventListener(l,Pn)}function Uo(e){const{scene:t}=g;if(!S||!t)return;const{picture:n,x:s,y:o}=Ro(S.host,e,S.at.picture);let a=t;if(n!==S.at.picture){if(!mt(t,n))return;a=ds(t,S.at,n,j),S.at={picture:n,index:a.pictures[n].length-1}}Q(Dt(a,S.at,{x:s+S.dx,y:o+S.dy},j),S.at,S.label)}function Pn(){S&&delete S.host.dataset.dragging,S=null,window.removeEventListener("pointermove",Uo);for(const e of["pointerup","pointercancel"])window.removeEventListener(e,Pn)}function Lc(e){const{scene:t,selected:n}=g,[s,o]=[e.ctrlKey||e.metaKey,e.key.toLowerCase()];if(s&&o==="z")return sn;if(!t||!n||!(e.target instanceof SVGElement))return null;if(s)return o==="d"?zo:null;if(No[e.key]){const a=e.shiftKey?Ec:e.altKey?Mc:Ac,[i,r]=No[e.key],{x:c,y:l}=t.pictures[n.picture][n.index],p="keys "+n.picture+" "+n.index,f=Dt(t,n,{x:c+i*a,y:l+r*a},j);return()=>Q(f,n,p,Tc)}if(e.key==="Delete"||e.key==="Backspace")return Fo;if(e.key==="PageUp"||e.key==="PageDown"){const a=t.pictures.length,i=(n.picture+(e.key==="PageUp"?a-1:1))%a;if(!mt(t,i))return()=>{};const r=ds(t,n,i,j);return()=>Tn(r,{picture:i,index:r.pictures[i].length-1})}return e.key==="Escape"?()=>X(null):null}function zc(e){const t=g.scene&&Lc(e);t&&(e.preventDefault(),t())}function Fc({things:e,at:t,count:n}){const{selected:s}=g,o=M(null),a=s?.picture===t?s.index:-1,i=e[a];I(()=>{!Mn||!i||(Mn=!1,o.current?.children[a]?.focus({preventScroll:!0}))});const r={cx:i?.x,cy:i?.y,r:i?j(i.size)*1.3:0},c=ye(t,n);return u`<figure class="pair-figure">
    <svg
      viewBox="0 0 1 1"
      class="pair-picture"
      role="group"
      data-picture=${t}
      aria-label=${c+": "+Nt(e)}
      onPointerDown=${l=>Ic(l,t)}
    >
      <${Ft} />
      <g ref=${o}>
        ${e.map((l,p)=>u`<path
              key=${p}
              class="pair-thing"
              tabindex="0"
              role="button"
              data-thing=${p}
              d=${Ve(l.shape)}
              fill=${be(l.colour)}
              transform=${zt(l)}
              aria-label=${He(l)+", "+mi(l)}
              aria-pressed=${String(p===a)}
              onFocus=${()=>X({picture:t,index:p})}
            />`)}
      </g>
      <circle class="pair-halo" ...${r} />
      <circle class="pair-ring" ...${r} />
    </svg>
    <figcaption>${c+", "+e.length+(e.length===1?" thing":" things")}</figcaption>
  </figure>`}const Rc=({source:e,alt:t,title:n})=>u`<figure class="pair-figure">
    <img class="pair-picture pixels" src=${e} alt=${t} draggable=${!1} />
    <figcaption>${n}</figcaption>
  </figure>`;function Uc(){const{status:e,problem:t,scene:n,seen:s,base:o,edited:a}=g;if(Be(()=>Pn,[]),e==="failed")return u`<div class="message" role="alert">
      ${Y(t?.title||"No pictures",t?.message,{words:"Try again",act:()=>{Xt()}})}
    </div>`;if(e!=="ready")return u`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`;if(n&&!s)return n.pictures.map((r,c)=>u`<${Fc} key=${c} ...${{things:r,at:c}} count=${n.pictures.length} />`);const i=n&&(a||!o)?n.pictures.map(Vs):on();return i.map((r,c)=>{const l=ye(c,i.length),p=l+(n?": "+Nt(n.pictures[c]):", a photograph or drawing");return u`<${Rc} key=${c} ...${{source:r,alt:p,title:l}} />`})}function Bc(){const{status:e,base:t,samples:n,edited:s,scene:o}=g;return e!=="ready"?"":n?"Your own pictures: they cannot be edited, and the truth of a sentence about them is not known.":t&&s?"Edited from statement "+t.id+".":t&&!o?"Pictures of statement "+t.id+": photographs, which cannot be edited.":t?"Pictures of statement "+t.id+", not edited.":"Your own scene."}function Gc(){const e=ae();return u`<p class="hidden-visually" aria-live="polite">${e&&He(e)+" chosen. "+Pc}</p>`}const[qc,gt,Bo]=[320,16,22];function Kc(e,t){const n=G(),s=e.pictures.length,o=t?(t+gt)/s-gt:qc,a=e.pictures.flatMap((r,c)=>{const l=c*(o+gt);return[{shape:"text",x:l,y:14,text:ye(c,s),size:12,fill:n.dim},...Rt(r,l,Bo,o)]});return{...{width:s*o+(s-1)*gt,height:Bo+o},background:n.surface,title:"The pair of pictures",desc:fs(e),items:a}}function Wc({pictures:e}){const t=e.flatMap((n,s)=>n.map(({shape:o,colour:a,size:i,x:r,y:c})=>[we(s,e.length),o,a,i,r,c]));return[["picture","shape","colour","size","x","y"],...t]}function Hc(){const{scene:e,base:t,edited:n}=g;return e&&{name:"pictures",caption:"The pictures that the statements are about.",facts:{model:d.model,revision:k()?.revision??null,statement:t?.id??null,sentence:t?.sentence??null,label:t&&!n?t.label:null,edited:n},rows:()=>Wc(e),json:()=>({scene:e}),python:{figure:"pictures",scene:{pictures:e.pictures}},picture:{scene:s=>Kc(e,s)}}}function Jc(){const{status:e,scene:t,seen:n}=g,s=e==="ready";return u`<${L}
    id="pair-pictures"
    title="Pictures"
    look="panel-pair-pictures"
    reads="Drag a thing or move it with the arrow keys. Recolour, reshape, add and delete things below. The model answers each change at once."
    formats=${["svg","png","csv","json"]}
    written=${Hc}
  >
    <div class="pair-head">
      <span class="hint" id="pair-of" role="status">${Bc()}</span>
      <div class="pair-head-tools">
        <label class="pair-check" title="Pixel by pixel, at the side that it takes" hidden=${!t}>
          <input
            type="checkbox"
            id="pair-seen"
            checked=${n}
            onChange=${({currentTarget:o})=>Ns(o.checked)}
          />as the network sees it
        </label>
        <${T} id="pair-empty" title="Start from two empty pictures" act=${Ds}>Empty pair<//>
      </div>
    </div>
    <div class="pair-pictures" data-status=${e} onKeyDown=${zc}><${Uc} /></div>
    ${s&&u`<${Dc} />`} ${s&&t&&u`<${Nc} />`}
    <${jo} /><${Gc} />
  <//>`}const Vc="data-pair-unit",Yc=180;function Go(e){const[t,n]=[k(),ue()];return!t||n?.length!==t.units.length?[]:Aa(n).slice(0,e).map(s=>t.units[s])}function Zc(){const e=ce(),t=Go(e.length);return t.length===e.length&&t.every(n=>e.includes(n))?e.length:null}function Qc(e,t){const n=ue()?.[k()?.units.indexOf(e)??-1];return e+(n===void 0?"":", q "+n.toFixed(1))+(t?". Bring it back":". Drop it")}function Xc({units:e}){const t=M(null),n=M(null),[s,o]=[ue(),ce()];return I(()=>{const a={toggle:Ht,about:Qc};n.current=new Qa(t.current,Vc,a),n.current.show(e)},[]),I(()=>{s?.length===e.length&&n.current?.shade(a=>s[e.indexOf(a)]),n.current?.mark(o,"dropped")}),u`<div role="group" aria-label="Modules" ref=${t}></div>`}function el(){const e=k();if(!e)return null;const t=ce().length,n=t+" of "+e.units.length+" modules dropped";return u`<div class="pair-units">
    <${Xc} key=${e.id} units=${e.units} />
    <div class="pair-bar">
      <span class="hint" id="pair-count" role="status">
        ${n+(ue()?"; the stronger the colour, the better connected":"")}
      </span>
      <${T}
        id="pair-all"
        hidden=${!t&&d.keep_edges===null}
        act=${()=>w({drop:[],keep_edges:null})}
        >All back<//
      >
    </div>
  </div>`}const qo=({name:e,label:t,words:n,act:s,...o})=>u`<div class="control" title=${t}>
    <span class="control-name">${e}</span>
    <input
      type="range"
      class="range"
      min="0"
      step="1"
      aria-label=${t}
      ...${o}
      onInput=${a=>s(Number(a.currentTarget.value))}
    />
    <output class="readout">${n}</output>
  </div>`;function tl(){const[e,t]=Yn({});Be(()=>{const{least:a,edges:i}=e;if(a===void 0&&i===void 0)return;const r=setTimeout(()=>{Sa(()=>{const{units:c}=k()??{units:[]},l=a===void 0?null:Go(a);l&&w({drop:c.filter(p=>l.includes(p))}),i!==void 0&&w({keep_edges:i===100?null:i/100})}),t({})},Yc);return()=>clearTimeout(r)},[e]);const n=k();if(!n)return null;const s=e.least??Zc(),o=e.edges??Math.round(100*(d.keep_edges??1));return u`<div class="pair-bar">
    <${qo}
      id="pair-least"
      name="n least connected"
      label="Drop the n least connected modules of the circuit that answers"
      max=${n.units.length-1}
      value=${s??0}
      disabled=${!ue()}
      words=${s===null?"others are dropped":String(s)}
      act=${a=>t({...e,least:a})}
    />
    <${qo}
      id="pair-edges"
      name="share of links kept"
      label="Share of the links that every circuit keeps, the most probable first"
      max=${100}
      value=${o}
      words=${o+" %"}
      act=${a=>t({...e,edges:a})}
    />
    <div class="control">
      <span class="control-name">Statements</span>
      ${ge({id:"pair-samples",label:"Number of statements",look:"small-input",options:Oa(ws,d.measured),chosen:String(d.measured),onChoose:a=>w({measured:Number(a)})})}
    </div>
  </div>`}const nl=5,Cn=760,Ko=["name","count","baseline","accuracy","low","high","change","change_low","change_high"];function Wo(){const{model:e,keep_edges:t,measured:n}=d;if(!k())return"";const s=ce().join(",");return"/evaluations/stream"+Jn({model:e,data:"scenes",samples:n,drop:s,keep_edges:t,controls:nl})}const $t=Xa({owner:"pair",pathOf:Wo,subscribePage:e=>x(()=>{Wo(),E(e)})}),{state:J}=$t,Ne=()=>J.evaluation?.model===d.model&&wt(J.evaluation).length?J.evaluation:null,jn=e=>Ke(e)===ui;function wt(e){const{accuracy:t,baseline:n,change:s}=e,o=e.by_kind||[];return!t||!n||!s?o:[{name:"all kinds",count:o.reduce((i,r)=>i+r.count,0),baseline:n.accuracy.value,accuracy:t.value,low:t.low,high:t.high,change:s.accuracy.value,change_low:s.accuracy.low,change_high:s.accuracy.high},...o]}const Ho=e=>[Ko,...wt(e).map(t=>Ko.map(n=>t[n]))];function Dn(e,t){const n=wt(e),{control:s}=e,o=t<480,a=o?8:Math.ceil(ii(n.map(({name:h})=>h),12,650))+16,i=o?60:150,r=ss([0,1],[a,t-i],{ticks:[0,.25,.5,.75,1],named:h=>h===.5?"50 %, chance":Math.round(100*h)+(h===1?" %":"")}),c=os(n,{top:12,step:o?42:30}),l=h=>c(h)+(o?8:0),p=h=>h===n[0]?650:void 0,f=h=>(h.change_high??0)<0?"bad":(h.change_low??0)>0?"good":"dim",m=o?z(n,{x:a,y:h=>l(h)-13,down:0,text:h=>h.name+", n "+_(h.count),weight:p,room:t-a}):[z(n,{x:a-8,y:l,down:0,text:h=>h.name,anchor:"end",weight:p}),z(n,{x:a-8,y:h=>l(h)+12,down:0,text:h=>"n "+_(h.count),size:10.5,fill:"dim",anchor:"end"})];return qe({width:t,height:c.end+24,title:"Accuracy by kind of statement with "+Ke(e)+": "+e.model,desc:"Accuracy by kind of statement on "+_(li(e))+" statements. Bar and dot: with modules dropped or links cut. Ring: full model. Short line: random drops of the same size. Whiskers are 95 % intervals; the last column is the paired change in points.",marks:[ri(r,[8,c.end],{strong:null}),Tt([.5],{x:r,y:[8,c.end],stroke:"dim",dash:[3,3]}),m,$e(n,{x:h=>[a,r(h.accuracy)],y:h=>[l(h)-5,l(h)+5],rx:2,fill:"accent",opacity:.3}),ci(n,{x:h=>[r(h.low),r(h.high)],y:l,width:1.6}),Pt(n,{x:h=>r(h.baseline),y:l,r:4.8,fill:"surface",stroke:"ink",width:1.6}),Pt(n,{x:h=>r(h.accuracy),y:l,fill:"accent"}),Tt(n.slice(0,1),{x:r(s?s.mean:null),y:h=>[l(h)-9,l(h)+9],stroke:"ink",width:2.5}),z(n,{x:t-i+14,y:l,text:h=>Ge(h.accuracy)+" %",weight:650}),o||jn(e)?[]:z(n,{x:t,y:l,text:h=>Hn(h.change),fill:f,anchor:"end",weight:650})]})}function sl(){const e=J.evaluation?.model===d.model?J.evaluation:null,t=!e||jn(e),{accuracy:n,change:s}=ni(e&&(t?{...e,change:null}:e),{none:e?"nothing is dropped":""}),o=e?si(e,{waiting:oi(e,"module"),sets:(a,{size:i})=>a+" sets of "+i,unit:a=>a.unit}):{value:n.value};return u`<div class="numbers pair-numbers" data-fresh=${String(J.fresh)}>
    <${Ct} ...${n} id="pair-accuracy" />
    <${Ct} ...${s} id="pair-change" />
    <${Ct} ...${o} name="Random modules" id="pair-control" />
  </div>`}const ol=e=>ai(e,{chosen:d.measured,counted:"statements",waiting:"Measured on "+_(d.measured)+" statements once this is in view.",intervention:Ke,after:t=>jn(t)?" Click a module to drop it.":""});function al(){const e=Ne();return e&&{name:"accuracy-by-kind",facts:ti(e,["drop","keep_edges"]),python:{figure:"effects",by:"kind"},rows:()=>Ho(e),json:()=>({result:e}),picture:{scene:(t=Cn)=>Dn(e,t)}}}const il=e=>"Accuracy by kind of statement, "+Ke(e)+": "+wt(e).map(t=>t.name+" "+Ge(t.accuracy)+" % of "+t.count).join("; ");function rl(){const e=M(null);Be(()=>{const n=$t.watch(e.current);return()=>{n(),$t.leave()}},[]);const t=Ne();return u`<div ref=${e}>
    <${L}
      id="pair-drop"
      title="Drop modules"
      tag="caused"
      reads="Accuracy by kind of statement. Ring: full model. Dot: with modules dropped or links cut. Whiskers: 95 % intervals."
      more="Both models are measured on the same statements. Statements come in fours that share pictures and words, so they are not independent. The intervals assume independent statements."
      formats=${["svg","png","csv","json"]}
      written=${al}
    >
      <${el} /><${tl} /><${sl} />
      <${ei} name="pair" look="drop-progress" followed=${$t} progressOf=${ol} />
      <${as}
        look="drop-picture"
        widest=${Cn}
        height=${150}
        data=${{"data-fresh":String(J.fresh),"data-state":J.status}}
        scene=${n=>{const s=Ne();return s&&Dn(s,n)}}
        drawn=${()=>Ne()?.id??""}
        label=${()=>{const n=Ne();return n?il(n):""}}
      />
      <${ns}
        words="Accuracy by kind as a table"
        data=${{"data-pair-table":"kinds"}}
        caption=${()=>t?Dn(t,Cn).desc:""}
        rows=${t&&(()=>Ho(t))}
      />
    <//>
  </div>`}const Nn=14,cl=22,Jo=.74,ll={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function q(e=d.focus){const{reply:t}=D,n=t&&t.answers[Math.min(e,t.answers.length-1)];if(!t||!n||!n.read_in||!n.read_out_share)return null;const s=t.grid.pictures*t.grid.rows*t.grid.columns;return{units:t.units,kept:new Set(t.kept),grid:t.grid,tokens:s,weights:ul(n.read_in),shares:n.read_out_share,sentence:n.sentence}}function Ie(){const{reply:e}=D;return(d.reads==="all"&&e?e.answers.map((n,s)=>q(s)):[q()]).filter(n=>n!==null)}const Vo=new WeakMap;function ul(e){const t=Vo.get(e)||Ma(e);return Vo.set(e,t),t}function Le(e,t){const{weights:n,tokens:s,units:o,kept:a,shares:i}=e;if(t>=0)return a.has(o[t])?n.subarray(t*s,(t+1)*s):null;const r=new Float32Array(s);let c=0;return o.forEach((l,p)=>{if(!a.has(l))return;const f=i[p];c+=f;for(let m=0;m<s;m+=1)r[m]+=f*n[p*s+m]}),c>0?r.map(l=>l/c):null}const ze=e=>e.units.indexOf(d.unit);function Yo(e,{pictures:t}){const n=e.length/t;return Array.from({length:t},(s,o)=>e.subarray(o*n,(o+1)*n).reduce((a,i)=>a+i,0))}function In({units:e,kept:t,shares:n}){const s=o=>t.has(e[o])?n[o]:-1;return e.map((o,a)=>a).sort((o,a)=>s(a)-s(o)||o-a)}const dl=12,pl=new Map,Zo=e=>Bn(pl,e,()=>Ea(e.slice(Un.length)),dl),Qo=()=>g.samples?null:D.scene??g.scene,Xo=V(()=>Qo()||!D.reply?null:JSON.stringify(on()),e=>Promise.all(JSON.parse(e).map(Zo))),{follow:hl}=Xo;function ea(){const e=Qo();if(e)return e.pictures.map(n=>(s,o,a)=>Rt(n,s,o,a));const t=Xo.answer();return t&&t.map(n=>(s,o,a)=>[{shape:"image",source:n,sx:0,sy:0,sw:n.width,sh:n.height,x:s,y:o,w:a,h:a}])}const yt=e=>Math.round(100*e)+" %";function fl(e,{rows:t,columns:n,pictures:s},o,[a,i,r]){const c=is(Array.from({length:n},String),[a,a+r]),l=is(Array.from({length:t},String),[i,i+r]),p=Math.max(...e,1e-9),f=e.length/s,m=Array.from(e.subarray(o*f,(o+1)*f),($,y)=>({value:$,row:Math.floor(y/n),column:y%n})),h=c.step>=34?m.filter(({value:$})=>$>=2/e.length):[];return[$e(m,{x:({column:$})=>c.extent($),y:({row:$})=>l.extent($),fill:"#000000",opacity:({value:$})=>Jo*(1-$/p)}),z(h,{x:({column:$})=>c($),y:({row:$})=>l($),text:({value:$})=>yt($),size:10.5,weight:650,fill:"#ffffff",halo:"rgba(0, 0, 0, 0.65)",anchor:"middle"})]}function ml(e,t,[n,s,o],a){const{pictures:i}=e.grid,r=Le(e,ze(e)),c=r?Yo(r,e.grid):null,l=i*o+Nn*(i-1),p=s+cl+(a?0:16),f=Array.from({length:i},($,y)=>{const v=n+y*(o+Nn),b=a?ye(y,i):we(y,i),A=c?": "+yt(c[y])+(o<220?"":" of the attention"):"";return[t[y]?t[y](v,p,o):[],z([b+A],{x:v,y:p-8,down:0,size:a?12:11,fill:"dim",room:o}),r?fl(r,e.grid,y,[v,p,o]):$e([0],{x:[v,v+o],y:[p,p+o],fill:"#000000",opacity:Jo})]}),m=a?[]:[e.sentence];return{marks:[z(m,{x:n,y:s+13,down:0,weight:600,room:l}),f],width:l,height:p-s+o}}function ta(e,t,n){const[{grid:s,units:o}]=e,a=e.length===1,i=a||n<420?1:2,r=(n-24*(i-1))/i,c=Math.min(360,(r-Nn*(s.pictures-1))/s.pictures);let[l,p,f]=[0,0,0];const m=e.map((v,b)=>{b%i===0&&(p=f+(b?14:0));const A=b%i*(r+24),C=ml(v,t,[A,p,c],a);return l=Math.max(l,A+C.width),f=Math.max(f,p+C.height),C.marks}),h=ze(e[0]),$=h<0?"All modules together":o[h],y=e.map(({sentence:v})=>v).join("; ");return qe({width:l,height:f,title:"What modules read: "+$,desc:$+", reading for: "+y+". The brighter a place, the more of the attention is on it.",marks:m})}function Ln(e){const t=ze(e),n=Le(e,t),s=t<0?"All modules together":e.units[t];if(!n)return s+" is dropped: it reads nothing.";const{pictures:o,rows:a,columns:i}=e.grid,r=Yo(n,e.grid).map((h,$)=>yt(h)+" of it on the "+we($,o)),c=n.indexOf(Math.max(...n)),[l,p]=[Math.floor(c/(a*i)),c%(a*i)],f=we(l,o)+", row "+(Math.floor(p/i)+1)+", column "+(p%i+1),m=t<0?"":"; the answer takes "+Ge(e.shares[t]||0)+" % from it";return s+": "+r.join(", ")+"; most at "+f+" ("+yt(n[c])+")"+m+"."}function gl(e){const[{grid:t,units:n}]=e,{rows:s,columns:o,pictures:a}=t,i=e.flatMap(r=>{const c=Le(r,-1);return Array.from({length:r.tokens},(l,p)=>{const[f,m]=[Math.floor(p/(s*o)),p%(s*o)],h=n.map((y,v)=>r.kept.has(y)?r.weights[v*r.tokens+p]:""),$=[we(f,a),Math.floor(m/o),m%o];return[r.sentence,...$,c?c[p]:"",...h]})});return[["sentence","picture","row","column","all_by_read_out_share",...n],...i]}const $l=[["one","the chosen sentence"],["all","every pinned sentence"]],wl=e=>{const t=/^#(..)(..)(..)$/.exec(e);return t?t.slice(1).map(n=>parseInt(n,16)):[31,92,153]};function yl(e,t,n,s){const{rows:o,columns:a,pictures:i}=t.grid,r=i*a+i-1;(e.width!==r||e.height!==o)&&([e.width,e.height]=[r,o]);const c=e.getContext("2d"),l=c.createImageData(r,o),p=Le(t,n);if(p){const f=Math.max(...p,1e-9);for(let m=0;m<i;m+=1)for(let h=0;h<o*a;h+=1){const $=4*(Math.floor(h/a)*r+m*(a+1)+h%a);s.forEach((y,v)=>l.data[$+v]=y),l.data[$+3]=18+237*(p[m*o*a+h]/f)}}c.putImageData(l,0,0)}const na=e=>w({unit:e});function bl({reads:e,unit:t,ink:n,stop:s,onFocus:o}){const a=M(null);I(()=>{a.current&&yl(a.current,e,t,n)},[e,t,n]);const i=e.units[t],r=e.kept.has(i),c=r?Ge(e.shares[t])+" %":"out",l=d.unit===i;return u`<button
    type="button"
    class="pair-module"
    tabindex=${s?0:-1}
    data-module=${i}
    aria-pressed=${l}
    aria-label=${i+(r?", the answer takes "+c:", dropped")}
    onClick=${()=>na(l?null:i)}
    onFocus=${o}
  >
    <canvas aria-hidden="true" ref=${a} />
    <span class="pair-module-words"><span class="pair-module-name">${i}</span><small>${c}</small></span>
  </button>`}function vl({reads:e,ink:t}){const n=M(null),[s,o]=Yn(null),{unit:a}=d,i=In(e),r=i.map(m=>e.units[m]),c=[s,a,r[0]].find(m=>m!==null&&r.includes(m)),l=document.activeElement,p=n.current?.contains(l)?l:null;return I(()=>{p?.isConnected&&document.activeElement!==p&&p.focus({preventScroll:!0})}),u`<div class="pair-module-grid" role="group" aria-label=${"Modules, those first from which the answer takes most"} ref=${n} onKeyDown=${kl}>
    ${i.map((m,h)=>u`<${bl}
          key=${r[h]}
          ...${{reads:e,unit:m,ink:t}}
          stop=${r[h]===c}
          onFocus=${()=>o(r[h])}
        />`)}
  </div>`}function kl(e){const t=[...e.currentTarget.children],n=t.findIndex(c=>c===document.activeElement);if(n<0)return;const s=t[0].offsetTop,o=Math.max(1,t.filter(c=>c.offsetTop===s).length),i={ArrowRight:1,ArrowLeft:-1,ArrowDown:o,ArrowUp:-o}[e.key],r=e.key==="Home"?0:e.key==="End"?t.length-1:i?n+i:-1;t[r]&&(e.preventDefault(),t[r].focus())}function xl(e){const t=ll[e.key],n=q();if(!n||!t&&e.key!=="Escape")return;if(e.preventDefault(),!t){w({unit:null});return}const s=In(n),o=s.indexOf(ze(n)),a=o<0?t>0?0:s.length-1:(o+t+s.length)%s.length;w({unit:n.units[s[a]]})}function _l(){const[e,t]=[q(),ea()];if(!e||!t)return null;const n=ze(e),s=()=>gl(Ie());return{name:"read-in",facts:{...cn(),sentence:e.sentence,unit:n<0?"all":e.units[n],observed:"read-in attention"},python:{figure:"reads",sentences:Ie().map(({sentence:o})=>o)},rows:s,json:()=>({grid:e.grid,columns:s()[0],rows:s().slice(1)}),picture:{scene:(o=720)=>ta(Ie(),t,o)}}}const Sl=()=>u`<div class="pair-bar">
    <span class="control-name">Attention for</span>
    ${ge({id:"pair-reads-for",label:"For which sentences",look:"small-input",options:$l,chosen:d.reads,onChoose:e=>w({reads:e})})}
  </div>`;function Ol(){const e=q();return!e||Mt.value<0?null:u`<div class="pair-modules">
    <div class="pair-bar">
      <${T} id="pair-all-modules" pressed=${!d.unit} act=${()=>na(null)}>all together<//>
      <span class="hint">Sorted by how much the answer takes from each; left map: left picture.</span>
    </div>
    <${vl} reads=${e} ink=${wl(G().accent)} />
  </div>`}const Al=" Arrow keys walk from module to module, Escape shows all together.";function sa(){const{status:e,problem:t}=D,n=q();return u`<${L}
    id="pair-reads"
    title="What modules read"
    tag=${un()}
    reads="Attention of the modules over the pictures; brighter is more. The map of all modules weights each module by its share of the answer."
    formats=${["svg","png","csv","json"]}
    written=${_l}
  >
    <${Sl} />
    <div class="pair-reads" data-status=${e}>
      <${as}
        id="pair-reads-picture"
        height=${180}
        onKey=${xl}
        data=${{"data-sentences":String(Ie().length)}}
        scene=${s=>{const[o,a]=[Ie(),ea()];return q()&&a?ta(o,a,s):null}}
        drawn=${()=>d.unit||"all"}
        label=${()=>{const s=q();return s?Ln(s)+Al:""}}
      />
      ${e==="failed"&&u`<p class="message-detail">${t?.title+". "+t?.message}</p>`}
    </div>
    <${Ol} />
    <p class="hint" aria-live="polite">${n&&Ln(n)}</p>
  <//>`}var El=Object.freeze({__proto__:null,ReadsPanel:sa,current:q,follow:hl,order:In,sourceOf:Zo,weightsOf:Le,wordsOf:Ln});const Ml={scenes:"generated scenes","appendix-h":"Appendix H of the paper"},bt=(e,t,n,s,o)=>St(t,"sentence-"+e,ge({id:"sentence-"+e,look:"plain-select",label:t,chosen:s,onChoose:o,options:Object.entries(n)}));function oa({name:e}){const{least:t,most:n}=Ue("circuits",e),s="sentence-"+e,o={id:s,label:e,chosen:d[e],least:t,most:n,none:""};return St(e,s,u`<${Pa} ...${o} onChoose=${i=>i!==null&&w({[e]:i})} />`)}function Tl(){const{method:e,colour_by:t}=d,n={...d.views,circuits:null,text:null},s={kinds:[],objects:[],lasso:null};return u`<div class="graph-tools">
    ${bt("set","sentences",Ml,it(),o=>w({set:o,...s}))}
    ${bt("method","map",vo,e,o=>w({method:o,lasso:null,views:n}))}
    ${e==="tsne"&&[u`<${oa} name="perplexity" />`,u`<${oa} name="seed" />`]}
    ${bt("colour","colour",ho,t,o=>w({colour_by:o}))}
  </div>`}const Pl=[["move","Drag moves the map"],["lasso","Drag draws around sentences (or hold Shift)"]],Cl=()=>u`<div class="type-tools">
    ${Pl.map(([e,t])=>u`<button
          type="button"
          class="tool tool-text"
          data-tool=${e}
          title=${t}
          aria-pressed=${d.tool===e}
          onClick=${()=>w({tool:e})}
        >
          ${e}
        </button>`)}
    <span class="zoom">
      <${qn} mapsOf=${()=>Object.values(se).map(e=>e.map)} />
    </span>
  </div>`;function jl(e,t,n){const s=e.length?e:n,o=n.filter(a=>a===t?!s.includes(t):s.includes(a));return o.length===n.length||!o.length?[]:o}function Dl({name:e,count:t,paint:n},s,o){const a=u`<span class="swatch" aria-hidden="true" style=${{background:n}} /> <span>${e}</span
    ><small>${_(t)}</small>`;if(!s||!o.includes(e))return u`<span key=${e} class="legend-entry">${a}</span>`;const i=d[s],r=!i.length||i.includes(e),c=i.length===1&&r;return u`<span key=${e} class="legend-pair" data-hidden=${!r}>
    <button
      type="button"
      class="legend-toggle"
      aria-pressed=${r}
      id=${"legend-"+o.indexOf(e)}
      title=${(r?"Hide ":"Show ")+e}
      onClick=${()=>w({[s]:jl(i,e,o)})}
    >
      ${a}
    </button>
    <button
      type="button"
      class="legend-only"
      id=${"legend-only-"+o.indexOf(e)}
      aria-label=${c?"Show all again":"Show only "+e}
      onClick=${()=>w({[s]:c?[]:[e]})}
    >
      ${c?"all":"only"}
    </button>
  </span>`}const Nl={kind:"kinds",object:"objects"};function Il(){const e=P();if(!e||Mt.value<0)return null;const t=Nl[d.colour_by],{entries:n}=vn(e,d.colour_by,G());function s(o,a){const i=d[o],r=Object.fromEntries(e?.[o].map(p=>[p,p])??[]),c={"":i.length>1?i.length+" chosen":"all",...r},l=i.length===1?i[0]:"";return bt(o,a,c,l,p=>w({[o]:p?[p]:[]}))}return u`<div>
    <div class="graph-legend sentence-legend">
      ${n.map(o=>Dl(o,t,t?e[t]:[]))}
    </div>
    <div class="graph-tools">${s("kinds","kind")} ${s("objects","object")}</div>
  </div>`}function Ll(){const[e,t]=[Me(),kn()],n={words:"Compute the map",act:bo},s=Ta(t)?void 0:n;return u`<div class="message sentence-message" role="alert" hidden=${e!=="failed"&&e!=="stopped"}>
    ${e==="failed"&&Y(t?.title||"The map failed",t?.message,s)}
    ${e==="stopped"&&Y("No map","The job was cancelled before there was a map.",n)}
  </div>`}function zl(){const e=Me()!=="loading"||H.some(t=>_t(t).starting||_t(t).job);return u`<div class="sentence-jobs">
    ${!e&&u`<p class="hint">The maps are computed once the circuits are drawn.</p>`}
    <${Zn} name=${H[0]} what="A first map, by PCA" />
    <${Zn} name=${H[1]} what="Map of the sentences" />
  </div>`}function Fl(){const e=P()?.points[d.hover_point];return u`<p class="hidden-visually" aria-live="polite">${e&&e.text+". "+xo(e)}</p>`}const Rl=()=>u`<${L}
    id="sentencemap"
    title="Maps of sentences"
    tag="observed"
    reads="Points are sentences. Near points have similar circuits (left) or similar words (right). Click a point to pin its sentence; numbers mark pinned sentences."
    formats=${["svg","png","csv","json"]}
    written=${Hr}
  >
    <div class="graph-bar"><${Tl} /><${Cl} /></div>
    <${zl} />
    <div class="sentence-state" data-status=${Me()} data-waiting=${String(yo())}>
      <${Ll} />
      <div class="sentence-maps"><${_o} which="circuits" /><${_o} which="text" /></div>
    </div>
    <${Il} /><${Fl} />
  <//>`,Ul=600,fe=ie(""),aa="sentence-input";let ia=Promise.resolve();const Fe=()=>document.getElementById(aa);async function Bl(e){const{model:t}=d,n=qt(e),s=n.length>ve.characters,o=!s&&t?await pn(t,n):null,a=Fe();if(!(!a||d.model!==t)){if(!s&&!o){re(n);return}fe.value=o?o.message:"A sentence has up to "+ve.characters+" characters; this one has "+n.length+".",a.value||(a.value=e)}}function Gl(e){e.preventDefault();const t=Fe(),n=t?.value;!t||!n?.trim()||(fe.value="",t.value="",ia=ia.then(()=>Bl(n)))}function ql(){const e=P()?.points??[],t=Math.max(1,Math.ceil(e.length/Ul)),n=e.filter((s,o)=>o%t===0);return Be(()=>()=>{fe.value=""},[]),u`<form class="sentence-form" onSubmit=${Gl}>
      <input
        type="text"
        id=${aa}
        class="sentence-input"
        placeholder="Type a sentence about two pictures, such as “There are many blue stars”"
        aria-label="A sentence about two pictures"
        aria-invalid=${String(!!fe.value)}
        aria-describedby="sentence-wrong"
        autocomplete="off"
        list="sentence-offers"
        spellcheck=${!1}
        onInput=${()=>fe.value=""}
      />
      <datalist id="sentence-offers">${n.map(({text:s})=>u`<option value=${s} />`)}</datalist>
      <button type="submit" class="button">Pin</button>
    </form>
    <p class="sentence-wrong danger" id="sentence-wrong" role="alert">${fe.value}</p>
    <${Kl} />`}function Kl(){const{waiting:e,sentences:t}=d,[n]=e,s=M(null),o=M(null);if(I(()=>{if(n===void 0){o.current instanceof HTMLElement&&(o.current.isConnected?o.current:Fe())?.focus(),o.current=null;return}o.current||(o.current=document.activeElement===document.body?Fe():document.activeElement),s.current?.querySelector("button")?.focus()},[n]),n===void 0)return null;function a(r){r.key==="Enter"&&r.repeat&&r.preventDefault(),r.key==="Escape"&&(r.stopPropagation(),Kt())}const i=(r,c)=>u`<button
      key=${c}
      type="button"
      class="tool tool-text sentence-goes"
      aria-label=${"Replace sentence "+(c+1)+": "+r}
      onClick=${()=>bs(c)}
    >
      ${de(c)}<span>${r}</span>
    </button>`;return u`<div
    class="sentence-room"
    role="group"
    aria-labelledby="sentence-room-asks"
    ref=${s}
    onKeyDown=${a}
  >
    <p id="sentence-room-asks">
      ${t.length} sentences are pinned, the most that fit. Which one does “${n}” replace?
    </p>
    ${t.map(i)}
    <${T} act=${Kt}>None, cancel<//>
  </div>`}function Wl(e){vs(e),requestAnimationFrame(()=>{const t=document.querySelectorAll(".pin [data-unpin]");document.activeElement===document.body&&(t[Math.min(e,t.length-1)]??Fe())?.focus()})}function Hl({sentence:e,at:t}){const{focus:n,sentences:s}=d,o=O()?.designs[t],a="sentence-focus-"+(t+1),i=r=>r+": "+e;return u`<li class="pin" data-focus=${n===t}>
    ${de(t)}
    <span class="pin-words">${o?.sentence===e?mr(o):e}</span>
    <label class="pin-focus" for=${a} title="Show what the modules read for this sentence">
      <input
        type="radio"
        name="sentence-focus"
        id=${a}
        checked=${n===t}
        onChange=${()=>w({focus:t})}
      />Show attention for
    </label>
    ${t?u`<${T}
            look="tool"
            title="Compare the others with this one"
            label=${i("Compare the others with this one")}
            act=${()=>xs(t)}
            >Compare with this<//
          >`:u`<span class="tag" title="The others are compared with this sentence">reference</span>`}
    ${s.length>1&&u`<button
        type="button"
        class="tool"
        title="Take away"
        aria-label=${i("Take away")}
        data-unpin
        onClick=${()=>Wl(t)}
      >
        ${"\xD7"}
      </button>`}
  </li>`}const Jl=()=>u`<${L}
    id="sentences"
    title="Sentences"
    reads="Each sentence designs a circuit. Type a sentence and press Enter; up to four are compared with the first. Words that the model was not trained with are underlined."
  >
    <${ql} />
    <ol class="pins" aria-label="Pinned sentences">
      ${d.sentences.map((e,t)=>u`<${Hl} key=${t} sentence=${e} at=${t} />`)}
    </ol>
  <//>`,ra=60,Vl={silhouette:"silhouette"},Yl={full:"before the map",map:"on the map"};function ca(e,t,n){const{text:s}=t.points[e],o=()=>w({hover_point:e}),a=()=>w({hover_point:-1});return u`<li key=${e}>
    <button
      type="button"
      class="sentence-item"
      title="Pin it"
      data-point=${e}
      onClick=${()=>re(s)}
      onPointerEnter=${o}
      onPointerLeave=${a}
      onFocus=${o}
      onBlur=${a}
    >
      <span>${s}</span>
      ${n&&u`<small>${n}</small>`}
    </button>
  </li>`}const zn=(e,t)=>u`<ul class="sentence-list" aria-label=${e} tabindex="0">
    ${t}
  </ul>`;function Zl(e,t){return e.kinds.map(s=>({kind:s,count:t.filter(o=>e.points[o].kind===s).length})).filter(({count:s})=>s).sort((s,o)=>o.count-s.count).map(({kind:s,count:o})=>s+" "+o).join(", ")}function Ql(e){const t=lt(),n=t.length.toLocaleString("en")+(t.length===1?" sentence: ":" sentences: ")+Zl(e,t),s=t.length-ra;return u`<div class="module-head">
      <h3 class="small-title">In the lasso</h3>
      <${T} act=${()=>w({lasso:null})}>Let go<//>
    </div>
    <p class="selection-count" data-selected=${t.length}>${t.length?n:"No sentence lies inside."}</p>
    ${zn("Sentences in the lasso",t.slice(0,ra).map(o=>ca(o,e)))}
    ${s>0&&u`<p class="hint">${"and "+s+" more; the files have all"}</p>`}`}function Xl(e,t,n){const s=o=>o.map(({index:a,distance:i})=>ca(a,e,i.toFixed(2)));return u`<h3 class="small-title">${["Nearest to ",de(n)," by circuit"]}</h3>
    ${zn("Nearest by circuit",s(t.nearest))}
    <h3 class="small-title">Nearest by words</h3>
    ${zn("Nearest by the text encoder",s(t.text_nearest))}`}function eu(){const{lasso:e,sentences:t,focus:n}=d,s=P();if(!s)return null;if(e)return Ql(s);const o=Te().get(t[n]);return o?Xl(s,o,n):u`<p class="hint">${"Draw around points with the lasso (or hold Shift and drag) to list their sentences here."}</p>`}const tu=()=>u`<${L}
    id="sentenceselection"
    title="Neighbours"
    reads="Sentences inside the lasso. Without a lasso: the nearest sentences to the chosen one, with distances."
    formats=${["csv","json"]}
    written=${Jr}
  >
    <div class="sentence-selection"><${eu} /></div>
  <//>`,me=e=>e==null?"\u2013":e.toFixed(3),nu=({null_mean:e,null_low:t,null_high:n})=>e===null?"":"shuffled "+me(e)+", 95 %: "+me(t)+" to "+me(n);function su(e){const t=new Map;for(const n of e.separation){const s=[n.by,n.measure,n.space].join(" "),o=t.get(s)||{by:n.by,measure:n.measure,space:n.space,circuits:null,text:null};o[n.map]=n,t.set(s,o)}return[...t.values()]}const ou=e=>e&&e.value!==null&&e.null_high!==null&&e.value>e.null_high;function au(e){const t=o=>u`<td>
      <span class=${ou(o)?"beyond":void 0}>${o?me(o.value):"\u2013"}</span>
      ${o&&u`<small>${nu(o)}</small>`}
    </td>`,n=su(e).map(o=>u`<tr>
        <th scope="row">${"by "+o.by}</th>
        <td>${(Vl[o.measure]||o.measure)+", "+(Yl[o.space]||o.space)}</td>
        ${[t(o.circuits),t(o.text)]}
      </tr>`),s=["groups","measure","circuits","text"].map(o=>u`<th scope="col">${o}</th>`);return u`<${Et} heads=${s} rows=${n} look="separation" />`}const la=e=>e==null?"\u2013":(100*e).toFixed(1)+" %";function iu(e){const t=[e.count.toLocaleString("en")+" sentences of "+e.set_title,"variance held by the PCA before the map: circuits "+la(e.variance.circuits)+", text "+la(e.variance.text),"trustworthiness (1 is best): circuits "+me(e.trustworthiness.circuits)+", text "+me(e.trustworthiness.text)];return u`<p class="hint" id="sentence-facts">${t.join("; ")+"."}</p>`}function ru(){const e=P(),t=Me()==="loading";return u`<${L}
    id="separation"
    title="Separation"
    tag="observed"
    reads="How well the maps separate sentences by kind and by object. Bold: better than shuffled groups."
    formats=${["csv","json"]}
    written=${Vr}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="How far the maps keep groups apart">
      ${e?[au(e),iu(e)]:u`<p class="hint">${t?"The table comes with the map.":"There is no map yet."}</p>`}
    </div>
  <//>`}function cu(){const e=Vt();if(!e)return null;const t=e.status===404,n=(Da()??[]).filter(({inputs:s,pictures:o,fields:a,constants:i})=>s==="statements"&&o===Ye&&[...a,...i].includes("text_attention"));return u`<div class="message circuits-problem" role="alert">
    <p class="message-title">${e.title||"No circuits"}</p>
    <p class="message-detail">${e.message}</p>
    <div class="graph-others">
      ${t&&n.map(({id:s})=>u`<${T} key=${s} look="button" act=${()=>Qn({model:s})}>${s}<//>`)}
    </div>
    <${T} id="circuits-retry" look="button" hidden=${t||e.status===403} act=${_s}>
      Try again
    <//>
  </div>`}function lu(){const e=k();return e&&[u`<${di} id=${e.id} revision=${e.revision} />`,u`<span>${e.units.length+" modules; each sentence links them differently"}</span>`]}const uu=()=>u`<div class="circuits-body">
    <${Jl} />
    <div class="circuits-pair pair-grid" id="circuits-pair">
      <${Co} /><${Jc} /><${mc} />
    </div>
    <div class="circuits-grid"><${ac} /><${Rl} /></div>
    <div class="circuits-pair pair-grid-below"><${sa} /><${rl} /></div>
    <div class="circuits-grid"><${ic} /><${tu} /></div>
    <${ru} />
  </div>`,du=()=>u`
  <div class="page-head">
    <h1>Circuits</h1>
    <div class="caption" id="circuits-caption"><${lu} /></div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${Vn("link")}Copy link</button>
    </div>
  </div>
  ${Yt()==="failed"?u`<${cu} />`:u`<${uu} />`}
`;Ca("circuits",async({model:e,sample:t,...n})=>{Qn({model:e,sample:t}),Xe(n)});const pu=ja({Tree:du,choice:ys,take:Xe,open(e,t){const n=t.closest(".page"),s=[As(e),...[Ls,Oc,lr,Dr,Ws,El].map(o=>o.follow()),x(()=>{n.dataset.status=Yt()})];return()=>s.reverse().forEach(o=>o())}});Na({circuits:()=>Ai,pair:()=>Ls,pairAnswers:()=>Ws,pairPixels:()=>Wi,pairSvg:()=>wi});export{pu as mount};
