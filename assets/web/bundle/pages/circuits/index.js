/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{E as F,s as u,af as da,ae as Ue,z as bt,n as ie,ai as V,V as vt,a0 as Fn,R as x,d as kt,ax as pa,az as ha,aA as fa,Y as ma,ac as Un,an as E,ah as ga,aB as $a,N as Bn,ad as Gn,aj as qn,M as wa,_ as ya,r as G,P as M,al as I,D as _,T,v as ba,aC as va,aD as ka,aE as xt,aF as xa,aG as Kn,aH as Wn,aq as _t,ao as ge,f as Hn,a8 as St,aI as Jn,U as Vn,at as _a,au as Sa,i as Yn,Q as Be,$ as Zn,aJ as Oa,ap as Aa,aK as Ea,F as Ge,a9 as Ma,ak as Ta,aL as Qn,aM as Pa,aN as Ca,av as ja,aw as Da,c as Xn,ay as Na,O as Ia}from"../../boot.js";import{S as es,L as La,M as za,O as Ra,Q as Ot,T as Fa,U as ts,V as Ua,W as ns,X as At,Y as Ba,Z as Ga,_ as qa,$ as Ka,a0 as Wa,F as Ha,E as Ja,z as qe,P as L,c as Y,a1 as Et,A as ss,G as os,a2 as as,C as z,a3 as $e,D as Mt,K as Tt,a4 as Va,a5 as Ya,a6 as Za,a7 as Qa,a8 as Xa,d as ei,e as ti,j as is,g as ni,u as si,a9 as oi,aa as ai,N as Pt,i as ii,ab as Ke,w as ri,I as ci,ac as li,s as ui,ad as di,ae as rs,R as pi}from"../../shared.js";const cs=1e3,We=e=>Math.round(e*cs)/cs,hi=(e,t,n)=>Math.max(t,Math.min(n,e)),Ct=(e,t,n)=>({pictures:e.pictures.map((s,o)=>o===t?n(s):s)});function jt(e,{picture:t,index:n},s,o){const a={...s};for(const i of["x","y"]){const r=a[i];r!==void 0&&(a[i]=We(r))}return Ct(e,t,i=>i.map((r,c)=>c===n?ls({...r,...a},o):r))}function ls(e,t){const n=Math.min(.5,t(e.size)),s=o=>o>=n&&o<=1-n?o:We(hi(o,n,1-n));return{...e,x:s(e.x),y:s(e.y)}}const us=(e,t,n,s)=>Ct(e,t,o=>[...o,ls(n,s)]),ds=(e,{picture:t,index:n})=>Ct(e,t,s=>s.filter((o,a)=>a!==n)),ps=(e,t,n,s)=>us(ds(e,t),n,e.pictures[t.picture][t.index],s),fi=e=>({pictures:[...e.pictures].reverse()}),hs=(e,t)=>(e&&t&&e.pictures[t.picture]?e.pictures[t.picture][t.index]:null)||null;function mi(e,t,n){const s=n(t),o=11;let a={x:.5,y:.5,free:-1/0};for(let i=0;i<o;i+=1)for(let r=0;r<o;r+=1){const c=$=>s+(1-2*s)*$/(o-1),[l,p]=[c(r),c(i)],f=e.map($=>Math.hypot($.x-l,$.y-p)-n($.size)-s),m=.001*(.7-Math.hypot(l-.5,p-.5)),h=Math.min(.5,...f)+m;h>a.free&&(a={x:We(l),y:We(p),free:h})}return{x:a.x,y:a.y}}const we=(e,t)=>t===2?["left","right"][e]:"picture "+(e+1),ye=(e,t)=>t===2?["Left picture","Right picture"][e]:"Picture "+(e+1),He=({size:e,colour:t,shape:n})=>e+" "+t+" "+n,fs=e=>Math.round(100*e)+" %",gi=({x:e,y:t})=>fs(e)+" across, "+fs(t)+" down";function Dt(e){if(!e.length)return"nothing";const t=new Map;for(const n of e)t.set(He(n),(t.get(He(n))||0)+1);return[...t].map(([n,s])=>(s>1?s+" \xD7 ":"")+n).join(", ")}const ms=e=>e.pictures.map((t,n)=>ye(n,e.pictures.length)+": "+Dt(t)+".").join(" ");class $i{constructor(t=200){this.most=t,this.past=[],this.last={label:null,time:0}}clear(){this.past=[],this.last={label:null,time:0}}push(t,n,s,o=Date.now()){const a=n!==null&&n===this.last.label&&o-this.last.time<s;this.last={label:n,time:o},!a&&(this.past.push(t),this.past.length>this.most&&this.past.shift())}pop(){return this.last={label:null,time:0},this.past.pop()||null}get depth(){return this.past.length}}let K=null,Je=null;const Nt=new Map;function It(){return Je=Je||F("GET","/scenes/vocabulary").then(e=>(K=wi(e),K),e=>{throw Je=null,e}),Je}function wi(e){const t=new Map(e.shapes.map(({name:n,outline:s})=>[n,s]));Nt.clear();for(const[n,s]of t)Nt.set(n,"M"+s.map(([o,a])=>o.toFixed(4)+","+a.toFixed(4)).join("L")+"Z");return{shapes:[...t.keys()],colours:new Map(e.colours.map(({name:n,hex:s})=>[n,s])),sizes:new Map(e.sizes.map(({name:n,radius:s})=>[n,s])),background:e.background,most:e.most_things,side:e.side||48,outlines:t}}const Ve=e=>Nt.get(e)||"",j=e=>K&&K.sizes.get(e)||.1,be=e=>K&&K.colours.get(e)||"#808080",Lt=({x:e,y:t,size:n})=>"translate("+e+" "+t+") scale("+j(n)+")",zt=()=>u`<rect x="0" y="0" width="1" height="1" fill=${U().background} />`,gs=({things:e})=>u`<svg viewBox="0 0 1 1" aria-hidden="true" class="pair-thumb">
    <${zt} />
    ${e.map(t=>u`<path d=${Ve(t.shape)} fill=${be(t.colour)} transform=${Lt(t)} />`)}
  </svg>`,$s=({shape:e})=>u`<svg viewBox="-1.15 -1.15 2.3 2.3" aria-hidden="true" class="pair-symbol">
    <path d=${Ve(e)} fill="currentColor" />
  </svg>`;function Rt(e,t,n,s){const{outlines:o,background:a}=U(),i=e.map(r=>{const c=j(r.size)*s,l=([p,f])=>(t+r.x*s+p*c).toFixed(2)+","+(n+r.y*s+f*c).toFixed(2);return{shape:"path",d:"M"+(o.get(r.shape)??[]).map(l).join("L")+"Z",fill:be(r.colour)}});return[{shape:"rect",x:t,y:n,w:s,h:s,fill:a},...i]}function U(){if(!K)throw new Error("What pictures are made of has not come yet.");return K}var yi=Object.freeze({__proto__:null,Ground:zt,Symbol:$s,Thumb:gs,colourOf:be,items:Rt,load:It,pathOf:Ve,placed:Lt,radiusOf:j,vocabulary:U});const bi=150,Ye=2,Ze=["There is a red circle","There are exactly three red circles"],vi=["s1","s2","s3","s4","view","map","textmap"],ws=Object.entries(da("circuits")).filter(([e])=>!vi.includes(e)),ki=ws.map(([e])=>e),ve={characters:Ue("circuits","s1").longest,pinned:Ue("circuits","focus").most+1},{offered:ys}=Ue("circuits","measured"),Ft=()=>({...Object.fromEntries(ws),sentences:[],views:{links:null,circuits:null,text:null},stage:0,model:null,hover_unit:-1,hover_point:-1,tool:"move",waiting:[]}),{state:d,differ:xi}=bt(Ft()),Ut=ie(null),bs=()=>Ut.value,B=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function _i(e){const t={...e};t.sentences&&(t.sentences=t.sentences.slice(0,ve.pinned));const n=(t.sentences||d.sentences).length;(t.sentences||t.focus!==void 0)&&(t.focus=Math.max(0,Math.min(n-1,t.focus===void 0?d.focus:t.focus)));const s=["statement","scene","samples"];for(const o of s)t[o]&&s.forEach(a=>a!==o&&(t[a]=null));return t}const w=e=>{xi(_i(e),B)},Bt=e=>w({stage:Math.max(d.stage,e)}),Gt=e=>e.replace(/\s+/g," ").trim();function re(e){const t=Gt(e);if(!t)return;const{sentences:n,waiting:s}=d,o=n.indexOf(t);o>=0?w({focus:o}):n.length<ve.pinned?w({sentences:[...n,t],focus:n.length}):s.includes(t)||w({waiting:[...s,t]})}function vs(e){const[t,...n]=d.waiting;t!==void 0&&w({waiting:n,sentences:d.sentences.map((s,o)=>o===e?t:s),focus:e})}const qt=()=>w({waiting:d.waiting.slice(1)});function ks(e){if(d.sentences.length<2)return;const[t,...n]=d.waiting,s=d.sentences.filter((a,i)=>i!==e),o=d.focus>e?d.focus-1:d.focus;w(t===void 0?{sentences:s,focus:o}:{sentences:[...s,t],waiting:n,focus:s.length})}function xs(e){const t=d.sentences.filter(n=>!e.includes(n));w({sentences:t.length?t:Ze})}function _s(e){const n=[d.sentences[e],...d.sentences.filter((s,o)=>o!==e)];w({sentences:n,focus:n.indexOf(d.sentences[d.focus])})}function Kt(e,{x:t,y:n,zoom:s}){const o=t===0&&n===0&&s===1;w({views:{...d.views,[e]:o?null:{x:t,y:n,zoom:s}}})}const ce=()=>(k()?.units??[]).filter(e=>d.drop.includes(e));function Wt(e,t){const{units:n=[]}=k()??{},s=n.filter(o=>e.includes(o)?t:d.drop.includes(o));n.length&&s.length>=n.length?kt("One module stays","A network without modules computes nothing.","bad"):w({drop:s})}const Ht=e=>Wt([e],!d.drop.includes(e)),Qe=V(()=>d.model,async(e,t)=>{const n=await F("GET","/models/"+encodeURIComponent(e),void 0,{signal:t}),{inputs:s,fields:o,constants:a,pictures:i}=n,r=c=>new vt(404,"No circuits",e+" "+c);if((s||"images")!=="statements")throw r("reads pictures alone: no sentence designs its circuit.");if(![...o,...a].includes("text_attention"))throw r("reads sentences, but they design no circuit.");if(i!==Ye)throw r("reads statements about "+i+" pictures; here they are about "+Ye+".");return Fn("drop",n,d.drop),d.unit!==null&&Fn("unit",n,[d.unit]),n}),k=()=>Qe.answer(),Jt=()=>Qe.problem(),Vt=()=>Jt()?"failed":k()?"ready":"loading",{again:Ss}=Qe;function Si(){let{model:e}=pa(location.search);return x(()=>{const{model:t}=Un(),n=e??t;e=null,E(()=>{n!==d.model&&w({model:n,...d.model?{threshold:null}:{}})})})}let ke=0;function Os(){const{sentences:e,views:t,lasso:n,model:s}=d;if(!k())return null;const o=B(e,Ze)?[]:e;return{...Object.fromEntries(ki.map(a=>[a,d[a]])),...Object.fromEntries(o.map((a,i)=>["s"+(i+1),a])),model:s,sample:Un().sample,view:t.links,map:t.circuits,textmap:t.text,lasso:n&&[n.which,n.polygon]}}function Oi(){ke=0;const e=Os();if(!e)return;ga("circuits",e,k()?.units);const{model:t,sample:n,...s}=$a("circuits",location.search);Ut.value=s}function Yt(e){const t=fa(e);return t&&es.clamped(t)}function Ai(e){const{on:t,polygon:n}=ha(e);return{which:t[0],polygon:n}}const As=({units:e},t)=>ma(e,t).slice(0,e.length-1);function Xe({s1:e,s2:t,s3:n,s4:s,view:o,map:a,textmap:i,lasso:r,scene:c,...l}){const p=[e,t,n,s].filter(m=>typeof m=="string"),f=k();w({...l,drop:f?As(f,l.drop):l.drop,waiting:[],sentences:p.length?p:Ze,views:{links:Yt(o),circuits:Yt(a),text:Yt(i)},lasso:r?Ai(r):null,scene:c?JSON.parse(c):null})}function Es(e){Object.assign(d,Ft()),Ut.value=e,Xe(e);const t=[Si(),Qe.follow(),x(()=>{const n=k();E(()=>{if(!n)return;const s=d.unit!==null&&n.units.includes(d.unit)?d.unit:null;w({drop:As(n,d.drop),unit:s})})}),x(()=>{Os()&&!ke&&(ke=setTimeout(Oi,bi))})];return()=>{t.forEach(n=>n()),clearTimeout(ke),ke=0,Object.assign(d,Ft())}}var Ei=Object.freeze({__proto__:null,EXAMPLES:Ze,LIMITS:ve,PICTURES:Ye,SIZES:ys,again:Ss,begin:Es,choice:bs,dropped:ce,first:_s,info:k,keepPinned:qt,look:Kt,pin:re,problem:Jt,reach:Bt,replace:vs,same:B,set:w,state:d,status:Vt,take:Xe,tidy:Gt,toggle:Ht,turn:Wt,unpin:ks,withoutUnread:xs});const Mi=250,le=new $i,Ms=()=>({status:"loading",problem:null,scene:null,base:null,samples:null,edited:!1,selected:null,undo:0,seen:!1}),{state:g,update:Z}=bt(Ms()),Ti=({size:e,colour:t,shape:n,x:s,y:o})=>[e,t,n,s,o].join(" "),Ts=(e,t)=>({...t?{of:t}:{},pictures:e.pictures.map(n=>n.map(Ti))});function Ps(e){const{shapes:t,colours:n,sizes:s,most:o}=U(),a=c=>{const[l,p,f,m,h]=String(c).split(" "),$={shape:f,colour:p,size:l,x:Number(m),y:Number(h)};return t.includes(f)&&n.has(p)&&s.has(l)&&$.x>=0&&$.x<=1&&$.y>=0&&$.y<=1?$:null},i=Array.isArray(e.pictures)?e.pictures:[];return{pictures:[i[0],i[1]].map(c=>Array.isArray(c)?c:[]).map(c=>c.map(a).filter(l=>l!==null).slice(0,o))}}let et=0;const Zt=new Map,Pi=e=>Gn(Zt,e,()=>F("GET","/statements/"+encodeURIComponent(e)),1/0),Ci=100;function Cs(e,t){const n=t.join(" ").toLowerCase();return e.find(({scene:o})=>o?.pictures.flat().some(({colour:a,shape:i})=>n.includes(a+" "+i)))??e[0]}async function ji(){const{items:e}=await F("GET","/statements?limit="+Ci);if(!e.length)throw new vt(404,"No statements","The service has no statements to offer.");return Cs(e,d.sentences)}function Di(){const{statement:e,scene:t,samples:n}=d,{base:s}=g;return g.status!=="ready"?!1:t?!!g.scene&&B(t,Ts(g.scene,s?.id)):!n&&!g.samples&&!g.edited&&e!==null&&s?.id===e}async function Qt(){const{statement:e,scene:t,samples:n}=d;if(Di())return;const s=et+=1;try{const o=n?null:t?t.of:e;!n&&!t&&!(o&&Zt.has(o))&&Z({status:"loading",problem:null});const a=o?Pi(o):t||n?null:ji(),[i]=await Promise.all([a,It()]);s===et&&Ni({scene:t?Ps(t):i?.scene??null,base:i,samples:n})}catch(o){s===et&&Z({status:"failed",problem:o})}Bt(1)}function Ni({scene:e,base:t,samples:n}){le.clear();const s=!!(t&&t.scene&&e&&!B(e,t.scene));Z({status:"ready",problem:null,scene:e,base:t,samples:n,edited:s,selected:null,undo:0})}function js(e){const{sentences:t}=d,{sentence:n}=e;Zt.set(e.id,Promise.resolve(e));const s=g.base?t.indexOf(g.base.sentence):-1;w({statement:e.id,scene:null,samples:null}),t.includes(n)||s<0?re(n):w({sentences:t.map((o,a)=>a===s?n:o),focus:s})}const Xt=e=>w({samples:e,statement:null,scene:null});function Q(e,t=g.selected,n=null,s=1/0){if(!g.scene||B(e,g.scene)){X(t);return}le.push({scene:g.scene,selected:g.selected},n,s),en(e,t)}function en(e,t){const{base:n}=g;Z({scene:e,selected:hs(e,t)?t:null,edited:!!n&&!B(e,n?.scene),undo:le.depth}),Ii()}let tn=0;function Ii(){clearTimeout(tn),tn=setTimeout(()=>{const{scene:e,base:t,edited:n}=g;e&&w(t&&!n?{statement:t.id,scene:null}:{scene:Ts(e,t?.id),statement:null,samples:null})},Mi)}function nn(){const e=le.pop();e&&en(e.scene,e.selected)}function Ds(){g.base?.scene&&Q(g.base.scene,null)}function X(e){B(e,g.selected)||Z({selected:e})}function Ns(){le.clear(),Z({base:null,samples:null,status:"ready",problem:null}),en({pictures:[[],[]]},null)}const Is=e=>Z({seen:e});function Ls(){return g.samples?{samples:g.samples}:g.base&&!g.edited?{statement:g.base.id}:g.scene?{scene:g.scene}:null}const sn=()=>g.samples?.map(e=>Bn+"/samples/"+encodeURIComponent(e)+"/image")??g.base?.pictures??[];function Li(){const e=x(()=>{d.statement,d.scene,d.samples,E(()=>{Qt()})});return()=>{e(),et+=1,clearTimeout(tn),le.clear(),Object.assign(g,Ms())}}var zs=Object.freeze({__proto__:null,addresses:sn,edit:Q,empty:Ns,fittingStatement:Cs,follow:Li,look:Is,pictures:Ls,reset:Ds,select:X,show:Qt,state:g,take:js,takeSamples:Xt,undo:nn,unpack:Ps});const zi=25,Ri=600,Rs=()=>({status:"idle",problem:null,reply:null,scene:null,fresh:!1,took:null}),{state:D,update:tt}=bt(Rs());function on(){const e=Ls(),{model:t,sentences:n,keep_edges:s}=d;if(!t||!k()||!e||!n.length||g.status!=="ready")return null;const o={drop:ce(),...s===null?{}:{keep_edges:s}};return{model:t,what:{sentences:n,intervention:o},pictures:e}}const Fs=({model:e,what:t,pictures:n},s)=>F("POST","/models/"+encodeURIComponent(e)+"/answers",{...t,pictures:n},{signal:s}),Us=V(()=>{const{base:e,edited:t,samples:n}=g,s=e&&t&&!n?on():null;return s&&e&&JSON.stringify({...s,pictures:{statement:e.id}})},(e,t)=>Fs(JSON.parse(e),t)),Bs=()=>Us.answer();let R=null,W=null,[xe,_e]=[0,0];function Gs(){W?.cancel.abort(),W=null}async function qs(){const e=R,{scene:t}=g,[n,s]=[{since:performance.now(),cancel:new AbortController},_e||performance.now()];W=n,_e=0;try{const o=await Fs(e,n.cancel.signal);if(W!==n)return;const a=e===R,i=performance.now()-s;tt({reply:o,scene:t,fresh:a,problem:null,took:i,status:a?"done":"asking"})}catch(o){if(W!==n)return;tt({status:"failed",problem:o,fresh:!1})}W=null,R&&e!==R&&qs()}function Fi(){xe=0;const e=on();if(!e||B(e,R))return;const t=W&&R&&R.model===e.model&&B(R.what,e.what)&&performance.now()-W.since<Ri;R=e,tt({status:"asking",fresh:!1}),!t&&(Gs(),qs())}function Ks(){_e=_e||performance.now(),xe||(xe=setTimeout(Fi,zi))}function Ws(){R=null,Ks()}function an(e={}){clearTimeout(xe),R=null,xe=_e=0,Gs(),tt({...Rs(),...e})}const Ui={title:"No pictures to ask about",message:"Choose a statement, upload two pictures or edit a scene."};function Bi(){const e=[x(()=>{d.model,E(()=>an())}),x(()=>{const t=g.status==="failed";E(()=>t&&an({status:"failed",problem:Ui}))}),x(()=>{on()&&E(Ks)}),Us.follow()];return()=>{e.forEach(t=>t()),an()}}function rn(){const{reply:e,fresh:t}=D,{base:n,edited:s,samples:o}=g;if(!e)return{};const{drop:a,keep_edges:i=null}=e.intervention;return{model:e.model,revision:e.revision,statement:n?n.id:null,edited:s,samples:o||null,scene:D.scene,drop:a,keep_edges:i,current:t,kind:cn()?"under intervention":"observed"}}function cn(){const{drop:e=[],keep_edges:t}=D.reply?.intervention??{};return e.length>0||typeof t=="number"}const ln=()=>cn()?"under intervention":"observed";var Hs=Object.freeze({__proto__:null,again:Ws,before:Bs,changed:cn,facts:rn,follow:Bi,state:D,tag:ln});const[Se,ee]=[4,8],Oe=new Map,Js=e=>[1,3,5].map(t=>parseInt(e.slice(t,t+2),16));function Gi(e){const t=Math.floor(e);return e-t!==.5?Math.round(e):t%2?t+1:t}function qi(e,t){const n=[];return e.forEach(([s,o],a)=>{const[i,r]=e[(a+1)%e.length];o>t!=r>t&&n.push((i-s)*(t-o)/(r-o)+s)}),n.sort((s,o)=>s-o)}function Ki(e,t,n,s){const o=[e.shape,e.size,t,n,s].join(" "),a=Oe.get(o);if(a)return a;const{outlines:i,sizes:r}=U(),c=Math.ceil(Math.max(...r.values())*t)+1,l=j(e.size)*t,p=(i.get(e.shape)??[]).map(([y,v])=>[y*l,v*l]),f=2*c,m=new Float32Array(f*f),h=y=>(y+.5)/ee-c;for(let y=0;y<f*ee;y+=1){const v=qi(p,h(y)-s/Se);if(v.length)for(let b=0;b<f*ee;b+=1){const A=h(b)-n/Se;v.reduce((Fe,ua)=>Fe+(A<ua?1:0),0)%2&&(m[Math.floor(y/ee)*f+Math.floor(b/ee)]+=1/(ee*ee))}}const $={share:m,margin:c,wide:f};return Oe.set(o,$),Oe.size>400&&Oe.delete(Oe.keys().next().value),$}function Vs(e,t){const n=Js(U().background),s=Float32Array.from({length:3*t*t},(a,i)=>n[i%3]+.5),o=a=>{const i=Gi(a*t*Se);return[Math.floor(i/Se),i%Se]};for(const a of e){const[[i,r],[c,l]]=[o(a.x),o(a.y)],{share:p,margin:f,wide:m}=Ki(a,t,r,l),h=Js(be(a.colour));for(let $=0;$<m;$+=1)for(let y=0;y<m;y+=1){const[v,b]=[i+y-f,c+$-f],A=p[$*m+y];if(!(!A||v<0||b<0||v>=t||b>=t))for(let C=0;C<3;C+=1){const Fe=3*(b*t+v)+C;s[Fe]=s[Fe]*(1-A)+A*(h[C]+.5)}}}return s.map(Math.floor)}function Wi(e){const{side:t}=U(),n=document.createElement("canvas");n.width=n.height=t;const s=n.getContext("2d"),o=s.createImageData(t,t),a=Vs(e,t);for(let i=0;i<t*t;i+=1){for(let r=0;r<3;r+=1)o.data[4*i+r]=a[3*i+r];o.data[4*i+3]=255}return s.putImageData(o,0,0),n}const Ys=e=>Wi(e).toDataURL("image/png");var Hi=Object.freeze({__proto__:null,href:Ys,pixels:Vs});const[Ji,Zs,Qs]=[1,2,3],[Xs,Vi]=[8,63];function Yi(e){const t=e*(e-1)/2,[n,s]=[new Uint16Array(t),new Uint16Array(t)];for(let o=1,a=0;o<e;o+=1)for(let i=0;i<o;i+=1,a+=1)n[a]=o,s[a]=i;return{from:n,to:s,count:t}}const Zi=(e,t)=>e>t?e*(e-1)/2+t:t*(t-1)/2+e;function Qi(e,t,n){const s=new Uint8Array(e.count);for(let o=0;o<e.count;o+=1)s[o]=Xs+(Vi-Xs)*Math.max(t[o],n[o]);return{...e,weights:s,p:t}}function Xi(e,t,n,s){if(s===null||s>=1)return 0;const a=new Uint32Array(e.count).map((c,l)=>l).filter(c=>t[c]>0).sort((c,l)=>t[l]-t[c]||c-l),i={from:Uint16Array.from(a,c=>e.from[c]),to:Uint16Array.from(a,c=>e.to[c]),count:a.length},{last:r}=La(i,n,s);return r<0?1/0:t[a[r]]}function er(e,t,n,s,{threshold:o,dropped:a,changes:i}){const{from:r,to:c,count:l}=t,[p,f]=[n.p,s.p],m=a.includes(1),h=i?0:Ji;let[$,y,v]=[0,0,0];for(let b=0;b<l;b+=1){if(m&&(a[r[b]]||a[c[b]])){e[b]=0;continue}const A=p[b]>o&&p[b]>=n.least,C=f[b]>o&&f[b]>=s.least;A&&C?(e[b]=h,$+=1):A?(e[b]=Qs,y+=1):C?(e[b]=Zs,v+=1):e[b]=0}return{kept:$,gained:y,lost:v,links:$+y,drawn:(i?0:$)+y+v}}function tr(e,t,n,s,o){const a=[];for(let i=0;i<n;i+=1){if(i===s)continue;const r=Zi(s,i);e[r]&&a.push({other:i,p:t[r],layer:e[r]})}return a.sort((i,r)=>r.p-i.p||i.other-r.other).slice(0,o)}const eo=1.5;function nr(e){const t=Math.max(...e.flat());return e.map(n=>Float32Array.from(n,s=>t>0?eo*Math.sqrt(Math.max(0,s)/t):eo))}const to=60,no=1e3,un=e=>"/models/"+encodeURIComponent(e)+"/designs";async function sr(e,t,n){const s={sentences:t},[o,a]=await Promise.all([F("POST",un(e),s,{signal:n}),wa(un(e)+"/links",{method:"POST",body:JSON.stringify(s),headers:{"Content-Type":"application/json"},signal:n})]);return ir(o,new Float32Array(await a.arrayBuffer()))}function or(e){return[0,...Array.from({length:no-1},(n,s)=>e[Math.floor((s+1)/no*e.length)]).map(n=>Math.round(1e4*n)/1e4),1]}function ar(e){const t=Float32Array.from(e).sort();return t.length?Math.round(1e3*t[t.length>>1])/1e3:.5}function ir(e,t){const n=e.units.length,s=Yi(n);if(t.length!==e.designs.length*s.count)throw new vt(0,"Incomplete answer","The circuits arrived incomplete. Load the page again.");const o=e.designs.map((a,i)=>t.subarray(i*s.count,(i+1)*s.count));return{...e,count:n,median:ar(o[0]),scale:or(Float32Array.from(t).sort()),place:new Map(e.units.map((a,i)=>[a,i])),pairs:s,p:o,edges:o.map(a=>Qi(s,a,o[0])),sizes:nr(e.designs.map(a=>a.connectivity)),...za(e.layout)}}async function dn(e,t){try{return await F("POST",un(e),{sentences:[t]}),null}catch(n){return n}}const pn=e=>e?.status===422,rr=e=>e.length>to?e.slice(0,to)+"...":e;async function cr(e,t,n){const s=await Promise.all(t.map(a=>dn(e,a)));if(n.aborted)return;const o=t.filter((a,i)=>pn(s[i]));t.forEach((a,i)=>{pn(s[i])&&ya(`"${rr(a)}" is not pinned: ${s[i]?.message}`)}),o.length&&xs(o)}const Ae=V(()=>{const{stage:e,model:t,sentences:n}=d;return e>0&&k()&&n.length?JSON.stringify([t,n]):null},async(e,t)=>{const[n,s]=JSON.parse(e);try{return await sr(n,s,t)}catch(o){throw pn(o)&&await cr(n,s,t),o}});function O(){const e=Ae.latest();return e&&e.model===d.model?e:null}const{problem:hn,waits:so,again:oo}=Ae;function ue(){const e=O()?.designs[d.focus];return e&&e.sentence===d.sentences[d.focus]?e.connectivity:null}const te=e=>d.threshold??e.median;function ao(e,t){const{drop:n,keep_edges:s}=d,o=Uint8Array.from(e.units,r=>Number(n.includes(r))),a=e.p.map(r=>({p:r,least:Xi(e.pairs,r,o,s)})),i=a.map((r,c)=>{const l=new Uint8Array(e.pairs.count),p=t==="own"||c===0?r:a[0],f={threshold:te(e),dropped:o,changes:t==="changes"&&c>0};return{layers:l,least:r.least,...er(l,e.pairs,r,p,f)}});return{data:e,compared:i,dropped:o}}const nt=qn(()=>{const e=O();return e&&ao(e,d.links)}),ne=()=>nt.value,io=()=>(nt.value&&d.links==="own"?ao(nt.value.data,"differences"):nt.value)?.compared??[];function lr(){const e=[Ae.follow(),x(()=>{const t=Ae.answer();!t&&!Ae.problem()||E(()=>{t&&d.threshold===null&&w({threshold:t.median}),Bt(2)})})];return()=>e.forEach(t=>t())}var ur=Object.freeze({__proto__:null,again:oo,changes:io,connectivity:ue,data:O,drawn:ne,follow:lr,problem:hn,refusal:dn,thresholdOf:te,waits:so});const dr=4,pr=60,fn=[.01,.05,.2,.5],mn=.16,hr=e=>mn*fn.filter(t=>e>=t).length,ro=(e,t,n)=>Math.max(t,Math.min(n,e));class fr extends Ra{counts={kept:0,gained:0,lost:0,links:0,drawn:0};own=!1;setCircuit(t,n,s){Object.assign(this,{links:t,layers:n.layers,counts:n,own:s,stale:!0}),this.shown=n.drawn}setDropped(t){super.setDropped(t);const{change:n}=this.modules;if(!n)return;const{groups:s}=this;this.groups=s.flatMap(({order:o,size:a})=>{const i=Array.from({length:fn.length+1},()=>[]);return o.forEach(r=>i[Math.round(hr(n[r])/mn)].push(r)),i.map((r,c)=>({size:a,ring:c*mn,order:Int32Array.from(r)})).filter(r=>r.order.length)})}linkPaints(t){const{gained:n,lost:s}=Ot(t),{kept:o,gained:a,lost:i}=this.counts,r=l=>ro(9/Math.sqrt(l+1),.05,.62),c=ro(14/Math.sqrt(a+i+1),.1,.9);return[{colour:this.own?t.accent:t.unmatched,alpha:r(o)},{colour:s,alpha:c,dash:dr},{colour:n,alpha:c}]}linksAt(t){if(t<0||!this.links)return[];const{gained:n,lost:s}=Ot(G()),o={[Qs]:{paint:n},[Zs]:{paint:s,dash:[4,3]}};return tr(this.layers,this.links.p,this.modules.names.length,t,pr).map(({layer:a,...i})=>({...i,...o[a]}))}}const de=e=>u`<span class="badge"><span class="hidden-visually">${"sentence "}</span>${e+1}</span>`,co=(e,t)=>e.x===t.x&&e.y===t.y&&e.zoom===t.zoom;function lo(e){const t=[];return e.pieces.forEach(({text:n,known:s},o)=>{const a=t[t.length-1];a&&n.startsWith("##")?(a.text+=n.slice(2),a.known=a.known&&s,a.pieces.push(o)):t.push({text:n,known:s,pieces:[o]})}),t}function mr(e){const t=e.sentence.toLowerCase(),n=[];let s=0;for(const o of lo(e)){const a=t.indexOf(o.text.toLowerCase(),s);a<0||(s=a+o.text.length,o.known||n.push([a,s]))}return n}function gr(e){const{sentence:t}=e;let n=0;return[...mr(e).map(([o,a])=>{const i=t.slice(n,o);return n=a,u`${i}<mark class="unknown" title=${"the model was not trained with this word: it spells it"}>${t.slice(o,a)}</mark>`}),t.slice(n)]}const $r="Arrow keys walk from module to module, Enter chooses one, Delete drops it, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.",Ee=[],st=e=>w({hover_unit:e});function ot(e){const t=O();w({unit:t&&e>=0?t.units[e]:null})}const pe=()=>O()?.place.get(d.unit??"")??-1;function gn(e){const{communities:t,connectivity:n}=e.designs[0],{community:s,degree:o}=Fa;return new Set(t).size>1?s({communities:t},G()):o({degrees:{learned:n}},G())}const $n=e=>e===0||d.links==="own";class wr{constructor(t,n){this.at=n,this.canvas=t,this.data=null,this.map=new fr(t.parentElement,t,{onTheme:()=>this.rebuild(),onDrawn:()=>this.publish(),onView:s=>Kt("links",s)}),this.stops=[x(()=>{const s=ne();E(()=>{const o=s?.data.designs[n]?s.data:null;o===this.data?this.relink():(this.data=o,this.rebuild())})}),x(()=>this.mark()),ts(this.map,{tool:()=>"move",hover:st,pick:s=>ot(s===pe()?-1:s),select:()=>{}}),Ua(this.map,{hovered:()=>d.hover_unit,chosen:pe,start:()=>ns(this.drawn.count,s=>this.design.connectivity[s])[0],point:st,pick:ot,drop:s=>Ht(this.drawn.units[s])})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}get drawn(){if(!this.data)throw new Error("There are no circuits to draw.");return this.data}get design(){return this.drawn.designs[this.at]}rebuild(){const t=ne();if(!this.data||!t){this.map.items=this.map.links=null,delete this.canvas.dataset.painted,this.map.draw();return}const{data:n,design:s}=this,{of:o,paints:a}=gn(n),{places:i,halves:r,units:c}=n,l=s.to_first?.code_change??void 0;this.map.setModules({places:i,halves:r,names:c,category:o,paints:a,sizes:n.sizes[this.at],change:l},t.dropped),this.relink(),this.mark()}relink(){const t=ne();!this.data||!t||(String(this.map.dropped)!==String(t.dropped)&&this.map.setDropped(t.dropped),this.map.setCircuit(this.drawn.edges[this.at],t.compared[this.at],$n(this.at)),this.map.draw())}mark(){const{views:t,hover_unit:n}=d,s=pe();if(!this.data)return;const o=t.links||{x:0,y:0,zoom:1};co(this.map.view,o)||(this.map.view={...o},this.map.stale=!0),this.map.ringed=s>=0?[s]:[],this.map.focus=n>=0?n:s,this.map.draw()}publish(){if(!this.data)return;const{counts:t,gone:n,focus:s,spent:o}=this.map,{links:a,gained:i,lost:r}=t,c={links:String(a),gained:String(i),lost:String(r),gone:String(n.length)},l=s>=0?this.drawn.units[s]:"";Object.assign(this.canvas.dataset,{painted:this.design.sentence,...c,focus:l,spent:o.toFixed(2)})}scene(t){const n=this.at+1+". "+this.design.sentence;this.map.heading=n;const s=$n(this.at)?".":"; blue are gained and orange, dashed, lost against the first circuit.",a=this.map.scene(n,"Discs are modules, their areas as their connectivity from zero; lines are links above "+te(this.drawn)+s,t);return this.map.heading="",a}}const yr=({counts:{links:e,gained:t,lost:n},own:s})=>u`<span class="design-counts">
    ${s?u`<span>${_(e)+(e===1?" link":" links")}</span>`:u`<span>${_(e)}</span>
            <span class="gained" title="links that this circuit has and the first has not">${"+"+_(t)}</span>
            <span class="lost" title="links that the first circuit has and this one has not">
              ${"\u2212"+_(n)}
            </span>`}
  </span>`;function br({at:e}){const t=M(null);I(()=>{const o=new wr(t.current,e);return Ee[e]=o,()=>{o.dispose(),Ee[e]===o&&(Ee.length=e)}},[]);const n=ne(),s=n?.data.designs[e]?.sentence??d.sentences[e];return u`<figure class="design">
    <figcaption>
      ${de(e)}<span class="design-sentence" title=${s}>${s}</span>
      ${n?.compared[e]&&u`<${yr} counts=${n.compared[e]} own=${$n(e)} />`}
    </figcaption>
    <div class="design-canvas">
      <canvas
        id=${"design-picture-"+(e+1)}
        tabindex="0"
        role="img"
        aria-label=${"Circuit of \u201C"+s+"\u201D. "+$r}
        ref=${t}
      ></canvas>
      ${!n?.data.designs[e]&&u`<div class="skeleton" aria-hidden="true"></div>`}
    </div>
  </figure>`}function vr(){const e=d.sentences.length,n=hn()&&!O()?"failed":so()?"waiting":"ready";return u`<div class="designs" data-status=${n} data-count=${e}>
    ${d.sentences.map((s,o)=>u`<${br} key=${o} at=${o} />`)}
  </div>`}const kr=3,xr=6,uo="\u2013",wn=e=>e==null?uo:Number.isInteger(e)?_(e):ba(e),_r=e=>e.reduce((t,n)=>t+n,0)/e.length,yn=[{name:"links",title:"links above the threshold",of:(e,t)=>t.links},{name:"gained",title:"links that this circuit has and circuit 1 has not",of:(e,t,n)=>n?t.gained:null},{name:"lost",title:"links that circuit 1 has and this circuit has not",of:(e,t,n)=>n?t.lost:null},{name:"mean |\u0394P|",title:"mean absolute difference of link probabilities to circuit 1, over all pairs",of:e=>e.to_first&&e.to_first.mean_change},{name:"correlation",title:"of link probabilities with circuit 1, over all pairs",of:e=>e.to_first&&e.to_first.correlation},{name:"code change",title:"1 - cosine of a module's codes in the two circuits, mean over modules",of:e=>e.to_first&&e.to_first.code_change&&_r(e.to_first.code_change)},{name:"mean degree",title:"expected number of links of a module",of:e=>e.mean_degree},{name:"modularity",title:"of the best communities found",of:e=>e.modularity}];function bn(){const e=io();return(O()?.designs??[]).map((t,n)=>({sentence:t.sentence,cells:yn.map(s=>s.of(t,e[n],n))}))}function Sr(){const e=yn.map(({name:n,title:s})=>u`<th scope="col" title=${s}>${n.replace("|","|\u2060")}</th>`),t=bn().map(({sentence:n,cells:s},o)=>u`<tr>
        <th scope="row">${[de(o)," ",n]}</th>
        ${s.map(a=>u`<td>${wn(a)}</td>`)}
      </tr>`);return u`<div class="table-scroll" tabindex="0" role="region" aria-label="Distances of the circuits">
    ${t.length>0&&u`<${At} heads=${[u`<th scope="col">sentence</th>`,...e]} rows=${t} />`}
  </div>`}function Or(e,t){const n=e.text_attention&&e.text_attention[t];return n?lo(e).map(({text:s,pieces:o})=>({text:s,share:o.reduce((a,i)=>a+(n[i]||0),0)})).sort((s,o)=>o.share-s.share).slice(0,kr):null}const po=e=>(O()?.designs??[]).map(t=>({sentence:t.sentence,connectivity:t.connectivity[e],rank:1+t.connectivity.filter(n=>n>t.connectivity[e]).length,link_change:t.to_first?t.to_first.module_change[e]:null,code_change:t.to_first&&t.to_first.code_change?t.to_first.code_change[e]:null,words:Or(t,e)})),Ar=({unit:e})=>u`<${At}
    heads=${["sentence","q, rank","mean |\u0394P|","code change","reads most from"].map(t=>u`<th scope="col">${t}</th>`)}
    rows=${po(e).map((t,n)=>u`<tr>
          <th scope="row">${de(n)}</th>
          <td>${t.connectivity.toFixed(2)+", "+t.rank}</td>
          <td>${wn(t.link_change)}</td>
          <td>${wn(t.code_change)}</td>
          <td>
            ${t.words?.map(({text:s,share:o})=>s+" "+(100*o).toFixed(0)+" %").join(", ")??uo}
          </td>
        </tr>`)}
  />`;function ho({data:e,field:t,words:n}){const s=e.designs.slice(1).map(i=>i.to_first&&i.to_first[t]).filter(i=>i!==null);if(!s.length)return null;const o=i=>Math.max(...s.map(r=>r[i]));function a(i){const[r,c]=[()=>st(i),()=>st(-1)];return u`<button key=${i} type="button" class="chip" onClick=${()=>ot(i)} ...${{onPointerEnter:r,onPointerLeave:c,onFocus:r,onBlur:c}}>
      ${e.units[i]}<small>${" "+o(i).toFixed(3)}</small>
    </button>`}return u`<div class="moved">
    <span class="control-name">${n}</span>${ns(e.count,o).slice(0,xr).map(a)}
  </div>`}function Er(){const e=O();if(!e)return null;const t=pe(),n=e.units[t],s=d.drop.includes(n);return u`<div class="design-module" data-unit=${n??""}>
    ${t>=0&&u`<div class="module-head">
          <h3 class="small-title">${"Module "+n}</h3>
          <${T} id="design-drop" pressed=${s} act=${()=>Ht(n)}>
            ${s?"Bring back":"Drop"}
          <//>
          <${T} act=${()=>ot(-1)}>Close<//>
        </div>
        <${Ar} unit=${t} />`}
    <${ho} data=${e} field="module_change" words="Links changed most (mean |ΔP|)" />
    <${ho} data=${e} field="code_change" words="Codes changed most (1 − cosine)" />
    ${t<0&&u`<p class="hint">Click a module to see it in all circuits; Delete drops it.</p>`}
  </div>`}const Mr=12,fo={kind:"kind of reasoning",object:"object",colour:"colour that is said"},Tr={red:"#d62728",green:"#2f9e44",blue:"#1c6fd1",yellow:"#e0b400",purple:"#8e5bb5",orange:"#f08c00",black:"#3b4048",white:"#c9d1d9",pink:"#f06595",brown:"#8c5a3c",grey:"#868e96",gray:"#868e96",silver:"#adb5bd",gold:"#c99700",beige:"#cbb994",teal:"#0b8a8a"};function vn(e,t,n){const s=new Map,o=m=>s.get(m)||0;for(const m of e.points){const h=m[t];h!=null&&s.set(h,o(h)+1)}const a=t==="kind"?e.kinds:t==="object"?e.objects:[],i=[...s.keys()].sort((m,h)=>(a.length?a.indexOf(m)-a.indexOf(h):0)||o(h)-o(m)||(m<h?-1:1)),r=(m,h)=>t==="colour"&&Tr[m]||(h<Mr?n.unit(h):n.unmatched),c=new Map(i.map((m,h)=>[m,h])),l=i.map((m,h)=>({name:m,count:o(m),paint:r(m,h),index:h})),p=e.points.length-l.reduce((m,{count:h})=>m+h,0);return p&&l.push({name:"none",count:p,paint:n.unmatched,index:i.length}),{of:Int32Array.from(e.points,m=>c.get(m[t])??i.length),paints:[...l.map(m=>m.paint),n.unmatched],entries:l}}const H=["sentence-pca","sentence-map"],Pr="scenes",at=()=>d.set||Pr,mo=(e,t)=>({...e,method:t,perplexity:t==="tsne"?e.perplexity:30});function go(e){const{places:t,halves:n}=Ga(Float64Array.from(e.flat()),[]);return{places:t(Float64Array.from(e.flat())),halves:n,place:s=>t(Float64Array.from(s))}}async function Cr(e){const t=await F("GET","/sentence-maps/"+encodeURIComponent(e));return{info:t,layouts:{circuits:go(t.xy),text:go(t.text_xy)}}}const $o=()=>H.forEach(e=>va(e)),wo=(e,t,n,s)=>new Promise((o,a)=>{let i=!1;const{stop:r}=ka(e,"/sentence-maps",t,{done:c=>{Cr(c).then(o,a)},cancelled:()=>s&&o(null),failed(c){i=!0,s?o(null):a(c)},goesOn:()=>i&&!s&&he.again()});n.addEventListener("abort",r)}),N=ie(null),he=V(()=>{const{stage:e,model:t,method:n,perplexity:s,seed:o}=d;return e<2||!t||!k()?null:JSON.stringify(mo({model:t,set:at(),method:n,perplexity:s,seed:o},n))},async(e,t)=>{const n=JSON.parse(e);if($o(),n.method!=="pca"){const s=await wo(H[0],mo(n,"pca"),t,!0);t.throwIfAborted(),s&&(N.value=s)}return wo(H[1],n,t,!1)}),yo=()=>xt(H[1]).job?.state==="cancelled",it=()=>N.value,P=()=>N.value?.info??null,bo=()=>he.waits()&&!yo(),{problem:kn,again:vo}=he,Me=()=>N.value?"ready":kn()?"failed":yo()?"stopped":"loading",xn=V(()=>N.value?JSON.stringify([N.value.info.id,d.sentences]):null,async(e,t)=>{const[n,s]=JSON.parse(e),o="/sentence-maps/"+encodeURIComponent(n)+"/places",{places:a}=await F("POST",o,{sentences:s},{signal:t});return{id:n,places:new Map(a.map((i,r)=>[s[r],i]))}});function Te(){const e=xn.latest();return e&&e.id===P()?.id?e.places:new Map}const rt=({kind:e,object:t})=>(!d.kinds.length||d.kinds.includes(e))&&(!d.objects.length||d.objects.includes(t)),jr=qn(()=>{const[e,{lasso:t}]=[N.value,d];if(!e||!t)return[];const n=Int32Array.from(e.info.points.keys()).filter(s=>rt(e.info.points[s]));return Array.from(new Ba(e.layouts[t.which].places,n).inside(t.polygon))}),ct=()=>jr.value;function Dr(){const e=[x(()=>{const t=N.value?.info;t&&(t.model!==d.model||t.set!==at())&&(N.value=null)}),he.follow(),xn.follow(),x(()=>{const t=he.answer();t&&E(()=>N.value=t)}),x(()=>{const t=xn.problem()??(N.value?he.problem():null);t&&E(()=>kt(t.title||"No map",t.message,"bad"))})];return()=>{e.forEach(t=>t()),$o(),N.value=null}}var Nr=Object.freeze({__proto__:null,JOBS:H,again:vo,chosen:ct,chosenSet:at,follow:Dr,info:P,map:it,places:Te,problem:kn,shows:rt,status:Me,waits:bo});const ko={tsne:"t-SNE",pca:"PCA"},xo={circuits:"by their circuits",text:"by their words (text encoder)"},Ir={circuits:"Map of sentences by their circuits",text:"Map of sentences by the text encoder"},Lr=". N and P go from sentence to sentence, Enter pins one, L takes the lasso, Escape lets go, plus and minus zoom, arrows move, 0 shows all.",zr=64,Rr=900,Fr={ArrowRight:[1,0],ArrowLeft:[-1,0],ArrowDown:[0,1],ArrowUp:[0,-1]},se={};function _n(e){const t=[ko[e.method]];return e.method==="tsne"&&t.push("perplexity "+(e.parameters.perplexity??d.perplexity)),[...t,"seed "+e.seed].join(" \xB7 ")}class Ur{constructor(t,n){this.which=n,this.canvas=t,this.layout=null,this.lasso=null,this.marks=[],this.landed=null,this.map=new es(t.parentElement,t,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:s=>Kt(n,s)}),this.map.heading=xo[n],this.stops=[x(()=>{it(),d.kinds,d.objects,d.colour_by,E(()=>this.rebuild())}),x(()=>this.mark()),ts(this.map,{tool:()=>d.tool,hover:s=>w({hover_point:s}),pick:s=>this.pin(s),select:s=>w({lasso:s&&{which:n,polygon:Wa(s,zr)}})})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}pin(t){const n=P();n&&re(n.points[t].text)}rebuild(){const t=it();if(!t){this.map.items=null,delete this.canvas.dataset.painted,this.map.draw();return}const{info:n,layouts:s}=t,{of:o,paints:a}=vn(n,d.colour_by,G()),i=qa(n.points.length),{places:r,halves:c}=this.layout=s[this.which],l={order:i.filter(p=>rt(n.points[p])),category:o,paints:a,places:r,halves:c};this.map.setItems(l),this.lasso=null,this.map.caption=_n(n),this.mark()}mark(){const[t,n]=[it(),Te()],{sentences:s,hover_point:o,lasso:a,views:i}=d,{layout:r}=this;if(!t||!r||!this.map.items)return;if(this.marks=s.flatMap((l,p)=>{const f=n.get(l);if(!f)return[];const[m,h]=r.place(this.which==="text"?f.text_xy:f.xy);return[{x:m,y:h,name:String(p+1),badge:!0,sentence:l}]}),this.map.marks=this.marks,this.land(),this.map.ringed=o>=0?[o]:[],this.lasso!==a){this.lasso=a;const l=a&&new Set(ct());this.map.setStrong(l&&Uint8Array.from(t.info.points,(p,f)=>l.has(f)?1:0)),this.map.lasso=a&&a.which===this.which?a.polygon:null}const c=i[this.which]||{x:0,y:0,zoom:1};co(this.map.view,c)||(this.map.view={...c},this.map.stale=!0),this.map.draw()}land(){const t=this.landed,n=new Set(this.marks.map(({sentence:i})=>i));if(this.landed=n,!t||xa())return;const s=new Set([...n].filter(i=>!t.has(i)));if(!s.size)return;const o=performance.now(),a=i=>{const r=Math.max(0,1-(i-o)/Rr);for(const c of this.marks)s.has(c.sentence)&&(c.rings=r);this.map.draw(),r&&requestAnimationFrame(a)};requestAnimationFrame(a)}key(t){const{map:n}=this;if(!n.items||t.ctrlKey||t.metaKey||t.altKey)return;const s=Fr[t.key],o={"+":()=>n.zoomBy(1.3),"=":()=>n.zoomBy(1.3),"-":()=>n.zoomBy(1/1.3),0:()=>n.fit(),l:()=>w({tool:d.tool==="lasso"?"move":"lasso"}),Enter:()=>d.hover_point>=0&&this.pin(d.hover_point),n:()=>this.step(1),p:()=>this.step(-1),Escape:()=>w({lasso:null,hover_point:-1})};if(s)n.panBy(-40*s[0],-40*s[1]);else if(o[t.key])o[t.key]();else return;t.preventDefault()}step(t){const{order:n,places:s}=this.map.drawn,o=Array.from(n).sort((r,c)=>s[2*r]-s[2*c]||r-c),a=o.indexOf(d.hover_point),i=a<0?0:(a+t+o.length)%o.length;w({hover_point:o[i]})}publish(){const t=P();if(!t)return;const n={points:String(this.map.drawn.order.length),marks:String(this.map.marks.length)},s={painted:t.id,method:t.method,hovered:String(d.hover_point)};Object.assign(this.canvas.dataset,n,s)}scene(t,n){return this.map.scene("Sentences "+xo[this.which]+": "+t.model+", "+_n(t),"Each point is a sentence, coloured by "+fo[d.colour_by]+"; numbers are pinned.",n)}}const _o=e=>[e.kind,e.object,e.colour,e.number,e.relation].filter(Boolean).join(" \xB7 ");function Br({which:e}){const t=M(null),n=d.hover_point,s=P()?.points[n];return I(()=>{const o=se[e];s&&o&&t.current&&Ka(t.current,t.current.parentElement,o.map.placeOf(n))},[n,s]),u`<div class="sentence-card" hidden=${!s} ref=${t}>
    ${s&&[u`<strong>${s.text}</strong>`,u`<p class="hint">${_o(s)}</p>`]}
  </div>`}function So({which:e}){const t=M(null);return I(()=>{const n=se[e]=new Ur(t.current,e);return()=>{se[e]===n&&delete se[e],n.dispose()}},[]),u`<div class="sentence-canvas">
    <canvas
      id=${"sentence-map-"+e}
      tabindex="0"
      role="img"
      aria-label=${Ir[e]+Lr}
      onKeyDown=${n=>se[e]?.key(n)}
      ref=${t}
    ></canvas>
    <${Br} which=${e} />
  </div>`}const Pe=12,Gr=460;function Oo(e,t,n,s,o){const a=Math.min(o&&o<Gr?1:2,e.length),i=e.map(h=>h(o&&(o-(a-1)*Pe)/a)),[r,c]=[Math.max(...i.map(({width:h})=>h)),Math.max(...i.map(({height:h})=>h))],l=a*r+(a-1)*Pe,p=Math.ceil(i.length/a)*(c+Pe)+10,f=Ha(s.map(({name:h,paint:$})=>({text:h,key:"dot",fill:$,ink:"ink"})),{x:10,y:p,width:l}),m=i.map((h,$)=>Ja(h,$%a*(r+Pe),Math.floor($/a)*(c+Pe)));return qe({width:l,height:p+f.height,title:t,desc:n,marks:[m,f.marks]})}function Ao(e){const{drop:t,keep_edges:n,links:s,unit:o}=d;return{model:e.model,revision:e.revision,seed:null,sentences:e.designs.map(({sentence:a})=>a),threshold:te(e),drop:t,keep_edges:n,links_drawn:s,unit:o,kind:"observed"}}function qr(e,t){const{gained:n,lost:s}=Ot(G()),a=e.designs.length>1&&d.links!=="own"?[["gained against 1",n],["lost against 1, dashed",s]]:[],{entries:i,what:r}=gn(e);return Oo(Ee.filter(c=>c.data).map(c=>l=>c.scene(l)),"Circuits of "+e.model+" above "+te(e),e.designs.map(({sentence:c},l)=>l+1+": "+c).join("; "),[...a.map(([c,l])=>({name:c,paint:l})),...i.map(({name:c,paint:l})=>({name:r+" "+c,paint:l}))],t)}function Eo({data:e,compared:t,dropped:n}){const s=te(e),o=[["module","other",...e.designs.map((p,f)=>"p_"+(f+1)),...e.designs.map((p,f)=>"there_"+(f+1))]],{from:a,to:i,count:r}=e.pairs,c=p=>!n[a[p]]&&!n[i[p]],l=t.map(({least:p},f)=>m=>e.p[f][m]>s&&e.p[f][m]>=p&&c(m));for(let p=0;p<r;p+=1)e.p.some(f=>f[p]>s)&&o.push([e.units[a[p]],e.units[i[p]],...e.p.map(f=>f[p]),...l.map(f=>f(p))]);return o}function Kr(){const e=ne();if(!e)return null;const{data:t}=e;return{name:"circuits",python:{figure:"designs"},facts:Ao(t),rows:()=>Eo(e),json:()=>{const[n,...s]=Eo(e);return{units:t.units,layout:t.layout,designs:t.designs,link_columns:n,links:s}},picture:{scene:n=>qr(t,n)}}}function Wr(){const e=O();if(!e)return null;const t=yn.map(({name:n})=>n);return{name:"circuit-distances",python:{figure:"distances"},facts:Ao(e),rows:()=>[["sentence",...t],...bn().map(({sentence:n,cells:s})=>[n,...s.map(o=>o??"")])],json:()=>({distances:bn().map(({sentence:n,cells:s})=>({sentence:n,...Object.fromEntries(t.map((o,a)=>[o,s[a]]))})),to_first:e.designs.map(({sentence:n,to_first:s})=>{const{gained:o,lost:a,...i}=s||{};return{sentence:n,to_first:s&&i}}),module:pe()>=0?po(pe()):null}),picture:{}}}function Sn(e){const{kinds:t,objects:n,colour_by:s}=d;return{model:e.model,revision:e.revision,seed:e.seed,set:e.set,method:e.method,parameters:e.parameters,variance:e.variance,trustworthiness:e.trustworthiness,kinds_shown:t,objects_shown:n,colour:s,drop:[],map:e.id,kind:"observed"}}const Mo=["text","kind","object","colour","number","relation"];function On(e,t){const n=t.map(s=>[...Mo.map(o=>e.points[s][o]??""),...e.xy[s],...e.text_xy[s]]);return[[...Mo,"x","y","text_x","text_y"],...n]}const To=([e,...t])=>({columns:e,rows:t});function Hr(e,t){const{entries:n}=vn(e,d.colour_by,G());return Oo(["circuits","text"].flatMap(s=>{const o=se[s];return o?a=>o.scene(e,a):[]}),"Maps of "+e.count+" sentences: "+e.model+", "+_n(e),"Left by the circuits that they design, right by the text encoder's embedding. Numbers: "+d.sentences.map((s,o)=>o+1+": "+s).join("; "),n,t)}function Jr(){const e=P();if(!e)return null;const t=Array.from(e.points.keys()).filter(n=>rt(e.points[n]));return{name:"sentence-map",python:{figure:"sentences"},facts:Sn(e),rows:()=>On(e,t),json:()=>({...To(On(e,t)),pinned:Object.fromEntries(Te())}),picture:{scene:n=>Hr(e,n)}}}function Vr(){const e=P(),{lasso:t,sentences:n,focus:s}=d,o=Te().get(n[s]);if(!e||!(t||o))return null;const a=()=>On(e,t||!o?ct():o.nearest.map(({index:i})=>i));return{name:"sentences",facts:{...Sn(e),lasso:t,nearest_to:t?null:n[s]},python:{figure:"some-sentences",texts:a().slice(1).map(([i])=>String(i))},rows:a,json:()=>({...To(a()),place:t?null:o}),picture:{}}}function Yr(){const e=P();if(!e)return null;const t=["map","space","by","measure","value","null_mean","null_low","null_high","count"];return{name:"sentence-separation",python:{figure:"separation"},facts:Sn(e),rows:()=>[t,...e.separation.map(n=>t.map(s=>n[s]??""))],json:()=>({separation:e.separation}),picture:{}}}const Zr=[["differences","with differences to 1"],["changes","differences to 1 alone"],["own","each by itself"]];function Qr(){const e=ne(),t={id:"design-threshold",name:"Links above",onInput:()=>{}};if(!e)return u`<${Wn} ...${t} value=${0} most=${0} words="" />`;const{data:n,compared:s}=e,o=te(n),a=n.scale.findIndex(c=>c>=o),i=n.scale.length-1,r=s.map(c=>_(c.links)).join(", ");return u`<${Wn}
    ...${t}
    value=${a<0?i:a}
    most=${i}
    words=${"P > "+Number(o.toFixed(4))+": "+r+" of "+_(n.pairs.count)+" links"}
    onInput=${c=>w({threshold:n.scale[c]})}
  />`}const Xr=()=>_t("links","design-links",ge({id:"design-links",look:"plain-select",label:"Links that are drawn",options:Zr,chosen:d.links,onChoose:e=>w({links:e})})),lt=(e,t,n)=>u`<span key=${e} class="legend-entry" title=${n}><span class=${e} aria-hidden="true" />${t}</span>`,ec="1 - cosine of the codes: a step thicker from "+fn.join(", ")+" on",tc="The area of a disc is as its module's connectivity, from zero, on one scale for all circuits";function nc(e){const t=e.designs.flatMap(n=>n.connectivity);return Hn(Math.min(...t),1)+" to "+Hn(Math.max(...t),1)}function sc(){const e=O();if(!e||Et.value<0)return null;const t=e.designs.length>1&&d.links!=="own",{entries:n,what:s}=gn(e);return u`<div class="graph-legend">
    ${t&&d.links==="differences"&&lt("line line-kept","in both")}
    ${t&&lt("line line-gained","gained against 1")} ${t&&lt("line line-lost","lost against 1")}
    ${t&&lt("ring-key","ring: another code",ec)}
    <span class="legend-entry" title=${tc}>area: connectivity q, ${nc(e)}</span>
    <span class="control-name">${s+" in 1"}</span>
    ${n.map(({name:o,count:a,paint:i})=>u`<span key=${o} class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{background:i}} />${o}<small>${a}</small>
        </span>`)}
  </div>`}function oc(){const[e,{hover_unit:t}]=[O(),d],n=e&&t>=0?e.designs.map(s=>s.connectivity[t].toFixed(2)).join(", "):"";return u`<p class="hidden-visually" aria-live="polite">${n&&e?.units[t]+": q "+n}</p>`}function ac(){const e=O()?null:hn();return u`<div class="message design-problem" role="alert" hidden=${!e}>
    ${e&&Y(e.title||"No circuits",e.message,{words:"Try again",act:oo})}
  </div>`}const ic=()=>u`<${L}
    id="designs"
    title="Circuits side by side"
    tag="observed"
    reads="Discs are modules, at the same places in every circuit. Lines are links. Against circuit 1, blue links are gained and dashed orange links are lost. Click a module."
    formats=${["svg","png","csv","json"]}
    written=${Kr}
  >
    <div class="graph-bar">
      <div class="design-threshold"><${Qr} /></div>
      <div class="graph-tools">
        <${Xr} />
        <div class="zoom"><${Kn} mapsOf=${()=>Ee.slice(0,1).map(({map:e})=>e)} /></div>
      </div>
    </div>
    <${vr} /><${ac} /><${sc} /><${oc} /><${Er} />
  <//>`,rc=()=>u`<${L}
    id="distances"
    title="Distances"
    tag="observed"
    reads="Distance of each circuit from the first. Links above the slider's threshold count."
    formats=${["csv","json"]}
    written=${Wr}
  >
    <${Sr} />
  <//>`,Po={true:"true",false:"false",null:"not known"},cc=e=>e<1e3?Math.round(e)+" ms":(e/1e3).toFixed(1)+" s",An=e=>Math.abs(e)<5e-4?"0.0":Jn(e);function ut(e){const t=Bs()?.answers.find(({sentence:o})=>o===e.sentence),n=g.edited&&t?t.probability:null,s=e.baseline_probability;return{...e,before:n,moved:n===null?null:e.probability-n,whole:s,caused:s==null?null:e.probability-s,says:e.probability>=.5,right:e.holds===null?null:e.probability>=.5===e.holds}}function En({holds:e,right:t,clear:n,unknown_words:s}){const o=n===!1?", though people might differ":"",a=t?", and so says the network":", the network says otherwise";return(e===null?"whether it is true of these pictures is not known":"by the grammar "+Po[String(e)]+o+a)+(s.length?"; spelled in letters, as it never learned: "+s.join(", "):"")}const dt=e=>100*e+"%";function lc(e){const{moved:t,caused:n,holds:s,right:o,clear:a}=e,i=s===null?"truth not known":Po[String(s)]+(a===!1?", a close call":""),r=o?"\u2713 Correct":"\u2717 Wrong";return u`<span class="pair-changes">
    <span class="pair-truth" data-holds=${String(s)} title=${En(e)}>${i}</span>
    <span class="pair-answer-said" data-right=${String(o)}>${o===null?"":r}</span>
    <span class="pair-moved">${t===null?"":An(t)+" points by your edit"}</span>
    <span class="pair-moved">${n===null?"":An(n)+" points by what is dropped"}</span>
  </span>`}function uc({answer:e,at:t}){const{sentence:n,probability:s,before:o,moved:a,whole:i,caused:r,unknown_words:c}=e,l={left:dt(0),width:dt(s)},p=a===null?"":"; "+An(a)+" points by your edit",f=u`<span class="pair-track" aria-hidden="true">
    <span class="pair-bar-fill" data-side=${s>=.5} style=${l} />
    <span class="pair-middle" />
    <span
      class="pair-mark-before"
      title="before your edit"
      hidden=${o===null}
      style=${{left:dt(o||0)}}
    />
    <span class="pair-mark-whole" title="full model" hidden=${r===null} style=${{left:dt(i||0)}} />
  </span>`;return u`<button
    type="button"
    class="pair-answer"
    data-answer=${t}
    aria-pressed=${t===d.focus}
    aria-label=${n+" "+St(s)+" true by the network; "+En(e)+p}
    title=${c.length?"Never learned, spelled in letters: "+c.join(", "):"Show what modules read for this sentence"}
    onClick=${()=>w({focus:t})}
  >
    <span class="pair-sentence">${n}</span>
    <span class="pair-line">${f}<span class="pair-value">${St(s)}</span></span>
    ${lc(e)}
  </button>`}function dc(){const{base:e}=g;return!e||d.sentences.includes(e.sentence)?null:u`<${T} id="pair-own" look="tool tool-text pair-own" act=${()=>re(e.sentence)}>
    ${"Ask also: \u201C"+e.sentence+"\u201D"}
  <//>`}function pc(){const{status:e,reply:t,problem:n,fresh:s,took:o}=D;return e==="failed"?u`<div class="message" role="alert">
      ${Y(n?.title||"No answer",n?.message,{words:"Ask again",act:Ws})}
    </div>`:t?u`<div class="pair-answer-list">
      ${t.answers.map((a,i)=>u`<${uc} key=${i} answer=${ut(a)} at=${i} />`)}
    </div>
    <${dc} />
    <p class="hint" id="pair-took">${s&&o?"Answered in "+cc(o):""}</p>`:u`<div class="pair-answer-list">
      ${d.sentences.map(a=>u`<div class="pair-asked">
            <span class="pair-sentence">${a}</span>
            <span class="pair-line"><span class="pair-track skeleton" aria-hidden="true"></span></span>
          </div>`)}
    </div>`}const hc=["sentence","probability","before_the_edit","whole_network","holds","clear","unknown_words"];function Co(e){const t=s=>s??"",n=e.answers.map(ut).map(s=>[s.sentence,s.probability,t(s.before),t(s.whole),t(s.holds),t(s.clear),s.unknown_words.join(" ")]);return[hc,...n]}function fc(e,t=560){const[n,s]=[16,62],o=os([0,1],[n,t-84],{ticks:[0,.5,1]}),a=e.answers.map(ut),i=as(a,{top:20-s/2,step:s}),r=c=>[i(c)+12,i(c)+24];return qe({width:t,height:20+a.length*s,title:"Is it true? "+e.model,desc:"How probable the network holds each sentence of the pictures; rings before an edit, triangles the whole network.",marks:[z(a,{x:n,y:i,text:({sentence:c})=>c,size:13,weight:600,room:t-n}),$e(a,{x:o.range,y:r,rx:3,fill:"hair"}),$e(a,{x:c=>[n,o(c.probability)],y:r,fill:({says:c})=>c?"accent":"unmatched"}),Mt(a,{x:o(.5),y:c=>[i(c)+9,i(c)+27],stroke:"ink"}),z(a,{x:o(1)+10,y:c=>i(c)+18,text:c=>St(c.probability),size:14,weight:650}),z(a,{x:n,y:c=>i(c)+35,text:En,size:11,fill:"dim",room:t-n}),Tt(a,{x:c=>o(c.before),y:c=>i(c)+18,r:5,fill:"surface",stroke:"ink",width:2}),Va(a,{x:c=>c.caused===null?null:o(c.whole),y:c=>i(c)+13,text:"down",r:5,fill:"ink"})]})}function mc(){const{reply:e}=D;if(!e)return null;const t=()=>e.answers.map(n=>{const{read_in:s,...o}=n;return{...o,probability_before_the_edit:ut(n).before}});return{name:"answers",facts:rn(),python:{figure:"answers",sentences:e.answers.map(({sentence:n})=>n)},rows:()=>Co(e),json:()=>({answers:t()}),picture:{scene:n=>fc(e,n)}}}function gc(){const{status:e,fresh:t,reply:n}=D;return u`<${L}
    id="pair-answers"
    title="Is it true?"
    tag=${ln()}
    look="panel-pair-answers"
    reads="Probability that each sentence is true. Ring: before your edit. Triangle: full model."
    more="Above 50 % the model answers true. A click on a sentence shows what the modules read for it."
    formats=${["svg","png","csv","json"]}
    written=${mc}
  >
    <div class="pair-answers" data-status=${e} data-fresh=${String(t)}><${pc} /></div>
    <${ss}
      words="Answers as a table"
      caption=${()=>"Probability that each sentence is true of the pictures, by the network."}
      rows=${n&&(()=>Co(n))}
    />
  <//>`}const Ce=12,$c="scenes",pt=ie(null);function wc(){const{statement:e,scene:t,gallery:n}=d,s=/\.(\d+)$/.exec((t?t.of:e)||"");return s&&!n?Math.floor(Number(s[1])/Ce)*Ce:0}const oe=V(()=>JSON.stringify([d.gallery,pt.value??0]),async(e,t)=>{const[n,s]=JSON.parse(e),o=i=>F("GET","/statements"+Vn({kind:n,offset:i||null,limit:Ce}),void 0,{signal:t}),[a]=await Promise.all([o(s),It()]);return a.items.length||!s?{...a,offset:s}:{...await o(0),offset:0}});function yc(){let e=d.gallery;pt.value=wc();const t=[x(()=>{const{gallery:n}=d;E(()=>{n!==e&&(pt.value=0),e=n})}),oe.follow()];return()=>t.forEach(n=>n())}function bc(){const{model:e,drop:t,keep_edges:n}=d,s=g.base?.id??null;return Sa("samples",{model:e,drop:t,edges:n,set:$c,order:s?"nearest":"rerouted",to:s})}function vc(){const{kinds:e=[],stand_in:t,stand_in_for:n,title:s}=oe.latest()??{},o={name:"",count:e.reduce((a,i)=>a+i.count,0)};return u`<div class="pair-filter">
    ${ge({id:"pair-kind",label:"Kind of reasoning",look:"small-input",options:[o,...e].map(({name:a,count:i})=>[a,(a||"all kinds")+" ("+_(i)+")"]),chosen:d.gallery||"",onChoose:a=>w({gallery:a||null})})}
    ${t&&u`<span class="tag tag-warn" id="pair-stand-in" title=${s+(n?", in place of "+n:"")}>
        stand-in data
      </span>`}
    <a class="pair-ordered" href=${bc()} onClick=${_a}>Rank by routing</a>
  </div>`}function kc({statement:e,chosen:t}){const{id:n,sentence:s,kind:o,scene:a,pictures:i}=e,r=e.label?"true":"false";return u`<button
    type="button"
    class="pair-card"
    data-statement=${n}
    aria-label=${s+" "+r+". "+o+"."+(a?" "+ms(a):"")}
    title=${o}
    aria-pressed=${t}
    onClick=${()=>js(e)}
  >
    <span class="pair-thumbs">
      ${a?a.pictures.map(c=>u`<${gs} things=${c} />`):i.map(c=>u`<img class="pair-thumb pixels" src=${c} alt="" />`)}
    </span>
    <span class="pair-card-words">
      <span>${s}</span>
      <span class="pair-card-about"><span class="pair-truth" data-holds=${r}>${r}</span>${o}</span>
    </span>
  </button>`}function xc(e){const t=e.querySelector('[aria-pressed="true"]');if(!t||e.contains(document.activeElement))return;const[n,s]=[t.getBoundingClientRect(),e.getBoundingClientRect()];(n.top<s.top||n.bottom>s.bottom)&&(e.scrollTop+=n.top-s.top-8)}function _c(){const e=M(null),[t,n,{base:s}]=[oe.latest(),oe.problem(),g];I(()=>{const i=requestAnimationFrame(()=>e.current&&xc(e.current));return()=>cancelAnimationFrame(i)},[t,s]);const o={words:"Try again",act:oe.again},a=n?"failed":oe.waits()?"loading":"ready";return u`<div class="pair-gallery" data-status=${a} ref=${e}>
    ${n?u`<div class="message" role="alert">
            ${Y(n.title||"No statements",n.message,o)}
          </div>`:t?t.items.length?t.items.map(i=>u`<${kc} key=${i.id} statement=${i} chosen=${i.id===s?.id} />`):u`<div class="message">
                ${Y("No statements","There is none of this kind. Choose another kind.")}
              </div>`:u`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`}
  </div>`}function Sc(){const{total:e=0,items:t=[],offset:n=0}=oe.latest()??{},s=(o,a,i)=>u`<${T}
      id=${"pair-"+o}
      look="tool"
      title=${a}
      label=${a}
      wait=${i<0||i>=e}
      act=${()=>pt.value=i}
      >${Yn(o)}<//
    >`;return u`<div class="pager">
    <span class="caption" role="status">
      ${t.length>0&&_(n+1)+" to "+_(n+t.length)+" of "+_(e)}
    </span>
    ${s("previous","Statements before",n-Ce)} ${s("next","Next statements",n+Ce)}
  </div>`}const jo=()=>u`<${L}
    id="pair-gallery"
    title="Statements"
    look="panel-pair-gallery"
    reads="Statements that training did not see. Click a statement to show its pictures."
  >
    <${vc} /><${_c} /><${Sc} />
  <//>`,je=ie({words:"",failed:!1});let ht=null;async function Oc(e){const t=e.slice(0,2);if(t.length){je.value={words:"Sending "+t.map(n=>n.name).join(", "),failed:!1};try{const n=[];for(const o of t)n.push(await Za(o));const s=n.length===2?n:ht?[ht,n[0]]:null;ht=s?null:n[0],je.value={words:s?"":"This is the left picture; now choose the right one.",failed:!1},s&&Xt(s.map(o=>o.id))}catch(n){je.value={words:n.message,failed:!0}}}}function Do(){const e=M(null);I(()=>{const s=e.current,o=[document.createTextNode("Two pictures of your own: choose them, or drop them here")],a=Ya(s,{id:"pair-files",look:"pair-zone",words:o},Oc);for(const i of a)i.classList.add("writes");s.append(...a),ht=null,je.value={words:"",failed:!1}},[]);const{words:t,failed:n}=je.value;return u`<div class="pair-upload">
    <div ref=${e}></div>
    <span class=${"hint"+(n?" danger":"")} role="status" id="pair-upload-said">${t}</span>
  </div>`}var Ac=Object.freeze({__proto__:null,GalleryPanel:jo,Upload:Do,follow:yc});const[Ec,Mc,Tc]=[.02,.1,.005],Pc=700,No=.09,Io={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Cc="Arrow keys move it, with Shift farther, with Alt less; Page Up and Page Down change the picture; Delete takes it away.",De=ie({shape:"circle",colour:"red",size:"large"});let Mn=!1;const ae=()=>hs(g.scene,g.selected),ft=(e,t)=>e.pictures[t].length<U().most;function Tn(e,t){Mn=!0,Q(e,t)}function Lo(e,t){const{scene:n}=g;if(!n)return;if(!ft(n,e)){const o="A picture has up to "+U().most+" things: take one away first.";kt("The picture is full",o,"good");return}const s=us(n,e,t(n),j);Tn(s,{picture:e,index:s.pictures[e].length-1})}const zo=e=>Lo(e,({pictures:t})=>({...De.value,...mi(t[e],De.value.size,j)}));function Ro(){const[e,{selected:t}]=[ae(),g];if(!e||!t)return;const n=s=>s+(s>.7?-No:No);Lo(t.picture,()=>({...e,x:n(e.x),y:n(e.y)}))}function Fo(){const{scene:e,selected:t}=g;if(!e||!t||!ae())return;const n=ds(e,t),s=n.pictures[t.picture].length;Tn(n,s?{...t,index:Math.min(t.index,s-1)}:null)}function jc(){const{scene:e,samples:t,selected:n}=g;if(t)Xt([...t].reverse());else if(e){const s=e.pictures.length-1-(n?.picture??0);Q(fi(e),n&&{...n,picture:s})}}function Dc(e){De.value={...De.value,...e};const{scene:t,selected:n}=g;t&&n&&ae()?Q(jt(t,n,e,j),n):X(null)}function Nc(){const{scene:e,undo:t,edited:n}=g,s=!ae(),o=(r,c,l,p,f)=>u`<${T} id=${"pair-"+r} title=${l} act=${p} ...${f}>${c}<//>`,[a,i]=[!e,r=>!!(e&&!ft(e,r))];return u`<div class="pair-tools">
    ${o("add-left","Add left","Add a thing to the left picture",()=>zo(0),{hidden:a,wait:i(0)})}
    ${o("add-right","Add right","Add a thing to the right picture",()=>zo(1),{hidden:a,wait:i(1)})}
    ${o("duplicate","Duplicate","Duplicate the chosen thing (Ctrl+D)",Ro,{hidden:a,wait:s})}
    ${o("delete","Delete","Take the chosen thing away (Delete)",Fo,{hidden:a,wait:s})}
    ${o("undo","Undo","Take the last change back (Ctrl+Z)",nn,{hidden:a,wait:!t})}
    ${o("swap","Swap pictures","Left becomes right and right left",jc)}
    ${o("reset","As it was","Back to the pictures of the statement",Ds,{hidden:!n})}
  </div>`}function Ic(){const{shapes:e,colours:t,sizes:n}=U(),s=ae()||De.value,o=Math.max(...n.values()),a=(l,p,f)=>u`<button
      key=${p}
      type="button"
      class="pair-swatch"
      title=${p}
      aria-label=${p}
      aria-pressed=${s[l]===p}
      onClick=${()=>Dc({[l]:p})}
      ...${{["data-"+l]:p}}
    >
      ${f}
    </button>`,i=(l,p)=>u`<div class="control">
      <span class="control-name">${l}</span>
      <div class="pair-swatches" role="group" aria-label=${l} onKeyDown=${Qa}>${p}</div>
    </div>`,r=l=>u`<span class="pair-dot" style=${{background:l}} />`,c=l=>{const p=Math.round(6+12*l/o)+"px";return u`<span class="pair-size" style=${{width:p,height:p}} />`};return u`<div class="pair-palette">
    ${i("Shape",e.map(l=>a("shape",l,u`<${$s} shape=${l} />`)))}
    ${i("Colour",[...t].map(([l,p])=>a("colour",l,r(p))))}
    ${i("Size",[...n].map(([l,p])=>a("size",l,c(p))))}
    <span class="hint" id="pair-palette-of">
      ${ae()?"of the chosen thing":"of the next thing that is added"}
    </span>
  </div>`}let S=null;function Uo(e,{clientX:t,clientY:n},s){const o=[...e.children].map(c=>c.firstElementChild.getBoundingClientRect()),a=o.findIndex(({left:c,right:l,top:p,bottom:f})=>t>=c&&t<=l&&n>=p&&n<=f),i=a<0?s:a,r=o[i];return{picture:i,x:(t-r.left)/r.width,y:(n-r.top)/r.height}}function Lc(e,t){const n=e.target,s=n.getAttribute("data-thing"),[{scene:o},a]=[g,n.closest(".pair-pictures")];if(s===null||!o||!a){X(null);return}if(e.button)return;e.preventDefault(),n.hasPointerCapture(e.pointerId)&&n.releasePointerCapture(e.pointerId);const i={picture:t,index:Number(s)},[r,c]=[o.pictures[t][i.index],Uo(a,e,t)];S={host:a,at:i,dx:r.x-c.x,dy:r.y-c.y,label:"drag "+Date.now()},X(i),n.focus({preventScroll:!0}),a.dataset.dragging="true",window.addEventListener("pointermove",Bo);for(const l of["pointerup","pointercancel"])window.addEventListener(l,Pn)}function Bo(e){const{scene:t}=g;if(!S||!t)return;const{picture:n,x:s,y:o}=Uo(S.host,e,S.at.picture);let a=t;if(n!==S.at.picture){if(!ft(t,n))return;a=ps(t,S.at,n,j),S.at={picture:n,index:a.pictures[n].length-1}}Q(jt(a,S.at,{x:s+S.dx,y:o+S.dy},j),S.at,S.label)}function Pn(){S&&delete S.host.dataset.dragging,S=null,window.removeEventListener("pointermove",Bo);for(const e of["pointerup","pointercancel"])window.removeEventListener(e,Pn)}function zc(e){const{scene:t,selected:n}=g,[s,o]=[e.ctrlKey||e.metaKey,e.key.toLowerCase()];if(s&&o==="z")return nn;if(!t||!n||!(e.target instanceof SVGElement))return null;if(s)return o==="d"?Ro:null;if(Io[e.key]){const a=e.shiftKey?Mc:e.altKey?Tc:Ec,[i,r]=Io[e.key],{x:c,y:l}=t.pictures[n.picture][n.index],p="keys "+n.picture+" "+n.index,f=jt(t,n,{x:c+i*a,y:l+r*a},j);return()=>Q(f,n,p,Pc)}if(e.key==="Delete"||e.key==="Backspace")return Fo;if(e.key==="PageUp"||e.key==="PageDown"){const a=t.pictures.length,i=(n.picture+(e.key==="PageUp"?a-1:1))%a;if(!ft(t,i))return()=>{};const r=ps(t,n,i,j);return()=>Tn(r,{picture:i,index:r.pictures[i].length-1})}return e.key==="Escape"?()=>X(null):null}function Rc(e){const t=g.scene&&zc(e);t&&(e.preventDefault(),t())}function Fc({things:e,at:t,count:n}){const{selected:s}=g,o=M(null),a=s?.picture===t?s.index:-1,i=e[a];I(()=>{!Mn||!i||(Mn=!1,o.current?.children[a]?.focus({preventScroll:!0}))});const r={cx:i?.x,cy:i?.y,r:i?j(i.size)*1.3:0},c=ye(t,n);return u`<figure class="pair-figure">
    <svg
      viewBox="0 0 1 1"
      class="pair-picture"
      role="group"
      data-picture=${t}
      aria-label=${c+": "+Dt(e)}
      onPointerDown=${l=>Lc(l,t)}
    >
      <${zt} />
      <g ref=${o}>
        ${e.map((l,p)=>u`<path
              key=${p}
              class="pair-thing"
              tabindex="0"
              role="button"
              data-thing=${p}
              d=${Ve(l.shape)}
              fill=${be(l.colour)}
              transform=${Lt(l)}
              aria-label=${He(l)+", "+gi(l)}
              aria-pressed=${String(p===a)}
              onFocus=${()=>X({picture:t,index:p})}
            />`)}
      </g>
      <circle class="pair-halo" ...${r} />
      <circle class="pair-ring" ...${r} />
    </svg>
    <figcaption>${c+", "+e.length+(e.length===1?" thing":" things")}</figcaption>
  </figure>`}const Uc=({source:e,alt:t,title:n})=>u`<figure class="pair-figure">
    <img class="pair-picture pixels" src=${e} alt=${t} draggable=${!1} />
    <figcaption>${n}</figcaption>
  </figure>`;function Bc(){const{status:e,problem:t,scene:n,seen:s,base:o,edited:a}=g;if(Be(()=>Pn,[]),e==="failed")return u`<div class="message" role="alert">
      ${Y(t?.title||"No pictures",t?.message,{words:"Try again",act:()=>{Qt()}})}
    </div>`;if(e!=="ready")return u`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`;if(n&&!s)return n.pictures.map((r,c)=>u`<${Fc} key=${c} ...${{things:r,at:c}} count=${n.pictures.length} />`);const i=n&&(a||!o)?n.pictures.map(Ys):sn();return i.map((r,c)=>{const l=ye(c,i.length),p=l+(n?": "+Dt(n.pictures[c]):", a photograph or drawing");return u`<${Uc} key=${c} ...${{source:r,alt:p,title:l}} />`})}function Gc(){const{status:e,base:t,samples:n,edited:s,scene:o}=g;return e!=="ready"?"":n?"Your own pictures: they cannot be edited, and the truth of a sentence about them is not known.":t&&s?"Edited from statement "+t.id+".":t&&!o?"Pictures of statement "+t.id+": photographs, which cannot be edited.":t?"Pictures of statement "+t.id+", not edited.":"Your own scene."}function qc(){const e=ae();return u`<p class="hidden-visually" aria-live="polite">${e&&He(e)+" chosen. "+Cc}</p>`}const[Kc,mt,Go]=[320,16,22];function Wc(e,t){const n=G(),s=e.pictures.length,o=t?(t+mt)/s-mt:Kc,a=e.pictures.flatMap((r,c)=>{const l=c*(o+mt);return[{shape:"text",x:l,y:14,text:ye(c,s),size:12,fill:n.dim},...Rt(r,l,Go,o)]});return{...{width:s*o+(s-1)*mt,height:Go+o},background:n.surface,title:"The pair of pictures",desc:ms(e),items:a}}function Hc({pictures:e}){const t=e.flatMap((n,s)=>n.map(({shape:o,colour:a,size:i,x:r,y:c})=>[we(s,e.length),o,a,i,r,c]));return[["picture","shape","colour","size","x","y"],...t]}function Jc(){const{scene:e,base:t,edited:n}=g;return e&&{name:"pictures",caption:"The pictures that the statements are about.",facts:{model:d.model,revision:k()?.revision??null,statement:t?.id??null,sentence:t?.sentence??null,label:t&&!n?t.label:null,edited:n},rows:()=>Hc(e),json:()=>({scene:e}),python:{figure:"pictures",scene:{pictures:e.pictures}},picture:{scene:s=>Wc(e,s)}}}function Vc(){const{status:e,scene:t,seen:n}=g,s=e==="ready";return u`<${L}
    id="pair-pictures"
    title="Pictures"
    look="panel-pair-pictures"
    reads="Drag a thing or move it with the arrow keys. Recolour, reshape, add and delete things below. The model answers each change at once."
    formats=${["svg","png","csv","json"]}
    written=${Jc}
  >
    <div class="pair-head">
      <span class="hint" id="pair-of" role="status">${Gc()}</span>
      <div class="pair-head-tools">
        <label class="pair-check" title="Pixel by pixel, at the side that it takes" hidden=${!t}>
          <input
            type="checkbox"
            id="pair-seen"
            checked=${n}
            onChange=${({currentTarget:o})=>Is(o.checked)}
          />as the network sees it
        </label>
        <${T} id="pair-empty" title="Start from two empty pictures" act=${Ns}>Empty pair<//>
      </div>
    </div>
    <div class="pair-pictures" data-status=${e} onKeyDown=${Rc}><${Bc} /></div>
    ${s&&u`<${Nc} />`} ${s&&t&&u`<${Ic} />`}
    <${Do} /><${qc} />
  <//>`}const Yc="data-pair-unit",Zc=180;function qo(e){const[t,n]=[k(),ue()];return!t||n?.length!==t.units.length?[]:Ea(n).slice(0,e).map(s=>t.units[s])}function Qc(){const e=ce(),t=qo(e.length);return t.length===e.length&&t.every(n=>e.includes(n))?e.length:null}function Xc(e,t){const n=ue()?.[k()?.units.indexOf(e)??-1];return e+(n===void 0?"":", q "+n.toFixed(1))+(t?". Bring it back":". Drop it")}function el({units:e}){const t=M(null),n=M(null),[s,o]=[ue(),ce()];return I(()=>{const a={toggle:Wt,about:Xc};n.current=new Xa(t.current,Yc,a),n.current.show(e)},[]),I(()=>{s?.length===e.length&&n.current?.shade(a=>s[e.indexOf(a)]),n.current?.mark(o,"dropped")}),u`<div role="group" aria-label="Modules" ref=${t}></div>`}function tl(){const e=k();if(!e)return null;const t=ce().length,n=t+" of "+e.units.length+" modules dropped";return u`<div class="pair-units">
    <${el} key=${e.id} units=${e.units} />
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
  </div>`}const Ko=({name:e,label:t,words:n,act:s,...o})=>u`<div class="control" title=${t}>
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
  </div>`;function nl(){const[e,t]=Zn({});Be(()=>{const{least:a,edges:i}=e;if(a===void 0&&i===void 0)return;const r=setTimeout(()=>{Oa(()=>{const{units:c}=k()??{units:[]},l=a===void 0?null:qo(a);l&&w({drop:c.filter(p=>l.includes(p))}),i!==void 0&&w({keep_edges:i===100?null:i/100})}),t({})},Zc);return()=>clearTimeout(r)},[e]);const n=k();if(!n)return null;const s=e.least??Qc(),o=e.edges??Math.round(100*(d.keep_edges??1));return u`<div class="pair-bar">
    <${Ko}
      id="pair-least"
      name="n least connected"
      label="Drop the n least connected modules of the circuit that answers"
      max=${n.units.length-1}
      value=${s??0}
      disabled=${!ue()}
      words=${s===null?"others are dropped":String(s)}
      act=${a=>t({...e,least:a})}
    />
    <${Ko}
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
      ${ge({id:"pair-samples",label:"Number of statements",look:"small-input",options:Aa(ys,d.measured),chosen:String(d.measured),onChoose:a=>w({measured:Number(a)})})}
    </div>
  </div>`}const sl=5,Cn=760,Wo=["name","count","baseline","accuracy","low","high","change","change_low","change_high"];function Ho(){const{model:e,keep_edges:t,measured:n}=d;if(!k())return"";const s=ce().join(",");return"/evaluations/stream"+Vn({model:e,data:"scenes",samples:n,drop:s,keep_edges:t,controls:sl})}const gt=ei({owner:"pair",pathOf:Ho,subscribePage:e=>x(()=>{Ho(),E(e)})}),{state:J}=gt,Ne=()=>J.evaluation?.model===d.model&&$t(J.evaluation).length?J.evaluation:null,jn=e=>Ke(e)===di;function $t(e){const{accuracy:t,baseline:n,change:s}=e,o=e.by_kind||[];return!t||!n||!s?o:[{name:"all kinds",count:o.reduce((i,r)=>i+r.count,0),baseline:n.accuracy.value,accuracy:t.value,low:t.low,high:t.high,change:s.accuracy.value,change_low:s.accuracy.low,change_high:s.accuracy.high},...o]}const Jo=e=>[Wo,...$t(e).map(t=>Wo.map(n=>t[n]))];function Dn(e,t){const n=$t(e),{control:s}=e,o=t<480,a=o?8:Math.ceil(ri(n.map(({name:h})=>h),12,650))+16,i=o?60:150,r=os([0,1],[a,t-i],{ticks:[0,.25,.5,.75,1],named:h=>h===.5?"50 %, chance":Math.round(100*h)+(h===1?" %":"")}),c=as(n,{top:12,step:o?42:30}),l=h=>c(h)+(o?8:0),p=h=>h===n[0]?650:void 0,f=h=>(h.change_high??0)<0?"bad":(h.change_low??0)>0?"good":"dim",m=o?z(n,{x:a,y:h=>l(h)-13,down:0,text:h=>h.name+", n "+_(h.count),weight:p,room:t-a}):[z(n,{x:a-8,y:l,down:0,text:h=>h.name,anchor:"end",weight:p}),z(n,{x:a-8,y:h=>l(h)+12,down:0,text:h=>"n "+_(h.count),size:10.5,fill:"dim",anchor:"end"})];return qe({width:t,height:c.end+24,title:"Accuracy by kind of statement with "+Ke(e)+": "+e.model,desc:"Accuracy by kind of statement on "+_(ui(e))+" statements. Bar and dot: with modules dropped or links cut. Ring: full model. Short line: random drops of the same size. Whiskers are 95 % intervals; the last column is the paired change in points.",marks:[ci(r,[8,c.end],{strong:null}),Mt([.5],{x:r,y:[8,c.end],stroke:"dim",dash:[3,3]}),m,$e(n,{x:h=>[a,r(h.accuracy)],y:h=>[l(h)-5,l(h)+5],rx:2,fill:"accent",opacity:.3}),li(n,{x:h=>[r(h.low),r(h.high)],y:l,width:1.6}),Tt(n,{x:h=>r(h.baseline),y:l,r:4.8,fill:"surface",stroke:"ink",width:1.6}),Tt(n,{x:h=>r(h.accuracy),y:l,fill:"accent"}),Mt(n.slice(0,1),{x:r(s?s.mean:null),y:h=>[l(h)-9,l(h)+9],stroke:"ink",width:2.5}),z(n,{x:t-i+14,y:l,text:h=>Ge(h.accuracy)+" %",weight:650}),o||jn(e)?[]:z(n,{x:t,y:l,text:h=>Jn(h.change),fill:f,anchor:"end",weight:650})]})}function ol(){const e=J.evaluation?.model===d.model?J.evaluation:null,t=!e||jn(e),{accuracy:n,change:s}=si(e&&(t?{...e,change:null}:e),{none:e?"nothing is dropped":""}),o=e?oi(e,{waiting:ai(e,"module"),sets:(a,{size:i})=>a+" sets of "+i,unit:a=>a.unit}):{value:n.value};return u`<div class="numbers pair-numbers" data-fresh=${String(J.fresh)}>
    <${Pt} ...${n} id="pair-accuracy" />
    <${Pt} ...${s} id="pair-change" />
    <${Pt} ...${o} name="Random modules" id="pair-control" />
  </div>`}const al=e=>ii(e,{chosen:d.measured,counted:"statements",waiting:"Measured on "+_(d.measured)+" statements once this is in view.",intervention:Ke,after:t=>jn(t)?" Click a module to drop it.":""});function il(){const e=Ne();return e&&{name:"accuracy-by-kind",facts:ni(e,["drop","keep_edges"]),python:{figure:"effects",by:"kind"},rows:()=>Jo(e),json:()=>({result:e}),picture:{scene:(t=Cn)=>Dn(e,t)}}}const rl=e=>"Accuracy by kind of statement, "+Ke(e)+": "+$t(e).map(t=>t.name+" "+Ge(t.accuracy)+" % of "+t.count).join("; ");function cl(){const e=M(null);Be(()=>{const n=gt.watch(e.current);return()=>{n(),gt.leave()}},[]);const t=Ne();return u`<div ref=${e}>
    <${L}
      id="pair-drop"
      title="Drop modules"
      tag="caused"
      reads="Accuracy by kind of statement. Ring: full model. Dot: with modules dropped or links cut. Whiskers: 95 % intervals."
      more="Both models are measured on the same statements. Statements come in fours that share pictures and words, so they are not independent. The intervals assume independent statements."
      formats=${["svg","png","csv","json"]}
      written=${il}
    >
      <${tl} /><${nl} /><${ol} />
      <${ti} name="pair" look="drop-progress" followed=${gt} progressOf=${al} />
      <${is}
        look="drop-picture"
        widest=${Cn}
        height=${150}
        data=${{"data-fresh":String(J.fresh),"data-state":J.status}}
        scene=${n=>{const s=Ne();return s&&Dn(s,n)}}
        drawn=${()=>Ne()?.id??""}
        label=${()=>{const n=Ne();return n?rl(n):""}}
      />
      <${ss}
        words="Accuracy by kind as a table"
        data=${{"data-pair-table":"kinds"}}
        caption=${()=>t?Dn(t,Cn).desc:""}
        rows=${t&&(()=>Jo(t))}
      />
    <//>
  </div>`}const Nn=14,ll=22,Vo=.74,ul={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function q(e=d.focus){const{reply:t}=D,n=t&&t.answers[Math.min(e,t.answers.length-1)];if(!t||!n||!n.read_in||!n.read_out_share)return null;const s=t.grid.pictures*t.grid.rows*t.grid.columns;return{units:t.units,kept:new Set(t.kept),grid:t.grid,tokens:s,weights:dl(n.read_in),shares:n.read_out_share,sentence:n.sentence}}function Ie(){const{reply:e}=D;return(d.reads==="all"&&e?e.answers.map((n,s)=>q(s)):[q()]).filter(n=>n!==null)}const Yo=new WeakMap;function dl(e){const t=Yo.get(e)||Ta(e);return Yo.set(e,t),t}function Le(e,t){const{weights:n,tokens:s,units:o,kept:a,shares:i}=e;if(t>=0)return a.has(o[t])?n.subarray(t*s,(t+1)*s):null;const r=new Float32Array(s);let c=0;return o.forEach((l,p)=>{if(!a.has(l))return;const f=i[p];c+=f;for(let m=0;m<s;m+=1)r[m]+=f*n[p*s+m]}),c>0?r.map(l=>l/c):null}const ze=e=>e.units.indexOf(d.unit);function Zo(e,{pictures:t}){const n=e.length/t;return Array.from({length:t},(s,o)=>e.subarray(o*n,(o+1)*n).reduce((a,i)=>a+i,0))}function In({units:e,kept:t,shares:n}){const s=o=>t.has(e[o])?n[o]:-1;return e.map((o,a)=>a).sort((o,a)=>s(a)-s(o)||o-a)}const pl=12,hl=new Map,Qo=e=>Gn(hl,e,()=>Ma(e.slice(Bn.length)),pl),Xo=()=>g.samples?null:D.scene??g.scene,ea=V(()=>Xo()||!D.reply?null:JSON.stringify(sn()),e=>Promise.all(JSON.parse(e).map(Qo))),{follow:fl}=ea;function ta(){const e=Xo();if(e)return e.pictures.map(n=>(s,o,a)=>Rt(n,s,o,a));const t=ea.answer();return t&&t.map(n=>(s,o,a)=>[{shape:"image",source:n,sx:0,sy:0,sw:n.width,sh:n.height,x:s,y:o,w:a,h:a}])}const wt=e=>Math.round(100*e)+" %";function ml(e,{rows:t,columns:n,pictures:s},o,[a,i,r]){const c=rs(Array.from({length:n},String),[a,a+r]),l=rs(Array.from({length:t},String),[i,i+r]),p=Math.max(...e,1e-9),f=e.length/s,m=Array.from(e.subarray(o*f,(o+1)*f),($,y)=>({value:$,row:Math.floor(y/n),column:y%n})),h=c.step>=34?m.filter(({value:$})=>$>=2/e.length):[];return[$e(m,{x:({column:$})=>c.extent($),y:({row:$})=>l.extent($),fill:"#000000",opacity:({value:$})=>Vo*(1-$/p)}),z(h,{x:({column:$})=>c($),y:({row:$})=>l($),text:({value:$})=>wt($),size:10.5,weight:650,fill:"#ffffff",halo:"rgba(0, 0, 0, 0.65)",anchor:"middle"})]}function gl(e,t,[n,s,o],a){const{pictures:i}=e.grid,r=Le(e,ze(e)),c=r?Zo(r,e.grid):null,l=i*o+Nn*(i-1),p=s+ll+(a?0:16),f=Array.from({length:i},($,y)=>{const v=n+y*(o+Nn),b=a?ye(y,i):we(y,i),A=c?": "+wt(c[y])+(o<220?"":" of the attention"):"";return[t[y]?t[y](v,p,o):[],z([b+A],{x:v,y:p-8,down:0,size:a?12:11,fill:"dim",room:o}),r?ml(r,e.grid,y,[v,p,o]):$e([0],{x:[v,v+o],y:[p,p+o],fill:"#000000",opacity:Vo})]}),m=a?[]:[e.sentence];return{marks:[z(m,{x:n,y:s+13,down:0,weight:600,room:l}),f],width:l,height:p-s+o}}function Ln(e,t,n){const[{grid:s,units:o}]=e,a=e.length===1,i=a||n<420?1:2,r=(n-24*(i-1))/i,c=Math.min(360,(r-Nn*(s.pictures-1))/s.pictures);let[l,p,f]=[0,0,0];const m=e.map((v,b)=>{b%i===0&&(p=f+(b?14:0));const A=b%i*(r+24),C=gl(v,t,[A,p,c],a);return l=Math.max(l,A+C.width),f=Math.max(f,p+C.height),C.marks}),h=ze(e[0]),$=h<0?"All modules together":o[h],y=e.map(({sentence:v})=>v).join("; ");return qe({width:l,height:f,title:"What modules read: "+$,desc:$+", reading for: "+y+". The brighter a place, the more of the attention is on it.",marks:m})}function zn(e){const t=ze(e),n=Le(e,t),s=t<0?"All modules together":e.units[t];if(!n)return s+" is dropped: it reads nothing.";const{pictures:o,rows:a,columns:i}=e.grid,r=Zo(n,e.grid).map((h,$)=>wt(h)+" of it on the "+we($,o)),c=n.indexOf(Math.max(...n)),[l,p]=[Math.floor(c/(a*i)),c%(a*i)],f=we(l,o)+", row "+(Math.floor(p/i)+1)+", column "+(p%i+1),m=t<0?"":"; the answer takes "+Ge(e.shares[t]||0)+" % from it";return s+": "+r.join(", ")+"; most at "+f+" ("+wt(n[c])+")"+m+"."}function $l(e){const[{grid:t,units:n}]=e,{rows:s,columns:o,pictures:a}=t,i=e.flatMap(r=>{const c=Le(r,-1);return Array.from({length:r.tokens},(l,p)=>{const[f,m]=[Math.floor(p/(s*o)),p%(s*o)],h=n.map((y,v)=>r.kept.has(y)?r.weights[v*r.tokens+p]:""),$=[we(f,a),Math.floor(m/o),m%o];return[r.sentence,...$,c?c[p]:"",...h]})});return[["sentence","picture","row","column","all_by_read_out_share",...n],...i]}const wl=[["one","the chosen sentence"],["all","every pinned sentence"]],yl=e=>{const t=/^#(..)(..)(..)$/.exec(e);return t?t.slice(1).map(n=>parseInt(n,16)):[31,92,153]};function bl(e,t,n,s){const{rows:o,columns:a,pictures:i}=t.grid,r=i*a+i-1;(e.width!==r||e.height!==o)&&([e.width,e.height]=[r,o]);const c=e.getContext("2d"),l=c.createImageData(r,o),p=Le(t,n);if(p){const f=Math.max(...p,1e-9);for(let m=0;m<i;m+=1)for(let h=0;h<o*a;h+=1){const $=4*(Math.floor(h/a)*r+m*(a+1)+h%a);s.forEach((y,v)=>l.data[$+v]=y),l.data[$+3]=18+237*(p[m*o*a+h]/f)}}c.putImageData(l,0,0)}const na=e=>w({unit:e});function vl({reads:e,unit:t,ink:n,stop:s,onFocus:o}){const a=M(null);I(()=>{a.current&&bl(a.current,e,t,n)},[e,t,n]);const i=e.units[t],r=e.kept.has(i),c=r?Ge(e.shares[t])+" %":"out",l=d.unit===i;return u`<button
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
  </button>`}function kl({reads:e,ink:t}){const n=M(null),[s,o]=Zn(null),{unit:a}=d,i=In(e),r=i.map(m=>e.units[m]),c=[s,a,r[0]].find(m=>m!==null&&r.includes(m)),l=document.activeElement,p=n.current?.contains(l)?l:null;return I(()=>{p?.isConnected&&document.activeElement!==p&&p.focus({preventScroll:!0})}),u`<div class="pair-module-grid" role="group" aria-label=${"Modules, those first from which the answer takes most"} ref=${n} onKeyDown=${xl}>
    ${i.map((m,h)=>u`<${vl}
          key=${r[h]}
          ...${{reads:e,unit:m,ink:t}}
          stop=${r[h]===c}
          onFocus=${()=>o(r[h])}
        />`)}
  </div>`}function xl(e){const t=[...e.currentTarget.children],n=t.findIndex(c=>c===document.activeElement);if(n<0)return;const s=t[0].offsetTop,o=Math.max(1,t.filter(c=>c.offsetTop===s).length),i={ArrowRight:1,ArrowLeft:-1,ArrowDown:o,ArrowUp:-o}[e.key],r=e.key==="Home"?0:e.key==="End"?t.length-1:i?n+i:-1;t[r]&&(e.preventDefault(),t[r].focus())}function _l(e){const t=ul[e.key],n=q();if(!n||!t&&e.key!=="Escape")return;if(e.preventDefault(),!t){w({unit:null});return}const s=In(n),o=s.indexOf(ze(n)),a=o<0?t>0?0:s.length-1:(o+t+s.length)%s.length;w({unit:n.units[s[a]]})}function Sl(){const[e,t]=[q(),ta()];if(!e||!t)return null;const n=ze(e),s=()=>$l(Ie());return{name:"read-in",facts:{...rn(),sentence:e.sentence,unit:n<0?"all":e.units[n],observed:"read-in attention"},python:{figure:"reads",sentences:Ie().map(({sentence:o})=>o)},rows:s,json:()=>({grid:e.grid,columns:s()[0],rows:s().slice(1)}),picture:{scene:(o=720)=>Ln(Ie(),t,o)}}}const Ol=()=>u`<div class="pair-bar">
    <span class="control-name">Attention for</span>
    ${ge({id:"pair-reads-for",label:"For which sentences",look:"small-input",options:wl,chosen:d.reads,onChoose:e=>w({reads:e})})}
  </div>`;function Al(){const e=q();return!e||Et.value<0?null:u`<div class="pair-modules">
    <div class="pair-bar">
      <${T} id="pair-all-modules" pressed=${!d.unit} act=${()=>na(null)}>all together<//>
      <span class="hint">Sorted by how much the answer takes from each; left map: left picture.</span>
    </div>
    <${kl} reads=${e} ink=${yl(G().accent)} />
  </div>`}const El=" Arrow keys walk from module to module, Escape shows all together.";function sa(){const{status:e,problem:t}=D,n=q();return u`<${L}
    id="pair-reads"
    title="What modules read"
    tag=${ln()}
    reads="Attention of the modules over the pictures; brighter is more. The map of all modules weights each module by its share of the answer."
    formats=${["svg","png","csv","json"]}
    written=${Sl}
  >
    <${Ol} />
    <div class="pair-reads" data-status=${e}>
      <${is}
        id="pair-reads-picture"
        height=${180}
        onKey=${_l}
        data=${{"data-sentences":String(Ie().length)}}
        scene=${s=>{const[o,a]=[Ie(),ta()];return q()&&a?Ln(o,a,s):null}}
        drawn=${()=>d.unit||"all"}
        label=${()=>{const s=q();return s?zn(s)+El:""}}
      />
      ${e==="failed"&&u`<p class="message-detail">${t?.title+". "+t?.message}</p>`}
    </div>
    <${Al} />
    <p class="hint" aria-live="polite">${n&&zn(n)}</p>
  <//>`}var Ml=Object.freeze({__proto__:null,ReadsPanel:sa,current:q,follow:fl,order:In,sceneOf:Ln,sourceOf:Qo,weightsOf:Le,wordsOf:zn});const Tl={scenes:"generated scenes","appendix-h":"Appendix H of the paper"},yt=(e,t,n,s,o)=>_t(t,"sentence-"+e,ge({id:"sentence-"+e,look:"plain-select",label:t,chosen:s,onChoose:o,options:Object.entries(n)}));function oa({name:e}){const{least:t,most:n}=Ue("circuits",e),s="sentence-"+e,o={id:s,label:e,chosen:d[e],least:t,most:n,none:""};return _t(e,s,u`<${Ca} ...${o} onChoose=${i=>i!==null&&w({[e]:i})} />`)}function Pl(){const{method:e,colour_by:t}=d,n={...d.views,circuits:null,text:null},s={kinds:[],objects:[],lasso:null};return u`<div class="graph-tools">
    ${yt("set","sentences",Tl,at(),o=>w({set:o,...s}))}
    ${yt("method","map",ko,e,o=>w({method:o,lasso:null,views:n}))}
    ${e==="tsne"&&[u`<${oa} name="perplexity" />`,u`<${oa} name="seed" />`]}
    ${yt("colour","colour",fo,t,o=>w({colour_by:o}))}
  </div>`}const Cl=[["move","Drag moves the map"],["lasso","Drag draws around sentences (or hold Shift)"]],jl=()=>u`<div class="type-tools">
    ${Cl.map(([e,t])=>u`<button
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
      <${Kn} mapsOf=${()=>Object.values(se).map(e=>e.map)} />
    </span>
  </div>`;function Dl(e,t,n){const s=e.length?e:n,o=n.filter(a=>a===t?!s.includes(t):s.includes(a));return o.length===n.length||!o.length?[]:o}function Nl({name:e,count:t,paint:n},s,o){const a=u`<span class="swatch" aria-hidden="true" style=${{background:n}} /> <span>${e}</span
    ><small>${_(t)}</small>`;if(!s||!o.includes(e))return u`<span key=${e} class="legend-entry">${a}</span>`;const i=d[s],r=!i.length||i.includes(e),c=i.length===1&&r;return u`<span key=${e} class="legend-pair" data-hidden=${!r}>
    <button
      type="button"
      class="legend-toggle"
      aria-pressed=${r}
      id=${"legend-"+o.indexOf(e)}
      title=${(r?"Hide ":"Show ")+e}
      onClick=${()=>w({[s]:Dl(i,e,o)})}
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
  </span>`}const Il={kind:"kinds",object:"objects"};function Ll(){const e=P();if(!e||Et.value<0)return null;const t=Il[d.colour_by],{entries:n}=vn(e,d.colour_by,G());function s(o,a){const i=d[o],r=Object.fromEntries(e?.[o].map(p=>[p,p])??[]),c={"":i.length>1?i.length+" chosen":"all",...r},l=i.length===1?i[0]:"";return yt(o,a,c,l,p=>w({[o]:p?[p]:[]}))}return u`<div>
    <div class="graph-legend sentence-legend">
      ${n.map(o=>Nl(o,t,t?e[t]:[]))}
    </div>
    <div class="graph-tools">${s("kinds","kind")} ${s("objects","object")}</div>
  </div>`}function zl(){const[e,t]=[Me(),kn()],n={words:"Compute the map",act:vo},s=Pa(t)?void 0:n;return u`<div class="message sentence-message" role="alert" hidden=${e!=="failed"&&e!=="stopped"}>
    ${e==="failed"&&Y(t?.title||"The map failed",t?.message,s)}
    ${e==="stopped"&&Y("No map","The job was cancelled before there was a map.",n)}
  </div>`}function Rl(){const e=Me()!=="loading"||H.some(t=>xt(t).starting||xt(t).job);return u`<div class="sentence-jobs">
    ${!e&&u`<p class="hint">The maps are computed once the circuits are drawn.</p>`}
    <${Qn} name=${H[0]} what="A first map, by PCA" />
    <${Qn} name=${H[1]} what="Map of the sentences" />
  </div>`}function Fl(){const e=P()?.points[d.hover_point];return u`<p class="hidden-visually" aria-live="polite">${e&&e.text+". "+_o(e)}</p>`}const Ul=()=>u`<${L}
    id="sentencemap"
    title="Maps of sentences"
    tag="observed"
    reads="Points are sentences. Near points have similar circuits (left) or similar words (right). Click a point to pin its sentence; numbers mark pinned sentences."
    formats=${["svg","png","csv","json"]}
    written=${Jr}
  >
    <div class="graph-bar"><${Pl} /><${jl} /></div>
    <${Rl} />
    <div class="sentence-state" data-status=${Me()} data-waiting=${String(bo())}>
      <${zl} />
      <div class="sentence-maps"><${So} which="circuits" /><${So} which="text" /></div>
    </div>
    <${Ll} /><${Fl} />
  <//>`,Bl=600,fe=ie(""),aa="sentence-input";let ia=Promise.resolve();const Re=()=>document.getElementById(aa);async function Gl(e){const{model:t}=d,n=Gt(e),s=n.length>ve.characters,o=!s&&t?await dn(t,n):null,a=Re();if(!(!a||d.model!==t)){if(!s&&!o){re(n);return}fe.value=o?o.message:"A sentence has up to "+ve.characters+" characters; this one has "+n.length+".",a.value||(a.value=e)}}function ql(e){e.preventDefault();const t=Re(),n=t?.value;!t||!n?.trim()||(fe.value="",t.value="",ia=ia.then(()=>Gl(n)))}function Kl(){const e=P()?.points??[],t=Math.max(1,Math.ceil(e.length/Bl)),n=e.filter((s,o)=>o%t===0);return Be(()=>()=>{fe.value=""},[]),u`<form class="sentence-form" onSubmit=${ql}>
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
    <${Wl} />`}function Wl(){const{waiting:e,sentences:t}=d,[n]=e,s=M(null),o=M(null);if(I(()=>{if(n===void 0){o.current instanceof HTMLElement&&(o.current.isConnected?o.current:Re())?.focus(),o.current=null;return}o.current||(o.current=document.activeElement===document.body?Re():document.activeElement),s.current?.querySelector("button")?.focus()},[n]),n===void 0)return null;function a(r){r.key==="Enter"&&r.repeat&&r.preventDefault(),r.key==="Escape"&&(r.stopPropagation(),qt())}const i=(r,c)=>u`<button
      key=${c}
      type="button"
      class="tool tool-text sentence-goes"
      aria-label=${"Replace sentence "+(c+1)+": "+r}
      onClick=${()=>vs(c)}
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
    <${T} act=${qt}>None, cancel<//>
  </div>`}function Hl(e){ks(e),requestAnimationFrame(()=>{const t=document.querySelectorAll(".pin [data-unpin]");document.activeElement===document.body&&(t[Math.min(e,t.length-1)]??Re())?.focus()})}function Jl({sentence:e,at:t}){const{focus:n,sentences:s}=d,o=O()?.designs[t],a="sentence-focus-"+(t+1),i=r=>r+": "+e;return u`<li class="pin" data-focus=${n===t}>
    ${de(t)}
    <span class="pin-words">${o?.sentence===e?gr(o):e}</span>
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
            act=${()=>_s(t)}
            >Compare with this<//
          >`:u`<span class="tag" title="The others are compared with this sentence">reference</span>`}
    ${s.length>1&&u`<button
        type="button"
        class="tool"
        title="Take away"
        aria-label=${i("Take away")}
        data-unpin
        onClick=${()=>Hl(t)}
      >
        ${"\xD7"}
      </button>`}
  </li>`}const Vl=()=>u`<${L}
    id="sentences"
    title="Sentences"
    reads="Each sentence designs a circuit. Type a sentence and press Enter; up to four are compared with the first. Words that the model was not trained with are underlined."
  >
    <${Kl} />
    <ol class="pins" aria-label="Pinned sentences">
      ${d.sentences.map((e,t)=>u`<${Jl} key=${t} sentence=${e} at=${t} />`)}
    </ol>
  <//>`,ra=60,Yl={silhouette:"silhouette"},Zl={full:"before the map",map:"on the map"};function ca(e,t,n){const{text:s}=t.points[e],o=()=>w({hover_point:e}),a=()=>w({hover_point:-1});return u`<li key=${e}>
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
  </li>`}const Rn=(e,t)=>u`<ul class="sentence-list" aria-label=${e} tabindex="0">
    ${t}
  </ul>`;function Ql(e,t){return e.kinds.map(s=>({kind:s,count:t.filter(o=>e.points[o].kind===s).length})).filter(({count:s})=>s).sort((s,o)=>o.count-s.count).map(({kind:s,count:o})=>s+" "+o).join(", ")}function Xl(e){const t=ct(),n=t.length.toLocaleString("en")+(t.length===1?" sentence: ":" sentences: ")+Ql(e,t),s=t.length-ra;return u`<div class="module-head">
      <h3 class="small-title">In the lasso</h3>
      <${T} act=${()=>w({lasso:null})}>Let go<//>
    </div>
    <p class="selection-count" data-selected=${t.length}>${t.length?n:"No sentence lies inside."}</p>
    ${Rn("Sentences in the lasso",t.slice(0,ra).map(o=>ca(o,e)))}
    ${s>0&&u`<p class="hint">${"and "+s+" more; the files have all"}</p>`}`}function eu(e,t,n){const s=o=>o.map(({index:a,distance:i})=>ca(a,e,i.toFixed(2)));return u`<h3 class="small-title">${["Nearest to ",de(n)," by circuit"]}</h3>
    ${Rn("Nearest by circuit",s(t.nearest))}
    <h3 class="small-title">Nearest by words</h3>
    ${Rn("Nearest by the text encoder",s(t.text_nearest))}`}function tu(){const{lasso:e,sentences:t,focus:n}=d,s=P();if(!s)return null;if(e)return Xl(s);const o=Te().get(t[n]);return o?eu(s,o,n):u`<p class="hint">${"Draw around points with the lasso (or hold Shift and drag) to list their sentences here."}</p>`}const nu=()=>u`<${L}
    id="sentenceselection"
    title="Neighbours"
    reads="Sentences inside the lasso. Without a lasso: the nearest sentences to the chosen one, with distances."
    formats=${["csv","json"]}
    written=${Vr}
  >
    <div class="sentence-selection"><${tu} /></div>
  <//>`,me=e=>e==null?"\u2013":e.toFixed(3),su=({null_mean:e,null_low:t,null_high:n})=>e===null?"":"shuffled "+me(e)+", 95 %: "+me(t)+" to "+me(n);function ou(e){const t=new Map;for(const n of e.separation){const s=[n.by,n.measure,n.space].join(" "),o=t.get(s)||{by:n.by,measure:n.measure,space:n.space,circuits:null,text:null};o[n.map]=n,t.set(s,o)}return[...t.values()]}const au=e=>e&&e.value!==null&&e.null_high!==null&&e.value>e.null_high;function iu(e){const t=o=>u`<td>
      <span class=${au(o)?"beyond":void 0}>${o?me(o.value):"\u2013"}</span>
      ${o&&u`<small>${su(o)}</small>`}
    </td>`,n=ou(e).map(o=>u`<tr>
        <th scope="row">${"by "+o.by}</th>
        <td>${(Yl[o.measure]||o.measure)+", "+(Zl[o.space]||o.space)}</td>
        ${[t(o.circuits),t(o.text)]}
      </tr>`),s=["groups","measure","circuits","text"].map(o=>u`<th scope="col">${o}</th>`);return u`<${At} heads=${s} rows=${n} look="separation" />`}const la=e=>e==null?"\u2013":(100*e).toFixed(1)+" %";function ru(e){const t=[e.count.toLocaleString("en")+" sentences of "+e.set_title,"variance held by the PCA before the map: circuits "+la(e.variance.circuits)+", text "+la(e.variance.text),"trustworthiness (1 is best): circuits "+me(e.trustworthiness.circuits)+", text "+me(e.trustworthiness.text)];return u`<p class="hint" id="sentence-facts">${t.join("; ")+"."}</p>`}function cu(){const e=P(),t=Me()==="loading";return u`<${L}
    id="separation"
    title="Separation"
    tag="observed"
    reads="How well the maps separate sentences by kind and by object. Bold: better than shuffled groups."
    formats=${["csv","json"]}
    written=${Yr}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="How far the maps keep groups apart">
      ${e?[iu(e),ru(e)]:u`<p class="hint">${t?"The table comes with the map.":"There is no map yet."}</p>`}
    </div>
  <//>`}function lu(){const e=Jt();if(!e)return null;const t=e.status===404,n=(Na()??[]).filter(({inputs:s,pictures:o,fields:a,constants:i})=>s==="statements"&&o===Ye&&[...a,...i].includes("text_attention"));return u`<div class="message circuits-problem" role="alert">
    <p class="message-title">${e.title||"No circuits"}</p>
    <p class="message-detail">${e.message}</p>
    <div class="graph-others">
      ${t&&n.map(({id:s})=>u`<${T} key=${s} look="button" act=${()=>Xn({model:s})}>${s}<//>`)}
    </div>
    <${T} id="circuits-retry" look="button" hidden=${t||e.status===403} act=${Ss}>
      Try again
    <//>
  </div>`}function uu(){const e=k();return e&&[u`<${pi} id=${e.id} revision=${e.revision} />`,u`<span>${e.units.length+" modules; each sentence links them differently"}</span>`]}const du=()=>u`<div class="circuits-body">
    <${Vl} />
    <div class="circuits-pair pair-grid" id="circuits-pair">
      <${jo} /><${Vc} /><${gc} />
    </div>
    <div class="circuits-grid"><${ic} /><${Ul} /></div>
    <div class="circuits-pair pair-grid-below"><${sa} /><${cl} /></div>
    <div class="circuits-grid"><${rc} /><${nu} /></div>
    <${cu} />
  </div>`,pu=()=>u`
  <div class="page-head">
    <h1>Circuits</h1>
    <div class="caption" id="circuits-caption"><${uu} /></div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${Yn("link")}Copy link</button>
    </div>
  </div>
  ${Vt()==="failed"?u`<${lu} />`:u`<${du} />`}
`;ja("circuits",async({model:e,sample:t,...n})=>{Xn({model:e,sample:t}),Xe(n)});const hu=Da({Tree:pu,choice:bs,take:Xe,open(e,t){const n=t.closest(".page"),s=[Es(e),...[zs,Ac,ur,Nr,Hs,Ml].map(o=>o.follow()),x(()=>{n.dataset.status=Vt()})];return()=>s.reverse().forEach(o=>o())}});Ia({circuits:()=>Ei,pair:()=>zs,pairAnswers:()=>Hs,pairPixels:()=>Hi,pairSvg:()=>yi});export{hu as mount};
