/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{_ as zn,G as R,s as u,ak as ia,aj as Fe,A as vt,n as ae,am as J,a0 as kt,a6 as Rn,aB as ra,U as x,d as xt,aC as ca,aD as la,a3 as ua,ar as A,ah as da,al as pa,aE as ha,an as Ue,P as Fn,O as fa,a5 as ma,r as U,R as M,ap as j,F as v,T as D,w as ga,aF as $a,aG as wa,aH as St,aI as ba,aJ as Un,aK as Bn,Y as _t,X as ge,f as Gn,ae as Ot,aL as qn,Z as Wn,aw as ya,au as va,ax as ka,S as Be,$ as Hn,aM as xa,aN as Kn,W as Sa,aO as _a,H as Ge,aP as Oa,ao as Ma,aQ as Jn,aR as Ea,aS as Aa,ay as Ta,az as Pa,c as Ca,i as ja,Q as Da}from"../../boot.js";import{S as Vn,c as Mt,Q as Na,T as Ia,U as La,V as Et,W as za,X as Yn,Y as Ra,Z as Zn,_ as At,$ as Fa,a0 as Ua,a1 as Ba,a2 as Ga,a3 as qa,a4 as Qn,H as Wa,G as Ha,D as qe,P as N,d as V,a5 as Tt,A as Xn,I as es,a6 as ts,E as I,a7 as $e,F as Pt,M as Ct,a8 as Ka,a9 as Ja,aa as Va,ab as Ya,ac as Za,e as Qa,g as Xa,n as ns,h as ei,x as ti,ad as ni,ae as si,N as jt,k as oi,af as We,w as ss,K as ai,ag as ii,u as ri,ah as ci,ai as os,aj as li,R as ui,O as di}from"../../shared.js";let ie=null;const pi=new Map,Dt=()=>zn(pi,"",async()=>ie=hi(await R("GET","/scenes/vocabulary"))),hi=({shapes:e,colours:t,sizes:n,background:s,most_things:o,side:a})=>({outlines:new Map(e.map(({name:i,outline:c})=>[i,c])),colours:new Map(t.map(({name:i,hex:c})=>[i,c])),sizes:new Map(n.map(({name:i,radius:c})=>[i,c])),background:s,most:o,side:a});function F(){if(!ie)throw new Error("What pictures are made of has not come yet.");return ie}const G=e=>ie?.sizes.get(e)??.1,we=e=>ie?.colours.get(e)??"#808080",be=(e,t=0,n=0,s=1,o=4)=>"M"+(ie?.outlines.get(e)??[]).map(([a,i])=>(t+a*s).toFixed(o)+","+(n+i*s).toFixed(o)).join("L")+"Z",Nt=({x:e,y:t,size:n})=>"translate("+e+" "+t+") scale("+G(n)+")",It=()=>u`<rect x="0" y="0" width="1" height="1" fill=${F().background} />`,as=({things:e})=>u`<svg viewBox="0 0 1 1" aria-hidden="true" class="pair-thumb">
    <${It} />
    ${e.map(t=>u`<path d=${be(t.shape)} fill=${we(t.colour)} transform=${Nt(t)} />`)}
  </svg>`,is=({shape:e})=>u`<svg viewBox="-1.15 -1.15 2.3 2.3" aria-hidden="true" class="pair-symbol">
    <path d=${be(e)} fill="currentColor" />
  </svg>`,Lt=(e,t,n,s)=>[{shape:"rect",x:t,y:n,w:s,h:s,fill:F().background},...e.map(o=>({shape:"path",d:be(o.shape,t+o.x*s,n+o.y*s,G(o.size)*s,2),fill:we(o.colour)}))];var fi=Object.freeze({__proto__:null,Ground:It,Symbol:is,Thumb:as,colourOf:we,items:Lt,load:Dt,pathOf:be,placed:Nt,radiusOf:G,vocabulary:F});const rs=1e3,ye=e=>Math.round(e*rs)/rs,zt=(e,t,n)=>({pictures:e.pictures.map((s,o)=>o===t?n(s):s)});function cs(e){const t=Math.min(.5,G(e.size)),n=s=>s>=t&&s<=1-t?s:ye(Math.max(t,Math.min(1-t,s)));return{...e,x:n(e.x),y:n(e.y)}}const ls=(e,{picture:t,index:n},s)=>zt(e,t,o=>o.map((a,i)=>i===n?cs({...a,...s}):a)),us=(e,t,n,s)=>ls(e,t,{x:ye(n),y:ye(s)}),ds=(e,t,n)=>zt(e,t,s=>[...s,cs(n)]),ps=(e,{picture:t,index:n})=>zt(e,t,s=>s.filter((o,a)=>a!==n)),hs=(e,t,n)=>ds(ps(e,t),n,e.pictures[t.picture][t.index]),mi=e=>({pictures:[...e.pictures].reverse()}),fs=(e,t)=>e&&t&&e.pictures[t.picture][t.index]||null;function gi(e,t){const n=G(t),s=11;let o={x:.5,y:.5,free:-1/0};for(let a=0;a<s*s;a+=1){const i=f=>n+(1-2*n)*f/(s-1),[c,r]=[i(a%s),i(Math.floor(a/s))],l=e.map(f=>Math.hypot(f.x-c,f.y-r)-G(f.size)-n),p=.001*(.7-Math.hypot(c-.5,r-.5)),m=Math.min(.5,...l)+p;m>o.free&&(o={x:ye(c),y:ye(r),free:m})}return{x:o.x,y:o.y}}const ve=["left","right"],ke=["Left picture","Right picture"],He=({size:e,colour:t,shape:n})=>e+" "+t+" "+n,$i=({x:e,y:t})=>Math.round(100*e)+" % across, "+Math.round(100*t)+" % down";function Rt(e){const t=new Map;for(const n of e)t.set(He(n),(t.get(He(n))||0)+1);return[...t].map(([n,s])=>(s>1?s+" \xD7 ":"")+n).join(", ")||"nothing"}const ms=({pictures:e})=>e.map((t,n)=>ke[n]+": "+Rt(t)+".").join(" "),wi=150,Ke=2,Je=["There is a red circle","There are exactly three red circles"],bi=["s1","s2","s3","s4","view","map","textmap"],gs=Object.entries(ia("circuits")).filter(([e])=>!bi.includes(e)),yi=gs.map(([e])=>e),xe={characters:Fe("circuits","s1").longest,pinned:Fe("circuits","focus").most+1},{offered:$s}=Fe("circuits","measured"),Ft=()=>({...Object.fromEntries(gs),sentences:[],views:{links:null,circuits:null,text:null},stage:0,model:null,hover_unit:-1,hover_point:-1,tool:"move",waiting:[]}),{state:d,differ:ws}=vt(Ft()),Ut=ae(null),bs=()=>Ut.value,B=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function vi(e){const{sentences:t=d.sentences,focus:n=d.focus,...s}=e,o=t.slice(0,xe.pinned),a=["statement","scene","samples"].find(c=>s[c]),i=a?{statement:null,scene:null,samples:null,[a]:s[a]}:{};return{...s,...i,sentences:o,focus:Math.max(0,Math.min(o.length-1,n))}}const w=e=>{ws(vi(e),B)},Bt=e=>w({stage:Math.max(d.stage,e)}),Gt=e=>e.replace(/\s+/g," ").trim();function re(e){const t=Gt(e);if(!t)return;const{sentences:n,waiting:s}=d,o=n.indexOf(t);o>=0?w({focus:o}):n.length<xe.pinned?w({sentences:[...n,t],focus:n.length}):s.includes(t)||w({waiting:[...s,t]})}function ys(e){const[t,...n]=d.waiting;t!==void 0&&w({waiting:n,sentences:d.sentences.map((s,o)=>o===e?t:s),focus:e})}const qt=()=>w({waiting:d.waiting.slice(1)});function vs(e){if(d.sentences.length<2)return;const[t,...n]=d.waiting,s=d.sentences.filter((a,i)=>i!==e),o=d.focus>e?d.focus-1:d.focus;w(t===void 0?{sentences:s,focus:o}:{sentences:[...s,t],waiting:n,focus:s.length})}function ks(e){const t=d.sentences.filter(n=>!e.includes(n));w({sentences:t.length?t:Je})}function xs(e){const n=[d.sentences[e],...d.sentences.filter((s,o)=>o!==e)];w({sentences:n,focus:n.indexOf(d.sentences[d.focus])})}function Wt(e,{x:t,y:n,zoom:s}){const o=t===0&&n===0&&s===1;w({views:{...d.views,[e]:o?null:{x:t,y:n,zoom:s}}})}const ce=()=>(y()?.units??[]).filter(e=>d.drop.includes(e));function Ht(e,t){const{units:n=[]}=y()??{},s=n.filter(o=>e.includes(o)?t:d.drop.includes(o));n.length&&s.length>=n.length?xt("One module stays","A network without modules computes nothing.","bad"):w({drop:s})}const Kt=e=>Ht([e],!d.drop.includes(e)),Ve=J(()=>d.model,async(e,t)=>{const n=await R("GET","/models/"+encodeURIComponent(e),void 0,{signal:t}),{inputs:s,fields:o,constants:a,pictures:i}=n,c=r=>new kt(404,"No circuits",e+" "+r);if((s||"images")!=="statements")throw c("reads pictures alone: no sentence designs its circuit.");if(![...o,...a].includes("text_attention"))throw c("reads sentences, but they design no circuit.");if(i!==Ke)throw c("reads statements about "+i+" pictures; here they are about "+Ke+".");return Rn("drop",n,d.drop),d.unit!==null&&Rn("unit",n,[d.unit]),n}),y=()=>Ve.answer(),Jt=()=>Ve.problem(),Vt=()=>Jt()?"failed":y()?"ready":"loading",{again:Ss}=Ve;function ki(e){e!==d.model&&w({model:e,...d.model?{threshold:null}:{}})}let Se=0;function _s(){const{sentences:e,views:t,lasso:n,model:s}=d;if(!y())return null;const o=B(e,Je)?[]:e;return{...Object.fromEntries(yi.map(a=>[a,d[a]])),...Object.fromEntries(o.map((a,i)=>["s"+(i+1),a])),model:s,sample:da().sample,view:t.links,map:t.circuits,textmap:t.text,lasso:n&&[n.which,n.polygon]}}function xi(){Se=0;const e=_s();if(!e)return;pa("circuits",e,y()?.units);const{model:t,sample:n,...s}=ha("circuits",location.search);Ut.value=s}function Yt(e){const t=la(e);return t&&Vn.clamped(t)}function Si(e){if(!e)return null;const{on:t,polygon:n}=ca(e);return{which:t[0],polygon:n}}const Os=({units:e},t)=>ua(e,t).slice(0,e.length-1);function Ye({s1:e,s2:t,s3:n,s4:s,view:o,map:a,textmap:i,lasso:c,scene:r,...l}){const p=[e,t,n,s].filter(f=>typeof f=="string"),m=y();w({...l,drop:m?Os(m,l.drop):l.drop,waiting:[],sentences:p.length?p:Je,views:{links:Yt(o),circuits:Yt(a),text:Yt(i)},lasso:Si(c),scene:r?JSON.parse(r):null})}function Ms(e){Object.assign(d,Ft()),Ut.value=e,Ye(e);const t=[ra(ki),Ve.follow(),x(()=>{const n=y();A(()=>{if(!n)return;const s=d.unit!==null&&n.units.includes(d.unit)?d.unit:null;w({drop:Os(n,d.drop),unit:s})})}),x(()=>{_s()&&!Se&&(Se=setTimeout(xi,wi))})];return()=>{t.forEach(n=>n()),clearTimeout(Se),Se=0,Object.assign(d,Ft())}}var _i=Object.freeze({__proto__:null,EXAMPLES:Je,LIMITS:xe,PICTURES:Ke,SIZES:$s,again:Ss,begin:Ms,choice:bs,differ:ws,dropped:ce,first:xs,info:y,keepPinned:qt,look:Wt,pin:re,problem:Jt,reach:Bt,replace:ys,same:B,set:w,state:d,status:Vt,take:Ye,tidy:Gt,toggle:Kt,turn:Ht,unpin:vs,withoutUnread:ks});const Oi=250,Zt=()=>({status:"loading",problem:null,scene:null,base:null,samples:null,selected:null,past:[],seen:!1}),{state:$,update:le}=vt(Zt());let Ze={label:null,time:0};const Mi=Ue(()=>!!($.scene&&$.base?.scene&&!B($.scene,$.base.scene))),T=()=>Mi.value,Ei=({size:e,colour:t,shape:n,x:s,y:o})=>[e,t,n,s,o].join(" "),Es=(e,t)=>({...t?{of:t}:{},pictures:e.pictures.map(n=>n.map(Ei))});function As({pictures:e}){const{outlines:t,colours:n,sizes:s,most:o}=F(),a=c=>{const[r,l,p,...m]=String(c).split(" "),[f,h]=m.map(Number);return t.has(p)&&n.has(l)&&s.has(r)&&[f,h].every(b=>b>=0&&b<=1)?[{shape:p,colour:l,size:r,x:f,y:h}]:[]};return{pictures:[0,1].map(c=>Array.isArray(e?.[c])?e[c]:[]).map(c=>c.flatMap(a).slice(0,o))}}let Qe=0;const Qt=new Map,Ai=e=>zn(Qt,e,()=>R("GET","/statements/"+encodeURIComponent(e)),1/0),Ti=100;function Ts(e,t){const n=t.join(" ").toLowerCase();return e.find(({scene:o})=>o?.pictures.flat().some(({colour:a,shape:i})=>n.includes(a+" "+i)))??e[0]}async function Pi(){const{items:e}=await R("GET","/statements?limit="+Ti);if(!e.length)throw new kt(404,"No statements","The service has no statements to offer.");return Ts(e,d.sentences)}function Ci(){const{statement:e,scene:t,samples:n}=d,{base:s}=$;return $.status!=="ready"?!1:t?!!$.scene&&B(t,Es($.scene,s?.id)):!n&&!$.samples&&!T()&&e!==null&&s?.id===e}const Ps=e=>le({...Zt(),status:"ready",seen:$.seen,...e});async function Xt(){const{statement:e,scene:t,samples:n}=d;if(Ci())return;const s=Qe+=1;try{const o=n?null:t?t.of:e;!n&&!t&&!(o&&Qt.has(o))&&le({status:"loading",problem:null});const a=o?Ai(o):t||n?null:Pi(),[i]=await Promise.all([a,Dt()]);s===Qe&&Ps({scene:t?As(t):i?.scene??null,base:i,samples:n})}catch(o){s===Qe&&le({status:"failed",problem:o})}Bt(1)}function Cs(e){const{sentences:t}=d,{sentence:n}=e;Qt.set(e.id,Promise.resolve(e));const s=$.base?t.indexOf($.base.sentence):-1;w({statement:e.id,scene:null,samples:null}),t.includes(n)||s<0?re(n):w({sentences:t.map((o,a)=>a===s?n:o),focus:s})}const en=e=>w({samples:e,statement:null,scene:null});function Y(e,t=$.selected,n=null,s=1/0){if(!$.scene||B(e,$.scene)){Z(t);return}const o=Date.now(),a=n!==null&&n===Ze.label&&o-Ze.time<s,{past:i,...c}={past:$.past,scene:$.scene,selected:$.selected};Ze={label:n,time:o},js(e,t,a?i:[...i,c].slice(-200))}function js(e,t,n){le({scene:e,selected:fs(e,t)&&t,past:n}),Ds()}let tn=0;function Ds(){clearTimeout(tn),tn=setTimeout(()=>{const{scene:e,base:t}=$;e&&(t&&!T()?w({statement:t.id,scene:null}):w({scene:Es(e,t?.id),statement:null,samples:null}))},Oi)}function nn(){const e=$.past.at(-1);Ze={label:null,time:0},e&&js(e.scene,e.selected,$.past.slice(0,-1))}function Ns(){$.base?.scene&&Y($.base.scene,null)}function Z(e){B(e,$.selected)||le({selected:e})}function Is(){Ps({scene:{pictures:[[],[]]}}),Ds()}const Ls=e=>le({seen:e});function zs(){return $.samples?{samples:$.samples}:$.base&&!T()?{statement:$.base.id}:$.scene?{scene:$.scene}:null}const sn=()=>$.samples?.map(e=>Fn+"/samples/"+encodeURIComponent(e)+"/image")??$.base?.pictures??[];function ji(){const e=x(()=>{d.statement,d.scene,d.samples,A(()=>{Xt()})});return()=>{e(),Qe+=1,clearTimeout(tn),Object.assign($,Zt())}}var Rs=Object.freeze({__proto__:null,addresses:sn,edit:Y,edited:T,empty:Is,fittingStatement:Ts,follow:ji,look:Ls,pictures:zs,reset:Ns,select:Z,show:Xt,state:$,take:Cs,takeSamples:en,undo:nn,unpack:As});const Di=25,Ni=600,Fs={status:"idle",problem:null,reply:null,scene:null,fresh:!1,took:null},{state:L,update:Xe}=vt(Fs);function on(){const e=zs(),{model:t,sentences:n,keep_edges:s}=d;if(!t||!y()||!e||!n.length||$.status!=="ready")return null;const o={drop:ce(),...s===null?{}:{keep_edges:s}};return{model:t,what:{sentences:n,intervention:o},pictures:e}}const Us=({model:e,what:t,pictures:n},s)=>R("POST","/models/"+encodeURIComponent(e)+"/answers",{...t,pictures:n},{signal:s}),Bs=J(()=>{const{base:e,samples:t}=$,n=e&&T()&&!t?on():null;return n&&e&&JSON.stringify({...n,pictures:{statement:e.id}})},(e,t)=>Us(JSON.parse(e),t)),Gs=()=>Bs.answer();let z=null,q=null,[_e,Oe]=[0,0];function qs(){q?.cancel.abort(),q=null}async function Ws(){const e=z,{scene:t}=$,[n,s]=[{since:performance.now(),cancel:new AbortController},Oe||performance.now()];q=n,Oe=0;try{const o=await Us(e,n.cancel.signal);if(q!==n)return;const a=e===z,i=performance.now()-s;Xe({reply:o,scene:t,fresh:a,problem:null,took:i,status:a?"done":"asking"})}catch(o){if(q!==n)return;Xe({status:"failed",problem:o,fresh:!1})}q=null,z&&e!==z&&Ws()}function Ii(){_e=0;const e=on();if(!e||B(e,z))return;const t=q&&z&&z.model===e.model&&B(z.what,e.what)&&performance.now()-q.since<Ni;z=e,Xe({status:"asking",fresh:!1}),!t&&(qs(),Ws())}function Hs(){Oe=Oe||performance.now(),_e||(_e=setTimeout(Ii,Di))}function Ks(){z=null,Hs()}function an(e){clearTimeout(_e),z=null,_e=Oe=0,qs(),Xe({...Fs,...e})}const Li={title:"No pictures to ask about",message:"Choose a statement, upload two pictures or edit a scene."};function zi(){const e=[x(()=>{d.model,A(()=>an())}),x(()=>{const t=$.status==="failed";A(()=>t&&an({status:"failed",problem:Li}))}),x(()=>{on()&&A(Hs)}),Bs.follow()];return()=>{e.forEach(t=>t()),an()}}function rn(){const{reply:e,fresh:t}=L,{base:n,samples:s}=$;if(!e)return{};const{drop:o,keep_edges:a=null}=e.intervention;return{model:e.model,revision:e.revision,statement:n?n.id:null,edited:T(),samples:s,scene:L.scene,drop:o,keep_edges:a,current:t,kind:et()}}function et(){const{drop:e=[],keep_edges:t}=L.reply?.intervention??{};return e.length>0||typeof t=="number"?"under intervention":"observed"}var Js=Object.freeze({__proto__:null,again:Ks,before:Gs,facts:rn,follow:zi,state:L,tag:et});const[Me,Q]=[4,8],Ee=new Map;function Ri(e){const t=Math.floor(e);return e-t===.5?t+t%2:Math.round(e)}const Fi=(e,t)=>e.flatMap(([n,s],o)=>{const[a,i]=e[(o+1)%e.length];return s>t!=i>t?(a-n)*(t-s)/(i-s)+n:[]});function Ui(e,t,n,s){const o=[e.shape,e.size,t,n,s].join(" "),a=Ee.get(o);if(a)return a;const{outlines:i,sizes:c}=F(),r=Math.ceil(Math.max(...c.values())*t)+1,l=G(e.size)*t,p=(i.get(e.shape)??[]).map(([b,k])=>[b*l,k*l]),m=2*r,f=new Float32Array(m*m),h=b=>(b+.5)/Q-r;for(let b=0;b<m*Q;b+=1){const k=Fi(p,h(b)-s/Me);if(k.length)for(let O=0;O<m*Q;O+=1){const C=h(O)-n/Me;k.filter(K=>C<K).length%2&&(f[Math.floor(b/Q)*m+Math.floor(O/Q)]+=1/(Q*Q))}}const g={share:f,margin:r,wide:m};return Ee.set(o,g),Ee.size>400&&Ee.delete(Ee.keys().next().value),g}function Vs(e,t){const n=Mt(F().background),s=Float32Array.from({length:3*t*t},(a,i)=>n[i%3]+.5),o=a=>{const i=Ri(a*t*Me);return[Math.floor(i/Me),i%Me]};for(const a of e){const[[i,c],[r,l]]=[o(a.x),o(a.y)],{share:p,margin:m,wide:f}=Ui(a,t,c,l),h=Mt(we(a.colour));p.forEach((g,b)=>{const[k,O]=[i+b%f-m,r+Math.floor(b/f)-m];if(!g||k<0||O<0||k>=t||O>=t)return;const C=3*(O*t+k);h.forEach((K,Ln)=>s[C+Ln]=s[C+Ln]*(1-g)+g*(K+.5))})}return s.map(Math.floor)}function Ys(e){const{side:t}=F(),n=document.createElement("canvas");n.width=n.height=t;const s=n.getContext("2d"),o=s.createImageData(t,t);Vs(e,t).forEach((a,i)=>o.data[i+Math.floor(i/3)]=a);for(let a=3;a<o.data.length;a+=4)o.data[a]=255;return s.putImageData(o,0,0),n.toDataURL("image/png")}var Bi=Object.freeze({__proto__:null,href:Ys,pixels:Vs});const[Zs,Qs,Xs]=[1,2,3],[eo,Gi]=[8,63];function qi(e){const t=e*(e-1)/2,[n,s]=[new Uint16Array(t),new Uint16Array(t)];for(let o=1,a=0;o<e;o+=1)for(let i=0;i<o;i+=1,a+=1)n[a]=o,s[a]=i;return{from:n,to:s,count:t}}const Wi=(e,t)=>e>t?e*(e-1)/2+t:t*(t-1)/2+e;function Hi(e,t,n){const s=new Uint8Array(e.count);for(let o=0;o<e.count;o+=1)s[o]=eo+(Gi-eo)*Math.max(t[o],n[o]);return{...e,weights:s,p:t}}function Ki(e,t,n,s){if(s===null||s>=1)return 0;const a=new Uint32Array(e.count).map((r,l)=>l).filter(r=>t[r]>0).sort((r,l)=>t[l]-t[r]||r-l),i={from:Uint16Array.from(a,r=>e.from[r]),to:Uint16Array.from(a,r=>e.to[r]),count:a.length},{last:c}=Na(i,n,s);return c<0?1/0:t[a[c]]}function Ji({from:e,to:t,count:n},s,o,{threshold:a,dropped:i,changes:c}){const r=new Uint8Array(n),l=[0,0,0,0];for(let g=0;g<n;g+=1){if(i[e[g]]||i[t[g]])continue;const[b,k]=[s.p[g],o.p[g]],O=b>a&&b>=s.least,C=k>a&&k>=o.least,K=O?C?Zs:Xs:C?Qs:0;l[K]+=1,(!c||K!==Zs)&&(r[g]=K)}const[,p,m,f]=l,h=(c?0:p)+f+m;return{layers:r,least:s.least,kept:p,gained:f,lost:m,links:p+f,drawn:h}}const Vi=(e,t,n,s,o)=>Array.from({length:n},(a,i)=>({other:i,pair:Wi(s,i)})).filter(({other:a,pair:i})=>a!==s&&e[i]).map(({other:a,pair:i})=>({other:a,p:t[i],layer:e[i]})).sort((a,i)=>i.p-a.p||a.other-i.other).slice(0,o),to=1.5;function Yi(e){const t=Math.max(...e.flat()),n=s=>t>0?to*Math.sqrt(Math.max(0,s)/t):to;return e.map(s=>Float32Array.from(s,n))}const no=60,so=1e3,cn=e=>"/models/"+encodeURIComponent(e)+"/designs";async function Zi(e,t,n){const s={sentences:t},[o,a]=await Promise.all([R("POST",cn(e),s,{signal:n}),fa(cn(e)+"/links",{method:"POST",body:JSON.stringify(s),headers:{"Content-Type":"application/json"},signal:n})]);return Xi(o,new Float32Array(await a.arrayBuffer()))}function Qi(e){return[0,...Array.from({length:so-1},(n,s)=>e[Math.floor((s+1)/so*e.length)]).map(n=>Math.round(1e4*n)/1e4),1]}function Xi(e,t){const n=e.units.length,s=qi(n);if(t.length!==e.designs.length*s.count)throw new kt(0,"Incomplete answer","The circuits arrived incomplete. Load the page again.");const o=e.designs.map((a,i)=>t.subarray(i*s.count,(i+1)*s.count));return{...e,count:n,median:Math.round(1e3*(o[0].toSorted()[s.count>>1]??.5))/1e3,scale:Qi(t.toSorted()),place:new Map(e.units.map((a,i)=>[a,i])),pairs:s,p:o,edges:o.map(a=>Hi(s,a,o[0])),sizes:Yi(e.designs.map(a=>a.connectivity)),...Ia(e.layout)}}async function ln(e,t){try{return await R("POST",cn(e),{sentences:[t]}),null}catch(n){return n}}const un=e=>e?.status===422,er=e=>e.length>no?e.slice(0,no)+"...":e;async function tr(e,t,n){const s=await Promise.all(t.map(a=>ln(e,a)));if(n.aborted)return;const o=t.filter((a,i)=>un(s[i]));t.forEach((a,i)=>{un(s[i])&&ma(`"${er(a)}" is not pinned: ${s[i]?.message}`)}),o.length&&ks(o)}const Ae=J(()=>{const{stage:e,model:t,sentences:n}=d;return e>0&&y()&&n.length?JSON.stringify([t,n]):null},async(e,t)=>{const[n,s]=JSON.parse(e);try{return await Zi(n,s,t)}catch(o){throw un(o)&&await tr(n,s,t),o}});function _(){const e=Ae.latest();return e&&e.model===d.model?e:null}const{problem:dn,waits:oo,again:ao}=Ae;function ue(){const e=_()?.designs[d.focus];return e&&e.sentence===d.sentences[d.focus]?e.connectivity:null}const X=e=>d.threshold??e.median;function io(e,t){const{drop:n,keep_edges:s}=d,o=Uint8Array.from(e.units,c=>Number(n.includes(c))),a=e.p.map(c=>({p:c,least:Ki(e.pairs,c,o,s)})),i=a.map((c,r)=>{const l=t==="own"||r===0?c:a[0],p={threshold:X(e),dropped:o,changes:t==="changes"&&r>0};return Ji(e.pairs,c,l,p)});return{data:e,compared:i,dropped:o}}const tt=Ue(()=>{const e=_();return e&&io(e,d.links)}),ee=()=>tt.value,ro=()=>(tt.value&&d.links==="own"?io(tt.value.data,"differences"):tt.value)?.compared??[];function nr(){const e=[Ae.follow(),x(()=>{const t=Ae.answer();!t&&!Ae.problem()||A(()=>{t&&d.threshold===null&&w({threshold:t.median}),Bt(2)})})];return()=>e.forEach(t=>t())}var sr=Object.freeze({__proto__:null,again:ao,changes:ro,connectivity:ue,data:_,drawn:ee,follow:nr,problem:dn,refusal:ln,thresholdOf:X,waits:oo});const or=4,ar=60,pn=[.01,.05,.2,.5],ir=.16;class rr extends La{counts={kept:0,gained:0,lost:0,links:0,drawn:0};own=!1;setCircuit(t,n,s){Object.assign(this,{links:t,layers:n.layers,counts:n,own:s,stale:!0}),this.shown=n.drawn}setDropped(t){super.setDropped(t);const{change:n}=this.modules;if(!n)return;const s=a=>pn.filter(i=>n[a]>=i).length,{groups:o}=this;this.groups=o.flatMap(({order:a,size:i})=>[0,...pn].map((c,r)=>({size:i,ring:r*ir,order:a.filter(l=>s(l)===r)})).filter(c=>c.order.length))}linkPaints(t){const{gained:n,lost:s}=Et(t),{kept:o,gained:a,lost:i}=this.counts,c=Math.max(.05,Math.min(.62,9/Math.sqrt(o+1))),r=Math.max(.1,Math.min(.9,14/Math.sqrt(a+i+1)));return[{colour:this.own?t.accent:t.unmatched,alpha:c},{colour:s,alpha:r,dash:or},{colour:n,alpha:r}]}linksAt(t){if(t<0||!this.links)return[];const{gained:n,lost:s}=Et(U()),o={[Xs]:{paint:n},[Qs]:{paint:s,dash:[4,3]}};return Vi(this.layers,this.links.p,this.modules.names.length,t,ar).map(({layer:i,...c})=>({...c,...o[i]}))}}const de=e=>u`<span class="badge"><span class="hidden-visually">${"sentence "}</span>${e+1}</span>`;function co(e){const t=[];return e.pieces.forEach(({text:n,known:s},o)=>{const a=t[t.length-1];a&&n.startsWith("##")?(a.text+=n.slice(2),a.known=a.known&&s,a.pieces.push(o)):t.push({text:n,known:s,pieces:[o]})}),t}function cr(e){const t=e.sentence.toLowerCase(),n=[];let s=0;for(const o of co(e)){const a=t.indexOf(o.text.toLowerCase(),s);a<0||(s=a+o.text.length,o.known||n.push([a,s]))}return n}function lr(e){const{sentence:t}=e;let n=0;return[...cr(e).map(([o,a])=>{const i=t.slice(n,o);return n=a,u`${i}<mark class="unknown" title=${"the model was not trained with this word: it spells it"}>${t.slice(o,a)}</mark>`}),t.slice(n)]}const ur="Arrow keys walk from module to module, Enter chooses one, Delete drops it, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.",Te=[],nt=e=>w({hover_unit:e});function st(e){const t=_();w({unit:t&&e>=0?t.units[e]:null})}const pe=()=>_()?.place.get(d.unit??"")??-1;function hn(e){const{communities:t,connectivity:n}=e.designs[0],{community:s,degree:o}=za;return new Set(t).size>1?s({communities:t},U()):o({degrees:{learned:n}},U())}const fn=e=>e===0||d.links==="own";class dr{constructor(t,n){this.at=n,this.canvas=t,this.data=null,this.map=new rr(t.parentElement,t,{onTheme:()=>this.rebuild(),onDrawn:()=>this.publish(),onView:s=>Wt("links",s)}),this.stops=[x(()=>{const s=ee();A(()=>{const o=s?.data.designs[n]?s.data:null;o===this.data?this.relink():(this.data=o,this.rebuild())})}),x(()=>this.mark()),Yn(this.map,{tool:()=>"move",hover:nt,pick:s=>st(s===pe()?-1:s),select:()=>{}}),Ra(this.map,{hovered:()=>d.hover_unit,chosen:pe,start:()=>Zn(this.drawn.count,s=>this.design.connectivity[s])[0],point:nt,pick:st,drop:s=>Kt(this.drawn.units[s])})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}get drawn(){if(!this.data)throw new Error("There are no circuits to draw.");return this.data}get design(){return this.drawn.designs[this.at]}rebuild(){const t=ee();if(!this.data||!t){this.map.items=this.map.links=null,delete this.canvas.dataset.painted,this.map.draw();return}const{data:n,design:s}=this,{of:o,paints:a}=hn(n),{places:i,halves:c,units:r}=n,l=s.to_first?.code_change??void 0;this.map.setModules({places:i,halves:c,names:r,category:o,paints:a,sizes:n.sizes[this.at],change:l},t.dropped),this.relink(),this.mark()}relink(){const t=ee();!this.data||!t||(String(this.map.dropped)!==String(t.dropped)&&this.map.setDropped(t.dropped),this.map.setCircuit(this.drawn.edges[this.at],t.compared[this.at],fn(this.at)),this.map.draw())}mark(){const{views:t,hover_unit:n}=d,s=pe();this.data&&(this.map.follow(t.links),this.map.ringed=s>=0?[s]:[],this.map.focus=n>=0?n:s,this.map.draw())}publish(){if(!this.data)return;const{counts:t,gone:n,focus:s,spent:o}=this.map,{links:a,gained:i,lost:c}=t,r={links:String(a),gained:String(i),lost:String(c),gone:String(n.length)},l=s>=0?this.drawn.units[s]:"";Object.assign(this.canvas.dataset,{painted:this.design.sentence,...r,focus:l,spent:o.toFixed(2)})}scene(t){const n=this.at+1+". "+this.design.sentence;this.map.heading=n;const s=fn(this.at)?".":"; blue are gained and orange, dashed, lost against the first circuit.",a=this.map.scene(n,"Discs are modules, their areas as their connectivity from zero; lines are links above "+X(this.drawn)+s,t);return this.map.heading="",a}}const pr=({counts:{links:e,gained:t,lost:n},own:s})=>u`<span class="design-counts">
    ${s?u`<span>${v(e)+(e===1?" link":" links")}</span>`:u`<span>${v(e)}</span>
            <span class="gained" title="links that this circuit has and the first has not">${"+"+v(t)}</span>
            <span class="lost" title="links that the first circuit has and this one has not">
              ${"\u2212"+v(n)}
            </span>`}
  </span>`;function hr({at:e}){const t=M(null);j(()=>{const o=new dr(t.current,e);return Te[e]=o,()=>{o.dispose(),Te[e]===o&&(Te.length=e)}},[]);const n=ee(),s=n?.data.designs[e]?.sentence??d.sentences[e];return u`<figure class="design">
    <figcaption>
      ${de(e)}<span class="design-sentence" title=${s}>${s}</span>
      ${n?.compared[e]&&u`<${pr} counts=${n.compared[e]} own=${fn(e)} />`}
    </figcaption>
    <div class="design-canvas">
      <canvas
        id=${"design-picture-"+(e+1)}
        tabindex="0"
        role="img"
        aria-label=${"Circuit of \u201C"+s+"\u201D. "+ur}
        ref=${t}
      ></canvas>
      ${!n?.data.designs[e]&&u`<div class="skeleton" aria-hidden="true"></div>`}
    </div>
  </figure>`}function fr(){const e=d.sentences.length,n=dn()&&!_()?"failed":oo()?"waiting":"ready";return u`<div class="designs" data-status=${n} data-count=${e}>
    ${d.sentences.map((s,o)=>u`<${hr} key=${o} at=${o} />`)}
  </div>`}const mr=3,gr=6,lo="\u2013",mn=e=>e==null?lo:Number.isInteger(e)?v(e):ga(e),$r=e=>e.reduce((t,n)=>t+n,0)/e.length,gn=[{name:"links",title:"links above the threshold",of:(e,t)=>t.links},{name:"gained",title:"links that this circuit has and circuit 1 has not",of:(e,t,n)=>n?t.gained:null},{name:"lost",title:"links that circuit 1 has and this circuit has not",of:(e,t,n)=>n?t.lost:null},{name:"mean |\u0394P|",title:"mean absolute difference of link probabilities to circuit 1, over all pairs",of:e=>e.to_first?.mean_change??null},{name:"correlation",title:"of link probabilities with circuit 1, over all pairs",of:e=>e.to_first?.correlation??null},{name:"code change",title:"1 - cosine of a module's codes in the two circuits, mean over modules",of:({to_first:e})=>e?.code_change?$r(e.code_change):null},{name:"mean degree",title:"expected number of links of a module",of:e=>e.mean_degree},{name:"modularity",title:"of the best communities found",of:e=>e.modularity}];function $n(){const e=ro();return(_()?.designs??[]).map((t,n)=>({sentence:t.sentence,cells:gn.map(s=>s.of(t,e[n],n))}))}function wr(){const e=gn.map(({name:n,title:s})=>u`<th scope="col" title=${s}>${n.replace("|","|\u2060")}</th>`),t=$n().map(({sentence:n,cells:s},o)=>u`<tr>
        <th scope="row">${[de(o)," ",n]}</th>
        ${s.map(a=>u`<td>${mn(a)}</td>`)}
      </tr>`);return u`<div class="table-scroll" tabindex="0" role="region" aria-label="Distances of the circuits">
    ${t.length>0&&u`<${At} heads=${[u`<th scope="col">sentence</th>`,...e]} rows=${t} />`}
  </div>`}function br(e,t){const n=e.text_attention?.[t];return n?co(e).map(({text:s,pieces:o})=>({text:s,share:o.reduce((a,i)=>a+(n[i]||0),0)})).sort((s,o)=>o.share-s.share).slice(0,mr):null}const uo=e=>(_()?.designs??[]).map(t=>({sentence:t.sentence,connectivity:t.connectivity[e],rank:1+t.connectivity.filter(n=>n>t.connectivity[e]).length,link_change:t.to_first?.module_change[e]??null,code_change:t.to_first?.code_change?.[e]??null,words:br(t,e)})),yr=({unit:e})=>u`<${At}
    heads=${["sentence","q, rank","mean |\u0394P|","code change","reads most from"].map(t=>u`<th scope="col">${t}</th>`)}
    rows=${uo(e).map((t,n)=>u`<tr>
          <th scope="row">${de(n)}</th>
          <td>${t.connectivity.toFixed(2)+", "+t.rank}</td>
          <td>${mn(t.link_change)}</td>
          <td>${mn(t.code_change)}</td>
          <td>
            ${t.words?.map(({text:s,share:o})=>s+" "+(100*o).toFixed(0)+" %").join(", ")??lo}
          </td>
        </tr>`)}
  />`;function po({data:e,field:t,words:n}){const s=e.designs.flatMap(({to_first:i})=>i?.[t]?[i[t]]:[]);if(!s.length)return null;const o=i=>Math.max(...s.map(c=>c[i]));function a(i){const[c,r]=[()=>nt(i),()=>nt(-1)];return u`<button key=${i} type="button" class="chip" onClick=${()=>st(i)} ...${{onPointerEnter:c,onPointerLeave:r,onFocus:c,onBlur:r}}>
      ${e.units[i]}<small>${" "+o(i).toFixed(3)}</small>
    </button>`}return u`<div class="moved">
    <span class="control-name">${n}</span>${Zn(e.count,o).slice(0,gr).map(a)}
  </div>`}function vr(){const e=_();if(!e)return null;const t=pe(),n=e.units[t],s=d.drop.includes(n);return u`<div class="design-module" data-unit=${n??""}>
    ${t>=0&&u`<div class="module-head">
          <h3 class="small-title">${"Module "+n}</h3>
          <${D} id="design-drop" pressed=${s} act=${()=>Kt(n)}>
            ${s?"Bring back":"Drop"}
          <//>
          <${D} act=${()=>st(-1)}>Close<//>
        </div>
        <${yr} unit=${t} />`}
    <${po} data=${e} field="module_change" words="Links changed most (mean |ΔP|)" />
    <${po} data=${e} field="code_change" words="Codes changed most (1 − cosine)" />
    ${t<0&&u`<p class="hint">Click a module to see it in all circuits; Delete drops it.</p>`}
  </div>`}const kr=12,ho={kind:"kind of reasoning",object:"object",colour:"colour that is said"},xr={red:"#d62728",green:"#2f9e44",blue:"#1c6fd1",yellow:"#e0b400",purple:"#8e5bb5",orange:"#f08c00",black:"#3b4048",white:"#c9d1d9",pink:"#f06595",brown:"#8c5a3c",grey:"#868e96",gray:"#868e96",silver:"#adb5bd",gold:"#c99700",beige:"#cbb994",teal:"#0b8a8a"};function wn({points:e,kinds:t,objects:n},s,o){const a=new Map,i=g=>a.get(g)||0;for(const{[s]:g}of e)g!==null&&a.set(g,i(g)+1);const c={kind:t,object:n,colour:[]}[s],r=[...a.keys()].sort((g,b)=>c.indexOf(g)-c.indexOf(b)||i(b)-i(g)||(g<b?-1:1)),l=(g,b)=>s==="colour"&&xr[g]||(b<kr?o.unit(b):o.unmatched),p=new Map(r.map((g,b)=>[g,b])),m=r.map((g,b)=>({name:g,count:i(g),paint:l(g,b)})),f=e.length-m.reduce((g,{count:b})=>g+b,0);return f&&m.push({name:"none",count:f,paint:o.unmatched}),{of:Int32Array.from(e,g=>p.get(g[s])??r.length),paints:[...m.map(({paint:g})=>g),o.unmatched],entries:m}}const W=["sentence-pca","sentence-map"],Sr="scenes",ot=()=>d.set||Sr,fo=(e,t)=>({...e,method:t,perplexity:t==="tsne"?e.perplexity:30});function mo(e){const t=Float64Array.from(e.flat()),{places:n,halves:s}=Ua(t,[]);return{places:n(t),halves:s,place:o=>n(Float64Array.from(o))}}async function _r(e){const t=await R("GET","/sentence-maps/"+encodeURIComponent(e));return{info:t,layouts:{circuits:mo(t.xy),text:mo(t.text_xy)}}}const go=()=>W.forEach(e=>$a(e)),$o=(e,t,n,s)=>new Promise((o,a)=>{let i=!1;const{stop:c}=wa(e,"/sentence-maps",t,{done:r=>{_r(r).then(o,a)},cancelled:()=>s&&o(null),failed(r){i=!0,s?o(null):a(r)},goesOn:()=>i&&!s&&he.again()});n.addEventListener("abort",c)}),P=ae(null),he=J(()=>{const{stage:e,model:t,method:n,perplexity:s,seed:o}=d;return e<2||!t||!y()?null:JSON.stringify(fo({model:t,set:ot(),method:n,perplexity:s,seed:o},n))},async(e,t)=>{const n=JSON.parse(e);if(go(),n.method!=="pca"){const s=await $o(W[0],fo(n,"pca"),t,!0);t.throwIfAborted(),s&&(P.value=s)}return $o(W[1],n,t,!1)}),wo=()=>St(W[1]).job?.state==="cancelled",at=()=>P.value,E=()=>P.value?.info??null,bo=()=>he.waits()&&!wo(),{problem:bn,again:yo}=he,Pe=()=>P.value?"ready":bn()?"failed":wo()?"stopped":"loading",yn=J(()=>P.value?JSON.stringify([P.value.info.id,d.sentences]):null,async(e,t)=>{const[n,s]=JSON.parse(e),o="/sentence-maps/"+encodeURIComponent(n)+"/places",{places:a}=await R("POST",o,{sentences:s},{signal:t});return{id:n,places:new Map(a.map((i,c)=>[s[c],i]))}});function Ce(){const e=yn.latest();return e&&e.id===E()?.id?e.places:new Map}const it=({kind:e,object:t})=>(!d.kinds.length||d.kinds.includes(e))&&(!d.objects.length||d.objects.includes(t)),Or=Ue(()=>{const[e,{lasso:t}]=[P.value,d];if(!e||!t)return[];const n=Int32Array.from(e.info.points.keys()).filter(s=>it(e.info.points[s]));return Array.from(new Fa(e.layouts[t.which].places,n).inside(t.polygon))}),rt=()=>Or.value;function Mr(){const e=[x(()=>{const t=P.value?.info;t&&(t.model!==d.model||t.set!==ot())&&(P.value=null)}),he.follow(),yn.follow(),x(()=>{const t=he.answer();t&&A(()=>P.value=t)}),x(()=>{const t=yn.problem()??(P.value?he.problem():null);t&&A(()=>xt(t.title||"No map",t.message,"bad"))})];return()=>{e.forEach(t=>t()),go(),P.value=null}}var Er=Object.freeze({__proto__:null,JOBS:W,again:yo,chosen:rt,chosenSet:ot,follow:Mr,info:E,map:at,places:Ce,problem:bn,shows:it,status:Pe,waits:bo});const vo={tsne:"t-SNE",pca:"PCA"},ko={circuits:"by their circuits",text:"by their words (text encoder)"},Ar={circuits:"Map of sentences by their circuits",text:"Map of sentences by the text encoder"},Tr=". N and P go from sentence to sentence, Enter pins one, L takes the lasso, Escape lets go, plus and minus zoom, arrows move, 0 shows all.",Pr=64,Cr=900,jr={ArrowRight:[1,0],ArrowLeft:[-1,0],ArrowDown:[0,1],ArrowUp:[0,-1]},te={};function vn(e){const t=[vo[e.method]];return e.method==="tsne"&&t.push("perplexity "+(e.parameters.perplexity??d.perplexity)),[...t,"seed "+e.seed].join(" \xB7 ")}class Dr{constructor(t,n){this.which=n,this.canvas=t,this.layout=null,this.lasso=null,this.marks=[],this.landed=null,this.map=new Vn(t.parentElement,t,{onTheme:()=>this.rebuild(),onPainted:()=>this.publish(),onView:s=>Wt(n,s)}),this.map.heading=ko[n],this.stops=[x(()=>{at(),d.kinds,d.objects,d.colour_by,A(()=>this.rebuild())}),x(()=>this.mark()),Yn(this.map,{tool:()=>d.tool,hover:s=>w({hover_point:s}),pick:s=>this.pin(s),select:s=>w({lasso:s&&{which:n,polygon:qa(s,Pr)}})})]}dispose(){this.stops.forEach(t=>t()),this.map.dispose()}pin(t){const n=E();n&&re(n.points[t].text)}rebuild(){const t=at();if(!t){this.map.items=null,delete this.canvas.dataset.painted,this.map.draw();return}const{info:n,layouts:s}=t,{of:o,paints:a}=wn(n,d.colour_by,U()),i=Ba(n.points.length),{places:c,halves:r}=this.layout=s[this.which],l={order:i.filter(p=>it(n.points[p])),category:o,paints:a,places:c,halves:r};this.map.setItems(l),this.lasso=null,this.map.caption=vn(n),this.mark()}mark(){const[t,n]=[at(),Ce()],{sentences:s,hover_point:o,lasso:a,views:i}=d,{layout:c}=this;if(!(!t||!c||!this.map.items)){if(this.marks=s.flatMap((r,l)=>{const p=n.get(r);if(!p)return[];const[m,f]=c.place(this.which==="text"?p.text_xy:p.xy);return[{x:m,y:f,name:String(l+1),badge:!0,sentence:r}]}),this.map.marks=this.marks,this.land(),this.map.ringed=o>=0?[o]:[],this.lasso!==a){this.lasso=a;const r=a&&new Set(rt());this.map.setStrong(r&&Uint8Array.from(t.info.points,(l,p)=>r.has(p)?1:0)),this.map.lasso=a&&a.which===this.which?a.polygon:null}this.map.follow(i[this.which]),this.map.draw()}}land(){const t=this.landed,n=new Set(this.marks.map(({sentence:i})=>i));if(this.landed=n,!t||ba())return;const s=new Set([...n].filter(i=>!t.has(i)));if(!s.size)return;const o=performance.now(),a=i=>{const c=Math.max(0,1-(i-o)/Cr);for(const r of this.marks)s.has(r.sentence)&&(r.rings=c);this.map.draw(),c&&requestAnimationFrame(a)};requestAnimationFrame(a)}key(t){const{map:n}=this;if(!n.items||t.ctrlKey||t.metaKey||t.altKey)return;const s=jr[t.key],o={"+":()=>n.zoomBy(1.3),"=":()=>n.zoomBy(1.3),"-":()=>n.zoomBy(1/1.3),0:()=>n.fit(),l:()=>w({tool:d.tool==="lasso"?"move":"lasso"}),Enter:()=>d.hover_point>=0&&this.pin(d.hover_point),n:()=>this.step(1),p:()=>this.step(-1),Escape:()=>w({lasso:null,hover_point:-1})};if(s)n.panBy(-40*s[0],-40*s[1]);else if(o[t.key])o[t.key]();else return;t.preventDefault()}step(t){const{order:n,places:s}=this.map.drawn,o=Array.from(n).sort((c,r)=>s[2*c]-s[2*r]||c-r),a=o.indexOf(d.hover_point),i=a<0?0:(a+t+o.length)%o.length;w({hover_point:o[i]})}publish(){const t=E();if(!t)return;const n={points:String(this.map.drawn.order.length),marks:String(this.map.marks.length)},s={painted:t.id,method:t.method,hovered:String(d.hover_point)};Object.assign(this.canvas.dataset,n,s)}scene(t,n){return this.map.scene("Sentences "+ko[this.which]+": "+t.model+", "+vn(t),"Each point is a sentence, coloured by "+ho[d.colour_by]+"; numbers are pinned.",n)}}const xo=e=>[e.kind,e.object,e.colour,e.number,e.relation].filter(Boolean).join(" \xB7 ");function Nr({which:e}){const t=M(null),n=d.hover_point,s=E()?.points[n];return j(()=>{const o=te[e];s&&o&&t.current&&Ga(t.current,t.current.parentElement,o.map.placeOf(n))},[n,s]),u`<div class="sentence-card" hidden=${!s} ref=${t}>
    ${s&&[u`<strong>${s.text}</strong>`,u`<p class="hint">${xo(s)}</p>`]}
  </div>`}function So({which:e}){const t=M(null);return j(()=>{const n=te[e]=new Dr(t.current,e);return()=>{te[e]===n&&delete te[e],n.dispose()}},[]),u`<div class="sentence-canvas">
    <canvas
      id=${"sentence-map-"+e}
      tabindex="0"
      role="img"
      aria-label=${Ar[e]+Tr}
      onKeyDown=${n=>te[e]?.key(n)}
      ref=${t}
    ></canvas>
    <${Nr} which=${e} />
  </div>`}const je=12,Ir=460;function _o(e,t,n,s,o){const a=Math.min(o&&o<Ir?1:2,e.length),i=e.map(h=>h(o&&(o-(a-1)*je)/a)),[c,r]=[Math.max(...i.map(({width:h})=>h)),Math.max(...i.map(({height:h})=>h))],l=a*c+(a-1)*je,p=Math.ceil(i.length/a)*(r+je)+10,m=Wa(s.map(({name:h,paint:g})=>({text:h,key:"dot",fill:g,ink:"ink"})),{x:10,y:p,width:l}),f=i.map((h,g)=>Ha(h,g%a*(c+je),Math.floor(g/a)*(r+je)));return qe({width:l,height:p+m.height,title:t,desc:n,marks:[f,m.marks]})}function Oo(e){const{model:t,revision:n}=e,{drop:s,keep_edges:o,links:a,unit:i}=d,c=e.designs.map(({sentence:p})=>p),r=X(e);return{model:t,revision:n,seed:null,sentences:c,threshold:r,drop:s,keep_edges:o,links_drawn:a,unit:i,kind:"observed"}}function Lr(e,t){const{gained:n,lost:s}=Et(U()),a=e.designs.length>1&&d.links!=="own"?[{name:"gained against 1",paint:n},{name:"lost against 1, dashed",paint:s}]:[],{entries:i,what:c}=hn(e);return _o(Te.filter(r=>r.data).map(r=>l=>r.scene(l)),"Circuits of "+e.model+" above "+X(e),e.designs.map(({sentence:r},l)=>l+1+": "+r).join("; "),[...a,...i.map(({name:r,paint:l})=>({name:c+" "+r,paint:l}))],t)}function Mo({data:e,compared:t,dropped:n}){const s=X(e),o=l=>e.designs.map((p,m)=>l+(m+1)),{from:a,to:i,count:c}=e.pairs,r=Array.from({length:c},(l,p)=>{const m=e.p.map(g=>g[p]);if(!m.some(g=>g>s))return[];const f=!n[a[p]]&&!n[i[p]],h=m.map((g,b)=>g>s&&g>=t[b].least&&f);return[[e.units[a[p]],e.units[i[p]],...m,...h]]});return[["module","other",...o("p_"),...o("there_")],...r.flat()]}function zr(){const e=ee();if(!e)return null;const{data:t}=e;return{name:"circuits",python:{figure:"designs"},facts:Oo(t),rows:()=>Mo(e),json:()=>{const[n,...s]=Mo(e);return{units:t.units,layout:t.layout,designs:t.designs,link_columns:n,links:s}},picture:{scene:n=>Lr(t,n)}}}function Rr(){const e=_();if(!e)return null;const t=gn.map(({name:n})=>n);return{name:"circuit-distances",python:{figure:"distances"},facts:Oo(e),rows:()=>[["sentence",...t],...$n().map(({sentence:n,cells:s})=>[n,...s.map(o=>o??"")])],json:()=>({distances:$n().map(({sentence:n,cells:s})=>({sentence:n,...Object.fromEntries(t.map((o,a)=>[o,s[a]]))})),to_first:e.designs.map(({sentence:n,to_first:s})=>{const{gained:o,lost:a,...i}=s||{};return{sentence:n,to_first:s&&i}}),module:pe()>=0?uo(pe()):null}),picture:{}}}function kn(e){const{model:t,revision:n,seed:s,set:o,method:a,parameters:i,variance:c,trustworthiness:r,id:l}=e,{kinds:p,objects:m,colour_by:f}=d;return{model:t,revision:n,seed:s,set:o,method:a,parameters:i,variance:c,trustworthiness:r,...{kinds_shown:p,objects_shown:m,colour:f},drop:[],map:l,kind:"observed"}}const Eo=["text","kind","object","colour","number","relation"];function xn(e,t){const n=t.map(s=>[...Eo.map(o=>e.points[s][o]??""),...e.xy[s],...e.text_xy[s]]);return[[...Eo,"x","y","text_x","text_y"],...n]}function Fr(e,t){const{entries:n}=wn(e,d.colour_by,U());return _o(["circuits","text"].flatMap(s=>{const o=te[s];return o?a=>o.scene(e,a):[]}),"Maps of "+e.count+" sentences: "+e.model+", "+vn(e),"Left by the circuits that they design, right by the text encoder's embedding. Numbers: "+d.sentences.map((s,o)=>o+1+": "+s).join("; "),n,t)}function Ur(){const e=E();if(!e)return null;const t=Array.from(e.points.keys()).filter(n=>it(e.points[n]));return{name:"sentence-map",python:{figure:"sentences"},facts:kn(e),rows:()=>xn(e,t),json:()=>({...Qn(xn(e,t)),pinned:Object.fromEntries(Ce())}),picture:{scene:n=>Fr(e,n)}}}function Br(){const e=E(),{lasso:t,sentences:n,focus:s}=d,o=Ce().get(n[s]);if(!e||!(t||o))return null;const a=()=>xn(e,t||!o?rt():o.nearest.map(({index:i})=>i));return{name:"sentences",facts:{...kn(e),lasso:t,nearest_to:t?null:n[s]},python:{figure:"some-sentences",texts:a().slice(1).map(([i])=>String(i))},rows:a,json:()=>({...Qn(a()),place:t?null:o}),picture:{}}}function Gr(){const e=E();if(!e)return null;const t=["map","space","by","measure","value","null_mean","null_low","null_high","count"];return{name:"sentence-separation",python:{figure:"separation"},facts:kn(e),rows:()=>[t,...e.separation.map(n=>t.map(s=>n[s]??""))],json:()=>({separation:e.separation}),picture:{}}}const qr=[["differences","with differences to 1"],["changes","differences to 1 alone"],["own","each by itself"]];function Wr(){const e=ee(),t={id:"design-threshold",name:"Links above",onInput:()=>{}};if(!e)return u`<${Bn} ...${t} value=${0} most=${0} words="" />`;const{data:n,compared:s}=e,o=X(n),a=n.scale.findIndex(r=>r>=o),i=n.scale.length-1,c=s.map(r=>v(r.links)).join(", ");return u`<${Bn}
    ...${t}
    value=${a<0?i:a}
    most=${i}
    words=${"P > "+Number(o.toFixed(4))+": "+c+" of "+v(n.pairs.count)+" links"}
    onInput=${r=>w({threshold:n.scale[r]})}
  />`}const Hr=()=>_t("links","design-links",ge({id:"design-links",look:"plain-select",label:"Links that are drawn",options:qr,chosen:d.links,onChoose:e=>w({links:e})})),ct=(e,t,n)=>u`<span key=${e} class="legend-entry" title=${n}><span class=${e} aria-hidden="true" />${t}</span>`,Kr="1 - cosine of the codes: a step thicker from "+pn.join(", ")+" on",Jr="The area of a disc is as its module's connectivity, from zero, on one scale for all circuits";function Vr(e){const t=e.designs.flatMap(n=>n.connectivity);return Gn(Math.min(...t),1)+" to "+Gn(Math.max(...t),1)}function Yr(){const e=_();if(!e||Tt.value<0)return null;const t=e.designs.length>1&&d.links!=="own",{entries:n,what:s}=hn(e);return u`<div class="graph-legend">
    ${t&&d.links==="differences"&&ct("line line-kept","in both")}
    ${t&&ct("line line-gained","gained against 1")} ${t&&ct("line line-lost","lost against 1")}
    ${t&&ct("ring-key","ring: another code",Kr)}
    <span class="legend-entry" title=${Jr}>area: connectivity q, ${Vr(e)}</span>
    <span class="control-name">${s+" in 1"}</span>
    ${n.map(({name:o,count:a,paint:i})=>u`<span key=${o} class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{background:i}} />${o}<small>${a}</small>
        </span>`)}
  </div>`}function Zr(){const[e,{hover_unit:t}]=[_(),d],n=e&&t>=0?e.designs.map(s=>s.connectivity[t].toFixed(2)).join(", "):"";return u`<p class="hidden-visually" aria-live="polite">${n&&e?.units[t]+": q "+n}</p>`}function Qr(){const e=_()?null:dn();return u`<div class="message design-problem" role="alert" hidden=${!e}>
    ${e&&V(e.title||"No circuits",e.message,{words:"Try again",act:ao})}
  </div>`}const Xr=()=>u`<${N}
    id="designs"
    title="Circuits side by side"
    tag="observed"
    reads="Discs are modules, at the same places in every circuit. Lines are links. Against circuit 1, blue links are gained and dashed orange links are lost. Click a module."
    formats=${["svg","png","csv","json"]}
    written=${zr}
  >
    <div class="graph-bar">
      <div class="design-threshold"><${Wr} /></div>
      <div class="graph-tools">
        <${Hr} />
        <div class="zoom"><${Un} mapsOf=${()=>Te.slice(0,1).map(({map:e})=>e)} /></div>
      </div>
    </div>
    <${fr} /><${Qr} /><${Yr} /><${Zr} /><${vr} />
  <//>`,ec=()=>u`<${N}
    id="distances"
    title="Distances"
    tag="observed"
    reads="Distance of each circuit from the first. Links above the slider's threshold count."
    formats=${["csv","json"]}
    written=${Rr}
  >
    <${wr} />
  <//>`,Ao={true:"true",false:"false",null:"not known"},tc=e=>e<1e3?Math.round(e)+" ms":(e/1e3).toFixed(1)+" s",Sn=e=>Math.abs(e)<5e-4?"0.0":qn(e);function lt(e){const t=Gs()?.answers.find(({sentence:o})=>o===e.sentence),n=T()&&t?t.probability:null,s=e.baseline_probability;return{...e,before:n,moved:n===null?null:e.probability-n,whole:s,caused:s==null?null:e.probability-s,says:e.probability>=.5,right:e.holds===null?null:e.probability>=.5===e.holds}}function _n({holds:e,right:t,clear:n,unknown_words:s}){const o=n===!1?", though people might differ":"",a=t?", and so says the network":", the network says otherwise";return(e===null?"whether it is true of these pictures is not known":"by the grammar "+Ao[String(e)]+o+a)+(s.length?"; spelled in letters, as it never learned: "+s.join(", "):"")}const ut=e=>100*e+"%";function nc(e){const{moved:t,caused:n,holds:s,right:o,clear:a}=e,i=s===null?"truth not known":Ao[String(s)]+(a===!1?", a close call":""),c=o?"\u2713 Correct":"\u2717 Wrong";return u`<span class="pair-changes">
    <span class="pair-truth" data-holds=${String(s)} title=${_n(e)}>${i}</span>
    <span class="pair-answer-said" data-right=${String(o)}>${o===null?"":c}</span>
    <span class="pair-moved">${t===null?"":Sn(t)+" points by your edit"}</span>
    <span class="pair-moved">${n===null?"":Sn(n)+" points by what is dropped"}</span>
  </span>`}function sc({answer:e,at:t}){const{sentence:n,probability:s,before:o,moved:a,whole:i,caused:c,unknown_words:r}=e,l={left:ut(0),width:ut(s)},p=a===null?"":"; "+Sn(a)+" points by your edit",m=u`<span class="pair-track" aria-hidden="true">
    <span class="pair-bar-fill" data-side=${s>=.5} style=${l} />
    <span class="pair-middle" />
    <span
      class="pair-mark-before"
      title="before your edit"
      hidden=${o===null}
      style=${{left:ut(o||0)}}
    />
    <span class="pair-mark-whole" title="full model" hidden=${c===null} style=${{left:ut(i||0)}} />
  </span>`;return u`<button
    type="button"
    class="pair-answer"
    data-answer=${t}
    aria-pressed=${t===d.focus}
    aria-label=${n+" "+Ot(s)+" true by the network; "+_n(e)+p}
    title=${r.length?"Never learned, spelled in letters: "+r.join(", "):"Show what modules read for this sentence"}
    onClick=${()=>w({focus:t})}
  >
    <span class="pair-sentence">${n}</span>
    <span class="pair-line">${m}<span class="pair-value">${Ot(s)}</span></span>
    ${nc(e)}
  </button>`}function oc(){const{base:e}=$;return!e||d.sentences.includes(e.sentence)?null:u`<${D} id="pair-own" look="tool tool-text pair-own" act=${()=>re(e.sentence)}>
    ${"Ask also: \u201C"+e.sentence+"\u201D"}
  <//>`}function ac(){const{status:e,reply:t,problem:n,fresh:s,took:o}=L;return e==="failed"?u`<div class="message" role="alert">
      ${V(n?.title||"No answer",n?.message,{words:"Ask again",act:Ks})}
    </div>`:t?u`<div class="pair-answer-list">
      ${t.answers.map((a,i)=>u`<${sc} key=${i} answer=${lt(a)} at=${i} />`)}
    </div>
    <${oc} />
    <p class="hint" id="pair-took">${s&&o?"Answered in "+tc(o):""}</p>`:u`<div class="pair-answer-list">
      ${d.sentences.map(a=>u`<div class="pair-asked">
            <span class="pair-sentence">${a}</span>
            <span class="pair-line"><span class="pair-track skeleton" aria-hidden="true"></span></span>
          </div>`)}
    </div>`}const ic=["sentence","probability","before_the_edit","whole_network","holds","clear","unknown_words"];function To(e){const t=s=>s??"",n=e.answers.map(lt).map(s=>[s.sentence,s.probability,t(s.before),t(s.whole),t(s.holds),t(s.clear),s.unknown_words.join(" ")]);return[ic,...n]}function rc(e,t=560){const[n,s]=[16,62],o=es([0,1],[n,t-84],{ticks:[0,.5,1]}),a=e.answers.map(lt),i=ts(a,{top:20-s/2,step:s}),c=r=>[i(r)+12,i(r)+24];return qe({width:t,height:20+a.length*s,title:"Is it true? "+e.model,desc:"How probable the network holds each sentence of the pictures; rings before an edit, triangles the whole network.",marks:[I(a,{x:n,y:i,text:({sentence:r})=>r,size:13,weight:600,room:t-n}),$e(a,{x:o.range,y:c,rx:3,fill:"hair"}),$e(a,{x:r=>[n,o(r.probability)],y:c,fill:({says:r})=>r?"accent":"unmatched"}),Pt(a,{x:o(.5),y:r=>[i(r)+9,i(r)+27],stroke:"ink"}),I(a,{x:o(1)+10,y:r=>i(r)+18,text:r=>Ot(r.probability),size:14,weight:650}),I(a,{x:n,y:r=>i(r)+35,text:_n,size:11,fill:"dim",room:t-n}),Ct(a,{x:r=>o(r.before),y:r=>i(r)+18,r:5,fill:"surface",stroke:"ink",width:2}),Ka(a,{x:r=>r.caused===null?null:o(r.whole),y:r=>i(r)+13,text:"down",r:5,fill:"ink"})]})}function cc(){const{reply:e}=L;if(!e)return null;const t=()=>e.answers.map(n=>{const{read_in:s,...o}=n;return{...o,probability_before_the_edit:lt(n).before}});return{name:"answers",facts:rn(),python:{figure:"answers",sentences:e.answers.map(({sentence:n})=>n)},rows:()=>To(e),json:()=>({answers:t()}),picture:{scene:n=>rc(e,n)}}}function lc(){const{status:e,fresh:t,reply:n}=L;return u`<${N}
    id="pair-answers"
    title="Is it true?"
    tag=${et()}
    look="panel-pair-answers"
    reads="Probability that each sentence is true. Ring: before your edit. Triangle: full model."
    more="Above 50 % the model answers true. A click on a sentence shows what the modules read for it."
    formats=${["svg","png","csv","json"]}
    written=${cc}
  >
    <div class="pair-answers" data-status=${e} data-fresh=${String(t)}><${ac} /></div>
    <${Xn}
      words="Answers as a table"
      caption=${()=>"Probability that each sentence is true of the pictures, by the network."}
      rows=${n&&(()=>To(n))}
    />
  <//>`}const dt=12,uc="scenes",pt=ae(null);function dc(){const{statement:e,scene:t,gallery:n}=d,s=/\.(\d+)$/.exec((t?t.of:e)||"");return s&&!n?Math.floor(Number(s[1])/dt)*dt:0}const ne=J(()=>JSON.stringify([d.gallery,pt.value??0]),async(e,t)=>{const[n,s]=JSON.parse(e),o=i=>R("GET","/statements"+Wn({kind:n,offset:i||null,limit:dt}),void 0,{signal:t}),[a]=await Promise.all([o(s),Dt()]);return a.items.length||!s?{...a,offset:s}:{...await o(0),offset:0}});function pc(){let e=d.gallery;pt.value=dc();const t=[x(()=>{const{gallery:n}=d;A(()=>{n!==e&&(pt.value=0),e=n})}),ne.follow()];return()=>t.forEach(n=>n())}function hc(){const{model:e,drop:t,keep_edges:n}=d,s=$.base?.id??null;return ka("samples",{model:e,drop:t,edges:n,set:uc,order:s?"nearest":"rerouted",to:s})}function fc(){const{kinds:e=[],stand_in:t,stand_in_for:n,title:s}=ne.latest()??{},o={name:"",count:e.reduce((a,i)=>a+i.count,0)};return u`<div class="pair-filter">
    ${ge({id:"pair-kind",label:"Kind of reasoning",look:"small-input",options:[o,...e].map(({name:a,count:i})=>[a,(a||"all kinds")+" ("+v(i)+")"]),chosen:d.gallery||"",onChoose:a=>w({gallery:a||null})})}
    ${t&&u`<span class="tag tag-warn" id="pair-stand-in" title=${s+(n?", in place of "+n:"")}>
        stand-in data
      </span>`}
    <a class="pair-ordered" href=${hc()} onClick=${ya}>Rank by routing</a>
  </div>`}function mc({statement:e,chosen:t}){const{id:n,sentence:s,kind:o,scene:a,pictures:i}=e,c=e.label?"true":"false";return u`<button
    type="button"
    class="pair-card"
    data-statement=${n}
    aria-label=${s+" "+c+". "+o+"."+(a?" "+ms(a):"")}
    title=${o}
    aria-pressed=${t}
    onClick=${()=>Cs(e)}
  >
    <span class="pair-thumbs">
      ${a?a.pictures.map(r=>u`<${as} things=${r} />`):i.map(r=>u`<img class="pair-thumb pixels" src=${r} alt="" />`)}
    </span>
    <span class="pair-card-words">
      <span>${s}</span>
      <span class="pair-card-about"><span class="pair-truth" data-holds=${c}>${c}</span>${o}</span>
    </span>
  </button>`}function gc(e){const t=e.querySelector('[aria-pressed="true"]');if(!t||e.contains(document.activeElement))return;const[n,s]=[t.getBoundingClientRect(),e.getBoundingClientRect()];(n.top<s.top||n.bottom>s.bottom)&&(e.scrollTop+=n.top-s.top-8)}function $c(){const e=M(null),[t,n,{base:s}]=[ne.latest(),ne.problem(),$];j(()=>{const i=requestAnimationFrame(()=>e.current&&gc(e.current));return()=>cancelAnimationFrame(i)},[t,s]);const o={words:"Try again",act:ne.again},a=n?"failed":ne.waits()?"loading":"ready";return u`<div class="pair-gallery" data-status=${a} ref=${e}>
    ${n?u`<div class="message" role="alert">
            ${V(n.title||"No statements",n.message,o)}
          </div>`:t?t.items.length?t.items.map(i=>u`<${mc} key=${i.id} statement=${i} chosen=${i.id===s?.id} />`):u`<div class="message">
                ${V("No statements","There is none of this kind. Choose another kind.")}
              </div>`:u`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`}
  </div>`}function wc(){const{total:e=0,items:t=[],offset:n=0}=ne.latest()??{};return u`<${va}
    id="pair"
    words=${t.length?v(n+1)+" to "+v(n+t.length)+" of "+v(e):""}
    ...${{start:n,total:e,step:dt}}
    before="Statements before"
    after="Next statements"
    go=${s=>pt.value=s}
  />`}const Po=()=>u`<${N}
    id="pair-gallery"
    title="Statements"
    look="panel-pair-gallery"
    reads="Statements that training did not see. Click a statement to show its pictures."
  >
    <${fc} /><${$c} /><${wc} />
  <//>`,De=ae({words:"",failed:!1});let ht=null;async function bc(e){const t=e.slice(0,2);if(t.length){De.value={words:"Sending "+t.map(n=>n.name).join(", "),failed:!1};try{const n=[];for(const o of t)n.push(await Va(o));const s=n.length===2?n:ht?[ht,n[0]]:null;ht=s?null:n[0],De.value={words:s?"":"This is the left picture; now choose the right one.",failed:!1},s&&en(s.map(o=>o.id))}catch(n){De.value={words:n.message,failed:!0}}}}function Co(){const e=M(null);j(()=>{const s=e.current,o=[document.createTextNode("Two pictures of your own: choose them, or drop them here")],a=Ja(s,{id:"pair-files",look:"pair-zone",words:o},bc);for(const i of a)i.classList.add("writes");s.append(...a),ht=null,De.value={words:"",failed:!1}},[]);const{words:t,failed:n}=De.value;return u`<div class="pair-upload">
    <div ref=${e}></div>
    <span class=${"hint"+(n?" danger":"")} role="status" id="pair-upload-said">${t}</span>
  </div>`}var yc=Object.freeze({__proto__:null,GalleryPanel:Po,Upload:Co,follow:pc});const[vc,kc,xc]=[.02,.1,.005],Sc=700,jo=.09,Do={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},_c="Arrow keys move it, with Shift farther, with Alt less; Page Up and Page Down change the picture; Delete takes it away.",Ne=ae({shape:"circle",colour:"red",size:"large"});let On=!1;const se=()=>fs($.scene,$.selected),ft=(e,t)=>e.pictures[t].length<F().most;function Mn(e,t){On=!0,Y(e,t)}function No(e,t){const{scene:n}=$;if(!n)return;if(!ft(n,e)){const o="A picture has up to "+F().most+" things: take one away first.";xt("The picture is full",o,"good");return}const s=ds(n,e,t(n));Mn(s,{picture:e,index:s.pictures[e].length-1})}const Io=e=>No(e,({pictures:t})=>({...Ne.value,...gi(t[e],Ne.value.size)}));function Lo(){const[e,{selected:t}]=[se(),$];if(!e||!t)return;const n=s=>s+(s>.7?-jo:jo);No(t.picture,()=>({...e,x:n(e.x),y:n(e.y)}))}function zo(){const{scene:e,selected:t}=$;if(!e||!t||!se())return;const n=ps(e,t),s=n.pictures[t.picture].length;Mn(n,s?{...t,index:Math.min(t.index,s-1)}:null)}function Oc(){const{scene:e,samples:t,selected:n}=$;t?en([...t].reverse()):e&&Y(mi(e),n&&{...n,picture:1-n.picture})}function Mc(e){Ne.value={...Ne.value,...e};const{scene:t,selected:n}=$;t&&n&&se()?Y(ls(t,n,e),n):Z(null)}function Ec(){const{scene:e,past:t}=$,n=!se(),s=(i,c,r,l,p)=>u`<${D} id=${"pair-"+i} title=${r} act=${l} ...${p}>${c}<//>`,[o,a]=[!e,i=>!!(e&&!ft(e,i))];return u`<div class="pair-tools">
    ${s("add-left","Add left","Add a thing to the left picture",()=>Io(0),{hidden:o,wait:a(0)})}
    ${s("add-right","Add right","Add a thing to the right picture",()=>Io(1),{hidden:o,wait:a(1)})}
    ${s("duplicate","Duplicate","Duplicate the chosen thing (Ctrl+D)",Lo,{hidden:o,wait:n})}
    ${s("delete","Delete","Take the chosen thing away (Delete)",zo,{hidden:o,wait:n})}
    ${s("undo","Undo","Take the last change back (Ctrl+Z)",nn,{hidden:o,wait:!t.length})}
    ${s("swap","Swap pictures","Left becomes right and right left",Oc)}
    ${s("reset","As it was","Back to the pictures of the statement",Ns,{hidden:!T()})}
  </div>`}function Ac(){const{outlines:e,colours:t,sizes:n}=F(),s=se()||Ne.value,o=Math.max(...n.values()),a=(l,p,m)=>u`<button
      key=${p}
      type="button"
      class="pair-swatch"
      title=${p}
      aria-label=${p}
      aria-pressed=${s[l]===p}
      onClick=${()=>Mc({[l]:p})}
      ...${{["data-"+l]:p}}
    >
      ${m}
    </button>`,i=(l,p)=>u`<div class="control">
      <span class="control-name">${l}</span>
      <div class="pair-swatches" role="group" aria-label=${l} onKeyDown=${Ya}>${p}</div>
    </div>`,c=l=>u`<span class="pair-dot" style=${{background:l}} />`,r=l=>{const p=Math.round(6+12*l/o)+"px";return u`<span class="pair-size" style=${{width:p,height:p}} />`};return u`<div class="pair-palette">
    ${i("Shape",[...e.keys()].map(l=>a("shape",l,u`<${is} shape=${l} />`)))}
    ${i("Colour",[...t].map(([l,p])=>a("colour",l,c(p))))}
    ${i("Size",[...n].map(([l,p])=>a("size",l,r(p))))}
    <span class="hint" id="pair-palette-of">
      ${se()?"of the chosen thing":"of the next thing that is added"}
    </span>
  </div>`}let S=null;function Ro(e,{clientX:t,clientY:n},s){const o=[...e.children].map(r=>r.firstElementChild.getBoundingClientRect()),a=o.findIndex(({left:r,right:l,top:p,bottom:m})=>t>=r&&t<=l&&n>=p&&n<=m),i=a<0?s:a,c=o[i];return{picture:i,x:(t-c.left)/c.width,y:(n-c.top)/c.height}}function Tc(e,t){const n=e.target,s=n.getAttribute("data-thing"),[{scene:o},a]=[$,n.closest(".pair-pictures")];if(s===null||!o||!a){Z(null);return}if(e.button)return;e.preventDefault(),n.hasPointerCapture(e.pointerId)&&n.releasePointerCapture(e.pointerId);const i={picture:t,index:Number(s)},[c,r]=[o.pictures[t][i.index],Ro(a,e,t)];S={host:a,at:i,dx:c.x-r.x,dy:c.y-r.y,label:"drag "+Date.now()},Z(i),n.focus({preventScroll:!0}),a.dataset.dragging="true",window.addEventListener("pointermove",Fo);for(const l of["pointerup","pointercancel"])window.addEventListener(l,En)}function Fo(e){const{scene:t}=$;if(!S||!t)return;const{picture:n,x:s,y:o}=Ro(S.host,e,S.at.picture);let a=t;if(n!==S.at.picture){if(!ft(t,n))return;a=hs(t,S.at,n),S.at={picture:n,index:a.pictures[n].length-1}}Y(us(a,S.at,s+S.dx,o+S.dy),S.at,S.label)}function En(){S&&delete S.host.dataset.dragging,S=null,window.removeEventListener("pointermove",Fo);for(const e of["pointerup","pointercancel"])window.removeEventListener(e,En)}function Pc(e){const{scene:t,selected:n}=$,[s,o]=[e.ctrlKey||e.metaKey,e.key.toLowerCase()];if(s&&o==="z")return nn;if(!t||!n||!(e.target instanceof SVGElement))return null;if(s)return o==="d"?Lo:null;if(Do[e.key]){const a=e.shiftKey?kc:e.altKey?xc:vc,[i,c]=Do[e.key],{x:r,y:l}=t.pictures[n.picture][n.index],p="keys "+n.picture+" "+n.index,m=us(t,n,r+i*a,l+c*a);return()=>Y(m,n,p,Sc)}if(e.key==="Delete"||e.key==="Backspace")return zo;if(e.key==="PageUp"||e.key==="PageDown"){const a=1-n.picture;if(!ft(t,a))return()=>{};const i=hs(t,n,a);return()=>Mn(i,{picture:a,index:i.pictures[a].length-1})}return e.key==="Escape"?()=>Z(null):null}function Cc(e){const t=$.scene&&Pc(e);t&&(e.preventDefault(),t())}function jc({things:e,at:t}){const{selected:n}=$,s=M(null),o=n?.picture===t?n.index:-1,a=e[o];j(()=>{!On||!a||(On=!1,s.current?.children[o]?.focus({preventScroll:!0}))});const i={cx:a?.x,cy:a?.y,r:a?G(a.size)*1.3:0},c=ke[t];return u`<figure class="pair-figure">
    <svg
      viewBox="0 0 1 1"
      class="pair-picture"
      role="group"
      data-picture=${t}
      aria-label=${c+": "+Rt(e)}
      onPointerDown=${r=>Tc(r,t)}
    >
      <${It} />
      <g ref=${s}>
        ${e.map((r,l)=>u`<path
              key=${l}
              class="pair-thing"
              tabindex="0"
              role="button"
              data-thing=${l}
              d=${be(r.shape)}
              fill=${we(r.colour)}
              transform=${Nt(r)}
              aria-label=${He(r)+", "+$i(r)}
              aria-pressed=${String(l===o)}
              onFocus=${()=>Z({picture:t,index:l})}
            />`)}
      </g>
      <circle class="pair-halo" ...${i} />
      <circle class="pair-ring" ...${i} />
    </svg>
    <figcaption>${c+", "+e.length+(e.length===1?" thing":" things")}</figcaption>
  </figure>`}const Dc=({source:e,alt:t,title:n})=>u`<figure class="pair-figure">
    <img class="pair-picture pixels" src=${e} alt=${t} draggable=${!1} />
    <figcaption>${n}</figcaption>
  </figure>`;function Nc(){const{status:e,problem:t,scene:n,seen:s,base:o}=$;return Be(()=>En,[]),e==="failed"?u`<div class="message" role="alert">
      ${V(t?.title||"No pictures",t?.message,{words:"Try again",act:()=>{Xt()}})}
    </div>`:e!=="ready"?u`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`:n&&!s?n.pictures.map((i,c)=>u`<${jc} key=${c} ...${{things:i,at:c}} />`):(n&&(T()||!o)?n.pictures.map(Ys):sn()).map((i,c)=>{const r=ke[c],l=r+(n?": "+Rt(n.pictures[c]):", a photograph or drawing");return u`<${Dc} key=${c} ...${{source:i,alt:l,title:r}} />`})}function Ic(){const{status:e,base:t,samples:n,scene:s}=$;return e!=="ready"?"":n?"Your own pictures: they cannot be edited, and the truth of a sentence about them is not known.":t&&T()?"Edited from statement "+t.id+".":t&&!s?"Pictures of statement "+t.id+": photographs, which cannot be edited.":t?"Pictures of statement "+t.id+", not edited.":"Your own scene."}function Lc(){const e=se();return u`<p class="hidden-visually" aria-live="polite">${e&&He(e)+" chosen. "+_c}</p>`}const[zc,An,Uo]=[320,16,22];function Rc(e,t){const n=U(),s=t?(t-An)/2:zc,o=e.pictures.flatMap((i,c)=>{const r=c*(s+An);return[{shape:"text",x:r,y:14,text:ke[c],size:12,fill:n.dim},...Lt(i,r,Uo,s)]});return{...{width:2*s+An,height:Uo+s},background:n.surface,title:"The pair of pictures",desc:ms(e),items:o}}function Fc({pictures:e}){const t=e.flatMap((n,s)=>n.map(({shape:o,colour:a,size:i,x:c,y:r})=>[ve[s],o,a,i,c,r]));return[["picture","shape","colour","size","x","y"],...t]}function Uc(){const{scene:e,base:t}=$;return e&&{name:"pictures",caption:"The pictures that the statements are about.",facts:{model:d.model,revision:y()?.revision??null,statement:t?.id??null,sentence:t?.sentence??null,label:t&&!T()?t.label:null,edited:T()},rows:()=>Fc(e),json:()=>({scene:e}),python:{figure:"pictures",scene:{pictures:e.pictures}},picture:{scene:n=>Rc(e,n)}}}function Bc(){const{status:e,scene:t,seen:n}=$,s=e==="ready";return u`<${N}
    id="pair-pictures"
    title="Pictures"
    look="panel-pair-pictures"
    reads="Drag a thing or move it with the arrow keys. Recolour, reshape, add and delete things below. The model answers each change at once."
    formats=${["svg","png","csv","json"]}
    written=${Uc}
  >
    <div class="pair-head">
      <span class="hint" id="pair-of" role="status">${Ic()}</span>
      <div class="pair-head-tools">
        <label class="pair-check" title="Pixel by pixel, at the side that it takes" hidden=${!t}>
          <input
            type="checkbox"
            id="pair-seen"
            checked=${n}
            onChange=${({currentTarget:o})=>Ls(o.checked)}
          />as the network sees it
        </label>
        <${D} id="pair-empty" title="Start from two empty pictures" act=${Is}>Empty pair<//>
      </div>
    </div>
    <div class="pair-pictures" data-status=${e} onKeyDown=${Cc}><${Nc} /></div>
    ${s&&u`<${Ec} />`} ${s&&t&&u`<${Ac} />`}
    <${Co} /><${Lc} />
  <//>`}const Gc="data-pair-unit",qc=180;function Bo(e){const[t,n]=[y(),ue()];return!t||n?.length!==t.units.length?[]:_a(n).slice(0,e).map(s=>t.units[s])}function Wc(){const e=ce(),t=Bo(e.length);return t.length===e.length&&t.every(n=>e.includes(n))?e.length:null}function Hc(e,t){const n=ue()?.[y()?.units.indexOf(e)??-1];return e+(n===void 0?"":", q "+n.toFixed(1))+(t?". Bring it back":". Drop it")}function Kc({units:e}){const t=M(null),n=M(null),[s,o]=[ue(),ce()];return j(()=>{const a={toggle:Ht,about:Hc};n.current=new Za(t.current,Gc,a),n.current.show(e)},[]),j(()=>{s?.length===e.length&&n.current?.shade(a=>s[e.indexOf(a)]),n.current?.mark(o,"dropped")}),u`<div role="group" aria-label="Modules" ref=${t}></div>`}function Jc(){const e=y();if(!e)return null;const t=ce().length,n=t+" of "+e.units.length+" modules dropped";return u`<div class="pair-units">
    <${Kc} key=${e.id} units=${e.units} />
    <div class="pair-bar">
      <span class="hint" id="pair-count" role="status">
        ${n+(ue()?"; the stronger the colour, the better connected":"")}
      </span>
      <${D}
        id="pair-all"
        hidden=${!t&&d.keep_edges===null}
        act=${()=>w({drop:[],keep_edges:null})}
        >All back<//
      >
    </div>
  </div>`}function Vc(){const[e,t]=Hn({});Be(()=>{const{least:a,edges:i}=e;if(a===void 0&&i===void 0)return;const c=setTimeout(()=>{xa(()=>{const{units:r}=y()??{units:[]},l=a===void 0?null:Bo(a);l&&w({drop:r.filter(p=>l.includes(p))}),i!==void 0&&w({keep_edges:i===100?null:i/100})}),t({})},qc);return()=>clearTimeout(c)},[e]);const n=y();if(!n)return null;const s=e.least??Wc(),o=e.edges??Math.round(100*(d.keep_edges??1));return u`<div class="pair-bar">
    <${Kn}
      id="pair-least"
      name="n least connected"
      label="Drop the n least connected modules of the circuit that answers"
      most=${n.units.length-1}
      value=${s??0}
      wait=${!ue()}
      words=${s===null?"others are dropped":String(s)}
      onInput=${a=>t({...e,least:a})}
    />
    <${Kn}
      id="pair-edges"
      name="share of links kept"
      label="Share of the links that every circuit keeps, the most probable first"
      most=${100}
      value=${o}
      words=${o+" %"}
      onInput=${a=>t({...e,edges:a})}
    />
    <div class="control">
      <span class="control-name">Statements</span>
      ${ge({id:"pair-samples",label:"Number of statements",look:"small-input",options:Sa($s,d.measured),chosen:String(d.measured),onChoose:a=>w({measured:Number(a)})})}
    </div>
  </div>`}const Yc=5,Tn=760,Go=["name","count","baseline","accuracy","low","high","change","change_low","change_high"];function qo(){const{model:e,keep_edges:t,measured:n}=d;if(!y())return"";const s=ce().join(",");return"/evaluations/stream"+Wn({model:e,data:"scenes",samples:n,drop:s,keep_edges:t,controls:Yc})}const mt=Qa({owner:"pair",pathOf:qo,subscribePage:e=>x(()=>{qo(),A(e)})}),{state:H}=mt,Ie=()=>H.evaluation?.model===d.model&&gt(H.evaluation).length?H.evaluation:null,Pn=e=>We(e)===ci;function gt(e){const{accuracy:t,baseline:n,change:s}=e,o=e.by_kind||[];return!t||!n||!s?o:[{name:"all kinds",count:o.reduce((i,c)=>i+c.count,0),baseline:n.accuracy.value,accuracy:t.value,low:t.low,high:t.high,change:s.accuracy.value,change_low:s.accuracy.low,change_high:s.accuracy.high},...o]}const Wo=e=>[Go,...gt(e).map(t=>Go.map(n=>t[n]))];function Cn(e,t){const n=gt(e),{control:s}=e,o=t<480,a=o?8:Math.ceil(ss(n.map(({name:h})=>h),12,650))+16,i=o?Math.ceil(ss(["100.0 %"],12,650))+16:150,c=es([0,1],[a,t-i],{ticks:[0,.25,.5,.75,1],named:h=>h===.5?"50 %, chance":Math.round(100*h)+(h===1?" %":"")}),r=ts(n,{top:12,step:o?42:30}),l=h=>r(h)+(o?8:0),p=h=>h===n[0]?650:void 0,m=h=>(h.change_high??0)<0?"bad":(h.change_low??0)>0?"good":"dim",f=o?I(n,{x:a,y:h=>l(h)-13,down:0,text:h=>h.name+", n "+v(h.count),weight:p,room:t-a}):[I(n,{x:a-8,y:l,down:0,text:h=>h.name,anchor:"end",weight:p}),I(n,{x:a-8,y:h=>l(h)+12,down:0,text:h=>"n "+v(h.count),size:10.5,fill:"dim",anchor:"end"})];return qe({width:t,height:r.end+24,title:"Accuracy by kind of statement with "+We(e)+": "+e.model,desc:"Accuracy by kind of statement on "+v(ri(e))+" statements. Bar and dot: with modules dropped or links cut. Ring: full model. Short line: random drops of the same size. Whiskers are 95 % intervals; the last column is the paired change in points.",marks:[ai(c,[8,r.end],{strong:null}),Pt([.5],{x:c,y:[8,r.end],stroke:"dim",dash:[3,3]}),f,$e(n,{x:h=>[a,c(h.accuracy)],y:h=>[l(h)-5,l(h)+5],rx:2,fill:"accent",opacity:.3}),ii(n,{x:h=>[c(h.low),c(h.high)],y:l,width:1.6}),Ct(n,{x:h=>c(h.baseline),y:l,r:4.8,fill:"surface",stroke:"ink",width:1.6}),Ct(n,{x:h=>c(h.accuracy),y:l,fill:"accent"}),Pt(n.slice(0,1),{x:c(s?s.mean:null),y:h=>[l(h)-9,l(h)+9],stroke:"ink",width:2.5}),I(n,{x:t-i+14,y:l,text:h=>Ge(h.accuracy)+" %",weight:650}),o||Pn(e)?[]:I(n,{x:t,y:l,text:h=>qn(h.change),fill:m,anchor:"end",weight:650})]})}function Zc(){const e=H.evaluation?.model===d.model?H.evaluation:null,t=!e||Pn(e),{accuracy:n,change:s}=ti(e&&(t?{...e,change:null}:e),{none:e?"nothing is dropped":""}),o=e?ni(e,{waiting:si(e,"module"),sets:(a,{size:i})=>a+" sets of "+i,unit:a=>a.unit}):{value:n.value};return u`<div class="numbers pair-numbers" data-fresh=${String(H.fresh)}>
    <${jt} ...${n} id="pair-accuracy" />
    <${jt} ...${s} id="pair-change" />
    <${jt} ...${o} name="Random modules" id="pair-control" />
  </div>`}const Qc=e=>oi(e,{chosen:d.measured,counted:"statements",waiting:"Measured on "+v(d.measured)+" statements once this is in view.",intervention:We,after:t=>Pn(t)?" Click a module to drop it.":""});function Xc(){const e=Ie();return e&&{name:"accuracy-by-kind",facts:ei(e,["drop","keep_edges"]),python:{figure:"effects",by:"kind"},rows:()=>Wo(e),json:()=>({result:e}),picture:{scene:(t=Tn)=>Cn(e,t)}}}const el=e=>"Accuracy by kind of statement, "+We(e)+": "+gt(e).map(t=>t.name+" "+Ge(t.accuracy)+" % of "+t.count).join("; ");function tl(){const e=M(null);Be(()=>{const n=mt.watch(e.current);return()=>{n(),mt.leave()}},[]);const t=Ie();return u`<div ref=${e}>
    <${N}
      id="pair-drop"
      title="Drop modules"
      tag="caused"
      reads="Accuracy by kind of statement. Ring: full model. Dot: with modules dropped or links cut. Whiskers: 95 % intervals."
      more="Both models are measured on the same statements. Statements come in fours that share pictures and words, so they are not independent. The intervals assume independent statements."
      formats=${["svg","png","csv","json"]}
      written=${Xc}
    >
      <${Jc} /><${Vc} /><${Zc} />
      <${Xa} name="pair" look="drop-progress" followed=${mt} progressOf=${Qc} />
      <${ns}
        look="drop-picture"
        widest=${Tn}
        height=${150}
        data=${{"data-fresh":String(H.fresh),"data-state":H.status}}
        scene=${n=>{const s=Ie();return s&&Cn(s,n)}}
        drawn=${()=>Ie()?.id??""}
        label=${()=>{const n=Ie();return n?el(n):""}}
      />
      <${Xn}
        words="Accuracy by kind as a table"
        data=${{"data-pair-table":"kinds"}}
        caption=${()=>t?Cn(t,Tn).desc:""}
        rows=${t&&(()=>Wo(t))}
      />
    <//>
  </div>`}const jn=14,nl=22,Ho=.74,sl={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function ol({units:e,kept:t,grid:n},{read_in:s,read_out_share:o,sentence:a}){if(!s||!o)return null;const i=n.pictures*n.rows*n.columns;return{units:e,kept:new Set(t),grid:n,tokens:i,weights:Ma(s),shares:o,sentence:a}}const $t=Ue(()=>{const{reply:e}=L;return e?e.answers.map(t=>ol(e,t)).filter(t=>t!==null):[]}),oe=()=>$t.value[Math.min(d.focus,$t.value.length-1)],Le=()=>d.reads==="all"?$t.value:$t.value.filter(e=>e===oe());function wt(e,t){const{weights:n,tokens:s,units:o,kept:a,shares:i}=e;if(t>=0)return a.has(o[t])?n.subarray(t*s,(t+1)*s):null;const c=new Float32Array(s);let r=0;return o.forEach((l,p)=>{if(!a.has(l))return;const m=i[p];r+=m;for(let f=0;f<s;f+=1)c[f]+=m*n[p*s+f]}),r>0?c.map(l=>l/r):null}const ze=e=>e.units.indexOf(d.unit),Ko=(e,t)=>e.subarray(t*e.length/2,(t+1)*e.length/2),Jo=e=>[0,1].map(t=>Ko(e,t).reduce((n,s)=>n+s,0));function Dn({units:e,kept:t,shares:n}){const s=o=>t.has(e[o])?n[o]:-1;return e.map((o,a)=>a).sort((o,a)=>s(a)-s(o)||o-a)}const Vo=()=>$.samples?null:L.scene??$.scene,Yo=J(()=>Vo()||!L.reply?null:JSON.stringify(sn()),e=>Promise.all(JSON.parse(e).map(t=>Oa(t.slice(Fn.length))))),{follow:al}=Yo;function Zo(){const e=Vo();if(e)return e.pictures.map(n=>(s,o,a)=>Lt(n,s,o,a));const t=Yo.answer();return t&&t.map(n=>(s,o,a)=>[{shape:"image",source:n,sx:0,sy:0,sw:n.width,sh:n.height,x:s,y:o,w:a,h:a}])}const bt=e=>Math.round(100*e)+" %";function il(e,{rows:t,columns:n},s,[o,a,i]){const c=os(Array.from({length:n},String),[o,o+i]),r=os(Array.from({length:t},String),[a,a+i]),l=Math.max(...e,1e-9),p=Array.from(Ko(e,s),(f,h)=>({value:f,row:Math.floor(h/n),column:h%n})),m=c.step>=34?p.filter(({value:f})=>f>=2/e.length):[];return[$e(p,{x:({column:f})=>c.extent(f),y:({row:f})=>r.extent(f),fill:"#000000",opacity:({value:f})=>Ho*(1-f/l)}),I(m,{x:({column:f})=>c(f),y:({row:f})=>r(f),text:({value:f})=>bt(f),size:10.5,weight:650,fill:"#ffffff",halo:"rgba(0, 0, 0, 0.65)",anchor:"middle"})]}function rl(e,t,[n,s,o],a){const i=wt(e,ze(e)),c=i?Jo(i):null,r=2*o+jn,l=s+nl+(a?0:16),p=[0,1].map(h=>{const g=n+h*(o+jn),b=(a?ke:ve)[h],k=c?": "+bt(c[h])+(o<220?"":" of the attention"):"";return[t[h]?t[h](g,l,o):[],I([b+k],{x:g,y:l-8,down:0,size:a?12:11,fill:"dim",room:o}),i?il(i,e.grid,h,[g,l,o]):$e([0],{x:[g,g+o],y:[l,l+o],fill:"#000000",opacity:Ho})]}),m=a?[]:[e.sentence];return{marks:[I(m,{x:n,y:s+13,down:0,weight:600,room:r}),p],width:r,height:l-s+o}}function Nn(e,t,n){const[{units:s}]=e,o=e.length===1,a=o||n<420?1:2,i=(n-24*(a-1))/a,c=Math.min(360,(i-jn)/2);let[r,l,p]=[0,0,0];const m=e.map((b,k)=>{k%a===0&&(l=p+(k?14:0));const O=k%a*(i+24),C=rl(b,t,[O,l,c],o);return r=Math.max(r,O+C.width),p=Math.max(p,l+C.height),C.marks}),f=ze(e[0]),h=f<0?"All modules together":s[f],g=e.map(({sentence:b})=>b).join("; ");return qe({width:r,height:p,title:"What modules read: "+h,desc:h+", reading for: "+g+". The brighter a place, the more of the attention is on it.",marks:m})}function Qo(e){const t=ze(e),n=wt(e,t),s=t<0?"All modules together":e.units[t];if(!n)return s+" is dropped: it reads nothing.";const{rows:o,columns:a}=e.grid,i=Jo(n).map((f,h)=>bt(f)+" of it on the "+ve[h]),c=n.indexOf(Math.max(...n)),[r,l]=[Math.floor(c/(o*a)),c%(o*a)],p=ve[r]+", row "+(Math.floor(l/a)+1)+", column "+(l%a+1),m=t<0?"":"; the answer takes "+Ge(e.shares[t]||0)+" % from it";return s+": "+i.join(", ")+"; most at "+p+" ("+bt(n[c])+")"+m+"."}function cl(e){const[{grid:t,units:n}]=e,{rows:s,columns:o}=t,a=e.flatMap(i=>{const c=wt(i,-1);return Array.from({length:i.tokens},(r,l)=>{const[p,m]=[Math.floor(l/(s*o)),l%(s*o)],f=n.map((g,b)=>i.kept.has(g)?i.weights[b*i.tokens+l]:""),h=[ve[p],Math.floor(m/o),m%o];return[i.sentence,...h,c?c[l]:"",...f]})});return[["sentence","picture","row","column","all_by_read_out_share",...n],...a]}const ll=[["one","the chosen sentence"],["all","every pinned sentence"]];function ul(e,t,n,s){const{rows:o,columns:a}=t.grid,i=2*a+1;(e.width!==i||e.height!==o)&&([e.width,e.height]=[i,o]);const c=e.getContext("2d"),r=c.createImageData(i,o),l=wt(t,n)??[],p=Math.max(...l,1e-9);l.forEach((m,f)=>{const[h,g]=[Math.floor(f/(o*a)),f%(o*a)],b=Math.floor(g/a)*i+h*(a+1)+g%a;r.data.set([...s,18+237*(m/p)],4*b)}),c.putImageData(r,0,0)}const Xo=e=>w({unit:e});function dl({reads:e,unit:t,ink:n,stop:s,onFocus:o}){const a=M(null);j(()=>{a.current&&ul(a.current,e,t,n)},[e,t,n]);const i=e.units[t],c=e.kept.has(i),r=c?Ge(e.shares[t])+" %":"out",l=d.unit===i;return u`<button
    type="button"
    class="pair-module"
    tabindex=${s?0:-1}
    data-module=${i}
    aria-pressed=${l}
    aria-label=${i+(c?", the answer takes "+r:", dropped")}
    onClick=${()=>Xo(l?null:i)}
    onFocus=${o}
  >
    <canvas aria-hidden="true" ref=${a} />
    <span class="pair-module-words"><span class="pair-module-name">${i}</span><small>${r}</small></span>
  </button>`}function pl({reads:e,ink:t}){const n=M(null),[s,o]=Hn(null),{unit:a}=d,i=Dn(e),c=i.map(f=>e.units[f]),r=[s,a,c[0]].find(f=>f!==null&&c.includes(f)),l=document.activeElement,p=n.current?.contains(l)?l:null;return j(()=>{p?.isConnected&&document.activeElement!==p&&p.focus({preventScroll:!0})}),u`<div class="pair-module-grid" role="group" aria-label=${"Modules, those first from which the answer takes most"} ref=${n} onKeyDown=${hl}>
    ${i.map((f,h)=>u`<${dl}
          key=${c[h]}
          ...${{reads:e,unit:f,ink:t}}
          stop=${c[h]===r}
          onFocus=${()=>o(c[h])}
        />`)}
  </div>`}function hl(e){const t=[...e.currentTarget.children],n=t.findIndex(a=>a===document.activeElement);if(n<0)return;const s=t.filter(({offsetTop:a})=>a===t[0].offsetTop).length,o=li(e.key,n,t.length,s);t[o]&&(e.preventDefault(),t[o].focus())}function fl(e){const t=sl[e.key],n=oe();if(!n||!t&&e.key!=="Escape")return;if(e.preventDefault(),!t){w({unit:null});return}const s=Dn(n),o=s.indexOf(ze(n)),a=o<0?t>0?0:s.length-1:(o+t+s.length)%s.length;w({unit:n.units[s[a]]})}function ml(){const[e,t]=[oe(),Zo()];if(!e||!t)return null;const n=ze(e),s=()=>cl(Le());return{name:"read-in",facts:{...rn(),sentence:e.sentence,unit:n<0?"all":e.units[n],observed:"read-in attention"},python:{figure:"reads",sentences:Le().map(({sentence:o})=>o)},rows:s,json:()=>({grid:e.grid,columns:s()[0],rows:s().slice(1)}),picture:{scene:(o=720)=>Nn(Le(),t,o)}}}const gl=()=>u`<div class="pair-bar">
    <span class="control-name">Attention for</span>
    ${ge({id:"pair-reads-for",label:"For which sentences",look:"small-input",options:ll,chosen:d.reads,onChoose:e=>w({reads:e})})}
  </div>`;function $l(){const e=oe();return!e||Tt.value<0?null:u`<div class="pair-modules">
    <div class="pair-bar">
      <${D} id="pair-all-modules" pressed=${!d.unit} act=${()=>Xo(null)}>all together<//>
      <span class="hint">Sorted by how much the answer takes from each; left map: left picture.</span>
    </div>
    <${pl} reads=${e} ink=${Mt(U().accent)} />
  </div>`}const wl=" Arrow keys walk from module to module, Escape shows all together.";function ea(){const{status:e,problem:t}=L,n=oe();return u`<${N}
    id="pair-reads"
    title="What modules read"
    tag=${et()}
    reads="Attention of the modules over the pictures; brighter is more. The map of all modules weights each module by its share of the answer."
    formats=${["svg","png","csv","json"]}
    written=${ml}
  >
    <${gl} />
    <div class="pair-reads" data-status=${e}>
      <${ns}
        id="pair-reads-picture"
        height=${180}
        onKey=${fl}
        data=${{"data-sentences":String(Le().length)}}
        scene=${s=>{const[o,a]=[Le(),Zo()];return oe()&&a?Nn(o,a,s):null}}
        drawn=${()=>d.unit||"all"}
        label=${()=>{const s=oe();return s?Qo(s)+wl:""}}
      />
      ${e==="failed"&&u`<p class="message-detail">${t?.title+". "+t?.message}</p>`}
    </div>
    <${$l} />
    <p class="hint" aria-live="polite">${n&&Qo(n)}</p>
  <//>`}var bl=Object.freeze({__proto__:null,ReadsPanel:ea,follow:al,order:Dn,sceneOf:Nn});const yl={scenes:"generated scenes","appendix-h":"Appendix H of the paper"};function yt(e,t,n,s,o){const a="sentence-"+e,i={id:a,look:"plain-select",label:t,options:Object.entries(n),chosen:s,onChoose:o};return _t(t,a,ge(i))}function ta({name:e}){const{least:t,most:n}=Fe("circuits",e),s="sentence-"+e,o={id:s,label:e,chosen:d[e],least:t,most:n,none:""};return _t(e,s,u`<${Aa} ...${o} onChoose=${i=>i!==null&&w({[e]:i})} />`)}function vl(){const{method:e,colour_by:t}=d,n={...d.views,circuits:null,text:null},s={kinds:[],objects:[],lasso:null};return u`<div class="graph-tools">
    ${yt("set","sentences",yl,ot(),o=>w({set:o,...s}))}
    ${yt("method","map",vo,e,o=>w({method:o,lasso:null,views:n}))}
    ${e==="tsne"&&[u`<${ta} name="perplexity" />`,u`<${ta} name="seed" />`]}
    ${yt("colour","colour",ho,t,o=>w({colour_by:o}))}
  </div>`}const kl=[["move","Drag moves the map"],["lasso","Drag draws around sentences (or hold Shift)"]],xl=()=>u`<div class="type-tools">
    ${kl.map(([e,t])=>{const n=d.tool===e;return u`<${D}
        id=${"sentence-tool-"+e}
        title=${t}
        pressed=${n}
        act=${()=>w({tool:e})}
        >${e}<//
      >`})}
    <span class="zoom">
      <${Un} mapsOf=${()=>Object.values(te).map(e=>e.map)} />
    </span>
  </div>`;function Sl(e,t,n){const s=e.length?e:n,o=n.filter(a=>a===t?!s.includes(t):s.includes(a));return o.length===n.length||!o.length?[]:o}function _l({name:e,count:t,paint:n},s,o){const a=u`<span class="swatch" aria-hidden="true" style=${{background:n}} /> <span>${e}</span
    ><small>${v(t)}</small>`;if(!s||!o.includes(e))return u`<span key=${e} class="legend-entry">${a}</span>`;const i=d[s],c=!i.length||i.includes(e),r=i.length===1&&c;return u`<span key=${e} class="legend-pair" data-hidden=${!c}>
    <button
      type="button"
      class="legend-toggle"
      aria-pressed=${c}
      id=${"legend-"+o.indexOf(e)}
      title=${(c?"Hide ":"Show ")+e}
      onClick=${()=>w({[s]:Sl(i,e,o)})}
    >
      ${a}
    </button>
    <button
      type="button"
      class="legend-only"
      id=${"legend-only-"+o.indexOf(e)}
      aria-label=${r?"Show all again":"Show only "+e}
      onClick=${()=>w({[s]:r?[]:[e]})}
    >
      ${r?"all":"only"}
    </button>
  </span>`}const Ol={kind:"kinds",object:"objects"};function Ml(){const e=E();if(!e||Tt.value<0)return null;const t=Ol[d.colour_by],{entries:n}=wn(e,d.colour_by,U());function s(o,a){const i=d[o],c=Object.fromEntries(e?.[o].map(p=>[p,p])??[]),r={"":i.length>1?i.length+" chosen":"all",...c},l=i.length===1?i[0]:"";return yt(o,a,r,l,p=>w({[o]:p?[p]:[]}))}return u`<div>
    <div class="graph-legend sentence-legend">
      ${n.map(o=>_l(o,t,t?e[t]:[]))}
    </div>
    <div class="graph-tools">${s("kinds","kind")} ${s("objects","object")}</div>
  </div>`}function El(){const[e,t]=[Pe(),bn()],n={words:"Compute the map",act:yo},s=Ea(t)?void 0:n;return u`<div class="message sentence-message" role="alert" hidden=${e!=="failed"&&e!=="stopped"}>
    ${e==="failed"&&V(t?.title||"The map failed",t?.message,s)}
    ${e==="stopped"&&V("No map","The job was cancelled before there was a map.",n)}
  </div>`}function Al(){const e=Pe()!=="loading"||W.some(t=>St(t).starting||St(t).job);return u`<div class="sentence-jobs">
    ${!e&&u`<p class="hint">The maps are computed once the circuits are drawn.</p>`}
    <${Jn} name=${W[0]} what="A first map, by PCA" />
    <${Jn} name=${W[1]} what="Map of the sentences" />
  </div>`}function Tl(){const e=E()?.points[d.hover_point];return u`<p class="hidden-visually" aria-live="polite">${e&&e.text+". "+xo(e)}</p>`}const Pl=()=>u`<${N}
    id="sentencemap"
    title="Maps of sentences"
    tag="observed"
    reads="Points are sentences. Near points have similar circuits (left) or similar words (right). Click a point to pin its sentence; numbers mark pinned sentences."
    formats=${["svg","png","csv","json"]}
    written=${Ur}
  >
    <div class="graph-bar"><${vl} /><${xl} /></div>
    <${Al} />
    <div class="sentence-state" data-status=${Pe()} data-waiting=${String(bo())}>
      <${El} />
      <div class="sentence-maps"><${So} which="circuits" /><${So} which="text" /></div>
    </div>
    <${Ml} /><${Tl} />
  <//>`,Cl=600,fe=ae(""),na="sentence-input";let sa=Promise.resolve();const Re=()=>document.getElementById(na);async function jl(e){const{model:t}=d,n=Gt(e),s=n.length>xe.characters,o=!s&&t?await ln(t,n):null,a=Re();if(!(!a||d.model!==t)){if(!s&&!o){re(n);return}fe.value=o?o.message:"A sentence has up to "+xe.characters+" characters; this one has "+n.length+".",a.value||(a.value=e)}}function Dl(e){e.preventDefault();const t=Re(),n=t?.value;!t||!n?.trim()||(fe.value="",t.value="",sa=sa.then(()=>jl(n)))}function Nl(){const e=E()?.points??[],t=Math.max(1,Math.ceil(e.length/Cl)),n=e.filter((s,o)=>o%t===0);return Be(()=>()=>{fe.value=""},[]),u`<form class="sentence-form" onSubmit=${Dl}>
      <input
        type="text"
        id=${na}
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
    <${Il} />`}function Il(){const{waiting:e,sentences:t}=d,[n]=e,s=M(null),o=M(null);if(j(()=>{if(n===void 0){o.current instanceof HTMLElement&&(o.current.isConnected?o.current:Re())?.focus(),o.current=null;return}o.current||(o.current=document.activeElement===document.body?Re():document.activeElement),s.current?.querySelector("button")?.focus()},[n]),n===void 0)return null;function a(c){c.key==="Enter"&&c.repeat&&c.preventDefault(),c.key==="Escape"&&(c.stopPropagation(),qt())}const i=(c,r)=>u`<button
      key=${r}
      type="button"
      class="tool tool-text sentence-goes"
      aria-label=${"Replace sentence "+(r+1)+": "+c}
      onClick=${()=>ys(r)}
    >
      ${de(r)}<span>${c}</span>
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
    <${D} act=${qt}>None, cancel<//>
  </div>`}function Ll(e){vs(e),requestAnimationFrame(()=>{const t=document.querySelectorAll(".pin [data-unpin]");document.activeElement===document.body&&(t[Math.min(e,t.length-1)]??Re())?.focus()})}function zl({sentence:e,at:t}){const{focus:n,sentences:s}=d,o=_()?.designs[t],a="sentence-focus-"+(t+1),i=c=>c+": "+e;return u`<li class="pin" data-focus=${n===t}>
    ${de(t)}
    <span class="pin-words">${o?.sentence===e?lr(o):e}</span>
    <label class="pin-focus" for=${a} title="Show what the modules read for this sentence">
      <input
        type="radio"
        name="sentence-focus"
        id=${a}
        checked=${n===t}
        onChange=${()=>w({focus:t})}
      />Show attention for
    </label>
    ${t?u`<${D}
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
        onClick=${()=>Ll(t)}
      >
        ${"\xD7"}
      </button>`}
  </li>`}const Rl=()=>u`<${N}
    id="sentences"
    title="Sentences"
    reads="Each sentence designs a circuit. Type a sentence and press Enter; up to four are compared with the first. Words that the model was not trained with are underlined."
  >
    <${Nl} />
    <ol class="pins" aria-label="Pinned sentences">
      ${d.sentences.map((e,t)=>u`<${zl} key=${t} sentence=${e} at=${t} />`)}
    </ol>
  <//>`,oa=60;function aa(e,t,n){const{text:s}=t.points[e],o=()=>w({hover_point:e}),a=()=>w({hover_point:-1});return u`<li key=${e}>
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
  </li>`}const In=(e,t)=>u`<ul class="sentence-list" aria-label=${e} tabindex="0">
    ${t}
  </ul>`,Fl=(e,t)=>e.kinds.map(n=>({kind:n,count:t.filter(s=>e.points[s].kind===n).length})).filter(({count:n})=>n).sort((n,s)=>s.count-n.count).map(({kind:n,count:s})=>n+" "+s).join(", ");function Ul(e){const t=rt(),n=v(t.length)+(t.length===1?" sentence: ":" sentences: ")+Fl(e,t),s=t.length-oa;return u`<div class="module-head">
      <h3 class="small-title">In the lasso</h3>
      <${D} act=${()=>w({lasso:null})}>Let go<//>
    </div>
    <p class="selection-count" data-selected=${t.length}>${t.length?n:"No sentence lies inside."}</p>
    ${In("Sentences in the lasso",t.slice(0,oa).map(o=>aa(o,e)))}
    ${s>0&&u`<p class="hint">${"and "+s+" more; the files have all"}</p>`}`}function Bl(e,t,n){const s=o=>o.map(({index:a,distance:i})=>aa(a,e,i.toFixed(2)));return u`<h3 class="small-title">${["Nearest to ",de(n)," by circuit"]}</h3>
    ${In("Nearest by circuit",s(t.nearest))}
    <h3 class="small-title">Nearest by words</h3>
    ${In("Nearest by the text encoder",s(t.text_nearest))}`}function Gl(){const{lasso:e,sentences:t,focus:n}=d,s=E();if(!s)return null;if(e)return Ul(s);const o=Ce().get(t[n]);return o?Bl(s,o,n):u`<p class="hint">${"Draw around points with the lasso (or hold Shift and drag) to list their sentences here."}</p>`}const ql=()=>u`<${N}
    id="sentenceselection"
    title="Neighbours"
    reads="Sentences inside the lasso. Without a lasso: the nearest sentences to the chosen one, with distances."
    formats=${["csv","json"]}
    written=${Br}
  >
    <div class="sentence-selection"><${Gl} /></div>
  <//>`,Wl={full:"before the map",map:"on the map"},me=e=>e===null?"\u2013":e.toFixed(3);function Hl(e){if(!e)return u`<td>–</td>`;const{value:t,null_mean:n,null_low:s,null_high:o}=e,a=t!==null&&o!==null&&t>o,i=n===null?"":"shuffled "+me(n)+", 95 %: "+me(s)+" to "+me(o);return u`<td>
    <span class=${a?"beyond":void 0}>${me(t)}</span>
    <small>${i}</small>
  </td>`}function Kl({separation:e}){const t=({by:o,measure:a,space:i})=>[o,a,i].join(" "),n=[...new Set(e.map(t))].map(o=>{const a=e.filter(l=>t(l)===o),[{by:i,measure:c,space:r}]=a;return u`<tr>
      <th scope="row">${"by "+i}</th>
      <td>${c+", "+Wl[r]}</td>
      ${["circuits","text"].map(l=>Hl(a.findLast(({map:p})=>p===l)))}
    </tr>`}),s=["groups","measure","circuits","text"].map(o=>u`<th scope="col">${o}</th>`);return u`<${At} heads=${s} rows=${n} look="separation" />`}function Jl({count:e,set_title:t,variance:n,trustworthiness:s}){const o=i=>i===null?"\u2013":(100*i).toFixed(1)+" %",a=[v(e)+" sentences of "+t,"variance held by the PCA before the map: circuits "+o(n.circuits)+", text "+o(n.text),"trustworthiness (1 is best): circuits "+me(s.circuits)+", text "+me(s.text)];return u`<p class="hint" id="sentence-facts">${a.join("; ")+"."}</p>`}function Vl(){const e=E(),t=Pe()==="loading";return u`<${N}
    id="separation"
    title="Separation"
    tag="observed"
    reads="How well the maps separate sentences by kind and by object. Bold: better than shuffled groups."
    formats=${["csv","json"]}
    written=${Gr}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="How far the maps keep groups apart">
      ${e?[Kl(e),Jl(e)]:u`<p class="hint">${t?"The table comes with the map.":"There is no map yet."}</p>`}
    </div>
  <//>`}function Yl(){const e=Jt();return e&&u`<${di}
      id="circuits"
      title=${e.title||"No circuits"}
      detail=${e.message}
      status=${e.status}
      fits=${({inputs:t,pictures:n,fields:s,constants:o})=>t==="statements"&&n===Ke&&[...s,...o].includes("text_attention")}
      again=${Ss}
    />`}function Zl(){const e=y();return e&&[u`<${ui} id=${e.id} revision=${e.revision} />`,u`<span>${e.units.length+" modules; each sentence links them differently"}</span>`]}const Ql=()=>u`<div class="circuits-body">
    <${Rl} />
    <div class="circuits-pair pair-grid" id="circuits-pair">
      <${Po} /><${Bc} /><${lc} />
    </div>
    <div class="circuits-grid"><${Xr} /><${Pl} /></div>
    <div class="circuits-grid circuits-uneven">
      <${ea} />
      <div class="circuits-body"><${tl} /><${ec} /></div>
    </div>
    <div class="circuits-grid circuits-found"><${ql} /><${Vl} /></div>
  </div>`,Xl=()=>u`
  <div class="page-head">
    <h1>Circuits</h1>
    <div class="caption" id="circuits-caption"><${Zl} /></div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${ja("link")}Copy link</button>
    </div>
  </div>
  ${Vt()==="failed"?u`<${Yl} />`:u`<${Ql} />`}
`;Ta("circuits",async({model:e,sample:t,...n})=>{Ca({model:e,sample:t}),Ye(n)});const eu=Pa({Tree:Xl,choice:bs,take:Ye,open(e,t){const n=t.closest(".page"),s=[Ms(e),...[Rs,yc,sr,Er,Js,bl].map(o=>o.follow()),x(()=>{n.dataset.status=Vt()})];return()=>s.reverse().forEach(o=>o())}});Da({circuits:()=>_i,pair:()=>Rs,pairAnswers:()=>Js,pairPixels:()=>Bi,pairSvg:()=>fi});export{eu as mount};
