/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{b2 as W,f as B,z as Sn,n as Z,aj as Ie,ai as Pe,E as tt,U as Bo,a6 as Cn,a5 as Ne,V as qt,_ as Re,ac as J,ad as Io,X as Le,a1 as En,Y as zt,b4 as Bn,b3 as Po,ax as No,R as G,aJ as Ro,d as In,o as Wt,m as rt,an as Gt,ah as Pn,c as Nn,ay as Lo,bc as Do,bd as jo,be as Fo,bf as Rn,aK as Uo,a8 as et,S as De,aZ as je,r as j,aF as qo,H as Ln,k as Fe,P as V,al as ct,s as m,aW as A,ae as zo,aO as Dn,Q as Ue,T as Wo,am as Go,aN as Ho,$ as Ko,aY as Jo,D as X,a2 as Vo,au as lt,at as mt,i as jn,ab as gt,A as Fn,C as Xo,bg as Yo,l as Qo,av as Zo,aw as ta,bb as ea,O as na}from"../../boot.js";import{bi as sa,bs as oa,bh as bt,aJ as M,ag as R,am as aa,ao as ia,an as Un,bt as ra,b7 as qn,bu as ca,bv as la,bw as ua,bx as zn,by as ha,ai as Ht,aj as pa,aK as Wn,w as Kt,a as qe,f as ze,T as da,bz as fa,bA as ma,bk as Gn,l as Hn,bB as Kn,b8 as ga,bC as ba,o as Jn,b9 as $a,aL as wa,b4 as Vn,bd as ka,bc as ya,bD as We,Q as Jt,bE as Xn,C as $t,F as Vt,ae as Yn,a3 as wt,m as Qn,p as va,P as kt,bF as Ge,ah as xa,bG as Oa,X as Zn,bH as _a,aE as ts,a8 as Ma,bI as Ta,bJ as Aa,z as Sa,bK as Ca,bL as Ea,aA as He,bM as es,bj as Ba,bN as Ia,bO as Pa,bP as Na,bQ as Ra,bR as La,bS as Da,bg as ja,bT as Fa,B as Ua,A as qa,j as za,bU as Wa,bV as Ga,bW as Ha,aP as Ka,aQ as Ja,aR as Va,aO as Xa,R as Ya,bX as Qa}from"../../shared.js";function Xt({data:t,shape:e,dims:n}){const s=n.indexOf("sample");if(s>=0&&e[s]!==1)throw new Error("a path is of one sample, not of "+e[s]);return{data:t,shape:e.filter((o,a)=>a!==s)}}function F(t,e){if(e<=0)return[];let n=-1/0;if(t.length>4*e){let a=0;for(const c of t)c>a&&(a=c);const i=new Uint32Array(4096);for(const c of t)i[Math.min(4095,Math.floor(4096*Math.max(0,c)/(a||1)))]+=1;let r=4095;for(let c=0;r>0&&(c+=i[r],!(c>=e));r-=1);n=r*a/4096}const s=[];for(let o=0;o<t.length;o+=1)t[o]>=n&&t[o]>0&&s.push(o);return s.sort((o,a)=>t[a]-t[o]||o-a).slice(0,e)}class Za{constructor(e,n){const s=e.units.length,o=Xt(n.messages),a=[e.steps.length-1,s,s];if(String(o.shape)!==String(a))throw new Error("messages have shape "+o.shape+", expected "+a);this.circuit=!0,this.info=e,this.steps=e.steps,this.units=this.names=e.units,this.padded=e.tokens.length,this.tokens=e.tokens.filter(({text:i})=>i!==""),this.text=this.indices("text").length?sa(this.tokens.map(({text:i})=>i??"")):null,this.grid=this.text??e.grid,this.kept=new Set(e.kept),this.messages=o.data,this.readIn=n.read_in?this.ofTokens(Xt(n.read_in).data):null,this.readOut=n.read_out&&n.confidence?this.findReadOut({read_out:n.read_out,confidence:n.confidence}):null,this.uses=this.findUses(),this.patches=this.text?this.indices("text"):this.indices("patch"),this.points=this.indices("point"),this.classTokens=[],this.readers=this.findReaders(),this.byPlace=this.text?oa(this.text.places):new Map(this.patches.map(i=>[this.tokens[i].row+","+this.tokens[i].column,i])),this.strongestOf=new Map}ofTokens(e){const n=this.tokens.length;if(n===this.padded)return e;const s=new Float32Array(this.units.length*n);for(let o=0;o<this.units.length;o+=1)s.set(e.subarray(o*this.padded,o*this.padded+n),o*n);return s}indices(e){return this.tokens.map((n,s)=>n.kind===e?s:-1).filter(n=>n>=0)}findReadOut({read_out:e,confidence:n}){const{data:s,shape:o}=Xt(e),a=Xt(n).data,[i,r]=o,c=new Float32Array(r);for(let l=0;l<i;l+=1)for(let u=0;u<r;u+=1)c[u]+=a[l]*s[l*r+u];return c}findUses(){const e=this.units.length,n=this.kept.size||1;return this.steps.map((s,o)=>{if(o===this.steps.length-1)return this.readOut||new Float32Array(e);const a=new Float32Array(e),i=o*e*e;for(let r=0;r<e*e;r+=1)a[r%e]+=this.messages[i+r];return a.map(r=>r/n)})}findReaders(){const e=new Int32Array(this.tokens.length).fill(-1);if(!this.readIn)return e;const n=new Float32Array(this.tokens.length);for(let s=0;s<this.units.length;s+=1)for(let o=0;o<this.tokens.length;o+=1){const a=this.reads(s,o);a>n[o]&&([n[o],e[o]]=[a,s])}return e}reads(e,n){return this.readIn?this.readIn[e*this.tokens.length+n]:0}message(e,n,s){return this.messages[((e-1)*this.units.length+n)*this.units.length+s]}use(e,n){return this.uses[e][n]}dominant(e,n){return this.readers[n]}members(e,n){return this.tokens.map((s,o)=>o).filter(s=>this.readers[s]===n)}compatibility(e,n,s){return this.reads(n,s)}hasUnmatched(){return!1}strongest(e,n){const s=e+" "+n;return this.strongestOf.has(s)||this.strongestOf.set(s,this.findStrongest(e,n)),this.strongestOf.get(s)}findStrongest(e,n){const[s,o]=[this.units.length,this.tokens.length];if(e===0){if(!this.readIn)return[];const{readIn:i}=this;return F(i,n).map(c=>({from:c%o,to:Math.floor(c/o),weight:i[c]}))}if(e===this.steps.length){const{readOut:i}=this;return i?F(i,n).map(r=>({from:r,to:-1,weight:i[r]})):[]}const a=this.messages.subarray((e-1)*s*s,e*s*s);return F(a,n).map(i=>({from:i%s,to:Math.floor(i/s),weight:a[i]}))}senders(e,n,s){const o=this.units.length,a=((e-1)*o+n)*o,i=this.messages.subarray(a,a+o);return F(i,s).map(r=>[r,i[r]])}receivers(e,n,s){if(e>=this.steps.length-1)return[];const o=Float32Array.from(this.units,(a,i)=>this.message(e+1,i,n));return F(o,s).map(a=>[a,o[a]])}looks(e,n){if(!this.readIn)return[];const s=this.readIn.subarray(e*this.tokens.length,(e+1)*this.tokens.length);return F(s,n).map(o=>[o,s[o]])}readersOf(e,n){if(!this.readIn)return[];const s=Float32Array.from(this.units,(o,a)=>this.reads(a,e));return F(s,n).map(o=>[o,s[o]])}leading(e,n){return F(this.uses[e],n).map(s=>[s,this.uses[e][s]])}at(e,n){const s=this.byPlace.get(e+","+n);return s===void 0?null:s}label(e){const{kind:n,name:s,row:o,column:a,text:i}=this.tokens[e];return n==="text"?"token "+e+" \u201C"+bt((i??"").trimEnd()||(i??""))+"\u201D":n==="patch"?"patch "+((o??0)+1)+", "+((a??0)+1):n==="point"?"point "+(Number(s.replace(/^point:/,""))+1):s.replace(/^token:/,"token ")}nameAt(e,n){return this.units[n]}state(e){const n=this.units[e];return this.kept.has(n)?(this.info.intervention.mute||[]).includes(n)?"muted":null:"dropped"}movedFrom(e){const n=Math.min(this.messages.length,e.messages.length);let[s,o]=[0,0];for(let a=0;a<n;a+=1)s+=Math.max(0,this.messages[a]-e.messages[a]),o+=this.messages[a];return o?s/o:0}}function Yt(t,e){const n=t.steps.findIndex((s,o)=>s!==e.steps[o]);return n<0?t.steps:t.steps.slice(0,n)}function ti(t,e){const n=Yt(t,e),{units:s,tokens:o}=e,[a,i]=[s.length,o.length],r=new Float32Array(n.length*a*i),c=new Uint8Array(n.length*i);for(let d=0;d<n.length;d+=1)for(let g=0;g<i;g+=1){c[d*i+g]=+(t.dominant(d,g)!==e.dominant(d,g));for(let b=0;b<a;b+=1)r[(d*a+b)*i+g]=e.compatibility(d,b,g)-t.compatibility(d,b,g)}const l={a:t,b:e,steps:n,units:s,tokens:o,change:r,rerouted:c},u=n.map((d,g)=>ei(l,g)),h=o.filter((d,g)=>n.some((b,$)=>c[$*i+g])).length,p=ns(t,e);return{...l,perStep:u,elsewhere:h,largest:Qt(l,yt(r)),staying:Qt(l,yt(r,d=>p(Math.floor(d/i)%a,Math.floor(d/(a*i)))))}}const ns=(t,e)=>(n,s)=>!t.state(n,s)&&!e.state(n,s);function yt(t,e=()=>!0){let[n,s]=[0,-1];for(let o=0;o<t.length;o+=1)Math.abs(t[o])>n&&e(o)&&([n,s]=[Math.abs(t[o]),o]);return s}function Qt({a:t,b:e,units:n,tokens:s,change:o},a){if(a<0)return null;const[i,r]=[n.length,s.length],[c,l,u]=[Math.floor(a/(i*r)),Math.floor(a/r)%i,a%r],[h,p]=[t,e].map(d=>d.compatibility(c,l,u));return{step:c,unit:l,token:u,a:h,b:p,change:o[a]}}function ei(t,e){const{units:n,tokens:s,change:o,rerouted:a}=t,[i,r]=[n.length*s.length,s.length],c={patch:0,panel:0,number:0,point:0,cls:0,token:0,text:0};s.forEach(({kind:d},g)=>c[d]+=a[e*r+g]);const l=o.subarray(e*i,(e+1)*i),u=l.reduce((d,g)=>d+Math.abs(g),0),h=yt(l),p=Qt(t,h<0?h:e*i+h);return{step:e,rerouted:Object.values(c).reduce((d,g)=>d+g,0),of:c,mean:u/i,largest:p}}function ni(t,e,n){const s=t.units.length*t.tokens.length,o=t.change.subarray(e*s,(e+1)*s);return F(o.map(Math.abs),n).map(i=>Qt(t,e*s+i))}function si(t,e){const n=Yt(t,e),[s,o]=[e.units.length,e.tokens.length],a=n.map((p,d)=>d?Ke({column:d,name:p,senders:s,output:!1},os(t,d),os(e,d)):Ke({column:d,name:p,senders:o,output:!1},t.readIn,e.readIn));n.length===t.steps.length&&n.length===e.steps.length&&a.push(Ke({column:n.length,name:"read-out",senders:s,output:!0},t.readOut,e.readOut));const i=e.patches.filter(p=>t.dominant(0,p)!==e.dominant(0,p)).length,r=ns(t,e),c=a.flatMap(p=>vt(p,yt(p.change))),l=a.flatMap(p=>vt(p,yt(p.change,oi(p,r)))),[u,h]=[c,l].map(p=>p.sort(ss)[0]??null);return{edges:!0,a:t,b:e,steps:n,units:e.units,tokens:e.tokens,columns:a,patches:i,largest:u,staying:h}}const oi=(t,e)=>n=>{const[{from:s,to:o}]=vt(t,n);return(o<0||e(o))&&(!t.column||e(s))},ss=(t,e)=>Math.abs(e.change)-Math.abs(t.change),os=({messages:t,units:{length:e}},n)=>t.subarray((n-1)*e*e,n*e*e);function Ke(t,e,n){const[s,o]=e&&n?[e,n]:[[],[]],a=Float32Array.from(s,(c,l)=>o[l]-c);let[i,r]=[0,0];for(let c=0;c<a.length;c+=1)i+=Math.abs(a[c])/2,r+=(s[c]+o[c])/2;return{...t,a:s,b:o,change:a,moved:r?i/r:0}}const vt=({column:t,senders:e,output:n,a:s,b:o,change:a},...i)=>i.filter(r=>r>=0).map(r=>({column:t,from:r%e,to:n?-1:Math.floor(r/e),a:s[r],b:o[r],change:a[r]})),Zt=(t,e)=>vt(t,...F(t.change.map(Math.abs),e));function Je({columns:t},e,n){return t.flatMap(o=>vt(o,...ai(o,e))).filter(({change:o})=>o).sort(ss).slice(0,n)}function ai({column:t,senders:e,change:n},s){const o=n.length/e,a=i=>Array.from({length:o},(r,c)=>c*e+i);return s.token!==void 0?t===0?a(s.token):[]:t===s.step+1?a(s.unit):t!==s.step||s.unit>=o?[]:Array.from({length:e},(i,r)=>s.unit*e+r)}const xt=(t,e)=>JSON.stringify(t)===JSON.stringify(e),as=({tokens:t,info:{grid:e}})=>[t.map(({name:n,kind:s,row:o,column:a})=>[n,s,o,a]),e],is=({intervention:{drop:t,mute:e,iterations:n,keep_edges:s,top_k:o}})=>[[...t].sort(),[...e].sort(),n??null,s??null,o??null],rs=({model:t,revision:e})=>[t,e],cs=(t,e)=>({model:!xt(rs(t),rs(e)),sample:t.sample!==e.sample,intervention:!xt(is(t),is(e))});function te(t,e){const{model:n,sample:s,intervention:o}=cs(t,e);return n||s?"observed":o?"caused":"same"}const ee=t=>t.length>1?t[0]+" to "+t.at(-1):t[0]??"none",ls=({tokens:t,info:{grid:e}})=>(e&&e.rows?e.rows+" x "+e.columns+" patches, ":"")+t.length+" tokens";function ii(t,e){return!!t.circuit!=!!e.circuit?"There is no difference to draw: in one of them tokens go through functions, in the other modules read each other.":xt(t.units,e.units)?xt(as(t),as(e))?t.info.model!==e.info.model&&!xt(t.steps,e.steps)||!Yt(t,e).length?`There is no difference to draw: A has ${t.steps.length} steps, ${ee(t.steps)}, B ${e.steps.length}, ${ee(e.steps)}.`:"":`There is no difference to draw: A cuts its sample into ${ls(t)}, B into ${ls(e)}.`:`There is no difference to draw: A has ${t.units.length} units, ${ee(t.units)}, B ${e.units.length}, ${ee(e.units)}.`}function us(t,e){const{model:n,sample:s,intervention:o}=cs(t.info,e.info),a=[];n&&a.push(`Units of two models are compared by their names; what ${e.units[0]} of one does, ${e.units[0]} of the other need not do.`),s&&a.push("Two samples are compared by place: a token of B with the token of A at the same place."),o&&(n||s)&&a.push("More than the intervention differs, so nothing here is said to be caused by it.");const[i,r]=[Math.max(t.steps.length,e.steps.length),Yt(t,e).length];return r<i&&a.push(`Compared are the ${r} steps that both have.`),a}const hs=(t,e)=>e?B(100*t,1)+" %":B(t,2);function Ot({a:t,b:e,change:n},s=!1){const o=s?W(100*n,1)+" points":W(n,2);return hs(t,s)+" in A, "+hs(e,s)+" in B ("+o+")"}const ps=({b:t,units:e,steps:n},{step:s,unit:o,token:a})=>t.label(a)+" through "+e[o]+" in "+M(n[s]);function ne({b:t,units:e,columns:n},{column:s,from:o,to:a}){const{name:i,output:r}=n[s];return r?"the output of "+e[o]:s?`${e[a]} of ${e[o]} in ${M(i)}`:`${e[a]} of ${t.label(o)}`}const ri=t=>t.candidate?"panel":t.numbers.length?"number":"patch",_t=(t,e,n)=>t+" of "+e+" "+n+(e===1?"":n==="patch"?"es":"s");function ci(t,e){return t.edges?ui(t,e):li(t,e)}function li(t,e){const{b:n,steps:s,tokens:o,perStep:a,elsewhere:i,largest:r,staying:c}=t;if(!r)return"Every token goes through every function with the same compatibility in A and in B.";const l=Math.min(e,s.length-1),{of:u,rerouted:h}=a[l],[p,d]=[n.patches.length,n.classTokens.length],g=o.length-p-d,b=[p?_t(u.patch+u.panel+u.number,p,ri(n)):"",g?_t(u.token+u.text,g,"token"):"",d?_t(u.cls,d,"CLS token"):""].filter(Boolean),$=h===1&&b.length===1?" goes":" go";return[b.join(" and ")+$+" through another function in "+M(s[l])+"; ",_t(i,o.length,"token")+" take another path over the "+s.length+" steps. ",ds(r,c,"function")+ps(t,c??r)+", ",Ot(c??r)+"."].join("")}const ds=(t,e,n)=>!e||e.change===t.change?"Largest change: ":"Largest change of a "+n+" that stays: ";function ui(t,e){const{b:n,steps:s,columns:o,patches:a,largest:i,staying:r}=t;if(!i)return"Every module reads the same in A and in B.";const{name:c,moved:l}=o[Math.min(e,s.length-1)],u=n.patches.length?_t(a,n.patches.length,"patch")+" are read most by another module. ":"",h=r??i;return[B(100*l,1)+" % of the attention in "+M(c)+" goes elsewhere"+(u?"; ":". "),u,ds(i,r,"module")+"what "+ne(t,h).replace(" of "," reads of ")+", ",Ot(h,!0)+"."].join("")}const hi={status:"loading",problem:null,view:null,baseline:null,sample:null,picture:null,pictures:[],step:0,time:null,playing:!1,hover:null,pinned:null,threshold:.25,opacity:.55,showBaseline:!1,graph:null,order:"graph",shown:150},{state:f,update:O,subscribe:se}=Sn(hi),I=()=>f.hover||f.pinned;function Y(t=f.view){const e=I();return!e||!t?null:e.token!==void 0?[e.token]:t.members(e.step,e.unit)}const fs=(t,e)=>t===e||t&&e&&t.token===e.token&&t.step===e.step&&t.unit===e.unit;function P(t){fs(f.hover,t)||O({hover:t})}function ut(t){O({pinned:fs(f.pinned,t)?null:t})}function oe(t){if(!f.view)return;const e=f.view.steps.length-1;O({step:Math.max(0,Math.min(e,t)),time:null,playing:!1})}function Ve(t){if(!f.view)return;const e=f.view.tokens.length,n=I(),s=n&&n.token!==void 0?n.token:t>0?-1:0;O({hover:{token:(s+t+e)%e}})}const ae=({predictions:t})=>t.length?t[0].label+1:null;function ht(t,e){return(t&&!t.circuit&&e?t.candidates[e-1]:null)??t}function Xe(t){const{view:e,baseline:n,pictures:s}=f;U&&(U={...U,candidate:t}),!(!e||e.circuit||!e.candidates[t-1])&&O({view:ht(e,t),baseline:ht(n,t),picture:s[t-1]??null})}async function ie(t){const e=a=>t.fields.some(i=>i.name===a);if(e("compatibility")){const a=["compatibility",...t.tokens.some(({kind:l})=>l==="text")?["margin","nats"]:[]],[i,r,c]=await Promise.all(a.filter(e).map(l=>Bn(t.id,l)));return t.tokens.some(({candidate:l})=>l)?ra(t,i)[(ae(t)??1)-1]:new qn(t,i,{margin:r,nats:c})}if(!e("messages"))throw new qt(422,"No path","A path needs compatibilities or messages; this model has neither.");const n=["messages","read_in","read_out","confidence"].filter(e),s=await Promise.all(n.map(a=>Bn(t.id,a))),o=Object.fromEntries(n.map((a,i)=>[a,s[i]]));return new Za(t,o)}async function Ye({tokens:t,sample:e,grid:n}){return t.some(({kind:o})=>o==="panel")?ca(e,n.columns):t.some(({kind:o})=>o==="text"||o==="number"||o==="point")?[]:[await Po(e)]}const Qe=(t,e)=>e[t.circuit?0:(t.candidate??1)-1]??null;async function pi(t){if(!(f.graph&&f.graph.model===t))try{const e=await tt("GET","/models/"+encodeURIComponent(t)+"/graph");f.view&&f.view.info.model===t&&O({graph:e})}catch(e){const n=e;In(n.title||"No graph",n.message,"bad")}}const di=["compatibility","types","messages","read_in","read_out","confidence","margin"],Ze=["images","statements","blocks"],Mt={mute:[],drop:[],edges:null,iterations:null,top_k:null},nt=Z(Mt),Tt=Z(null);let U=null,tn={model:"",step:0};const H=()=>Tt.value??J(),en=(t,e)=>JSON.stringify(t)===JSON.stringify(e),ms=(t,e)=>e.some(Le)?e:En(t,zt(t,e)).split(",").filter(Boolean);function fi(){const{view:t,step:e}=f,n=K.answer(),s=nt.value,o=n?.said??{mute:t?ms(t.names,s.mute):s.mute,drop:t?ms(t.names,s.drop):s.drop},{keep_edges:a=null,iterations:i=null,top_k:r=null}=n?.current.intervention??{...s,keep_edges:s.edges},c=t&&!t.circuit&&t.candidate!==ae(t.info)?t.candidate:null;return{...o,edges:a,iterations:i,top_k:r,step:e,candidate:c,pin:R.value||null}}const pt=Ie(fi);function re({step:t,candidate:e,pin:n,...s},o=H()){U={step:t,candidate:e},Ro(()=>{R.value=n??"",Tt.value=en(o,J())?null:o,nt.value=s}),!(!K.answer()||K.answer()!==Bt)&&(U=null,oe(t),Xe(e??ae(f.view.info)??0))}const At=t=>nt.value={...nt.value,...t};function ce(){const{mute:t,drop:e}=K.answer()?.current.intervention??nt.value,n=f.view?.names??[];return{mute:zt(n,zn(t)),drop:zt(n,zn(e))}}const St=(t,{mute:e,drop:n}=ce())=>e.includes(t)?"muted":n.includes(t)?"dropped":"",q=Z("mute");function nn(t,e){const n=f.view?.names??[],{mute:s,drop:o}=ce(),a={mute:s.filter(i=>!t.includes(i)),drop:o.filter(i=>!t.includes(i))};if(e&&(a[q.value]=n.filter(i=>a[q.value].includes(i)||t.includes(i))),a.drop.length<n.length)return At(a);In("One "+Wt(rt()).unit+" stays","Without any there is no path.","bad")}const le=t=>nn([t],!St(t)),mi=new Map,Ct=t=>Io(mi,t,()=>tt("GET","/models/"+encodeURIComponent(t)));async function sn(t,e,{[t]:n,top_k:s}){const o=await aa(t,e,n,{kind:t,top_k:s}),a=zt(e.units,o.parts.filter(c=>!Le(c))),i=await ia(e.units,a),r=i?[i]:En(e.units,a).split(",").filter(Boolean);return{units:o.units,said:[...r,...o.parts.filter(Le)]}}async function ue(t,e,{mute:n,drop:s,edges:o,iterations:a,top_k:i},r){const[c,l]=(await Promise.all([n,s].map(Un))).map(p=>p.split(",").filter(Boolean)),u=di.filter(p=>t.fields.includes(p)),h={mute:c,drop:l,iterations:a,keep_edges:o,top_k:i};return tt("POST","/traces",{model:t.id,sample:e,intervention:h,fields:u},{signal:r})}async function on({sample:t,model:e,domains:n}){const s=Ze.includes((await Ct(e)).inputs),o=await tt("GET",(s?"/samples/":"/tables/")+encodeURIComponent(t)),a=t.includes(".")?t:s?o.name:la(o),i=o.point?.set??o.set,r=i&&n.includes(i)?i:null;if(s)return{...o,name:a,domain:r,words:o.label===null?"no label":"true label "+o.label};const c=o.panels&&o.label>=0?o.label:null;return{...o,name:a,label:c,domain:r,words:ua(o),origin:o.set===null?"upload":"data"}}async function gi(t,e){const[n,s,o]=JSON.parse(t),a=await Ct(n);if(Ze.includes(a.inputs)&&!a.samples){await Cn(n);const{title:b="",detail:$=""}=Ne(n)?.refused??{};throw Object.assign(new qt(403,b,$),{refused:!0})}const[i,r]=[await sn("mute",a,o),await sn("drop",a,o)];o.edges!==null&&!a.has_links&&Re(`Units of ${n} are not linked: "edges" is ignored.`),o.top_k!==null&&!a.layers.length&&Re(`No token of ${n} takes the best of many experts: "top_k" is ignored.`);const c={mute:i.units,drop:r.units,edges:a.has_links?o.edges:null,iterations:o.iterations,top_k:a.layers.length?o.top_k:null},[l,u]=await Promise.all([ue(a,s,c,e),en(c,{...c,...Mt})?null:ue(a,s,Mt,e)]),[h,p,d,g]=await Promise.all([ie(l),u&&u.id!==l.id?ie(u):null,Ye(l),on(l),Cn(n)]);return{current:l,said:{mute:i.said,drop:r.said},view:h,baseline:p,pictures:d,sample:g}}const K=Pe(()=>{const{model:t,sample:e}=H();return t&&e?JSON.stringify([t,e,nt.value]):null},gi),he=4,gs=3,Et=Pe(()=>{const{model:t,sample:e}=H();return t&&!e?t:null},async t=>{const{inputs:e,domains:n}=await Ct(t),s=(h,p)=>tt("GET",h+Bo(p)),o=Ze.includes(e)?"images":e,a=(await s("/data",{inputs:o})).items,i=a.filter(({name:h})=>n.includes(h));if(o==="images"){const h=[...i,...a.filter(d=>!i.includes(d))];return(await Promise.all(h.map(({name:d})=>s("/samples",{origin:"data",set:d,limit:he})))).flatMap(({items:d})=>d).map(d=>({id:d.id,sample:d,table:null,value:null}))}const r=[...new Set((i.length?i:a).map(({name:h,inputs_of:p})=>p||h))],c=r.length<=he?he:1,l=(await s("/inputs",{})).items.find(({name:h})=>h===o)?.written;return(await Promise.all([...l?[s("/samples/written",{inputs:o,limit:he,rows:gs})]:[],...r.map(h=>s("/tables",{set:h,limit:c,rows:gs}))])).flatMap(({items:h})=>h).map(h=>({id:h.id,sample:null,table:h,value:null}))});function bi(){const{model:t}=H(),[e,n]=[t&&Ne(t),Do()],s=jo.value.some(a=>a.includes('"sample" of the link')),o=new URLSearchParams(location.search).has("sample");return!!(e&&n&&Fo(e,n)&&!s&&!o)}let Bt=null;const an={view:null,baseline:null,graph:null,playing:!1,time:null,hover:null};function $i(t){const{current:e,sample:n,pictures:s}=t,{view:o,playing:a}=f,i=o&&!o.circuit&&o.info.model===e.model&&o.info.sample===e.sample,r=ht(t.view,U?U.candidate:i?o.candidate:null),c=r.steps.length,l=o||tn.model!==e.model?f.step:tn.step,u=U?.step??null,h=u===null?Math.max(0,Math.min(c-1,l)):Rn(e.model,u,c),p=o&&o.info.model===e.model&&o.tokens.length===r.tokens.length,d=e.fields.some(({name:g})=>g==="link_probability");U=null,Bt=t,O({status:"ready",problem:null,view:r,baseline:ht(t.baseline,r.circuit?null:r.candidate),graph:d&&f.graph?.model===e.model?f.graph:null,sample:n,picture:Qe(r,s),pictures:s,step:h,time:a?f.time:null,hover:null,pinned:p?f.pinned:null}),d&&pi(e.model)}function wi(){const[t,e,{model:n,sample:s}]=[K.answer(),K.problem(),H()],o=s?null:Et.answer()?.[0]?.id??null,a=!s&&bi()&&(Et.waits()||o!==null);Gt(()=>{if(t)return t===Bt?void 0:$i(t);Bt=null,f.view&&(f.view.info.model!==n||!s)&&O(an),a&&o&&Nn({sample:o});const i=e&&(e.status===0||e.status>=500);if(e){const{title:r,message:c}=e;O({...i?{}:an,status:i&&f.view?"stale":"failed",problem:Object.assign(e,{title:r||"The path could not be shown",detail:c}),playing:!1})}else O({status:s||a||!Lo()?"loading":"empty",problem:null})})}function pe(){const[t,{model:e,sample:n},{view:s,playing:o}]=[pt.value,H(),f],a=[t.mute,t.drop].every(i=>i.join(",").length<=ha);s&&s.info.model===e&&a&&!o&&Gt(()=>Pn("paths",{model:e,sample:n,...t}))}function bs(){const{model:t,sample:e}=No(location.search);let n=J();Tt.value=t&&e&&!en({model:t,sample:e},n)?{model:t,sample:e}:null;const s=[G(()=>{const o=J();o!==n&&(Tt.value=null),n=o}),K.follow(),Et.follow(),G(wi),G(pe)];return()=>{s.forEach(o=>o()),f.view&&(tn={model:f.view.info.model,step:f.step}),rn()}}const $s=()=>new Promise(t=>{const e=G(()=>{f.status!=="loading"&&queueMicrotask(()=>t(e()))})});function rn(){[Bt,U,Tt.value]=[null,null,null],O({...an,status:"loading",problem:null,sample:null,picture:null,pictures:[],step:0,pinned:null})}var cn=Object.freeze({__proto__:null,NOTHING:Mt,choice:pt,choose:Xe,chosenIn:ae,follow:bs,frame:H,goTo:oe,highlighted:Y,intervene:At,intervention:nt,leave:rn,mode:q,modelOf:Ct,pictureOf:Qe,picturesOf:Ye,pin:ut,point:P,pointNext:Ve,pointed:I,rests:$s,sampleOf:on,starters:Et,state:f,stateOf:St,subscribe:se,take:re,taken:ce,toggle:le,traceOf:ue,traces:K,turn:nn,unitsOf:sn,update:O,viewOf:ie,withCandidate:ht,write:pe});const de=({mean:t,resample:e})=>t.length||e.length?"Units at their mean, or resampled, are measured on Drop; no path is recorded under it.":"";async function ki(t,e){const n=Ht(t),s=de(n);if(s)throw new qt(422,"No path",s);if(!n.sample)throw new qt(422,"No sample","A was pinned without a sample, and a path is of one.");const o=await Ct(n.model),{edges:a,...i}=await pa(n,o);a!==null&&!o.has_links&&Re(`Units of ${o.id} are not linked: "edges" of "pin" is ignored.`);const r=o.has_links?a:null,c=await ue(o,n.sample,{...i,edges:r},e),[l,u,h]=await Promise.all([ie(c),on(c),Ye(c)]);return{view:l,sample:u,pictures:h}}const st=Pe(()=>R.value||null,ki),S={get view(){return st.answer()?.view??null},get sample(){return st.answer()?.sample??null},get pictures(){return st.answer()?.pictures??[]},get problem(){return st.problem()},get status(){return R.value?st.answer()?"ready":st.problem()?"failed":"loading":"none"}},{follow:ws,again:ks}=st;function fe(){const{view:t}=f;return ht(S.view,t&&!t.circuit?t.candidate:null)}const ot=Ie(()=>{const[t,e]=[fe(),f.view];return t&&e?ii(t,e):null});function yi(){const[t,e]=[fe(),f.view];return!t||!e||ot.value!==""||te(t.info,e.info)==="same"?null:t.circuit&&e.circuit?si(t,e):t.circuit||e.circuit?null:ti(t,e)}const vi=Ie(yi),at=()=>vi.value,ys=t=>!!t.circuit;function vs(t){const e=[fe(),f.view].filter(n=>n!==null);return e.length===2&&e.every(n=>ys(n)===ys(t))?e:[t]}const me=()=>{const{state:t}=cn;return S.view&&t.view?Object.assign({...t},{alike:vs(t.view)}):t};function ge(){const{sample:t,pictures:e,status:n}=S,{state:s}=cn,o=fe(),a=o&&Qe(o,e),i={...s,view:o,sample:t,picture:a,pictures:e,baseline:null,showBaseline:!1};if(!o)return{...i,status:n==="failed"?"failed":"loading"};const r=o.steps.length-1,{time:c,step:l,graph:u}=s;return Object.assign(i,{status:"ready",step:Math.min(l,r),time:c===null?null:Math.min(c,r+2),graph:u&&String(u.units)===String(o.units)?u:null,...ot.value===""?{}:{hover:null,pinned:null},alike:vs(o)})}var xi=Object.freeze({__proto__:null,again:ks,apart:ot,difference:at,follow:ws,other:S,refused:de,seenOfA:ge,seenOfB:me});const be=t=>(t<.0995?(100*t).toFixed(1):Math.round(100*t))+" %",xs=5,Oi=11,It=10,_i=26,Os=.24;function Pt(t,e,{layout:n,theme:s},{size:o,weight:a,said:i=""}){const r=qe(s.font);return ze(t,n.width-e-2-r(i,o,a),o,r,a)+i}function ln(t,e,n){const s=t.units.map((o,a)=>a);return!e||e.units.length!==s.length||n==="name"?s:n==="connectivity"?Uo(e.connectivity).reverse():e.order}function un(t,e,n){if(e&&e.units.length===t.units.length){const{of:s,paints:o}=da.community(e,n);return a=>o[s[a]]}return s=>n.unit(s)}function Mi({view:t,graph:e,order:n},s,o){const a=s<620,[i]=t.info.predictions,r=i?Math.min(Os*s,Kt([i.labels[i.label]],12,700)):0,c={top:34,bottom:34,left:a?16:30,right:a?50+Math.max(22,r):116},l={x:c.left,width:a?12:20},u=new Int32Array(t.units.length);ln(t,e,n).forEach((x,T)=>u[x]=T);const h=o-c.top-c.bottom,p=h/t.units.length,d=p>=Oi,g=d?Math.min(Os*s,Kt(t.units,10)+20):0,b=l.x+l.width+Math.max(a?50:110,g),$=(s-c.right-b)/Math.max(1,t.steps.length-1),k=t.steps.map((x,T)=>b+T*$),y=x=>c.top+p*(u[x]+.5),v=Math.min(l.width,h/Math.max(1,t.tokens.length)-1),_=t.tokens.map((x,T)=>({x:l.x,y:c.top+h/t.tokens.length*(T+.5),size:Math.max(2,v)})),w={x:s-c.right+(a?36:44),y:c.top+h/2};return{compact:a,width:s,height:o,margin:c,strip:l,gap:p,named:d,columns:k,across:$,y,entries:_,end:w}}function $e(t,e,{from:n,to:s}){const{columns:o,entries:a,strip:i,end:r,y:c}=t;return[e===0?{x:i.x+i.width+2,y:a[n].y}:{x:o[e-1],y:c(n)},e===o.length?r:{x:o[e],y:c(s)}]}function _s(t,e,n,{wider:s=0,opacity:o}={}){const[a,i]=$e(t.layout,e,n),r=n.weight/t.scale[e];return{shape:"path",d:Hn(a,i,c=>Math.round(c*10)/10),stroke:e===0?t.paint(n.to):t.paint(n.from),width:Math.max(.5,xs*r)+s,opacity:o===void 0?.2+.6*r:o,cap:"round"}}function Ti(t,e,n){const s=n===e.steps.length,o=t.map(a=>!s&&n>=a.steps.length?0:a.strongest(s?a.steps.length:n,1)[0]?.weight??0);return Math.max(...o)}function Ms(t,e,n,s,o){const{view:a,graph:i,shown:r,alike:c=[a]}=t,l=Mi(t,e,n),u=[...a.steps.keys(),a.steps.length],h=u.map($=>Ti(c,a,$)||1),p=Math.max(...c.flatMap(({uses:$})=>$.map(k=>Math.max(...k))),1e-9),d=Math.max(3,Math.min(9,.9*l.gap,l.across/6)),g=($,k)=>Math.max(1,d*Math.sqrt(a.use($,k)/p)),{picture:b}=t;return{view:a,graph:i,layout:l,scale:h,radius:g,most:p,largest:d,theme:s,caption:o,shown:r,picture:b,into:u,paint:un(a,i,s)}}function Ai(t){return t.into.flatMap(e=>[...t.view.strongest(e,t.shown)].reverse().map(n=>_s(t,e,n)))}function hn({view:t,layout:e,theme:n},s){const{columns:o,margin:a,height:i,across:r}=e,c=Math.min(r*.3,34),l={shape:"text",size:12,anchor:"middle",fill:n.dim},u=[{shape:"rect",x:o[s]-c,y:a.top-24,w:2*c,h:i-a.top-a.bottom+28,rx:6,fill:n.raised}],h=t.steps.map(Wn),p=Kt(h,12,700)<e.across-6;return t.steps.forEach((d,g)=>{const b=g===s?{weight:700,fill:n.ink}:{},$=d==="read-in"?"in":d;u.push({...l,x:o[g],y:a.top-10,text:p?h[g]:$,...b})}),u.push({...l,x:e.strip.x+e.strip.width/2,y:a.top-10,text:e.compact?"":"tokens"}),u.push({...l,x:e.end.x+(e.compact?6:18),y:a.top-10,text:e.compact?"out":"read-out"}),u}function Si(t){const{view:e,layout:n,theme:s,paint:o}=t;return e.steps.flatMap((a,i)=>e.units.map((r,c)=>{const l={shape:"circle",cx:n.columns[i],cy:n.y(c),r:t.radius(i,c)};return e.state(c)?{...l,r:Math.max(1.5,l.r),stroke:s.dim,width:1,opacity:.6}:{...l,fill:o(c)}}))}function pn({view:t,layout:e,theme:n}){if(!e.named)return[];const s=e.columns[0]-12,o=s-e.strip.x-e.strip.width-4;return t.units.map((a,i)=>({shape:"text",x:s,y:e.y(i)+3.5,text:ze(a,o,10,qe(n.font),400),size:10,anchor:"end",fill:t.state(i)?n.dim:n.ink,halo:n.surface}))}function Ci({view:t,layout:e,theme:n},s){if(e.named)return[];let o=-1/0;return t.leading(s,5).map(([i,r])=>({unit:i,share:r,y:e.y(i)})).sort((i,r)=>i.y-r.y).flatMap(({unit:i,share:r,y:c})=>{if(c-o<12)return[];o=c;const l={x:e.columns[s]+11,y:c+3.5},u={size:10.5,weight:600},h=Math.abs(c-e.end.y)<_i?e.end.x:e.width,p=Pt(t.units[i],l.x,{layout:{width:h},theme:n},{...u,said:"  "+be(r)});return[{shape:"text",...l,text:p,...u,fill:n.ink,halo:n.raised}]})}function dn({view:t,layout:e,theme:n,picture:s}){const{grid:o}=t.info;return t.tokens.map((a,i)=>{const{x:r,y:c,size:l}=e.entries[i],u={x:r+e.strip.width-l,y:c-l/2,w:l,h:l};return fa(a,{picture:s,grid:o,theme:n},u)})}function Ei({view:t,layout:e,theme:n}){const[s]=t.info.predictions,{x:o,y:a}=e.end,i=[{shape:"circle",cx:o,cy:a,r:4,fill:n.ink}];if(!s)return i;const r=et(s.probabilities[s.label]),c=s.labels[s.label],l={size:c.length>3?11.5:15,weight:700},u=Pt(c,o+9,{layout:e,theme:n},l);return i.push({shape:"text",x:o+9,y:a+1,text:u,...l,fill:n.ink}),e.compact||i.push({shape:"text",x:o+9,y:a+16,text:r,size:11.5,fill:n.dim}),i}function Bi({view:t,layout:e,theme:n,scale:s,most:o,largest:a,shown:i,caption:r}){const l={text:"the "+Math.min(i,t.units.length**2)+" strongest of each step",key:"none"},u=be(Math.max(...s.slice(1,-1),0))+" of a receiver's attention, at most",h={text:be(o)+" of the next step's, on average",key:"dot",r:a,fill:"dim"},p=[{text:u,stroke:"dim",width:xs},...e.width>820?[h]:[]],g={x:e.compact?4:e.strip.x,y:e.height-11,right:e.width-8};return Kn([l,...e.compact?[]:p],e.width>1040?r:"",g,n)}function Ii(t,e){return{frame:hn(t,e),overlay:[...Si(t),...pn(t),...dn(t),...Ei(t),...Ci(t,e),...Bi(t)]}}function Pi({view:t,into:e},n){if(n.token!==void 0)return t.readersOf(n.token,It).map(([i,r])=>[0,{from:n.token,to:i,weight:r}]);const{step:s,unit:o}=n,a=s>0?t.senders(s,o,It).map(([i,r])=>[s,{from:i,to:o,weight:r}]):[];for(const[i,r]of t.receivers(s,o,It))a.push([s+1,{from:o,to:i,weight:r}]);if(s===t.steps.length-1&&t.readOut&&a.push([e.length-1,{from:o,to:-1,weight:t.readOut[o]}]),s===0)for(const[i,r]of t.looks(o,It))a.push([0,{from:i,to:o,weight:r}]);return a}function Ni(t,e){const{view:n,layout:s,theme:o}=t,a=Pi(t,e).reverse(),i=a.map(([c,l])=>_s(t,c,l,{wider:.8,opacity:.95})),r=(c,l,u)=>{const h={x:s.columns[c]+10,y:s.y(l)+3.5},p={size:10.5,weight:u===void 0?700:500},d=u===void 0?"":"  "+be(u),g=Pt(n.units[l],h.x,t,{...p,said:d});return{shape:"text",...h,text:g,...p,fill:o.ink,halo:o.surface}};if(e.unit!==void 0){const{step:c,unit:l}=e,u={cx:s.columns[c],cy:s.y(l)};i.push({shape:"circle",...u,r:t.radius(c,l)+3,stroke:o.ink,width:1.5}),i.push(r(c,l));const h=a.filter(([p,d])=>p>0&&d.to>=0).slice(-2*It);for(const[p,d]of Ts(h,s,c))i.push(r(p===c?p-1:p,p===c?d.from:d.to,d.weight))}else for(const[,c]of Ts(a,s,null))i.push(r(0,c.to,c.weight));return i}function Ts(t,e,n){const s=[];return[...t].sort((o,a)=>a[1].weight-o[1].weight).filter(([o,a])=>{const i=o===n?"from":"to",r=e.y(a[i]);return s.some(c=>c.side===i&&Math.abs(c.y-r)<11)?!1:(s.push({side:i,y:r}),!0)})}const Ri=7,Li=60;function Di({layout:t},e){const n=[t.strip.x+t.strip.width,...t.columns,t.end.x],s=Math.min(Math.floor(e),n.length-2);return n[s]+(n[s+1]-n[s])*Math.min(1,e-s)}function ji(t,e){const{view:n,layout:s,theme:o,shown:a}=t,i=Math.min(Math.floor(e),n.steps.length);return n.strongest(i,Math.min(a,Li)).map(r=>{const[c,l]=$e(s,i,r),{x:u,y:h}=ma(c,l,Math.min(1,e-i)),p=1.6+1.8*(r.weight/t.scale[i]);return{shape:"circle",cx:u,cy:h,r:p,fill:o.marker,stroke:o.surface,width:.8}})}function As({view:t,layout:e},n,s){const{strip:o,entries:a,columns:i}=e;if(n>o.x-8&&n<o.x+o.width+6){const u=Math.max(4,(a[1]?a[1].y-a[0].y:20)/2),h=a.findIndex(p=>Math.abs(p.y-s)<=u);return h<0?null:{token:h}}const r=i.findIndex(u=>Math.abs(u-n)<=Math.min(14,e.across/3));if(r<0)return null;let[c,l]=[-1,Math.max(Ri,e.gap/2)];for(let u=0;u<t.units.length;u+=1){const h=Math.abs(e.y(u)-s);h<l&&([c,l]=[u,h])}return c<0?null:{step:r,unit:c}}const Fi=({steps:t,units:e,tokens:n})=>"Columns are "+t.length+" "+Gn(t)+"s, dots "+e.length+" modules sized by the attention that the next column pays to them, lines messages from sender to receiver, as wide as the receiver's attention, averaged over heads; at the left what modules read of "+n.length+" tokens, at the right what the output reads of modules.",Ui=!0;var qi=Object.freeze({__proto__:null,endsOf:$e,frameItems:hn,frontAt:Di,highlight:Ni,lines:Ai,linesOver:Ui,nameFrom:Pt,nameItems:pn,orderOf:ln,paints:un,partsOf:Ms,pointed:I,stripItems:dn,surroundings:Ii,targetAt:As,travellers:ji,words:Fi});let we=null;const Ss={...ba,partsOf:ga,pointed:({view:t,hover:e,pinned:n})=>e||n?Y(t):null},zi=t=>t.circuit?qi:Ss;function Cs(t){const{info:e}=t.view,n=t.sample,{mute:s,drop:o,keep_edges:a,top_k:i}=e.intervention,r=[s.length?"mute "+Ln(s):null,o.length?"drop "+Ln(o):null,typeof a=="number"?Fe(a)+" % of links":null,i?i+(i===1?" expert":" experts")+" a token":null].filter(Boolean),c=r.length?r.join("; "):"no intervention",l=!t.view.circuit&&t.view.log;return[e.model,n.name||n.id,l?"as logged":c].join(" \xB7 ")}class Es{constructor(e,n){this.host=e,this.see=n,this.canvas=e.querySelector("canvas"),this.picture=Ss,this.parts=null,this.lines=[],this.ribbons=null,this.layers=null,this.stops=[se((o,a)=>this.onState(a)),G(()=>{S.view,Gt(()=>this.rebuild())}),De(()=>this.rebuild()),Jn(e,()=>this.rebuild())];const s=(o,a)=>this.canvas.addEventListener(o,a);s("pointermove",o=>this.onPointer(o)),s("pointerdown",o=>this.onPointer(o));for(const o of["pointerleave","blur"])s(o,()=>P(null));s("click",o=>o.detail<2&&ut(this.targetAt(o))),n===me&&s("dblclick",o=>this.onDouble(o))}onDouble(e){const n=this.targetAt(e),{view:s}=f;if(!s||!n||n.unit===void 0||s.names.length<=je||!s.circuit&&s.log)return;const o=s.nameAt(n.step,n.unit);le(o)}dispose(){this.stops.forEach(e=>e())}onState(e){if(!this.isThere())return;["view","baseline","picture","threshold","showBaseline","graph","order","shown"].some(s=>e.has(s))?this.rebuild():e.has("step")?this.turnTo(this.see().step):(e.has("time")||e.has("hover")||e.has("pinned"))&&this.draw()}isThere(){const{status:e,view:n}=this.see();return this.canvas.dataset.status=e,n?!0:(this.layers=this.parts=null,this.clear(),!1)}clear(){this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height),delete this.canvas.dataset.painted}rebuild(){const e=this.see();if(!this.isThere()||!e.view)return;this.host.dataset.units=e.view.names.length>je?"many":"few";const{clientWidth:n,clientHeight:s}=this.host;if(n<40||s<40)return;const o=j();this.picture=zi(e.view),this.parts=this.picture.partsOf(e,n,s,o,Cs(e)),this.lines=this.picture.lines(this.parts),this.ribbons=$a(this.lines,{width:n,height:s},o.font),this.turnTo(e.step)}turnTo(e){this.parts&&(this.layers=this.picture.surroundings(this.parts,e),this.draw())}draw(){const{layers:e,parts:n,ribbons:s}=this,o=this.see();if(!e||!n||!s)return;const{theme:a,layout:i}=n,r=wa(this.canvas,i.width,i.height);r.clearRect(0,0,i.width,i.height),Vn(r,e.frame,a.font);const c=this.picture.pointed(o),l=o.time!==null&&qo()?Math.floor(o.time):o.time;l!==null?ka(r,s,i,this.picture.frontAt(n,l)):ya(r,s,i,c?.14:1);const u=h=>Vn(r,h,a.font);this.picture.linesOver&&u(e.overlay),c&&u(this.picture.highlight(n,c)),l!==null&&u(this.picture.travellers(n,l,c)),this.picture.linesOver||u(e.overlay),this.publish(o)}targetAt(e){if(!this.layers||!this.parts||this.see===ge&&ot.value)return null;const n=this.canvas.getBoundingClientRect(),{layout:s}=this.parts,o=(e.clientX-n.left)*s.width/n.width,a=(e.clientY-n.top)*s.height/n.height;return this.picture.targetAt(this.parts,o,a)}onPointer(e){const n=this.targetAt(e);this.canvas.style.cursor=n?"pointer":"default",P(n)}publish(e){const n=e.hover||e.pinned,s=n&&Y(e.view),o=this.canvas.dataset;o.painted=e.view.info.id,o.step=e.view.steps[e.step],o.playing=String(e.playing),o.highlighted=(s||[]).map(a=>e.view.tokens[a].name).join(" "),o.hoveredDot=n&&n.unit!==void 0?e.view.steps[n.step]+"/"+e.view.units[n.unit]:""}scene(e){const n=this.see(),{view:s}=n;if(!s||!this.parts)throw new Error("There is no path to show.");const{width:o,height:a}=this.parts.layout,i=j(),r=this.picture.partsOf(n,e??o,a,i,Cs(n)),c=this.picture.surroundings(r,n.step),{layout:l}=r,u=this.picture.lines(r),h=this.picture.pointed(n),p=b=>({...b,opacity:(b.opacity===void 0?1:b.opacity)*.14}),d=[h?this.picture.highlight(r,h):[],c.overlay],g=[...c.frame,...h?u.map(p):u,...(this.picture.linesOver?d.reverse():d).flat()];return{width:l.width,height:l.height,background:i.surface,title:"Computational path: "+r.caption,desc:this.picture.words(s),items:g}}}const Wi=t=>we=new Es(t,me),Gi=t=>new Es(t,ge),Hi=({a:t,b:e,steps:n,units:s,tokens:o,change:a})=>[["step","token","unit","a","b","change","dominant_in_a","dominant_in_b"],...n.flatMap((i,r)=>o.flatMap(({name:c},l)=>s.map((u,h)=>{const p=[t,e].map(g=>g.compatibility(r,h,l)),d=[t,e].map(g=>g.dominant(r,l)===h);return[i,c,u,...p,a[(r*s.length+h)*o.length+l],...d]})))];function Ki({columns:t,steps:e,units:n,tokens:s}){const o=t.flatMap(a=>Zt(a,f.shown).map(({from:i,to:r,a:c,b:l,change:u})=>[a.column?"":s[i].name,a.column?e[a.column-1]:"",a.name,a.column?n[i]:"",r<0?"":n[r],c,l,u]));return[["token","step","next_step","from_unit","to_unit","a","b","change"],...o]}function Ji({info:t},{info:e}){const{made_with:n,link:s,...o}=We(e),{made_with:a,link:i,...r}=We(t),{model:c,sample:l}=e;return{model:c,sample:l,kind:te(t,e),a:r,b:o}}const Bs=({info:t})=>We(t,{iterations:t.intervention.iterations??null});function Vi(t){const e=at();if(!e)return null;const n=()=>e.edges?Ki(e):Hi(e),s=e.edges?{shown_of_each_step:f.shown}:{};return{name:"path-difference",picture:t,facts:{...Ji(e.a,e.b),...s,compared:us(e.a,e.b)},rows:n,json:()=>({columns:n()[0],rows:n().slice(1)}),python:{figure:"difference",a:Bs(e.a),b:Bs(e.b)}}}const Xi=5,Yi=24,Is=4;function Qi(t,e,n,s,o,a){const i=Ms(e,n,s,o,a),r=t.columns.map(g=>Zt(g,e.shown)),{a:c,b:l,steps:u}=t,h=u.map((g,b)=>l.units.map(($,k)=>l.use(b,k)-c.use(b,k)));t.columns.length>u.length||(h[u.length-1]=l.units.map(()=>0));const d=Math.max(...h.flat().map(Math.abs),1e-9);return{path:i,difference:t,lines:r,uses:h,most:d,theme:o}}function Ps({path:t,theme:e},n,s){const{gained:o,lost:a}=Jt(e),[i,r]=$e(t.layout,n.column,{...n}),c=Math.abs(n.change)/s;return{shape:"path",d:Hn(i,r,l=>Math.round(l*10)/10),stroke:n.change>0?o:a,width:Math.max(.6,Xi*c),opacity:.25+.65*c,dash:n.change>0?void 0:[5,3]}}const Zi=({lines:t})=>t.map(([e])=>Math.abs(e?.change??1));function tr({path:t,difference:e,uses:n,most:s,theme:o}){const{gained:a,lost:i}=Jt(o);return e.steps.flatMap((r,c)=>n[c].map((l,u)=>{const h={shape:"circle",cx:t.layout.columns[c],cy:t.layout.y(u)},p=Math.max(1.2,t.largest*Math.sqrt(Math.abs(l)/s));return{...h,r:p,fill:l?l>0?a:i:o.unmatched}}))}function er({path:{layout:t,view:e},theme:n},s){const o=s.flatMap(({column:i,from:r,to:c})=>[...c<0?[]:[{step:i,unit:c}],...i?[{step:i-1,unit:r}]:[]]),a=[];return o.flatMap(({step:i,unit:r})=>{const c={x:t.columns[i]+10,y:t.y(r)+3.5};if(a.some(({x:h,y:p})=>h===c.x&&Math.abs(p-c.y)<11))return[];a.push(c);const l={size:10.5,weight:600},u=Pt(e.units[r],c.x,{layout:t,theme:n},l);return[{shape:"text",...c,text:u,...l,fill:n.ink,halo:n.surface}]})}function nr({path:t,theme:e,lines:n}){const{layout:s}=t,{gained:o,lost:a}=Jt(e),[i,r,c]=[s.compact?4:s.strip.x,s.height-11,s.width-8],l=Math.max(...n.flat().map(({change:g})=>Math.abs(g)),0),u="the widest: "+W(100*l,1).replace("+","")+" points of a receiver's attention",p=[{text:"more in B",stroke:o},{text:"less in B",stroke:a,dash:[5,3]},...s.compact?[]:[{text:u+"; dots: what the next step pays to a module, in the same colours",key:"none"}]],d=Xn($t([t.caption],{x:i,y:r-14,size:10.5,fill:"dim",room:c-i}),e).items;return[...Kn(p,"",{x:i,y:r,right:c},e),...d]}function sr(t,e,n){const{path:s,difference:o,lines:a,theme:i}=t,{layout:r}=s,c=Zi(t),u=a.map(d=>[...d].reverse().map(g=>Ps(t,g,c[g.column]))).flat().map(d=>n?{...d,opacity:.08}:d),h=n?Je(o,n,Yi).map(d=>Ps(t,d,c[d.column])):[],p=Math.min(e,o.steps.length-1);return{width:r.width,height:r.height,background:i.surface,title:"Difference of two paths: "+s.caption,desc:"Columns are steps, dots modules, lines messages whose attention differs most: solid where B has more of it than A, dashed where it has less, as wide as the change.",items:[...hn(s,p),...u,...h,...tr(t),...pn(s),...dn(s),...er(t,n?Je(o,n,Is):a[p].slice(0,Is)),...nr(t)]}}const or=[.05,.1,.2,.5,1],[Ns,ar]=[2.5,18],Rs=6;function ir({b:t,tokens:e}){const{rows:n=0,columns:s=0}=t.patches.length?t.info.grid:{},o=e.length-t.patches.length,a=n||Math.ceil(Math.sqrt(o)),i=s?s+.5:0;let r=0;return{places:e.map(({kind:l,row:u,column:h})=>{if(l==="patch"||l==="panel")return{x:h??0,y:u??0};const p={x:i+Math.floor(r/a),y:r%a};return r+=1,p}),wide:o?i+Math.ceil(o/a):s,tall:a}}function rr(t,e,n){const{steps:s,units:o}=t,a=e<620,{places:i,wide:r,tall:c}=ir(t),[l,u]=a?[30,12]:[58,24],h=Math.max(l,Math.min(.24*e,Kt(o,13,650)+u)),p=Math.max((e-h-6)/s.length,r*Ns+4),d=Math.max(Ns,Math.min(ar,.86*p/r)),[g,b]=[d*r,d*c],$=a?9:14,k=34,y=js(t,{compact:a,left:h,size:d,width:e},22).bottom+(n?34:12),v=k+o.length*(b+$)+y,_=(w,x)=>({x:h+p*(w+.5)-g/2,y:k+x*(b+$)+$/2});return{compact:a,width:h+p*s.length+6,height:v,left:h,top:k,pitch:p,size:d,across:g,down:b,gap:$,foot:y,places:i,corner:_}}const Ls=({largest:t})=>or.find(e=>Math.abs(t?.change??0)<=e)??1;function Ds(t,e,n){const{gained:s,lost:o}=Jt(n),a=Math.min(1,Math.abs(t)/e);return Qn(n.surface,t>0?s:o,a**.6)}function cr({steps:t,units:e,b:n},s,o,a){const i=qe(o.font),{compact:r,left:c,top:l,pitch:u,height:h,foot:p,down:d,gap:g}=s,b=[];a<t.length&&b.push({shape:"rect",x:c+a*u+1,y:l-26,w:u-2,h:h-l-p+28,rx:6,fill:o.raised});const $={shape:"text",y:l-10,fill:o.dim};return!r&&Gn(t)==="iteration"&&b.push({...$,x:c,text:"iteration",size:11,anchor:"end"}),t.forEach((k,y)=>{const v=y===a?{weight:700,fill:o.ink}:{};b.push({...$,x:c+u*(y+.5),text:Wn(k),size:12,anchor:"middle",...v})}),e.forEach((k,y)=>{const v=l+y*(d+g)+g/2+d/2;r||b.push({shape:"rect",x:4,y:v-8,w:4,h:16,rx:2,fill:o.unit(n.paint(0,y))});const _=n.state(y)?o.dim:o.ink;b.push({shape:"text",x:r?4:14,y:v+4,text:ze(k,c-(r?8:20),13,i,650),size:13,weight:650,fill:_})}),b}function lr({a:t,b:e,steps:n,units:s,tokens:o,change:a,rerouted:i,largest:r},c,l,u){const{size:h,places:p,corner:d}=c,g=Ls({largest:r}),[b,$]=[s.length,o.length],k=_=>u?.size===1&&u.has(_),y=[];return[...n.flatMap((_,w)=>s.flatMap((x,T)=>{const{x:z,y:D}=d(w,T);return o.map((Q,N)=>{const E={x:z+h*p[N].x,y:D+h*p[N].y,w:h-.6,h:h-.6},dt=!u||u.has(N)?1:.35,ft=[t,e].map(Ut=>Ut.dominant(w,N)===T);if(h>=Rs&&i[w*$+N]&&(ft[0]||ft[1])){const Ut={x:E.x+.8,y:E.y+.8,w:E.w-1.6,h:E.h-1.6},Be=ft[1]?void 0:[2,2];y.push({shape:"rect",...Ut,stroke:l.ink,width:1.4,dash:Be,opacity:dt})}k(N)&&y.push({shape:"rect",...E,stroke:l.ink,width:2});const Ee=Ds(a[(w*b+T)*$+N],g,l);return{shape:"rect",...E,fill:Ee,stroke:l.hair,width:.6,opacity:dt}})})),...y]}function js(t,{compact:e,left:n,size:s,width:o},a){const i=Ls(t),r=i<.1?2:1,c="none",l={x:e?4:n,y:a,size:10.5},u=Vt([{text:B(-i,r),key:c}],{...l,width:1/0}),h=[-1,-.5,-.1,0,.1,.5,1],p=Yn(h.map(String),[u.end+6,u.end+6+17*h.length],1),d=Vt([{text:W(i,r),key:c}],{...l,x:p.range[1]+6,width:1/0}),g={key:"bar",stroke:"ink",width:1.4},b=[{...g,text:"went through it in A",dash:[2,2]},{...g,text:"goes through it in B instead"}],$=[{text:"compatibility in B against A",key:c},...s<Rs?[]:b],k=Vt($,{...l,x:d.end+8,width:1/0}),y=k.end<=o?k:Vt($,{...l,y:a+18,width:o}),v=wt(h,{x:(_,w)=>p.extent(w),y:[a-5,a+5],fill:_=>Ds(_*i,i,j()),stroke:"line",width:.6});return{marks:[u.marks,v,d.marks,y.marks],bottom:(y===k?a:a+18)+y.height-18}}function ur(t,e,n,s){const{compact:o,left:a,height:i,foot:r,width:c}=e,l=o?4:a,u=$t(s?[s]:[],{x:l,y:i-10,down:0,size:10.5,fill:"dim",room:c-l});return Xn([js(t,e,i-r+22).marks,u],n).items}function hr(t,e,n,{step:s,tokens:o,caption:a}){const i=o&&new Set(o);return{width:e.width,height:e.height,background:n.surface,title:"Difference of two paths: "+a,desc:"Columns are steps, rows functions; in each cell the tokens lie as in the sample. Colours: the compatibility of a token with the function in B minus that in A. Frames: another function takes the token most.",items:[...cr(t,e,n,s),...lr(t,e,n,i),...ur(t,e,n,a)]}}function pr({steps:t,units:e},n,s,o){const{left:a,top:i,pitch:r,down:c,gap:l,size:u,places:h,corner:p}=n,[d,g]=[Math.floor((s-a)/r),Math.floor((o-i)/(c+l))];if(d<0||d>=t.length||g<0||g>=e.length)return null;const b=p(d,g),$=h.findIndex(k=>{const[y,v]=[s-b.x-u*k.x,o-b.y-u*k.y];return y>=0&&y<u&&v>=0&&v<u});return $<0?null:{step:d,unit:g,token:$}}function fn({look:t,make:e,children:n}){const s=V(null);return ct(()=>{const o=e(s.current);return()=>o.dispose()},[]),m`<div class=${t} ref=${s}>${n}</div>`}function mn({id:t,look:e,label:n,draw:s,keys:o=!0,onKey:a,hidden:i,children:r}){const c=V(null),l=V(null);ct(()=>{const p=c.current,d=p.querySelector("canvas");function g(){const $=l.current=s(p);if(!$){d.getContext("2d")?.clearRect(0,0,d.width,d.height),delete d.dataset.painted;return}va({...$.scene,background:null},j().font,d),Object.assign(d.style,{width:$.scene.width+"px",height:$.scene.height+"px"}),Object.assign(d.dataset,$.data)}const b=[G(g),De(g),Jn(p,g)];return()=>b.forEach($=>$())},[]);function u({clientX:p,clientY:d,currentTarget:g}){const b=g.getBoundingClientRect();return l.current?.targetAt(p-b.left,d-b.top,b)??null}const h=()=>P(null);return m`<div class=${e} ref=${c} hidden=${i}>
    <canvas
      id=${t}
      role="img"
      tabindex=${o?0:void 0}
      data-path-keys=${o}
      aria-label=${n}
      onPointerMove=${p=>P(u(p))}
      onPointerDown=${p=>P(u(p))}
      onPointerLeave=${h}
      onBlur=${h}
      onClick=${p=>ut(u(p))}
      onKeyDown=${a}
    ></canvas>
    ${r}
  </div>`}const dr="A and B are the same path. Choose another sample or another model, or mute or drop something.",gn={width:1100,height:560},Fs=12,fr=4,Us=({model:t,sample:e,intervention:{drop:n,mute:s,iterations:o,keep_edges:a,top_k:i}})=>xa({model:t,sample:e,drop:n,mute:s,iterations:o??null,edges:a??null,top_k:i??null}),bn=()=>f.view?Us(f.view.info):null;function qs({letter:t}){const e=Ht(R.value);if(!e)return null;const n=t==="A"?S.view?Us(S.view.info):e:bn();return m`<h3 class="side-title">
    <span class="pin-letter">${t}</span><span>${n?Ge(n):"nothing is shown yet"}</span>
  </h3>`}function mr(){const{status:t,problem:e}=S;if(t==="loading")return m`<div class="skeleton" aria-hidden="true"></div>`;if(t!=="failed"||!e)return null;const n=Ht(R.value),s=n&&de(n);return m`<div class="message" role="alert">
    <p class="message-title">${e.title||"The path of A could not be shown"}</p>
    <p class="message-detail">${e.message}</p>
    ${!s&&m`<button type="button" class="button" onClick=${ks}>Try again</button>`}
  </div>`}function gr(){const[t,e]=[S.view,f.view];if(S.status==="failed")return m`<p class="difference-sentence">Without A there is nothing to compare.</p>`;if(!t||!e||ot.value===null)return m`<p class="difference-sentence">${f.status==="empty"?"B has no sample yet.":"Comparing"}</p>`;const n=at();return n?m`
    <p class="difference-sentence">${br()+ci(n,f.step)}</p>
    ${us(t,e).map(s=>m`<p class="hint" key=${s}>${s}</p>`)}
  `:m`<p class="difference-sentence">${ot.value||dr}</p>`}function br(){const[t,e]=[S.view,f.view];return t&&e&&te(t.info,e.info)==="caused"?"Caused by the intervention: ":""}function $r(){const t=at(),e=I();if(!t||!e)return"";if(t.edges)return wr(t,e);const n=Math.min(f.step,t.steps.length-1);if(e.token===void 0)return"";const{token:s}=e,o=t.units.map((a,i)=>{const r=t.change[(n*t.units.length+i)*t.tokens.length+s];return a+" "+B(t.a.compatibility(n,i,s),2)+" to "+B(t.b.compatibility(n,i,s),2)+" ("+W(r,2)+")"});return t.b.label(s)+" in "+M(t.steps[n])+", A to B: "+o.join("; ")}function wr(t,e){const n=Je(t,e,fr);return n.length?n.map(s=>ne(t,s).replace(" of "," reads of ")+": "+Ot(s,!0)).join("; "):"Nothing differs here."}const $n=t=>t===null?"none":(rt()?.labels??[])[t]??String(t);function zs({head:t,label:e}){if(!t)return m`<td colspan="2">no such head</td>`;const n=e===null?"":t.label===e?", right":", wrong";return m`<td>${t.labels[t.label]+n}</td>
    <td>${et(t.probabilities[t.label])}</td>`}function kr(t,e){const n=({numbers:a},i)=>a.find(({domain:r})=>r===i)?.value??null,o=[...new Set([t,e].flatMap(({numbers:a})=>a.map(({domain:i})=>i)))].map(a=>{const[i,r]=[n(t,a),n(e,a)],c=i===null||r===null?"":W(r-i,3);return[a,...[i,r].map(l=>l===null?"":l.toFixed(3)),c]});return Nt("What both answer.",["head","A answers","B answers","change"],o)}function yr(){const[t,e]=[S.view,f.view],n=[S.sample,f.sample];if(!t||!e||!n[0]||!n[1])return null;if(t.info.numbers.length||e.info.numbers.length)return kr(t.info,e.info);const s=n.map(u=>u?.label??null),o=[t,e].map(({info:u})=>Oa(u.predictions));if(!o[0].length&&!o[1].length)return null;const a=o.map(u=>u.length===1&&!!u[0].shared),r=(a[0]&&a[1]?[""]:[...new Set([t,e].flatMap(({info:u})=>u.predictions.map(({domain:h})=>h)))]).map(u=>{const[h,p]=[t,e].map(({info:b},$)=>u?b.predictions.find(({domain:k})=>k===u):o[$][0]),d=h&&p?p.probabilities[h.label]:void 0,g=h&&d!==void 0?W(100*(d-h.probabilities[h.label]),1)+" points":"";return m`<tr key=${u}>
      <th scope="row">${u||"one for every data set"}</th>
      ${zs({head:h,label:s[0]})} ${zs({head:p,label:s[1]})}
      <td>${d===void 0?"":et(d)+" ("+g+")"}</td>
    </tr>`}),c=["head","A answers","confidence","B answers","confidence","A's answer in B"],l=s[0]===s[1]?"True label: "+$n(s[0]):`True label: ${$n(s[0])} of A, ${$n(s[1])} of B`;return m`<${Zn}
    heads=${c.map(u=>m`<th scope="col">${u}</th>`)}
    rows=${r}
    caption=${"What both answer. "+l+"."}
  />`}const Nt=(t,e,n)=>m`<${Zn}
    caption=${t}
    heads=${e.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${n.map(([s,...o],a)=>m`<tr key=${a}>
          <th scope="row">${s}</th>
          ${o.map(i=>m`<td>${i}</td>`)}
        </tr>`)}
  />`;function vr(t){const{steps:e,units:n,tokens:s,perStep:o,b:a}=t,i=Math.min(f.step,e.length-1),r=o.map(l=>[M(e[l.step]),l.rerouted+" of "+s.length,B(l.mean,3),l.largest?ps(t,l.largest)+": "+Ot(l.largest):"none"]),c=ni(t,i,Fs).map(l=>[a.label(l.token),n[l.unit],B(l.a,3),B(l.b,3),W(l.change,3)]);return m`
    ${Nt("What differs at every step.",["step","tokens through another function","mean absolute change","largest change"],r)}
    ${Nt("Largest changes in "+M(e[i])+".",["token","function","A","B","change"],c)}
  `}function xr(t){const{columns:e,steps:n}=t,s=e[Math.min(f.step,n.length-1)],o=e.map(i=>{const[r]=Zt(i,1),c=B(100*i.moved,1)+" %";return[M(i.name),c,r?ne(t,r)+": "+Ot(r,!0):"none"]}),a=Zt(s,Fs).map(i=>{const[r,c]=ne(t,i).split(" of "),l=[i.a,i.b].map(u=>B(100*u,2)+" %");return[r,c,...l,W(100*i.change,2)+" points"]});return m`
    ${Nt("What differs at every step.",["step","attention that goes elsewhere","largest change"],o)}
    ${Nt("Largest changes in "+M(s.name)+".",["reader","reads of","A","B","change"],a)}
  `}const Or=()=>{const[t,e]=[Ht(R.peek()),bn()];return t&&e?"A: "+Ge(t)+" \xB7 B: "+Ge(e):""};function Ws(t,e,n,s){const o=j(),{step:a}=f;if(t.edges){const c=me(),l=Qi(t,c,n,s,o,e);return{scene:sr(l,a,I()),targetAt:(u,h)=>As(l.path,u,h)}}const i=rr(t,n,!!e),r=Y();return{scene:hr(t,i,o,{step:a,tokens:r,caption:e}),targetAt(c,l){const u=pr(t,i,c,l);return u&&{token:u.token}}}}function _r(t){const e=at();if(!e)return null;const n=document.fullscreenElement?.contains(t)?innerHeight-260:gn.height,s={painted:e.a.info.id+" "+e.b.info.id,step:String(f.step)};return{...Ws(e,"",Math.max(40,t.clientWidth),Math.max(340,n)),data:s}}const Mr={scene(t=gn.width){const e=at();if(!e)throw new Error("There is no difference to draw.");return Ws(e,Or(),t,gn.height).scene}},Tr={compatibility:"B minus A, by {pass}. Rows are functions, cells tokens. Blue: more in B; orange: less.",messages:"B minus A, by {pass}. Lines: attention that changed most. Blue: more in B; orange, dashed: less."},Ar={compatibility:"In each cell the tokens lie as in the image, CLS tokens beside it. Blue tokens go through the function more than in A, orange ones less.",messages:"A line is as wide as the change of a module's attention."};function Sr(){const t=at(),[e,n]=[S.view,f.view],s=e&&n?te(e.info,n.info):"same";return m`<${kt}
    id="path-difference"
    title="Difference"
    reads=${A(Tr)}
    more=${A(Ar)}
    tag=${s==="same"?"":s}
    formats=${["svg","png","csv","json"]}
    written=${()=>Vi(Mr)}
    look=${"panel-difference"+(t?"":" is-empty")}
  >
    <div aria-live="polite"><${gr} /></div>
    <${mn}
      id="difference-picture"
      look="difference-canvas"
      label="Differences between the paths of A and B. Left and right go back and on, up and down move through the tokens. The same numbers are in the table below."
      draw=${_r}
      hidden=${!t}
    />
    <p class="difference-pointed">${$r()}</p>
    <div class="difference-answers" tabindex="0" role="region" aria-label="Answers of A and B"><${yr} /></div>
    <details class="as-table">
      <summary>The same as a table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="The difference as a table">
        ${t&&(t.edges?xr(t):vr(t))}
      </div>
    </details>
  <//>`}const Cr={mute:{compatibility:"its compatibility is set to 0","":"its output is set to 0"},drop:{router_logits:"tokens take the best of the remaining experts",compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"}},Er=zo("paths","iterations").offered.at(-1),wn="data-unit-chip",Br=250;function Ir(t,e){const n=q.value,s=St(t),o=f.view?St(t,f.view.info.intervention):s,a=o===s?s:s?"not "+s+" yet":"still "+o,i=s?"Bring "+t+" back":(n==="drop"?"Drop ":"Mute ")+t+" ("+A(Cr[n])+")";return m`
    <button
      key=${t}
      type="button"
      class="chip"
      ...${{[wn]:t}}
      data-state=${o||"on"}
      aria-pressed=${String(!!s)}
      aria-label=${t+(a&&", "+a)+". "+i}
      title=${i}
      onClick=${()=>le(t)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:Jo(e,t)}}></span>
      ${t}
      <span class="chip-state">${a}</span>
    </button>
  `}function Pr(){const t=V(null),e=V(null),{view:n,graph:s,order:o}=f,{mute:a,drop:i}=ce();return ct(()=>{if(!n)return;const[r,{names:c}]=[t.current,n],l=_a(n.info.units_by_step??[]);if(l.length){const u=e.current instanceof ts?e.current:new ts(r,wn,Ks);return e.current=u,u.order.length!==c.length&&u.lay(l),u.tell(new Map(c.map((h,p)=>[h,Hs(n,p)])))}e.current=e.current||new Ma(r,wn,Ks),e.current.show(n.circuit?ln(n,s,o).map(u=>c[u]):c),s&&e.current.shade(u=>s.connectivity[c.indexOf(u)])},[n,s,o]),ct(()=>e.current?.mark([...a,...i],a.length?i.length?"away":"muted":"dropped")),m`<div class="paths-cells" role="group" aria-label="Units" ref=${t}></div>`}function Gs(t,e){if(t.names.length===t.units.length)return{step:f.step,unit:e};const n=t.info.units_by_step??[],s=o=>n[o]?.includes(t.names[e]);return{step:s(f.step)?f.step:n.findIndex((o,a)=>s(a)),unit:e%t.units.length}}function Hs(t,e){const{step:n,unit:s}=Gs(t,e);return t.use(n,s)}const Ks={toggle:nn,point:t=>f.view&&P(t?Gs(f.view,f.view.names.indexOf(t)):null),about(t,e){const{graph:n,view:s}=f,o=s.names.indexOf(t),a=s.info.units_by_step?", "+Fe(Hs(s,o))+" % of its layer here":"",i=n?", q "+n.connectivity[o].toFixed(1):"";return t+a+i+". "+(e?"Bring it back":q.value==="drop"?"Drop it":"Mute it")}},Nr={top_experts:"drop: the others share its weight",compatibility:"drop: renormalise over the rest",messages:"drop: with its links"};function Rr(){const t=rt();return m`<div class="control" hidden=${!!Dn(t)}>
    <span class="control-name">${"Click "+Wt(t).a_unit+" to"}</span>
    <${Go}
      id="paths-mode"
      label="What a click on a unit does"
      options=${[["mute","mute: set to zero"],["drop",A(Nr)]]}
      chosen=${q.value}
      onChoose=${e=>q.value=e}
    />
  </div>`}let kn={model:"",names:[]};function Lr(){const{view:t}=f,{model:e}=H();t&&(kn={model:t.info.model,names:t.names});const n=kn.model===e?kn.names:[],s=n.length>je;return m`<div class=${"paths-units"+(s?"":" chips")} role="group" aria-label="Units">
    ${s?m`<${Pr} key=${e} />`:n.map(o=>Ir(o,n))}
  </div>`}function Dr(){const t=rt(),{least_iterations:e=0,most_iterations:n=null}=t||{},{passes:s}=Wt(t),{iterations:o}=pt.value;return m`<div id="paths-passes" class="control" hidden=${e===n}>
    <span class="control-name">${s[0].toUpperCase()+s.slice(1)}</span>
    <${Ho}
      id="paths-iterations"
      label=${"Number of "+s}
      chosen=${o}
      most=${n||Er}
      none="as trained"
      onChoose=${a=>a!==o&&At({iterations:a})}
    />
  </div>`}const ke=({id:t,name:e,label:n,least:s=0,most:o,step:a=1,value:i,words:r,onInput:c,look:l="control",hidden:u})=>m`<div class=${l} hidden=${u}>
    <label class="control-name" for=${t}>${e}</label>
    <input
      type="range"
      class="range"
      ...${{id:t,min:s,max:o,step:a,value:i}}
      aria-label=${n}
      aria-valuetext=${r}
      onInput=${({currentTarget:h})=>c(Number(h.value))}
    />
    <output class="readout" for=${t}>${r}</output>
  </div>`;function jr(){const[t,e]=Ko(null),n=f.view?.info.fields.some(({name:i})=>i==="link_probability"),s=t??pt.value.edges??1,o=V(0);Ue(()=>()=>clearTimeout(o.current),[]);function a(i){const r=i/100;e(r),clearTimeout(o.current),o.current=setTimeout(()=>{At({edges:r===1?null:r}),e(null)},Br)}return m`<${ke}
    id="paths-edges"
    name="links kept"
    label="Share of the links that is kept, the most probable first"
    most=${100}
    value=${Math.round(100*s)}
    words=${Fe(s)+" %"}
    hidden=${!n}
    onInput=${a}
  />`}function Fr(){const t=Dn(rt());return Ue(()=>{t&&(q.value="drop")},[t]),m`<div class="interventions">
    <${Rr} /><${Lr} /><${Dr} /><${jr} />
    <${Wo} id="paths-reset" act=${()=>At(Mt)}>Reset<//>
    <span id="paths-mute-refusal" class="hint" role="status">${t}</span>
  </div>`}const yn=[25,50,100,150,250,500,1e3,2e3],Ur={graph:"as in the graph",connectivity:"by connectivity",name:"by name"};function qr(){const{graph:t,shown:e,order:n}=f,s=({currentTarget:o})=>O({order:o.value});return m`
    <${ke}
      id="paths-shown"
      name="strongest"
      label="How many of the strongest messages of each step are drawn"
      most=${yn.length-1}
      value=${yn.indexOf(e)}
      words=${e+" a step"}
      onInput=${o=>O({shown:yn[o]})}
    />
    <div class="control" hidden=${!t}>
      <span class="control-name">rows</span>
      <select class="small-input" id="paths-order" aria-label="Order of the rows" value=${n} onChange=${s}>
        ${Object.entries(Ur).map(([o,a])=>m`<option value=${o}>${a}</option>`)}
      </select>
    </div>
  `}function zr(){const{baseline:t,showBaseline:e,threshold:n}=f,s=({currentTarget:o})=>O({showBaseline:o.checked});return m`
    <${ke}
      id="paths-threshold"
      name="weaker routes above"
      ...${{least:5,most:50,step:5,look:"control when-wide"}}
      value=${Math.round(100*n)}
      words=${n.toFixed(2)}
      onInput=${o=>O({threshold:o/100})}
    />
    <label class="control" hidden=${!t}>
      <input type="checkbox" id="paths-baseline" checked=${e} onChange=${s} />
      <span class="control-name">path without intervention, dashed</span>
    </label>
  `}const Wr=()=>m`<div class="path-options">
    ${f.view?.circuit?m`<${qr} />`:m`<${zr} />`}
  </div>`,Js=()=>m`<${ke}
    id="paths-opacity"
    name="colour"
    label="Opacity of the colours"
    ...${{most:100,step:5}}
    value=${Math.round(100*f.opacity)}
    words=${Math.round(100*f.opacity)+" %"}
    onInput=${t=>O({opacity:t/100})}
  />`,Rt=6,Gr=12,ye=t=>(100*t).toFixed(1)+" %";function Lt(t){return un(t.view,t.graph,j())}function Dt(t,e){if(!e.length)return null;const n=Math.max(...e.map(s=>s.value),1e-9);return m`
    <h3 class="small-title">${t}</h3>
    ${e.map(({name:s,value:o,paint:a,target:i})=>m`
        <button type="button" class="bar-row bar-row-wide" onClick=${()=>ut(i)}>
          <span class="bar-name">${s}</span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style=${{width:100*o/n+"%",background:a}}></span>
          </span>
          <span class="bar-value">${ye(o)}</span>
        </button>
      `)}
  `}function ve(t,e,n){const s=Lt(t);return e.map(([o,a])=>({name:t.view.units[o],value:a,paint:s(o),target:{step:n,unit:o}}))}const Hr=(t,e)=>e.map(([n,s])=>({name:t.label(n),value:s,paint:"var(--rs-unmatched)",target:{token:n}})),Kr=t=>m`<button type="button" class="tool tool-text" data-unit-action=${t} onClick=${()=>le(t)}>
    ${St(t)?"Bring "+t+" back":(q.value==="drop"?"Drop ":"Mute ")+t}
  </button>`;function Jr(t,{step:e,unit:n}){const{view:s,graph:o}=t,a=s.units[n],i=s.steps[e+1]||"the output",r=s.state(n),c=[ye(s.use(e,n))+" of what "+i+" reads"];if(o){const l=o.connectivity.filter(u=>u>o.connectivity[n]).length+1;c.push("connectivity q "+o.connectivity[n].toFixed(1)+", rank "+l+" of "+s.units.length)}return s.readOut&&c.push(ye(s.readOut[n])+" of the output"),m`
    <h3 class="small-title">${a+" at "+M(s.steps[e])+(r?", "+r:"")}</h3>
    <p class="hint">${c.join("; ")+"."}</p>
    ${Kr(a)}
    ${e>0?Dt("reads",ve(t,s.senders(e,n,Rt),e-1)):Dt("looks at",Hr(s,s.looks(n,Rt)))}
    ${Dt("is read by, at "+i,ve(t,s.receivers(e,n,Rt),e+1))}
  `}function Vr(t,{token:e}){const{view:n}=t;return m`
    <h3 class="small-title">${n.label(e)}</h3>
    <p class="hint">Each module's read-in adds up to 100 % over the tokens.</p>
    ${Dt("is read most by",ve(t,n.readersOf(e,2*Rt),0))}
  `}function Xr(t){const{view:e,step:n}=t,s=I();if(s&&s.unit!==void 0)return Jr(t,s);if(s)return Vr(t,s);const o=e.steps[n+1],a=o?o+" reads most, on average":"the output reads most";return m`
    ${Dt(a,ve(t,e.leading(n,2*Rt),n))}
    <p class="hint">
      Point at a dot or a ${e.points.length?"point":"patch"}; click to keep it, double-click a dot to drop its
      module.
    </p>
  `}function Yr(t){const e=t.steps.map((a,i)=>t.leading(i,Gr)),n=t.steps.map((a,i)=>M(a)+", read by "+(t.steps[i+1]?M(t.steps[i+1]):"the output")),s=Array.from({length:Math.max(0,...e.map(a=>a.length))},(a,i)=>[String(i+1),...e.map(r=>r[i]?t.units[r[i][0]]+" ("+ye(r[i][1])+")":"")]);return[[["rank",...n],...s],"The modules of every step that the next one reads most, with their share of its attention, averaged over receivers and heads."]}function Qr(t){const{view:e,step:n}=t,s=new Map;for(const a of[...e.patches,...e.points]){const i=e.dominant(n,a);i>=0&&s.set(i,(s.get(i)||0)+1)}const o=Lt(t);return[...s].sort((a,i)=>i[1]-a[1]||a[0]-i[0]).map(([a,i])=>({unit:a,name:e.units[a],count:i,paint:o(a)}))}function Zr(t){const{view:e,step:n}=t,s=j(),o=Lt(t),a=t.hover||t.pinned;if(a&&a.unit!==void 0){const{unit:i}=a,r=Math.max(...e.points.map(c=>e.reads(i,c)),1e-9);return e.points.map(c=>Qn(s.hair,o(i),e.reads(i,c)/r))}return e.points.map(i=>a&&a.token===i?s.ink:e.dominant(n,i)<0?s.unmatched:o(e.dominant(n,i)))}function tc({view:t,step:e}){return t.points.map(n=>{const s=t.dominant(e,n),o=s<0?"no module":t.units[s]+" ("+(100*t.reads(s,n)).toFixed(1)+" %)";return t.label(n)+", read most by "+o})}const vn=()=>!!(f.view?.circuit&&f.view.points.length);let xe=null;function ec(){if(!xe)throw new Error("There is no picture yet.");return xe.picture("The module that reads every point most","The cloud with each point in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks.")}function nc(t){const e=new Ta(t,{point:a=>P(a===null?null:{token:a}),pick:a=>ut({token:a})});xe=e;let n=!1;async function s(){if(!vn())return;const{sample:a}=f.view.info,i=()=>n||f.view?.info.sample!==a;try{const r=await Aa(a);if(i())return;const c=f,[l,u,h]=[r.x,r.y,r.z].map(p=>p.slice(0,c.view.points.length));await e.show(a,{x:l,y:u,z:h},Zr(c),tc(c))}catch(r){i()||(t.textContent=r instanceof Error?r.message:String(r))}}const o=[se(s),De(s)];return{dispose(){n=!0,o.forEach(a=>a()),e.dispose(),xe=null}}}const Vs=150,[Oe,sc]=[22,34],oc=64;function ac(t,e){const n=j(),{view:s,step:o,opacity:a}=t,{name:i,id:r,point:c}=t.sample,u=(t.hover||t.pinned)&&Y(s),h=u&&new Set(u),p=s.numbers.map((w,x)=>{const T=s.dominant(o,w),z=h&&!h.has(w),D=T<0?"none":s.nameAt(o,T);return{token:w,said:D,value:c?.values[x],faint:z?.25:1,dim:z?.5:1,paint:n.unit(s.paint(o,T))}}),d=Yn(p.map(({said:w})=>w),[0,e]),g=Math.min(oc,d.step-8)/2,b=Vs-sc,$=(w,x)=>d(x),k=(w,x)=>[d(x)-g,d(x)+g],y={x:k,y:({value:w=1})=>[b-Math.max(1,(b-Oe)*w),b]},v={x:$,down:0,anchor:"middle",opacity:({dim:w})=>w},_=M(s.steps[o]);return Sa({width:e,height:Vs,title:"Dominant function of every number at "+_+": "+(i||r),desc:"A bar for each number, in the colour of the function that it is most compatible with at "+_+".",marks:[wt(p,{x:k,y:[Oe,b],fill:"raised"}),wt(p,{...y,fill:({paint:w})=>w,opacity:({faint:w})=>w*Math.max(.15,a)}),wt(p,{...y,stroke:({paint:w})=>w,width:1.5,opacity:({faint:w})=>w}),wt(p,{x:k,y:({token:w})=>h?.has(w)?[Oe,b]:null,stroke:"ink",width:2,rx:2}),$t(p,{...v,y:Oe-7,text:({value:w})=>w===void 0?"":B(w,2),size:11.5,fill:"dim"}),$t(p,{...v,y:b+14,text:({token:w})=>Ca(s.tokens[w].name),size:13,weight:650}),$t(p,{...v,y:b+29,text:({said:w})=>w,size:10.5,fill:"dim",room:d.step-4})]})}const ic=2.1,rc=13.5;function cc(t,e){const n=Math.min(rc,e/t);return{wide:n,tall:n*ic}}function lc(t,e){const n=j(),{view:s,step:o,opacity:a}=t,{rows:i,columns:r,places:c}=s.text,{wide:l,tall:u}=cc(r,e),h=t.hover||t.pinned,p=h&&Y(s),d=p&&new Set(p),g=s.circuit?Lt(t):x=>n.unit(s.paint(o,x)),b=s.circuit&&h&&h.unit!==void 0?h.unit:null,$=b===null?1:Math.max(...c.map((x,T)=>s.compatibility(o,b,T)),1e-9),k=[];c.forEach(({row:x,column:T,span:z},D)=>{const Q=b??s.dominant(o,D),N=b===null&&d&&!d.has(D),E={x:T*l,y:x*u,w:z*l,h:u},dt=b===null?1:s.compatibility(o,b,D)/$,ft=(N?.25:1)*a*dt;Q>=0&&k.push({shape:"rect",...E,fill:g(Q),opacity:ft});const Ee={x:E.x,y:E.y+u-2.5,w:E.w-.5,h:2.5};Q>=0&&k.push({shape:"rect",...Ee,fill:g(Q),opacity:N?.25:dt}),[...bt(s.tokens[D].text??"")].slice(0,z).forEach((Be,So)=>{const Co=E.x+(So+.5)*l,Eo={size:l*1.45,fill:n.ink,halo:n.surface,opacity:N?.4:1};k.push({shape:"text",x:Co,y:E.y+.68*u,text:Be,anchor:"middle",...Eo})})});for(const x of d&&d.size===1?d:[]){const{row:T,column:z,span:D}=c[x],Q={x:z*l,y:T*u+.5,w:D*l,h:u-1,rx:2};k.push({shape:"rect",...Q,stroke:n.ink,width:2})}const{name:y,id:v}=t.sample,_=M(s.steps[o]),w=s.circuit?{title:"The module that reads every token most: "+(y||v),desc:"The text, each token on the colour of the module whose read-in is most on it; or, with a module chosen, what that one reads."}:{title:"The expert with most weight for every token at "+_+": "+(y||v),desc:"The text, each token on the colour of the expert whose weight for it is the largest at "+_+"."};return{width:Math.max(1,r*l),height:i*u,background:n.surface,...w,items:k}}function uc(t,e,n){const{view:s,step:o,opacity:a}=t,{rows:i,columns:r}=s.info.grid,[c,l]=[n/r,n/i],u=t.hover||t.pinned,h=u&&Y(s);if(s.circuit&&u&&u.unit!==void 0)return hc(t,u.unit,[c,l]);const p=h&&new Set(h),d=s.circuit?Lt(t):b=>e.unit(s.paint(o,b)),g=[];for(const b of s.patches){const{row:$,column:k}=s.tokens[b],y=s.dominant(o,b),v={x:(k??0)*c,y:($??0)*l,w:c,h:l},_=p&&!p.has(b);if(y>=0&&g.push({shape:"rect",...v,fill:d(y),opacity:_?a*.25:a}),y>=0&&a>0){const w=Math.max(1.5,Math.min(3,c/16)),x={x:v.x+w/2+.5,y:v.y+w/2+.5,w:c-w-1,h:l-w-1};g.push({shape:"rect",...x,stroke:d(y),width:w,opacity:_?.25:1})}if(c>=26&&a>0){const w=y<0?"none":s.nameAt(o,y),x={shape:"text",x:v.x+6,y:v.y+14,text:w,size:10.5,weight:650};g.push({...x,fill:"#ffffff",halo:"rgba(0, 0, 0, 0.6)",opacity:_?.25:1})}}for(const b of h||[]){if(!s.patches.includes(b))continue;const{row:$,column:k}=s.tokens[b],y={x:(k??0)*c+1.5,y:($??0)*l+1.5,w:c-3,h:l-3,rx:2};g.push({shape:"rect",...y,stroke:"#000000",width:4,opacity:.65}),g.push({shape:"rect",...y,stroke:"#ffffff",width:2})}return g}function hc({view:t,opacity:e},n,[s,o]){const a=Math.max(...t.patches.map(i=>t.reads(n,i)),1e-9);return t.patches.flatMap(i=>{const{row:r,column:c}=t.tokens[i],l=t.reads(n,i),h=[{...{shape:"rect",x:(c??0)*s,y:(r??0)*o,w:s,h:o,fill:"#000000"},opacity:(.35+.5*e)*(1-l/a)}],p={shape:"text",text:Math.round(100*l)+" %",size:10.5,weight:650,fill:"#ffffff"};return s>=34&&h.push({...p,x:(c??0)*s+6,y:(r??0)*o+14,halo:"rgba(0, 0, 0, 0.6)"}),h})}function pc(t,e){const n=j(),{picture:s,view:o,step:a}=t,{width:i,height:r}=s,c=M(o.steps[a]),[l,u]=o.circuit?["The module that reads every patch most","The image with each patch in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks."]:["Dominant function of every patch at "+c,"The image with each patch in the colour of the function it is most compatible with at "+c+"."];return{width:e,height:e,background:n.surface,title:l+": "+(t.sample.name||t.sample.id),desc:u,items:[{shape:"image",source:s,sx:0,sy:0,sw:i,sh:r,x:0,y:0,w:e,h:e},...uc(t,n,e)]}}function Xs(t){return t?t.circuit?t.text?"text":"picture":t.text?"text":t.numbers.length?"numbers":"picture":"picture"}function dc(t){const e={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]},{view:n}=f,s=e[t.key];if(!n||!s)return;t.preventDefault(),t.stopPropagation();const o=I(),a=o&&o.token!==void 0?n.tokens[o.token]:null,i=a&&a.kind!=="cls"?[(a.row??0)+s[0],(a.column??0)+s[1]]:[0,0],r=n.text?Ea(n.text.places,o?.token,s):n.at(...i);r!==null&&O({hover:{token:r}})}function Ys(t,e=480){const n=Xs(t.view);return n==="picture"?pc(t,e):(n==="text"?lc:ac)(t,e)}function Qs(t,e){const{view:n,picture:s}=t,o=Xs(n);e.dataset.shows=o;const{clientWidth:a,clientHeight:i}=e,r=o==="picture"?Math.min(a,i):a;if(!n||!n.grid||o==="picture"&&!s)return null;const l=(I()&&Y(n)||[]).map(u=>n.tokens[u].name).join(" ");return{scene:Ys(t,Math.max(r,20)),data:{painted:n.info.id,step:n.steps[t.step],highlighted:l},targetAt(u,h,p){const{rows:d,columns:g}=n.grid,b=n.at(Math.floor(h/p.height*d),Math.floor(u/p.width*g));return b===null?null:{token:b}}}}const fc=({hidden:t})=>m`<${mn}
    id="patch-picture"
    look="patch-canvas"
    label="The sample with its tokens in the colours of their units. Arrow keys move from token to token."
    draw=${e=>Qs(f,e)}
    ...${{onKey:dc,hidden:t}}
    ><div class="skeleton when-loading" aria-hidden="true"></div
  ><//>`,mc=()=>m`<${mn}
    id="patch-picture-of-a"
    look="patch-canvas"
    label="The same of A, which is pinned, at the same step."
    keys=${!1}
    draw=${t=>{const e=Qs(ge(),t);return e&&{...e,...ot.value?{targetAt:()=>null}:{}}}}
  />`,gc=2**24,Zs=2**18;function bc(t){const e=t.steps.length*t.units;if(e>Zs){const i=[e,Zs].map(r=>r.toLocaleString("en"));throw new Error("The log has "+i[0]+" experts in all its layers; up to "+i[1]+" are drawn.")}const n=Math.floor(gc/e);if(t.tokens.length<=n)return t;const[s,o]=[t.experts,t.shares].map(i=>i.map(r=>r.slice(0,n))),a=t.margin&&t.margin.map(i=>i.slice(0,n));return{...t,tokens:t.tokens.slice(0,n),experts:s,shares:o,margin:a}}const $c=({text:t,number:e,place:n})=>t??String(e??n+1)+" ";function wc({log:t,sequence:e,sequence_name:n,start:s,steps:o,units:a,tokens:i}){const r=Array.from({length:a},(l,u)=>"e"+(u+1)),c=o.map(l=>r.map(u=>l+"."+u));return{id:[t.id,e,s].join("."),model:t.name,revision:"",sample:n,intervention:{drop:[],mute:[],mute_routes:[],copy_routes:[],gates:{}},seed:null,units:r,units_by_step:c,kept:c.flat(),steps:o,tokens:i.map(l=>({name:"token:"+l.place,kind:"text",row:null,column:null,text:$c(l)})),grid:{rows:0,columns:0},domains:[],predictions:[],numbers:[],fields:[],seconds:0,cached:!0}}function kc({steps:t,units:e,tokens:n,experts:s,shares:o}){const a=new Float32Array(t.length*e*n.length),i=new Int16Array(t.length*n.length).fill(-1);return s.forEach((r,c)=>r.forEach((l,u)=>{let h=-1;l.forEach((p,d)=>{if(p<0)return;const g=o[c][u][d];a[(c*e+p)*n.length+u]=g,!(g<=h)&&(h=g,i[c*n.length+u]=p)})})),{data:a,first:i}}function yc(t){const{steps:e,units:n,tokens:s,margin:o,log:a,weighted:i,start:r,margin_of:c}=t,{data:l,first:u}=kc(t),h=o&&Float32Array.from(o.flat(),p=>p??NaN);return new qn(wc(t),{data:l,shape:[e.length,n,s.length],dims:["step","unit","token"]},{margin:h?{data:h,shape:[e.length,s.length],dims:["step","token"]}:void 0,dominants:u,log:{id:a.id,weighted:i,start:r,margin_of:c??"logits"}})}function vc({weights:t,margin:e,token_ids:n,token_texts:s}){return[[t,"No weights: a token's experts have equal shares, and its colour is that of the first the log names."],[e,"No margin: how far an expert was ahead is not known."],[s,n?"No texts: tokens are shown by their numbers.":"No token text; positions are shown."]].filter(([a])=>!a).map(([,a])=>a)}const xc=256,Oc=100,xn={log:null,found:null,sequences:null,sequence:0,start:0},{state:C,update:jt,subscribe:ql}=Sn(xn);let _e=0;const to=t=>"/logs/"+encodeURIComponent(t);function eo(){const{log:t,sequence:e,start:n,found:s}=C;t&&s&&Pn("paths",{...J(),log:t,sequence:e,token:n,step:f.step})}async function On(t,e,n=f.step){const s=_e+=1,{log:o}=C;if(o){jt({sequence:t,start:e}),O({status:"loading",problem:null,playing:!1});try{const a=new URLSearchParams({sequence:String(t),start:String(e),tokens:String(xc)}),i=await tt("GET",to(o)+"/path?"+a.toString());if(s!==_e)return;const r=bc(i),c=yc(r),l=r.sequence_name;jt({found:r}),O({status:"ready",view:c,baseline:null,graph:null,sample:{id:l,name:l},picture:null,step:Rn(r.log.name,n,c.steps.length),time:null,hover:null,pinned:null}),eo()}catch(a){if(s!==_e)return;const{title:i,message:r}=a;O({status:"failed",problem:{title:i||"The path could not be shown",detail:r},view:null})}}}async function _c(t,e,n,s){if(jt({...xn,log:t}),await On(e,n,s),C.log!==t||!C.found)return;const o=await tt("GET",to(t)+"/sequences?limit="+Oc).catch(()=>null);C.log===t&&jt({sequences:o})}function Mc(){_e+=1,jt(xn),rn()}const no=({steps:t,tokens:e,units:n},s)=>t.flatMap((o,a)=>e.flatMap((i,r)=>n.map((c,l)=>s(a,r,l)))),so=(t,e,n,s)=>[t.text?t.nameAt(e,s):t.units[s],t.compatibility(e,s,n),t.dominant(e,n)===s],Tc=t=>[["step","token","unit","compatibility","dominant"],...no(t,(e,n,s)=>[t.steps[e],t.tokens[n].name,...so(t,e,n,s)])],Ac=t=>[["layer","token","expert","share","dominant"],...no(t,(e,n,s)=>[t.steps[e],n+(t.log?.start??0),...so(t,e,n,s)]).filter(e=>Number(e[3])>0)];function Sc(t){const e=t.steps.map((n,s)=>t.units.map((o,a)=>t.tokens.map((i,r)=>t.compatibility(s,a,r))));return{dims:["step","unit","token"],step:t.steps,unit:t.units,token:t.tokens.map(n=>n.name),compatibility:e}}function oo(t){const{steps:e,units:n,tokens:s}=t,o=[...e,"read-out"].flatMap((a,i)=>t.strongest(i,f.shown).map(({from:r,to:c,weight:l})=>[...i?["",e[i-1],a,n[r]]:[s[r].name,"",a,""],n[c]??"",l]));return[["token","step","next_step","from_unit","to_unit","weight"],...o]}function Cc(t){const[e,...n]=oo(t),s=t.steps.map((o,a)=>t.units.map((i,r)=>t.use(a,r)));return{columns:e,rows:n,step:t.steps,unit:t.units,share_of_the_next_step:s}}function Ec(t){const{points:e,text:n,tokens:s,patches:o}=t,a=c=>{const{name:l,text:u,row:h,column:p}=s[c];return e.length?[t.label(c)]:n?[l,u]:[h,p]},i=(e.length?e:o).map(c=>{const l=t.dominant(0,c);return[...a(c),t.units[l]??"",l<0?0:t.reads(l,c)]});return[[...e.length?["point"]:n?["token","text"]:["row","column"],"read_most_by","weight"],...i]}function Bc(t,e){if(t.circuit)return Ec(t);const n=t.text?t.units.map((a,i)=>t.nameAt(e,i)):t.units,s=t.text?["token","text","bits","margin"]:["row","column"],o=(t.text?[...t.tokens.keys()]:t.patches).map(a=>{const{name:i,text:r,row:c,column:l}=t.tokens[a],u=t.text?[i,r,t.bits(a)??"",t.margin(e,a)??""]:[c,l],h=n.map((p,d)=>t.compatibility(e,d,a));return[...u,n[t.dominant(e,a)]??"",...h]});return[[...s,"dominant",...n],...o]}function Ic(t){const e=Ia(t).map(({domain:n,value:s,right:o,before:a})=>[n,...[s,o,a].map(i=>i??"")]);return[["domain","network","expression","without_intervention"],...e]}function Pc({current:t,baseline:e}){const n=[["shown",t]];e&&e.id!==t.id&&n.push(["without intervention",e]);const s=n.flatMap(([o,{predictions:a}])=>a.flatMap(({domain:i,probabilities:r})=>r.map((c,l)=>[o,i,l,c])));return[["trace","domain","label","probability"],...s]}const _n=({intervention:t})=>({iterations:t.iterations??null});function ao({log:t,tokens:e},n){const{found:s}=C;if(!t||!s)return null;const{sequence:o,sequence_name:a,start:i}=s;return{...Ba([s.log]),sequence:o,sequence_name:a,start:i,tokens:e.length,...n}}function Nc(t){const e=()=>Ac(t);return{name:"path",picture:we,facts:ao(t)??{},rows:e,json:()=>He(e()),python:{figure:"log-path"}}}const Rc=t=>!t.circuit&&t.candidate!==null,io=({candidate:t})=>t===null?void 0:{answer:t};function Me(){const{view:t,baseline:e,sample:n}=f;if(!t||!n||!(t.info.predictions.length||t.info.numbers.length))return null;const{label:s,domain:o,name:a,point:i}=n;return{current:t.info,baseline:e?.info??t.info,label:s,domain:o,name:a,point:i}}const Mn={path:()=>{const{view:t}=f;return t&&!t.circuit&&t.log?Nc(t):t&&{name:"path",picture:we,info:t.info,rows:()=>t.circuit?oo(t):Tc(t),json:()=>t.circuit?Cc(t):Sc(t),extra:t.circuit?{shown_of_each_step:f.shown}:io(t),python:{figure:"path",..._n(t.info)}}},patches:()=>{const{view:t,step:e}=f;if(!t)return null;const n=()=>Bc(t,e),s=()=>({step:t.steps[e],...He(n())}),o=t.circuit?null:ao(t,{layer:t.steps[e]}),a={scene:i=>Ys(f,i)};return o?{name:"text",picture:a,facts:o,python:{figure:"log-text"},rows:n,json:s}:vn()?{name:"points",picture:ec(),info:t.info,rows:n,json:s}:{name:"patches",picture:a,info:t.info,extra:{step:t.steps[e],...t.circuit?{}:io(t)},python:{figure:Rc(t)?"path":"patches",..._n(t.info)},rows:n,json:s}},predictions:()=>{const t=Me();if(!t)return null;const{current:e,baseline:n,label:s,point:o}=t,a=e.numbers.length>0,i=()=>a?Ic(t):Pc(t),r=()=>({true_label:s,shown:e.predictions,without_intervention:n?.predictions??null});return{name:a?"answers":"predictions",picture:{scene:(c=640)=>es(t,c)},info:e,extra:a?{function:o?.set??null,expression:o?.expression??null}:{true_label:s},python:{figure:"predictions",..._n(e)},rows:i,json:()=>a?He(i()):r()}}};function Lc({tokens:t,tokens_left_out:e,bytes_left_out:n}){const[s,o]=[e,n].map(i=>(Array.isArray(i)?i[0]:i)??0),a=t.filter(({text:i})=>i!=="").length;return s?`Text was cut to ${X(a)} tokens; ${X(s)} tokens (${X(o)} bytes) are left out.`:""}const Dc=100;function Te({name:t,label:e,to:n,end:s,go:o}){return m`<button
    type="button"
    class="tool"
    title=${e}
    aria-label=${e}
    disabled=${n<0||n>=s}
    onClick=${()=>o(n)}
  >
    ${jn(t)}
  </button>`}function jc({total:t}){const{sequence:e,sequences:n}=C,s=r=>{On(r,0)},o=({currentTarget:r})=>{const c=Number(r.value)-1;Number.isInteger(c)&&c>=0&&c<t?s(c):r.value=String(e+1)},i=n&&t<=Dc?n.items.map(({sequence:r,name:c,tokens:l})=>m`<option value=${r+1}>${c+", "+X(l)+" tokens"}</option>`):null;return m`<div class="control">
    <span class="control-name">sequence</span>
    <${Te} name="previous" label="Previous sequence" to=${e-1} end=${t} go=${s} />
    ${i?m`<select
            class="small-input log-sequence"
            aria-label="Sequence of the log"
            value=${e+1}
            onChange=${o}
          >
            ${i}
          </select>`:m`<input
            class="small-input"
            type="number"
            min="1"
            max=${t}
            aria-label="Sequence of the log"
            value=${e+1}
            onChange=${o}
          />`}
    <${Te} name="next" label="Next sequence" to=${e+1} end=${t} go=${s} />
    <span class="readout">${"of "+X(t)}</span>
  </div>`}function Fc(){const{found:t,sequence:e}=C;if(!t)return null;const{start:n,total:s,tokens:o}=t,a=l=>{On(e,l)},i=X(n+1)+" to "+X(n+o.length)+" of "+X(s),[r,c]=[n>0?Math.max(0,n-o.length):-1,n+o.length];return m`<div class="control">
    <span class="control-name">tokens</span>
    <${Te} name="previous" label="Tokens before" to=${r} end=${s} go=${a} />
    <span class="readout">${i}</span>
    <${Te} name="next" label="Tokens behind" to=${c} end=${s} go=${a} />
  </div>`}function ro(){const{model:t,sample:e}=J(),{log:n}=C,s=f.view?.steps[f.step];return[["Observe the log",lt("observe",{model:t,sample:e,log:n,...s?{steps:[s]}:{}})],["Logs",lt("logs",{model:t,sample:e,a:n})],["Leave the log",lt("paths",{model:t,sample:e})]].map(([a,i])=>m`<a key=${a} class="tool tool-text" href=${i} onClick=${mt}>${a}</a>`)}function Uc(){const{found:t,sequences:e}=C;if(!t)return m`<div class="log-bar">
      <div class="log-links"><${ro} /></div>
    </div>`;const n=e?.total??t.log.facts.sequences,s=vc(t.log.facts.has);return m`<div class="log-bar">
    <${jc} total=${n} />
    <${Fc} />
    <${Js} />
    <div class="log-links"><${ro} /></div>
    ${s.length>0&&m`<p class="hint log-lacks">${s.join(" ")}</p>`}
  </div>`}function qc(){const{found:t}=C;if(!t)return null;const{name:e,facts:n}=t.log;return m`<strong>${t.sequence_name}</strong>
    <span>${"routing log "+e}</span>
    <span>${n.format+", "+n.version}</span>
    <span class="tag">no model</span>`}function zc(){let t=J().sample;return G(()=>{const{model:e,sample:n}=J();n!==t&&(t=n,!(!n||new URLSearchParams(location.search).get("sample")===n)&&Gt(()=>setTimeout(()=>Vo(lt("paths",{model:e,sample:n})))))})}function Wc({log:t,sequence:e,token:n,step:s}){const o=[zc(),se((a,i)=>{i.has("step")&&!f.playing&&eo()})];return _c(t,e,n,s),()=>{o.forEach(a=>a()),Mc()}}function Gc(t,e,n){const s=o=>t.dominant(n,o)!==e.dominant(n,o);return{panels:t.patches.filter(s).length,cls:t.classTokens.some(s)}}function Hc(t,e){const{step:n,sample:s}=f,o=t.candidate,{columns:a}=t.info.grid,i=t.candidates.length+t.patches.length-1,[r]=t.info.predictions,c=r?.probabilities[o-1],l=[...s?.label===o-1?["right"]:[],...r?.label===o-1?["network"]:[]],u=b=>{const $=t.dominant(n,b);return $<0?"var(--rs-unmatched)":gt(t.paint(n,$))},{panels:h,cls:p}=Gc(t,e,n),d=p?" and the CLS token":"",g=["answer "+o,...c===void 0?[]:[et(c)],...l.map(b=>b==="network"?"the network's answer":b)].join(", ")+(t===e?"":"; "+h+" panels"+d+" go elsewhere than with the answer that is shown");return m`
    <button
      key=${o}
      type="button"
      class="candidate"
      data-candidate=${o}
      data-marks=${l.join(" ")}
      aria-pressed=${String(t===e)}
      aria-label=${g}
      title=${g}
      onClick=${()=>Xe(o)}
    >
      <span
        class="candidate-picture"
        style=${Pa(t.info.sample,t.patches.length-2+o,i)}
      ></span>
      <span class="candidate-map" style=${{gridTemplateColumns:"repeat("+a+", 1fr)"}}>
        ${t.patches.map(b=>m`<span style=${{background:u(b)}}></span>`)}
      </span>
      <span class="candidate-caption">
        ${t.classTokens.map(b=>m`<span class="candidate-cls" style=${{background:u(b)}}></span>`)}
        <strong>${o}</strong>
        ${c!==void 0&&m`<span>${et(c)}</span>`}
      </span>
      <span class="candidate-marks">${l.join(", ")}</span>
    </button>
  `}function Kc(){const{view:t,step:e}=f;return!t||t.circuit||!t.candidates.length?null:m`<div class="candidates">
    <h3 class="small-title">${"With each answer, at "+M(t.steps[e])}</h3>
    <p class="hint">
      Squares: panels, the last with the answer; diamond: the CLS token that the head scores. Choose an answer to see
      its path.
    </p>
    <div class="candidate-list" role="group" aria-label="Answers side by side">
      ${t.candidates.map(n=>Hc(n,t))}
    </div>
  </div>`}const Tn="paths-continuation",co=[16,48,128,256],Jc=[[1,"the most probable"],[5,"drawn from 5"],[40,"drawn from 40"]],L=Z(null),Ft=Z(null),Ae=Z(co[1]),An=Z(5),lo=()=>L.value&&L.value.of===f.view?.info.id?L.value:null;function Se(t){L.value&&(L.value={...L.value,...t})}function Vc({info:t},e){const{drop:n,mute:s,top_k:o}=t.intervention,a=new URLSearchParams({model:t.model,sample:t.sample,tokens:String(e.tokens)});return e.among>1&&a.set("among",String(e.among)),n.length&&a.set("drop",n.join(",")),s.length&&a.set("mute",s.join(",")),o&&a.set("top_k",String(o)),"/continuations/stream?"+a}async function Xc(t){const{view:e}=f;if(!e||!e.text||e.circuit)return;const{intervention:n}=e.info,[s,o]=await Promise.all([n.drop,n.mute].map(Un)),a={...n,drop:s.split(",").filter(Boolean),mute:o.split(",").filter(Boolean)};f.view===e&&(t.style.minHeight=t.getBoundingClientRect().height+"px",Ft.value=null,L.value={of:e.info.id,status:"running",wanted:Ae.value,tokens:[],problem:""},Xo(Tn,Vc({info:{...e.info,intervention:a}},{tokens:Ae.value,among:An.value}),{token:i=>Se({tokens:[...(L.value?.tokens??[]).slice(0,i.at),i]}),done:()=>(t.style.minHeight="",Se({status:"done"}),!0)},i=>Se({status:"failed",problem:i.message})))}function Yc(){Fn(Tn),Se({status:"cancelled"})}function Qc(t,{path:e},n){const s=e[n]?.experts[0]?.unit;return t.units.findIndex((o,a)=>t.nameAt(n,a)===s)}function Zc(t,e,n){const s=Qc(t,e,n),o=()=>Ft.value=e.at,a=s<0?{}:{"--rs-expert":gt(t.paint(n,s))},i=bt(e.text);return m`<span
      key=${e.at}
      class=${Ft.value===e.at?"new-token is-pointed":"new-token"}
      style=${a}
      tabindex="0"
      role="button"
      aria-label=${"new token "+(e.at+1)+", "+i}
      onPointerEnter=${o}
      onFocus=${o}
      >${i}</span
    >${e.text===`
`?m`<br />`:null}`}const tl=({experts:t,margin:e})=>t.map(({unit:n,weight:s})=>n+" "+s.toFixed(2)).join(", ")+(e===null?"":" (margin "+e.toFixed(2)+")");function el({at:t,text:e,probability:n,candidates:s,path:o}){const a=s.map(i=>"\u201C"+bt(i.text)+"\u201D "+et(i.probability));return m`
    <p class="hint">
      <strong>${"New token "+(t+1)+" \u201C"+bt(e)+"\u201D"}</strong>
      ${", probability "+et(n)+". Most probable here: "+a.join(", ")+"."}
    </p>
    <ol class="new-path">
      ${o.map(i=>m`<li key=${i.step}>${tl(i)}</li>`)}
    </ol>
  `}function nl({status:t,tokens:e,wanted:n,problem:s}){if(t==="failed")return s;const o=e.length+" of "+n+" tokens";return{running:o+" so far",done:e.length+" tokens written by the model",cancelled:o+", cancelled"}[t]}function sl(t){const e=lo()?.status==="running",n=({currentTarget:o})=>Ae.value=Number(o.value),s=({currentTarget:o})=>An.value=Number(o.value);return m`
    <div class="continuation-controls">
      <button type="button" class="tool tool-text" id="paths-continue" onClick=${e?Yc:t}>
        ${e?"Cancel":"Continue the text"}
      </button>
      <select
        class="small-input"
        aria-label="How many tokens are written"
        value=${Ae.value}
        onChange=${n}
      >
        ${co.map(o=>m`<option value=${o}>${o+" tokens"}</option>`)}
      </select>
      <select class="small-input" aria-label="Which token is written" value=${An.value} onChange=${s}>
        ${Jc.map(([o,a])=>m`<option value=${o}>${a}</option>`)}
      </select>
    </div>
  `}function uo(){Fn(Tn),L.value=null}function ol(){const t=V(null),{view:e,step:n}=f;if(Ue(()=>uo,[]),ct(()=>{!L.value||L.value.of===e?.info.id||(uo(),t.current&&(t.current.style.minHeight=""))},[e]),!e||!e.text||e.circuit)return null;const s=lo(),o=s&&Ft.value!==null?s.tokens[Ft.value]:null,a=e;return m`<div class="continuation" ref=${t}>
    ${sl(()=>{t.current&&Xc(t.current)})}
    ${s&&m`<p class="continuation-said" role="status">${nl(s)}</p>
        <p class="new-tokens" data-status=${s.status}>${s.tokens.map(i=>Zc(a,i,n))}</p>`}
    ${o&&el(o)}
  </div>`}const al=.9,il=ja(al,()=>f.playing&&f.view,t=>{const{steps:e}=f.view,n=e.length+1,s=(f.time??0)+t,o=Math.max(0,Math.min(e.length-1,Math.floor(s+.02)-1));return s>=n?O({playing:!1,time:null,step:o}):O(o===f.step?{time:s}:{time:s,step:o}),s<n});function ho(){if(!f.view)return;if(f.playing){O({playing:!1,time:null});return}const t=f.step>=f.view.steps.length-1;O({playing:!0,time:t?0:f.step+1,step:t?0:f.step}),il()}function po(t){Ra(t)||!f.view||La(t,{...Da(ho,oe,f.step,f.view.steps.length),ArrowDown:()=>Ve(1),ArrowUp:()=>Ve(-1),Escape:()=>O({hover:null,pinned:null})})}function rl(t){const{tagName:e}=t.target;(t.key==="Escape"||e!=="BUTTON"&&t.key===" ")&&po(t)}function cl(){const{view:t,step:e,playing:n}=f,s=t?Fa(t.steps,e):"",o=t&&{count:t.steps.length,step:e,valuetext:s,words:s};return m`<div class="player" onKeyDown=${rl}>
    <${Ua}
      ...${{shown:o,playing:n,toggle:ho,goTo:oe,least:1}}
      step=${()=>f.step}
      playLabel=${A({"":"Play through the {passes}"})}
      pauseTitle="Pause (space)"
    />
  </div>`}Na("[data-path-keys]",po);function ll({info:t,names:e,text:n}){if(n)return[];const{mute:s,drop:o,iterations:a,keep_edges:i}=t.intervention,r={mute:s,drop:o,iterations:a,edges:i},c=s.length||o.length||a!==null||i!==null,{model:l,sample:u}=t,h=d=>lt("samples",{model:l,sample:u,...r,...d},e),p=[["Samples nearest in routing to this one",h({order:"nearest",to:u})]];return c?[...p,["Samples rerouted most by what is changed here",h({order:"rerouted"})]]:p}function ul(){const t=f.view?ll(f.view):[];if(f.view?.text)return null;const e=([n,s]=["",""])=>m`<a key=${n} href=${s} onClick=${mt}>${n}</a>`;return m`<p class="path-samples">${t.map(n=>e(n))}</p>`}const hl=16,it=t=>t.toFixed(2);function fo(t,e,n){const s=t.dominant(e,n),o=t.units.flatMap((l,u)=>{const h=t.compatibility(e,u,n);if(h<.004)return[];const p={width:h*100+"%",background:gt(t.paint(e,u))};return[m`<span class="stack-part" title=${l+" "+it(h)} style=${p}></span>`]}),a=s<0?"no match":t.nameAt(e,s)+" "+it(t.compatibility(e,s,n)),i=I()?.token===n,r=()=>P({token:n}),c=()=>P(null);return m`
    <button
      key=${n}
      type="button"
      class=${i?"token-row is-pointed":"token-row"}
      data-token=${n}
      onPointerEnter=${r}
      onPointerLeave=${c}
      onFocus=${r}
      onBlur=${c}
      onClick=${()=>ut({token:n})}
    >
      <span class="token-name">${t.label(n)}</span>
      <div class="stack" aria-hidden="true">${o}</div>
      <span class="token-most">${a}</span>
    </button>
  `}const mo=t=>Math.min(100,t*100)+"%";function go(t,e,n,s,o=null){const a=t.compatibility(e,n,s);return m`<div class="bar-row">
    <span class="bar-name">${t.text?t.nameAt(e,n):t.units[n]}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:mo(a),background:gt(t.paint(e,n))}}></span>
      ${o!==null&&m`<span class="bar-mark" title="the step before" style=${{left:mo(o)}}></span>`}
    </span>
    <span class="bar-value">${[it(a),t.state(n,e)].filter(Boolean).join(" ")}</span>
  </div>`}function pl(t,e,n){if(t.text)return dl(t,e,n);const s=o=>e>0?t.compatibility(e-1,o,n):null;return m`
    <h3 class="small-title">${t.label(n)+" at "+M(t.steps[e])}</h3>
    ${t.units.map((o,a)=>go(t,e,a,n,s(a)))}
  `}function dl(t,e,n){const s=h=>t.compatibility(e,h,n),o=[...t.units.keys()].filter(h=>s(h)>0).sort((h,p)=>s(p)-s(h)),[a,i]=[t.margin(e,n),t.bits(n)],r=t.log?.margin_of??"logits",c=a===null?"":"The last chosen expert won by "+it(a)+" "+r+". ",l=i===null?"":"This token cost "+it(i)+" bits, given those before it.",u=t.steps.map((h,p)=>t.nameAt(p,t.dominant(p,n))??"none").join(", ");return m`
    <h3 class="small-title">${t.label(n)+" at "+M(t.steps[e])}</h3>
    ${o.map(h=>go(t,e,h,n))}
    <p class="hint">${c+l}</p>
    <p class="hint">
      ${(t.log?.weighted===!1?"Named first":"Most weight")+" over the layers: "+u+"."}
    </p>
  `}function fl(t,{step:e,unit:n}){const s=t.members(e,n),o=s.map(r=>t.label(r)),a=o.length>8?"; and "+(o.length-8)+" more":"",i="Dominant for "+s.length+" of "+t.tokens.length+" tokens; ";return m`
    <h3 class="small-title">${t.nameAt(e,n)+" at "+M(t.steps[e])}</h3>
    <p class="hint">${i+"mean compatibility "+it(t.use(e,n))+"."}</p>
    <p class="hint">${o.slice(0,8).join("; ")+a}</p>
  `}function ml(t){const{view:e,step:n}=t;if(e.circuit)return Xr(t);const s=I();if(s&&s.token!==void 0)return pl(e,n,s.token);if(s)return fl(e,s);const o=e.text?"Point at a character, a line or a dot to see the experts and their weights; click to keep it.":`Point at a ${e.candidate?"panel":e.numbers.length?"number":"patch"}, a line or a dot to see its compatibilities; click to keep it.`;return m`<p class="hint">${o}</p>`}function gl({alone:t}){const e=V(null),n=e.current?.contains(document.activeElement);return ct(()=>{n&&!e.current?.contains(document.activeElement)&&e.current?.querySelector("button")?.focus()}),m`
    <div class=${t?"token-detail is-alone":"token-detail"} ref=${e}>
      <${Yo} key=${JSON.stringify(I())}>${f.view&&ml(f)}<//>
    </div>
  `}function bl(){const{view:t,step:e}=f,n=t&&!t.circuit&&!t.text?t:null;return m`<div class="token-bars">
    ${n&&n.numbers.length>0&&m`<${$l} view=${n} step=${e} />`}
    ${n&&m`<h3 class="small-title">CLS tokens (each is read by its head)</h3>
        <div class="token-list">${n.classTokens.map(s=>fo(n,e,s))}</div>`}
    <${gl} alone=${!n} />
  </div>`}const $l=({view:t,step:e})=>m`
  <h3 class="small-title">Numbers</h3>
  <div class="token-list">${t.numbers.map(n=>fo(t,e,n))}</div>
`;function wl(t){const e=t.steps.map(c=>M(c)),n=t.units.map((c,l)=>[c,...t.steps.map((u,h)=>t.members(h,l).length+" ("+it(t.use(h,l))+")")]),o=[...t.text||t.numbers.length?t.tokens.keys():t.classTokens].map(c=>[t.label(c),...t.steps.map((l,u)=>t.nameAt(u,t.dominant(u,c))??"none")]),a=t.text||t.numbers.length?"token":"CLS token",i=t.text?"expert":"function",r=`Tokens whose dominant ${i} this is, and its mean compatibility, at every step; below, the dominant ${i} of each ${a}.`;return[[[i,...e],...n,...o],r]}function kl(){const{view:t}=f,[e,n]=t?t.circuit?Yr(t):wl(t):[[],""],s=t?.circuit?"Modules that are read most at every step":"Dominant units at every step";return m`<${qa} words=${s} caption=${()=>n} rows=${t&&(()=>e)} />`}const yl=(t,e)=>t.units.map((n,s)=>{const o=i=>t.text!==null||t.tokens[i].kind!=="cls",a=t.members(e,s).filter(o).length;return{unit:s,name:t.nameAt(e,s),count:a,paint:gt(t.paint(e,s))}});function vl(t,e){if(t.circuit)return Qr(f);const n=yl(t,e);return t.text&&n.length>hl?n.filter(({count:s})=>s>0):n}const xl=t=>t.text?t.tokens.length+" tokens":t.patches.length+(t.circuit?" patches":t.candidate?" panels":t.numbers.length?" numbers":" patches");function Ol(){const{view:t,step:e}=f;return t?m`<div class="legend">
    ${vl(t,e).map(({unit:n,name:s,count:o,paint:a})=>m`
        <span
          key=${n}
          class="legend-entry"
          title=${o+" of "+xl(t)}
          onPointerEnter=${()=>P({step:t.circuit?0:e,unit:n})}
          onPointerLeave=${()=>P(null)}
        >
          <span class="swatch" aria-hidden="true" style=${{background:a}}></span>
          ${s}
          <small>${o}</small>
        </span>
      `)}
  </div>`:m`<div class="legend"></div>`}const Ce=["svg","png","csv","json"],bo={top_experts:"Columns are layers, dots experts, lines tokens: each line runs through the expert with most weight for its token.",compatibility:"Columns are {passes}, dots functions, lines tokens: each runs through its most compatible functions.",messages:"Columns are {passes}, dots modules, lines messages, as wide as the receiver's attention."},_l={top_experts:"Fainter segments lead to the other experts that a token takes. Double-click a dot to drop or mute its expert.",compatibility:"Tokens are the small pictures at the left. CLS tokens are outlined and lead on to their heads.",messages:"The first column shows what modules read of the tokens, the last what the output reads of modules. Double-click a dot to drop or mute its module."},$o={points:"Points",numbers:"Numbers",top_experts:"Text",listops:"Expression",bytes:"Text",matrices:"Matrix","":"Patches"},wo="Colour: the module that reads it most. Point at a module to see what it reads.",ko={points:"Colour: the module that reads a point most. Click a module to see where it looks. Drag to turn.",numbers:"Bars: the numbers of the point. Colour: most compatible function at this {pass}.",top_experts:"Colour: the expert with most weight for the token at this layer. \u21B5 ends a line.",listops:wo,bytes:wo,matrices:"The matrix with one answer in its gap. Colour: most compatible function at this {pass}.",compatibility:"Colour: most compatible function at this {pass}.",messages:"Colour: the module that reads it most. Point at a module to see where it looks."},Ml={numbers:"Dots: answers of the heads. Ticks: values of their functions. The sample's function is first.","":"Bars: softmax probabilities of each head. Dashed outlines: without intervention. Triangle: the true label."},yo={top_experts:"Experts of a token",compatibility:"Compatibility of tokens",messages:"Attention"},vo={top_experts:"The experts that the token takes at this layer, with their weights.",compatibility:"Compatibilities at this {pass}. Tick: the {pass} before.",messages:"Shares of attention, averaged over heads. Read-in: shares over the tokens."},Tl={numbers:"Choose or set one",points:"Choose or bring one",top_experts:"Choose or type one",listops:"Choose or type one",bytes:"Choose or type one","":"Choose, upload or draw one"};function Al({view:t,baseline:e}){if(!e||t.circuit!==e.circuit)return"";if(t.circuit)return Sl(t,e);const n=Math.min(t.steps.length,e.steps.length);let s=0;for(let o=0;o<t.tokens.length;o+=1){let a=!0;for(let i=0;i<n;i+=1)a=a&&t.dominant(i,o)===e.dominant(i,o);a||(s+=1)}return s+" of "+t.tokens.length+" tokens take another dominant path than without intervention"+(n<Math.max(t.steps.length,e.steps.length)?" (over the "+n+" steps both have).":".")}function Sl(t,e){const n=t.patches.filter(a=>t.dominant(0,a)!==e.dominant(0,a)).length,s=(100*t.movedFrom(e)).toFixed(1),o=n+" of "+t.patches.length+" patches are read most by another module; ";return(t.patches.length?o:"")+s+" % of the attention between modules goes elsewhere than without intervention."}function Cl(){const{view:t}=f,{mute:e=[],drop:n=[],keep_edges:s=null,iterations:o=null,top_k:a=null}=t?.info.intervention??{},{pass:i,passes:r}=Wt(rt()),c=u=>u.length>El?u.length+" units":u.join(", "),l=[e.length?"mute "+c(e):"",n.length?"drop "+c(n):"",s===null?"":Number((100*s).toPrecision(3))+" % of the edges",a?Qo(a):"",o?o+" "+(o===1?i:r):""].filter(Boolean);return m`<span id="paths-kind">${l.length?"observed under: "+l.join("; "):"observed"}</span>`}const El=6;function Bl(){const{problem:t}=f,{status:e=0,refused:n=!1}=t??{},s=!n&&!(e>=400&&e<500&&e!==429),o=Et.answer()??[];return m`
    <div class="skeleton when-loading" aria-hidden="true"></div>
    <div class="message when-empty">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">${A({"":"Choose one to see its path through the {units}."})}</p>
      <div id="paths-starters" class="starters">${o.length>0&&m`<${Ha} items=${o} />`}</div>
      <a class="button" href="/samples" onClick=${mt}>${A(Tl)}</a>
    </div>
    <div class="message when-failed" role="alert">
      <p class="message-title">The path could not be shown</p>
      <p class="message-detail" id="paths-problem">
        ${t?.detail} ${n&&m`<span class="reader" data-widget="reader"></span>`}
        ${e===404&&m`<a class="button choose-other" href="/samples" onClick=${mt}>Choose another sample</a>`}
      </p>
      <button type="button" class="button" id="paths-retry" hidden=${!s} onClick=${K.again}>
        Try again
      </button>
    </div>
  `}const xo=({id:t,label:e})=>m`<canvas id=${t} tabindex="0" role="img" data-path-keys="true" aria-label=${e}></canvas>`,Il="Computational path. Space plays, left and right go back and on, up and down move through the tokens, Escape ends it. The same numbers are in the table below.";function Oo({log:t=!1}){const e=!!R.value&&!t,{view:n}=f;return m`<${kt}
    id="path"
    title="Computational path"
    reads=${t?bo.top_experts:A(bo)}
    more=${t?"":A(_l)}
    tag=${t?"observed":m`<${Cl} />`}
    formats=${t?Ce:[...Ce,"nc"]}
    written=${Mn.path}
    look="panel-path"
  >
    <div class="path-sides">
      ${e&&m`<div class="path-side" key="a">
          <${qs} letter="A" />
          <${fn} look="path-canvas" make=${Gi}>
            <${xo}
              id="path-picture-of-a"
              label="Computational path of A, which is pinned, at the same step as that of B."
            />
            <div class="path-state-of-a"><${mr} /></div>
          <//>
        </div>`}
      <div class="path-side" key="b">
        <${qs} letter="B" />
        <${fn} look="path-canvas" make=${Wi}><${xo} id="path-picture" label=${Il} /><${Bl} /><//>
      </div>
    </div>
    <div class="path-controls"><${cl} /><${Wr} /><${kl} />${!t&&m`<${ul} />`}</div>
    ${!t&&m`<p class="path-status" aria-live="polite">${n&&Al(f)}</p>`}
  <//>`}function _o({log:t=!1}){const e=!!R.value&&!t,n=vn();return m`<${kt}
    id="patches"
    title=${t?$o.top_experts:A($o)}
    reads=${t?ko.top_experts:A(ko)}
    formats=${Ce}
    written=${Mn.patches}
    look="panel-patches"
  >
    <div class="patch-sides">
      ${e&&m`<${mc} key="a" />`}<${fc} key="b" hidden=${n} />
      ${n&&m`<${fn} key="cloud" look="cloud" make=${nc} />`}
    </div>
    <div class="patch-foot"><${Ol} />${!n&&!t&&m`<${Js} />`}</div>
    ${!t&&m`<${Kc} /><${ol} />`}
  <//>`}function Pl(){const t=Me();return m`<${kt}
    id="predictions"
    title=${A({numbers:"Answers","":"Predictions"})}
    reads=${A(Ml)}
    formats=${Ce}
    written=${Mn.predictions}
    look="panel-predictions"
  >
    <div class="prediction-body">
      <${za}
        look="prediction-canvas"
        height=${152}
        scene=${e=>{const n=Me();return n&&es(n,e)}}
        drawn=${()=>f.view?.info.id??""}
        label=${()=>{const e=Me();return e?Wa(e):""}}
        data=${{"data-key":"paths"}}
      />
      <details class="as-table prediction-table">
        <summary>The same as a table</summary>
        <div class="table-scroll" tabindex="0" role="region" aria-label="Answers as a table">
          ${t&&m`<${Ga} ...${t} />`}
        </div>
      </details>
    </div>
  <//>`}const Mo=({log:t=!1})=>m`<${kt}
    id="tokens"
    title=${t?yo.top_experts:A(yo)}
    reads=${t?vo.top_experts:A(vo)}
    look="panel-tokens"
    ><${bl}
  /><//>`,To={shown:bn,units:()=>f.view?.names,write:pe,noSwap:de};function Nl(){const{view:t,sample:e}=f;if(!t||!e)return null;const{info:n}=t,s=Lc(n),o=pt.value.drop,a=n.fields.some(({name:i})=>i==="types"||i==="messages");return m`
    <strong>${e.name}</strong>
    <span>${e.words}</span>
    ${e.stand_in&&m`<span class="tag tag-warn">stand-in data</span>`}
    ${s&&m`<span class="tag tag-warn">${s}</span>`}
    <${Ya} id=${n.model} revision=${n.revision} />
    ${a&&m`<a
        id="paths-to-types"
        href=${lt("types",{model:n.model,sample:n.sample,drop:o})}
        onClick=${mt}
        >Show on Types</a
      >`}
  `}const Ao=()=>m`<button type="button" class="tool tool-text" data-copy-link="true">${jn("link")}Copy link</button>`;function Rl(){const t=ea(Ne(H().model));return m`
    <div class="page-head">
      <h1>Paths</h1>
      <div id="paths-caption" class="caption"><${Nl} /></div>
      <span class="tag tag-warn" role="status" hidden=${!t}>${t}</span>
      <span class="pin-tool"><${Ka} ...${To} /></span>
      <${Ao} />
    </div>
    <${Ja} ...${To} />
    <${Va}><${Fr} /><//>
    <div class="paths-grid">
      <div class="column">
        <${Oo} />${R.value&&m`<${Sr} />`}<${Pl} />
      </div>
      <div class="column"><${_o} /><${Mo} /></div>
    </div>
  `}const Ll=()=>m`
  <div class="page-head">
    <h1>Paths</h1>
    <div class="caption"><${qc} /></div>
    <${Ao} />
  </div>
  <${Uc} />
  <div class="paths-grid">
    <div class="column"><${Oo} log=${!0} /></div>
    <div class="column"><${_o} log=${!0} /><${Mo} log=${!0} /></div>
  </div>
`;Zo("paths",({model:t,sample:e,log:n,sequence:s,token:o,...a})=>n||C.log||f.view?.info.model!==t||!e?null:(re(a,{model:t,sample:e}),Nn({model:t,sample:e}),$s().then(()=>{setTimeout(pe)})));function Dl(t,e){q.value=t.drop.length&&!t.mute.length?"drop":"mute",re({...t,step:new URLSearchParams(location.search).has("step")?t.step:null});const n=[bs(),ws(),G(()=>{e.toggleAttribute("data-compares",!!R.value)})];return()=>{n.forEach(s=>s()),Xa()}}const jl=ta({Tree:()=>C.log?m`<${Ll} />`:m`<${Rl} />`,choice:()=>{const{log:t,sequence:e,start:n}=C;return{...pt.value,log:t,sequence:e,token:n}},take:({log:t,sequence:e,token:n,...s})=>re(s),open({log:t,sequence:e,token:n,...s},o){const a=o.closest(".page"),i=[t?Wc({log:t,sequence:e,token:n,step:s.step}):Dl(s,a),G(()=>{const{status:r,view:c}=f;a.dataset.status=r,c&&(a.dataset.answers=c.info.predictions.length+c.info.numbers.length?"said":"none")})];return()=>i.forEach(r=>r())}});na({compare:()=>xi,geometry:()=>Qa,pathCanvas:()=>we,paths:()=>cn});export{jl as mount};
