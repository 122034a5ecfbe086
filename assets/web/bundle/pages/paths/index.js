/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{b3 as G,f as B,y as On,n as tt,ak as Pe,aj as Be,D as et,U as ko,a7 as _n,a6 as Ne,V as Wt,a1 as Ie,ad as V,ae as vo,Z as Re,a3 as Mn,_ as Gt,b5 as Tn,b4 as xo,ay as Oo,R as F,aK as _o,d as An,o as Ht,q as rt,ao as ct,ai as Sn,c as Mo,az as To,bd as Ao,be as So,bf as Co,bg as Cn,aL as Eo,a9 as nt,S as Kt,a_ as Le,r as j,aG as Po,H as En,k as De,P as lt,am as $t,s as m,aX as C,af as Bo,aP as Pn,Q as qe,T as No,an as Io,aO as Ro,$ as Lo,aZ as Do,C as X,a4 as qo,av as ut,au as yt,i as Bn,ac as ht,z as Nn,B as Fo,bh as jo,l as Uo,aw as zo,ax as Wo,bi as Go,N as Ho}from"../../boot.js";import{bh as Ko,bm as Jo,bg as kt,bn as T,ag as R,an as Vo,ap as Xo,ao as In,bo as Qo,b6 as Rn,bp as Yo,bq as Zo,br as ta,bs as Ln,bt as ea,aj as Jt,ak as na,T as sa,bj as Fe,bu as oa,l as Dn,bv as qn,bw as aa,b7 as ia,bx as ra,o as je,b8 as ca,aK as Fn,b3 as Ue,bc as la,bb as ua,by as ze,Q as Vt,bz as jn,C as vt,F as We,af as Un,a3 as xt,m as zn,P as Ot,bA as Ge,ai as ha,bB as pa,X as Wn,bC as da,aH as Gn,a8 as fa,bD as ma,bE as ga,z as ba,bF as wa,p as $a,bG as ya,aE as He,bH as Hn,bi as ka,bI as va,bJ as xa,bK as Oa,bL as _a,bM as Ma,bN as Ta,bf as Aa,bO as Sa,B as Ca,A as Ea,j as Pa,bP as Ba,bQ as Na,bR as Ia,aO as Ra,aP as La,aQ as Da,aN as qa,R as Fa,bS as ja}from"../../shared.js";function Xt({data:t,shape:e,dims:n}){const s=n.indexOf("sample");if(s>=0&&e[s]!==1)throw new Error("a path is of one sample, not of "+e[s]);return{data:t,shape:e.filter((o,a)=>a!==s)}}function U(t,e){if(e<=0)return[];let n=-1/0;if(t.length>4*e){let a=0;for(const c of t)c>a&&(a=c);const i=new Uint32Array(4096);for(const c of t)i[Math.min(4095,Math.floor(4096*Math.max(0,c)/(a||1)))]+=1;let r=4095;for(let c=0;r>0&&(c+=i[r],!(c>=e));r-=1);n=r*a/4096}const s=[];for(let o=0;o<t.length;o+=1)t[o]>=n&&t[o]>0&&s.push(o);return s.sort((o,a)=>t[a]-t[o]||o-a).slice(0,e)}class Ua{constructor(e,n){const s=e.units.length,o=Xt(n.messages),a=[e.steps.length-1,s,s];if(String(o.shape)!==String(a))throw new Error("messages have shape "+o.shape+", expected "+a);this.circuit=!0,this.info=e,this.steps=e.steps,this.units=this.names=e.units,this.padded=e.tokens.length,this.tokens=e.tokens.filter(({text:i})=>i!==""),this.text=this.indices("text").length?Ko(this.tokens.map(({text:i})=>i??"")):null,this.grid=this.text??e.grid,this.kept=new Set(e.kept),this.messages=o.data,this.readIn=n.read_in?this.ofTokens(Xt(n.read_in).data):null,this.readOut=n.read_out&&n.confidence?this.findReadOut({read_out:n.read_out,confidence:n.confidence}):null,this.uses=this.findUses(),this.patches=this.text?this.indices("text"):this.indices("patch"),this.points=this.indices("point"),this.classTokens=[],this.readers=this.findReaders(),this.byPlace=this.text?Jo(this.text.places):new Map(this.patches.map(i=>[this.tokens[i].row+","+this.tokens[i].column,i])),this.strongestOf=new Map}ofTokens(e){const n=this.tokens.length;if(n===this.padded)return e;const s=new Float32Array(this.units.length*n);for(let o=0;o<this.units.length;o+=1)s.set(e.subarray(o*this.padded,o*this.padded+n),o*n);return s}indices(e){return this.tokens.map((n,s)=>n.kind===e?s:-1).filter(n=>n>=0)}findReadOut({read_out:e,confidence:n}){const{data:s,shape:o}=Xt(e),a=Xt(n).data,[i,r]=o,c=new Float32Array(r);for(let l=0;l<i;l+=1)for(let u=0;u<r;u+=1)c[u]+=a[l]*s[l*r+u];return c}findUses(){const e=this.units.length,n=this.kept.size||1;return this.steps.map((s,o)=>{if(o===this.steps.length-1)return this.readOut||new Float32Array(e);const a=new Float32Array(e),i=o*e*e;for(let r=0;r<e*e;r+=1)a[r%e]+=this.messages[i+r];return a.map(r=>r/n)})}findReaders(){const e=new Int32Array(this.tokens.length).fill(-1);if(!this.readIn)return e;const n=new Float32Array(this.tokens.length);for(let s=0;s<this.units.length;s+=1)for(let o=0;o<this.tokens.length;o+=1){const a=this.reads(s,o);a>n[o]&&([n[o],e[o]]=[a,s])}return e}reads(e,n){return this.readIn?this.readIn[e*this.tokens.length+n]:0}message(e,n,s){return this.messages[((e-1)*this.units.length+n)*this.units.length+s]}use(e,n){return this.uses[e][n]}dominant(e,n){return this.readers[n]}members(e,n){return this.tokens.map((s,o)=>o).filter(s=>this.readers[s]===n)}compatibility(e,n,s){return this.reads(n,s)}hasUnmatched(){return!1}strongest(e,n){const s=e+" "+n;return this.strongestOf.has(s)||this.strongestOf.set(s,this.findStrongest(e,n)),this.strongestOf.get(s)}findStrongest(e,n){const[s,o]=[this.units.length,this.tokens.length];if(e===0){if(!this.readIn)return[];const{readIn:i}=this;return U(i,n).map(c=>({from:c%o,to:Math.floor(c/o),weight:i[c]}))}if(e===this.steps.length){const{readOut:i}=this;return i?U(i,n).map(r=>({from:r,to:-1,weight:i[r]})):[]}const a=this.messages.subarray((e-1)*s*s,e*s*s);return U(a,n).map(i=>({from:i%s,to:Math.floor(i/s),weight:a[i]}))}senders(e,n,s){const o=this.units.length,a=((e-1)*o+n)*o,i=this.messages.subarray(a,a+o);return U(i,s).map(r=>[r,i[r]])}receivers(e,n,s){if(e>=this.steps.length-1)return[];const o=Float32Array.from(this.units,(a,i)=>this.message(e+1,i,n));return U(o,s).map(a=>[a,o[a]])}looks(e,n){if(!this.readIn)return[];const s=this.readIn.subarray(e*this.tokens.length,(e+1)*this.tokens.length);return U(s,n).map(o=>[o,s[o]])}readersOf(e,n){if(!this.readIn)return[];const s=Float32Array.from(this.units,(o,a)=>this.reads(a,e));return U(s,n).map(o=>[o,s[o]])}leading(e,n){return U(this.uses[e],n).map(s=>[s,this.uses[e][s]])}at(e,n){const s=this.byPlace.get(e+","+n);return s===void 0?null:s}label(e){const{kind:n,name:s,row:o,column:a,text:i}=this.tokens[e];return n==="text"?"token "+e+" \u201C"+kt((i??"").trimEnd()||(i??""))+"\u201D":n==="patch"?"patch "+((o??0)+1)+", "+((a??0)+1):n==="point"?"point "+(Number(s.replace(/^point:/,""))+1):s.replace(/^token:/,"token ")}nameAt(e,n){return this.units[n]}state(e){const n=this.units[e];return this.kept.has(n)?(this.info.intervention.mute||[]).includes(n)?"muted":null:"dropped"}movedFrom(e){const n=Math.min(this.messages.length,e.messages.length);let[s,o]=[0,0];for(let a=0;a<n;a+=1)s+=Math.max(0,this.messages[a]-e.messages[a]),o+=this.messages[a];return o?s/o:0}}function Qt(t,e){const n=t.steps.findIndex((s,o)=>s!==e.steps[o]);return n<0?t.steps:t.steps.slice(0,n)}function za(t,e){const n=Qt(t,e),{units:s,tokens:o}=e,[a,i]=[s.length,o.length],r=new Float32Array(n.length*a*i),c=new Uint8Array(n.length*i);for(let d=0;d<n.length;d+=1)for(let g=0;g<i;g+=1){c[d*i+g]=+(t.dominant(d,g)!==e.dominant(d,g));for(let b=0;b<a;b+=1)r[(d*a+b)*i+g]=e.compatibility(d,b,g)-t.compatibility(d,b,g)}const l={a:t,b:e,steps:n,units:s,tokens:o,change:r,rerouted:c},u=n.map((d,g)=>Wa(l,g)),h=o.filter((d,g)=>n.some((b,y)=>c[y*i+g])).length,p=Kn(t,e);return{...l,perStep:u,elsewhere:h,largest:Yt(l,_t(r)),staying:Yt(l,_t(r,d=>p(Math.floor(d/i)%a,Math.floor(d/(a*i)))))}}const Kn=(t,e)=>(n,s)=>!t.state(n,s)&&!e.state(n,s);function _t(t,e=()=>!0){let[n,s]=[0,-1];for(let o=0;o<t.length;o+=1)Math.abs(t[o])>n&&e(o)&&([n,s]=[Math.abs(t[o]),o]);return s}function Yt({a:t,b:e,units:n,tokens:s,change:o},a){if(a<0)return null;const[i,r]=[n.length,s.length],[c,l,u]=[Math.floor(a/(i*r)),Math.floor(a/r)%i,a%r],[h,p]=[t,e].map(d=>d.compatibility(c,l,u));return{step:c,unit:l,token:u,a:h,b:p,change:o[a]}}function Wa(t,e){const{units:n,tokens:s,change:o,rerouted:a}=t,[i,r]=[n.length*s.length,s.length],c={patch:0,panel:0,number:0,point:0,cls:0,token:0,text:0};s.forEach(({kind:d},g)=>c[d]+=a[e*r+g]);const l=o.subarray(e*i,(e+1)*i),u=l.reduce((d,g)=>d+Math.abs(g),0),h=_t(l),p=Yt(t,h<0?h:e*i+h);return{step:e,rerouted:Object.values(c).reduce((d,g)=>d+g,0),of:c,mean:u/i,largest:p}}function Ga(t,e,n){const s=t.units.length*t.tokens.length,o=t.change.subarray(e*s,(e+1)*s);return U(o.map(Math.abs),n).map(i=>Yt(t,e*s+i))}function Ha(t,e){const n=Qt(t,e),[s,o]=[e.units.length,e.tokens.length],a=n.map((p,d)=>d?Ke({column:d,name:p,senders:s,output:!1},Vn(t,d),Vn(e,d)):Ke({column:d,name:p,senders:o,output:!1},t.readIn,e.readIn));n.length===t.steps.length&&n.length===e.steps.length&&a.push(Ke({column:n.length,name:"read-out",senders:s,output:!0},t.readOut,e.readOut));const i=e.patches.filter(p=>t.dominant(0,p)!==e.dominant(0,p)).length,r=Kn(t,e),c=a.flatMap(p=>Mt(p,_t(p.change))),l=a.flatMap(p=>Mt(p,_t(p.change,Ka(p,r)))),[u,h]=[c,l].map(p=>p.sort(Jn)[0]??null);return{edges:!0,a:t,b:e,steps:n,units:e.units,tokens:e.tokens,columns:a,patches:i,largest:u,staying:h}}const Ka=(t,e)=>n=>{const[{from:s,to:o}]=Mt(t,n);return(o<0||e(o))&&(!t.column||e(s))},Jn=(t,e)=>Math.abs(e.change)-Math.abs(t.change),Vn=({messages:t,units:{length:e}},n)=>t.subarray((n-1)*e*e,n*e*e);function Ke(t,e,n){const[s,o]=e&&n?[e,n]:[[],[]],a=Float32Array.from(s,(c,l)=>o[l]-c);let[i,r]=[0,0];for(let c=0;c<a.length;c+=1)i+=Math.abs(a[c])/2,r+=(s[c]+o[c])/2;return{...t,a:s,b:o,change:a,moved:r?i/r:0}}const Mt=({column:t,senders:e,output:n,a:s,b:o,change:a},...i)=>i.filter(r=>r>=0).map(r=>({column:t,from:r%e,to:n?-1:Math.floor(r/e),a:s[r],b:o[r],change:a[r]})),Zt=(t,e)=>Mt(t,...U(t.change.map(Math.abs),e));function Je({columns:t},e,n){return t.flatMap(o=>Mt(o,...Ja(o,e))).filter(({change:o})=>o).sort(Jn).slice(0,n)}function Ja({column:t,senders:e,change:n},s){const o=n.length/e,a=i=>Array.from({length:o},(r,c)=>c*e+i);return s.token!==void 0?t===0?a(s.token):[]:t===s.step+1?a(s.unit):t!==s.step||s.unit>=o?[]:Array.from({length:e},(i,r)=>s.unit*e+r)}const Tt=(t,e)=>JSON.stringify(t)===JSON.stringify(e),Xn=({tokens:t,info:{grid:e}})=>[t.map(({name:n,kind:s,row:o,column:a})=>[n,s,o,a]),e],Qn=({intervention:{drop:t,mute:e,iterations:n,keep_edges:s,top_k:o}})=>[[...t].sort(),[...e].sort(),n??null,s??null,o??null],Yn=({model:t,revision:e})=>[t,e],Zn=(t,e)=>({model:!Tt(Yn(t),Yn(e)),sample:t.sample!==e.sample,intervention:!Tt(Qn(t),Qn(e))});function te(t,e){const{model:n,sample:s,intervention:o}=Zn(t,e);return n||s?"observed":o?"caused":"same"}const ee=t=>t.length>1?t[0]+" to "+t.at(-1):t[0]??"none",ts=({tokens:t,info:{grid:e}})=>(e&&e.rows?e.rows+" x "+e.columns+" patches, ":"")+t.length+" tokens";function Va(t,e){return!!t.circuit!=!!e.circuit?"There is no difference to draw: in one of them tokens go through functions, in the other modules read each other.":Tt(t.units,e.units)?Tt(Xn(t),Xn(e))?t.info.model!==e.info.model&&!Tt(t.steps,e.steps)||!Qt(t,e).length?`There is no difference to draw: A has ${t.steps.length} steps, ${ee(t.steps)}, B ${e.steps.length}, ${ee(e.steps)}.`:"":`There is no difference to draw: A cuts its sample into ${ts(t)}, B into ${ts(e)}.`:`There is no difference to draw: A has ${t.units.length} units, ${ee(t.units)}, B ${e.units.length}, ${ee(e.units)}.`}function es(t,e){const{model:n,sample:s,intervention:o}=Zn(t.info,e.info),a=[];n&&a.push(`Units of two models are compared by their names; what ${e.units[0]} of one does, ${e.units[0]} of the other need not do.`),s&&a.push("Two samples are compared by place: a token of B with the token of A at the same place."),o&&(n||s)&&a.push("More than the intervention differs, so nothing here is said to be caused by it.");const[i,r]=[Math.max(t.steps.length,e.steps.length),Qt(t,e).length];return r<i&&a.push(`Compared are the ${r} steps that both have.`),a}const ns=(t,e)=>e?B(100*t,1)+" %":B(t,2);function At({a:t,b:e,change:n},s=!1){const o=s?G(100*n,1)+" points":G(n,2);return ns(t,s)+" in A, "+ns(e,s)+" in B ("+o+")"}const ss=({b:t,units:e,steps:n},{step:s,unit:o,token:a})=>t.label(a)+" through "+e[o]+" in "+T(n[s]);function ne({b:t,units:e,columns:n},{column:s,from:o,to:a}){const{name:i,output:r}=n[s];return r?"the output of "+e[o]:s?`${e[a]} of ${e[o]} in ${T(i)}`:`${e[a]} of ${t.label(o)}`}const Xa=t=>t.candidate?"panel":t.numbers.length?"number":"patch",St=(t,e,n)=>t+" of "+e+" "+n+(e===1?"":n==="patch"?"es":"s");function Qa(t,e){return t.edges?Za(t,e):Ya(t,e)}function Ya(t,e){const{b:n,steps:s,tokens:o,perStep:a,elsewhere:i,largest:r,staying:c}=t;if(!r)return"Every token goes through every function with the same compatibility in A and in B.";const l=Math.min(e,s.length-1),{of:u,rerouted:h}=a[l],[p,d]=[n.patches.length,n.classTokens.length],g=o.length-p-d,b=[p?St(u.patch+u.panel+u.number,p,Xa(n)):"",g?St(u.token+u.text,g,"token"):"",d?St(u.cls,d,"CLS token"):""].filter(Boolean),y=h===1&&b.length===1?" goes":" go";return[b.join(" and ")+y+" through another function in "+T(s[l])+"; ",St(i,o.length,"token")+" take another path over the "+s.length+" steps. ",os(r,c,"function")+ss(t,c??r)+", ",At(c??r)+"."].join("")}const os=(t,e,n)=>!e||e.change===t.change?"Largest change: ":"Largest change of a "+n+" that stays: ";function Za(t,e){const{b:n,steps:s,columns:o,patches:a,largest:i,staying:r}=t;if(!i)return"Every module reads the same in A and in B.";const{name:c,moved:l}=o[Math.min(e,s.length-1)],u=n.patches.length?St(a,n.patches.length,"patch")+" are read most by another module. ":"",h=r??i;return[B(100*l,1)+" % of the attention in "+T(c)+" goes elsewhere"+(u?"; ":". "),u,os(i,r,"module")+"what "+ne(t,h).replace(" of "," reads of ")+", ",At(h,!0)+"."].join("")}const ti={status:"loading",problem:null,view:null,baseline:null,sample:null,picture:null,pictures:[],step:0,time:null,playing:!1,hover:null,pinned:null,threshold:.25,opacity:.55,showBaseline:!1,graph:null,order:"graph",shown:150},{state:f,update:x,subscribe:pt}=On(ti),L=()=>f.hover||f.pinned;function Q(t=f.view){const e=L();return!e||!t?null:e.token!==void 0?[e.token]:t.members(e.step,e.unit)}const as=(t,e)=>t===e||t&&e&&t.token===e.token&&t.step===e.step&&t.unit===e.unit;function A(t){as(f.hover,t)||x({hover:t})}function st(t){x({pinned:as(f.pinned,t)?null:t})}function se(t){if(!f.view)return;const e=f.view.steps.length-1;x({step:Math.max(0,Math.min(e,t)),time:null,playing:!1})}function Ve(t){if(!f.view)return;const e=f.view.tokens.length,n=L(),s=n&&n.token!==void 0?n.token:t>0?-1:0;x({hover:{token:(s+t+e)%e}})}const oe=({predictions:t})=>t.length?t[0].label+1:null;function dt(t,e){return(t&&!t.circuit&&e?t.candidates[e-1]:null)??t}function Xe(t){const{view:e,baseline:n,pictures:s}=f;z&&(z={...z,candidate:t}),!(!e||e.circuit||!e.candidates[t-1])&&x({view:dt(e,t),baseline:dt(n,t),picture:s[t-1]??null})}async function ae(t){const e=a=>t.fields.some(i=>i.name===a);if(e("compatibility")){const a=["compatibility",...t.tokens.some(({kind:l})=>l==="text")?["margin","nats"]:[]],[i,r,c]=await Promise.all(a.filter(e).map(l=>Tn(t.id,l)));return t.tokens.some(({candidate:l})=>l)?Qo(t,i)[(oe(t)??1)-1]:new Rn(t,i,{margin:r,nats:c})}if(!e("messages"))throw new Wt(422,"No path","A path needs compatibilities or messages; this model has neither.");const n=["messages","read_in","read_out","confidence"].filter(e),s=await Promise.all(n.map(a=>Tn(t.id,a))),o=Object.fromEntries(n.map((a,i)=>[a,s[i]]));return new Ua(t,o)}async function Qe({tokens:t,sample:e,grid:n}){return t.some(({kind:o})=>o==="panel")?Yo(e,n.columns):t.some(({kind:o})=>o==="text"||o==="number"||o==="point")?[]:[await xo(e)]}const Ye=(t,e)=>e[t.circuit?0:(t.candidate??1)-1]??null;async function ei(t){if(!(f.graph&&f.graph.model===t))try{const e=await et("GET","/models/"+encodeURIComponent(t)+"/graph");f.view&&f.view.info.model===t&&x({graph:e})}catch(e){const n=e;An(n.title||"No graph",n.message,"bad")}}const ni=["compatibility","types","messages","read_in","read_out","confidence","margin"],Ze=["images","statements","blocks"],Ct={mute:[],drop:[],edges:null,iterations:null,top_k:null},ot=tt(Ct),Et=tt(null);let z=null,tn={model:"",step:0};const H=()=>Et.value??V(),en=(t,e)=>JSON.stringify(t)===JSON.stringify(e),is=(t,e)=>e.some(Re)?e:Mn(t,Gt(t,e)).split(",").filter(Boolean);function si(){const{view:t,step:e}=f,n=K.answer(),s=ot.value,o=n?.said??{mute:t?is(t.names,s.mute):s.mute,drop:t?is(t.names,s.drop):s.drop},{keep_edges:a=null,iterations:i=null,top_k:r=null}=n?.current.intervention??{...s,keep_edges:s.edges},c=t&&!t.circuit&&t.candidate!==oe(t.info)?t.candidate:null;return{...o,edges:a,iterations:i,top_k:r,step:e,candidate:c,pin:R.value||null}}const ft=Pe(si);function ie({step:t,candidate:e,pin:n,...s},o=H()){z={step:t,candidate:e},_o(()=>{R.value=n??"",Et.value=en(o,V())?null:o,ot.value=s}),!(!K.answer()||K.answer()!==It)&&(z=null,se(t),Xe(e??oe(f.view.info)??0))}const Pt=t=>ot.value={...ot.value,...t};function re(){const{mute:t,drop:e}=K.answer()?.current.intervention??ot.value,n=f.view?.names??[];return{mute:Gt(n,Ln(t)),drop:Gt(n,Ln(e))}}const Bt=(t,{mute:e,drop:n}=re())=>e.includes(t)?"muted":n.includes(t)?"dropped":"",W=tt("mute");function nn(t,e){const n=f.view?.names??[],{mute:s,drop:o}=re(),a={mute:s.filter(i=>!t.includes(i)),drop:o.filter(i=>!t.includes(i))};if(e&&(a[W.value]=n.filter(i=>a[W.value].includes(i)||t.includes(i))),a.drop.length<n.length)return Pt(a);An("One "+Ht(rt()).unit+" stays","Without any there is no path.","bad")}const ce=t=>nn([t],!Bt(t)),oi=new Map,le=t=>vo(oi,t,()=>et("GET","/models/"+encodeURIComponent(t)));async function sn(t,e,{[t]:n,top_k:s}){const o=await Vo(t,e,n,{kind:t,top_k:s}),a=Gt(e.units,o.parts.filter(c=>!Re(c))),i=await Xo(e.units,a),r=i?[i]:Mn(e.units,a).split(",").filter(Boolean);return{units:o.units,said:[...r,...o.parts.filter(Re)]}}async function ue(t,e,{mute:n,drop:s,edges:o,iterations:a,top_k:i},r){const[c,l]=(await Promise.all([n,s].map(In))).map(p=>p.split(",").filter(Boolean)),u=ni.filter(p=>t.fields.includes(p)),h={mute:c,drop:l,iterations:a,keep_edges:o,top_k:i};return et("POST","/traces",{model:t.id,sample:e,intervention:h,fields:u},{signal:r})}async function on({sample:t,model:e,domains:n}){const s=Ze.includes(await _n(e)),o=await et("GET",(s?"/samples/":"/tables/")+encodeURIComponent(t)),a=t.includes(".")?t:s?o.name:Zo(o),i=o.point?.set??o.set,r=i&&n.includes(i)?i:null;if(s)return{...o,name:a,domain:r,words:o.label===null?"no label":"true label "+o.label};const c=o.panels&&o.label>=0?o.label:null;return{...o,name:a,label:c,domain:r,words:ta(o),origin:o.set===null?"upload":"data"}}async function ai(t,e){const[n,s,o]=JSON.parse(t),[a]=await Promise.all([le(n),_n(n)]),i=Ze.includes(a.inputs)&&!a.samples&&Ne(n)?.refused;if(i)throw Object.assign(new Wt(403,i.title,i.detail),{refused:!0});const[r,c]=[await sn("mute",a,o),await sn("drop",a,o)];o.edges!==null&&!a.has_links&&Ie(`Units of ${n} are not linked: "edges" is ignored.`),o.top_k!==null&&!a.layers.length&&Ie(`No token of ${n} takes the best of many experts: "top_k" is ignored.`);const l={mute:r.units,drop:c.units,edges:a.has_links?o.edges:null,iterations:o.iterations,top_k:a.layers.length?o.top_k:null},[u,h]=await Promise.all([ue(a,s,l,e),en(l,{...l,...Ct})?null:ue(a,s,Ct,e)]),[p,d,g,b]=await Promise.all([ae(u),h&&h.id!==u.id?ae(h):null,Qe(u),on(u)]);return{current:u,said:{mute:r.said,drop:c.said},view:p,baseline:d,pictures:g,sample:b}}const K=Be(()=>{const{model:t,sample:e}=H();return t&&e?JSON.stringify([t,e,ot.value]):null},ai),he=4,rs=3,Nt=Be(()=>{const{model:t,sample:e}=H();return t&&!e?t:null},async t=>{const{inputs:e,domains:n}=await le(t),s=(h,p)=>et("GET",h+ko(p)),o=Ze.includes(e)?"images":e,a=(await s("/data",{inputs:o})).items,i=a.filter(({name:h})=>n.includes(h));if(o==="images"){const h=[...i,...a.filter(d=>!i.includes(d))];return(await Promise.all(h.map(({name:d})=>s("/samples",{origin:"data",set:d,limit:he})))).flatMap(({items:d})=>d).map(d=>({id:d.id,sample:d,table:null,value:null}))}const r=[...new Set((i.length?i:a).map(({name:h,inputs_of:p})=>p||h))],c=r.length<=he?he:1,l=(await s("/inputs",{})).items.find(({name:h})=>h===o)?.written;return(await Promise.all([...l?[s("/samples/written",{inputs:o,limit:he,rows:rs})]:[],...r.map(h=>s("/tables",{set:h,limit:c,rows:rs}))])).flatMap(({items:h})=>h).map(h=>({id:h.id,sample:null,table:h,value:null}))});function ii(){const{model:t}=H(),[e,n]=[t&&Ne(t),Ao()],s=So.value.some(a=>a.includes('"sample" of the link')),o=new URLSearchParams(location.search).has("sample");return!!(e&&n&&Co(e,n)&&!s&&!o)}let It=null;const an={view:null,baseline:null,graph:null,playing:!1,time:null,hover:null};function ri(t){const{current:e,sample:n,pictures:s}=t,{view:o,playing:a}=f,i=o&&!o.circuit&&o.info.model===e.model&&o.info.sample===e.sample,r=dt(t.view,z?z.candidate:i?o.candidate:null),c=r.steps.length,l=o||tn.model!==e.model?f.step:tn.step,u=z?.step??null,h=u===null?Math.max(0,Math.min(c-1,l)):Cn(e.model,u,c),p=o&&o.info.model===e.model&&o.tokens.length===r.tokens.length,d=e.fields.some(({name:g})=>g==="link_probability");z=null,It=t,x({status:"ready",problem:null,view:r,baseline:dt(t.baseline,r.circuit?null:r.candidate),graph:d&&f.graph?.model===e.model?f.graph:null,sample:n,picture:Ye(r,s),pictures:s,step:h,time:a?f.time:null,hover:null,pinned:p?f.pinned:null}),d&&ei(e.model)}function ci(){const[t,e,{model:n,sample:s}]=[K.answer(),K.problem(),H()],o=s?null:Nt.answer()?.[0]?.id??null,a=!s&&ii()&&(Nt.waits()||o!==null);ct(()=>{if(t)return t===It?void 0:ri(t);It=null,f.view&&(f.view.info.model!==n||!s)&&x(an),a&&o&&Mo({sample:o});const i=e&&(e.status===0||e.status>=500);if(e){const{title:r,message:c}=e;x({...i?{}:an,status:i&&f.view?"stale":"failed",problem:Object.assign(e,{title:r||"The path could not be shown",detail:c}),playing:!1})}else x({status:s||a||!To()?"loading":"empty",problem:null})})}function pe(){const[t,{model:e,sample:n},{view:s,playing:o}]=[ft.value,H(),f],a=[t.mute,t.drop].every(i=>i.join(",").length<=ea);s&&s.info.model===e&&a&&!o&&ct(()=>Sn("paths",{model:e,sample:n,...t}))}function cs(){const{model:t,sample:e}=Oo(location.search);let n=V();Et.value=t&&e&&!en({model:t,sample:e},n)?{model:t,sample:e}:null;const s=[F(()=>{const o=V();o!==n&&(Et.value=null),n=o}),K.follow(),Nt.follow(),F(ci),F(pe)];return()=>{s.forEach(o=>o()),f.view&&(tn={model:f.view.info.model,step:f.step}),rn()}}const ls=()=>new Promise(t=>{const e=F(()=>{f.status!=="loading"&&queueMicrotask(()=>t(e()))})});function rn(){[It,z,Et.value]=[null,null,null],x({...an,status:"loading",problem:null,sample:null,picture:null,pictures:[],step:0,pinned:null})}var cn=Object.freeze({__proto__:null,NOTHING:Ct,choice:ft,choose:Xe,chosenIn:oe,follow:cs,frame:H,goTo:se,highlighted:Q,intervene:Pt,intervention:ot,leave:rn,mode:W,modelOf:le,pictureOf:Ye,picturesOf:Qe,pin:st,point:A,pointNext:Ve,pointed:L,rests:ls,sampleOf:on,starters:Nt,state:f,stateOf:Bt,subscribe:pt,take:ie,taken:re,toggle:ce,traceOf:ue,traces:K,turn:nn,unitsOf:sn,update:x,viewOf:ae,withCandidate:dt,write:pe});const de=({mean:t,resample:e})=>t.length||e.length?"Units at their mean, or resampled, are measured on Drop; no path is recorded under it.":"";async function li(t,e){const n=Jt(t),s=de(n);if(s)throw new Wt(422,"No path",s);if(!n.sample)throw new Wt(422,"No sample","A was pinned without a sample, and a path is of one.");const o=await le(n.model),{edges:a,...i}=await na(n,o);a!==null&&!o.has_links&&Ie(`Units of ${o.id} are not linked: "edges" of "pin" is ignored.`);const r=o.has_links?a:null,c=await ue(o,n.sample,{...i,edges:r},e),[l,u,h]=await Promise.all([ae(c),on(c),Qe(c)]);return{view:l,sample:u,pictures:h}}const at=Be(()=>R.value||null,li),S={get view(){return at.answer()?.view??null},get sample(){return at.answer()?.sample??null},get pictures(){return at.answer()?.pictures??[]},get problem(){return at.problem()},get status(){return R.value?at.answer()?"ready":at.problem()?"failed":"loading":"none"}},{follow:us,again:hs}=at;function fe(){const{view:t}=f;return dt(S.view,t&&!t.circuit?t.candidate:null)}const it=Pe(()=>{const[t,e]=[fe(),f.view];return t&&e?Va(t,e):null});function ui(){const[t,e]=[fe(),f.view];return!t||!e||it.value!==""||te(t.info,e.info)==="same"?null:t.circuit&&e.circuit?Ha(t,e):t.circuit||e.circuit?null:za(t,e)}const hi=Pe(ui),J=()=>hi.value,ps=t=>!!t.circuit;function ds(t){const e=[fe(),f.view].filter(n=>n!==null);return e.length===2&&e.every(n=>ps(n)===ps(t))?e:[t]}const me=()=>{const{state:t}=cn;return S.view&&t.view?Object.assign({...t},{alike:ds(t.view)}):t};function mt(){const{sample:t,pictures:e,status:n}=S,{state:s}=cn,o=fe(),a=o&&Ye(o,e),i={...s,view:o,sample:t,picture:a,pictures:e,baseline:null,showBaseline:!1};if(!o)return{...i,status:n==="failed"?"failed":"loading"};const r=o.steps.length-1,{time:c,step:l,graph:u}=s;return Object.assign(i,{status:"ready",step:Math.min(l,r),time:c===null?null:Math.min(c,r+2),graph:u&&String(u.units)===String(o.units)?u:null,...it.value===""?{}:{hover:null,pinned:null},alike:ds(o)})}var pi=Object.freeze({__proto__:null,again:hs,apart:it,difference:J,follow:us,other:S,refused:de,seenOfA:mt,seenOfB:me});const ge=t=>(t<.0995?(100*t).toFixed(1):Math.round(100*t))+" %",fs=5,di=11,Rt=10;function ms(t,e,n){const s=t.units.map((o,a)=>a);return!e||e.units.length!==s.length||n==="name"?s:n==="connectivity"?Eo(e.connectivity).reverse():e.order}function gs(t,e,n){if(e&&e.units.length===t.units.length){const{of:s,paints:o}=sa.community(e,n);return a=>o[s[a]]}return s=>n.unit(s)}function fi({view:t,graph:e,order:n},s,o){const a=s<620,i={top:34,bottom:34,left:a?16:30,right:a?60:116},r={x:i.left,width:a?12:20},c=new Int32Array(t.units.length);ms(t,e,n).forEach((v,O)=>c[v]=O);const l=o-i.top-i.bottom,u=l/t.units.length,h=u>=di,p=r.x+r.width+(a?50:110),d=(s-i.right-p)/Math.max(1,t.steps.length-1),g=t.steps.map((v,O)=>p+O*d),b=v=>i.top+u*(c[v]+.5),y=Math.min(r.width,l/Math.max(1,t.tokens.length)-1),$=t.tokens.map((v,O)=>({x:r.x,y:i.top+l/t.tokens.length*(O+.5),size:Math.max(2,y)})),k={x:s-i.right+(a?20:44),y:i.top+l/2};return{compact:a,width:s,height:o,margin:i,strip:r,gap:u,named:h,columns:g,across:d,y:b,entries:$,end:k}}function ln(t,e,{from:n,to:s}){const{columns:o,entries:a,strip:i,end:r,y:c}=t;return[e===0?{x:i.x+i.width+2,y:a[n].y}:{x:o[e-1],y:c(n)},e===o.length?r:{x:o[e],y:c(s)}]}function bs(t,e,n,{wider:s=0,opacity:o}={}){const[a,i]=ln(t.layout,e,n),r=n.weight/t.scale[e];return{shape:"path",d:Dn(a,i,c=>Math.round(c*10)/10),stroke:e===0?t.paint(n.to):t.paint(n.from),width:Math.max(.5,fs*r)+s,opacity:o===void 0?.2+.6*r:o,cap:"round"}}function mi(t,e,n){const s=n===e.steps.length,o=t.map(a=>!s&&n>=a.steps.length?0:a.strongest(s?a.steps.length:n,1)[0]?.weight??0);return Math.max(...o)}function ws(t,e,n,s,o){const{view:a,graph:i,shown:r,alike:c=[a]}=t,l=fi(t,e,n),u=[...a.steps.keys(),a.steps.length],h=u.map(y=>mi(c,a,y)||1),p=Math.max(...c.flatMap(({uses:y})=>y.map($=>Math.max(...$))),1e-9),d=Math.max(3,Math.min(9,.9*l.gap,l.across/6)),g=(y,$)=>Math.max(1,d*Math.sqrt(a.use(y,$)/p)),{picture:b}=t;return{view:a,graph:i,layout:l,scale:h,radius:g,most:p,largest:d,theme:s,caption:o,shown:r,picture:b,into:u,paint:gs(a,i,s)}}function gi(t){return t.into.flatMap(e=>[...t.view.strongest(e,t.shown)].reverse().map(n=>bs(t,e,n)))}function $s({view:t,layout:e,theme:n},s){const{columns:o,margin:a,height:i,across:r}=e,c=Math.min(r*.3,34),l={shape:"text",size:12,anchor:"middle",fill:n.dim},u=[{shape:"rect",x:o[s]-c,y:a.top-24,w:2*c,h:i-a.top-a.bottom+28,rx:6,fill:n.raised}];return t.steps.forEach((h,p)=>{const d=p===s?{weight:700,fill:n.ink}:{};u.push({...l,x:o[p],y:a.top-10,text:Fe(h),...d})}),u.push({...l,x:e.strip.x+e.strip.width/2,y:a.top-10,text:e.compact?"":"tokens"}),u.push({...l,x:e.end.x+(e.compact?6:18),y:a.top-10,text:e.compact?"out":"read-out"}),u}function bi(t){const{view:e,layout:n,theme:s,paint:o}=t;return e.steps.flatMap((a,i)=>e.units.map((r,c)=>{const l={shape:"circle",cx:n.columns[i],cy:n.y(c),r:t.radius(i,c)};return e.state(c)?{...l,r:Math.max(1.5,l.r),stroke:s.dim,width:1,opacity:.6}:{...l,fill:o(c)}}))}function ys({view:t,layout:e,theme:n}){return e.named?t.units.map((s,o)=>({shape:"text",x:e.columns[0]-12,y:e.y(o)+3.5,text:s,size:10,anchor:"end",fill:t.state(o)?n.dim:n.ink,halo:n.surface})):[]}function wi({view:t,layout:e,theme:n},s){if(e.named)return[];let o=-1/0;return t.leading(s,5).map(([i,r])=>({unit:i,share:r,y:e.y(i)})).sort((i,r)=>i.y-r.y).flatMap(({unit:i,share:r,y:c})=>{if(c-o<12)return[];o=c;const l=t.units[i]+"  "+ge(r);return[{shape:"text",...{x:e.columns[s]+11,y:c+3.5},text:l,size:10.5,weight:600,fill:n.ink,halo:n.raised}]})}function ks({view:t,layout:e,theme:n,picture:s}){const{grid:o}=t.info;return t.tokens.map((a,i)=>{const{x:r,y:c,size:l}=e.entries[i],u={x:r+e.strip.width-l,y:c-l/2,w:l,h:l};return oa(a,{picture:s,grid:o,theme:n},u)})}function $i({view:t,layout:e,theme:n}){const[s]=t.info.predictions,{x:o,y:a}=e.end,i=[{shape:"circle",cx:o,cy:a,r:4,fill:n.ink}];if(!s)return i;const r=nt(s.probabilities[s.label]),c=s.labels[s.label];return i.push({shape:"text",x:o+9,y:a+1,text:c,size:c.length>3?11.5:15,weight:700,fill:n.ink}),e.compact||i.push({shape:"text",x:o+9,y:a+16,text:r,size:11.5,fill:n.dim}),i}function yi({view:t,layout:e,theme:n,scale:s,most:o,largest:a,shown:i,caption:r}){const l={text:"the "+Math.min(i,t.units.length**2)+" strongest of each step",key:"none"},u=ge(Math.max(...s.slice(1,-1),0))+" of a receiver's attention, at most",h={text:ge(o)+" of the next step's, on average",key:"dot",r:a,fill:"dim"},p=[{text:u,stroke:"dim",width:fs},...e.width>820?[h]:[]],g={x:e.compact?4:e.strip.x,y:e.height-11,right:e.width-8};return qn([l,...e.compact?[]:p],e.width>1040?r:"",g,n)}function ki(t,e){return{frame:$s(t,e),overlay:[...bi(t),...ys(t),...ks(t),...$i(t),...wi(t,e),...yi(t)]}}function vi({view:t,into:e},n){if(n.token!==void 0)return t.readersOf(n.token,Rt).map(([i,r])=>[0,{from:n.token,to:i,weight:r}]);const{step:s,unit:o}=n,a=s>0?t.senders(s,o,Rt).map(([i,r])=>[s,{from:i,to:o,weight:r}]):[];for(const[i,r]of t.receivers(s,o,Rt))a.push([s+1,{from:o,to:i,weight:r}]);if(s===t.steps.length-1&&t.readOut&&a.push([e.length-1,{from:o,to:-1,weight:t.readOut[o]}]),s===0)for(const[i,r]of t.looks(o,Rt))a.push([0,{from:i,to:o,weight:r}]);return a}function xi(t,e){const{view:n,layout:s,theme:o}=t,a=vi(t,e).reverse(),i=a.map(([c,l])=>bs(t,c,l,{wider:.8,opacity:.95})),r=(c,l,u)=>({shape:"text",x:s.columns[c]+10,y:s.y(l)+3.5,text:n.units[l]+(u===void 0?"":"  "+ge(u)),size:10.5,weight:u===void 0?700:500,fill:o.ink,halo:o.surface});if(e.unit!==void 0){const{step:c,unit:l}=e,u={cx:s.columns[c],cy:s.y(l)};i.push({shape:"circle",...u,r:t.radius(c,l)+3,stroke:o.ink,width:1.5}),i.push(r(c,l));const h=a.filter(([p,d])=>p>0&&d.to>=0).slice(-2*Rt);for(const[p,d]of vs(h,s,c))i.push(r(p===c?p-1:p,p===c?d.from:d.to,d.weight))}else for(const[,c]of vs(a,s,null))i.push(r(0,c.to,c.weight));return i}function vs(t,e,n){const s=[];return[...t].sort((o,a)=>a[1].weight-o[1].weight).filter(([o,a])=>{const i=o===n?"from":"to",r=e.y(a[i]);return s.some(c=>c.side===i&&Math.abs(c.y-r)<11)?!1:(s.push({side:i,y:r}),!0)})}const Oi=7,_i=60;function Mi({layout:t},e){const n=[t.strip.x+t.strip.width,...t.columns,t.end.x],s=Math.min(Math.floor(e),n.length-2);return n[s]+(n[s+1]-n[s])*Math.min(1,e-s)}function Ti(t,e){const{view:n,layout:s,theme:o,shown:a}=t,i=Math.min(Math.floor(e),n.steps.length);return n.strongest(i,Math.min(a,_i)).map(r=>{const[c,l]=ln(s,i,r),{x:u,y:h}=aa(c,l,Math.min(1,e-i)),p=1.6+1.8*(r.weight/t.scale[i]);return{shape:"circle",cx:u,cy:h,r:p,fill:o.marker,stroke:o.surface,width:.8}})}function xs({view:t,layout:e},n,s){const{strip:o,entries:a,columns:i}=e;if(n>o.x-8&&n<o.x+o.width+6){const u=Math.max(4,(a[1]?a[1].y-a[0].y:20)/2),h=a.findIndex(p=>Math.abs(p.y-s)<=u);return h<0?null:{token:h}}const r=i.findIndex(u=>Math.abs(u-n)<=Math.min(14,e.across/3));if(r<0)return null;let[c,l]=[-1,Math.max(Oi,e.gap/2)];for(let u=0;u<t.units.length;u+=1){const h=Math.abs(e.y(u)-s);h<l&&([c,l]=[u,h])}return c<0?null:{step:r,unit:c}}const Ai=({steps:t,units:e,tokens:n})=>"Columns are "+t.length+" steps, dots "+e.length+" modules sized by the attention that the next step pays to them, lines messages from sender to receiver, as wide as the receiver's attention, averaged over heads; at the left what modules read of "+n.length+" tokens, at the right what the output reads of modules.",Si=!0,Ci=(...t)=>ws(...t),Ei=t=>gi(t),Pi=(t,e)=>ki(t,e),Bi=()=>L(),Ni=(t,e)=>xi(t,e);var Ii=Object.freeze({__proto__:null,frontAt:Mi,highlight:Ni,lines:Ei,linesOver:Si,partsOf:Ci,pointed:Bi,surroundings:Pi,targetAt:xs,travellers:Ti,words:Ai});let be=null;const Os={...ra,partsOf:ia,pointed:({view:t,hover:e,pinned:n})=>e||n?Q(t):null},Ri=t=>t.circuit?Ii:Os;function _s(t){const{info:e}=t.view,n=t.sample,{mute:s,drop:o,keep_edges:a,top_k:i}=e.intervention,r=[s.length?"mute "+En(s):null,o.length?"drop "+En(o):null,typeof a=="number"?De(a)+" % of edges":null,i?i+(i===1?" expert":" experts")+" a token":null].filter(Boolean),c=r.length?r.join("; "):"no intervention",l=!t.view.circuit&&t.view.log;return[e.model,n.name||n.id,l?"as logged":c].join(" \xB7 ")}class Ms{constructor(e,n){this.host=e,this.see=n,this.canvas=e.querySelector("canvas"),this.picture=Os,this.parts=null,this.lines=[],this.ribbons=null,this.layers=null,this.stops=[pt((o,a)=>this.onState(a)),F(()=>{S.view,ct(()=>this.rebuild())}),Kt(()=>this.rebuild()),je(e,()=>this.rebuild())];const s=(o,a)=>this.canvas.addEventListener(o,a);s("pointermove",o=>this.onPointer(o)),s("pointerdown",o=>this.onPointer(o));for(const o of["pointerleave","blur"])s(o,()=>A(null));s("click",o=>o.detail<2&&st(this.targetAt(o))),n===me&&s("dblclick",o=>this.onDouble(o))}onDouble(e){const n=this.targetAt(e),{view:s}=f;if(!s||!n||n.unit===void 0||s.names.length<=Le||!s.circuit&&s.log)return;const o=s.nameAt(n.step,n.unit);ce(o)}dispose(){this.stops.forEach(e=>e())}onState(e){if(!this.isThere())return;["view","baseline","picture","threshold","showBaseline","graph","order","shown"].some(s=>e.has(s))?this.rebuild():e.has("step")?this.turnTo(this.see().step):(e.has("time")||e.has("hover")||e.has("pinned"))&&this.draw()}isThere(){const{status:e,view:n}=this.see();return this.canvas.dataset.status=e,n?!0:(this.layers=this.parts=null,this.clear(),!1)}clear(){this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height),delete this.canvas.dataset.painted}rebuild(){const e=this.see();if(!this.isThere()||!e.view)return;this.host.dataset.units=e.view.names.length>Le?"many":"few";const{clientWidth:n,clientHeight:s}=this.host;if(n<40||s<40)return;const o=j();this.picture=Ri(e.view),this.parts=this.picture.partsOf(e,n,s,o,_s(e)),this.lines=this.picture.lines(this.parts),this.ribbons=ca(this.lines,{width:n,height:s},o.font),this.turnTo(e.step)}turnTo(e){this.parts&&(this.layers=this.picture.surroundings(this.parts,e),this.draw())}draw(){const{layers:e,parts:n,ribbons:s}=this,o=this.see();if(!e||!n||!s)return;const{theme:a,layout:i}=n,r=Fn(this.canvas,i.width,i.height);r.clearRect(0,0,i.width,i.height),Ue(r,e.frame,a.font);const c=this.picture.pointed(o),l=o.time!==null&&Po()?Math.floor(o.time):o.time;l!==null?la(r,s,i,this.picture.frontAt(n,l)):ua(r,s,i,c?.14:1);const u=h=>Ue(r,h,a.font);this.picture.linesOver&&u(e.overlay),c&&u(this.picture.highlight(n,c)),l!==null&&u(this.picture.travellers(n,l,c)),this.picture.linesOver||u(e.overlay),this.publish(o)}targetAt(e){if(!this.layers||!this.parts||this.see===mt&&it.value)return null;const n=this.canvas.getBoundingClientRect(),{layout:s}=this.parts,o=(e.clientX-n.left)*s.width/n.width,a=(e.clientY-n.top)*s.height/n.height;return this.picture.targetAt(this.parts,o,a)}onPointer(e){const n=this.targetAt(e);this.canvas.style.cursor=n?"pointer":"default",A(n)}publish(e){const n=e.hover||e.pinned,s=n&&Q(e.view),o=this.canvas.dataset;o.painted=e.view.info.id,o.step=e.view.steps[e.step],o.playing=String(e.playing),o.highlighted=(s||[]).map(a=>e.view.tokens[a].name).join(" "),o.hoveredDot=n&&n.unit!==void 0?e.view.steps[n.step]+"/"+e.view.units[n.unit]:""}scene(e){const n=this.see(),{view:s}=n;if(!s||!this.parts)throw new Error("There is no path to show.");const{width:o,height:a}=this.parts.layout,i=j(),r=this.picture.partsOf(n,e??o,a,i,_s(n)),c=this.picture.surroundings(r,n.step),{layout:l}=r,u=this.picture.lines(r),h=this.picture.pointed(n),p=b=>({...b,opacity:(b.opacity===void 0?1:b.opacity)*.14}),d=[h?this.picture.highlight(r,h):[],c.overlay],g=[...c.frame,...h?u.map(p):u,...(this.picture.linesOver?d.reverse():d).flat()];return{width:l.width,height:l.height,background:i.surface,title:"Computational path: "+r.caption,desc:this.picture.words(s),items:g}}}const Li=t=>be=new Ms(t,me),Di=t=>new Ms(t,mt);function qi({a:t,b:e,steps:n,units:s,tokens:o,change:a}){const i=[["step","token","unit","a","b","change","dominant_in_a","dominant_in_b"]];return n.forEach((r,c)=>o.forEach((l,u)=>s.forEach((h,p)=>i.push([r,l.name,h,t.compatibility(c,p,u),e.compatibility(c,p,u),a[(c*s.length+p)*o.length+u],t.dominant(c,u)===p,e.dominant(c,u)===p])))),i}function Fi({columns:t,steps:e,units:n,tokens:s}){const o=t.flatMap(a=>Zt(a,f.shown).map(({from:i,to:r,a:c,b:l,change:u})=>[a.column?"":s[i].name,a.column?e[a.column-1]:"",a.name,a.column?n[i]:"",r<0?"":n[r],c,l,u]));return[["token","step","next_step","from_unit","to_unit","a","b","change"],...o]}function ji({info:t},{info:e}){const{made_with:n,link:s,...o}=ze(e),{made_with:a,link:i,...r}=ze(t),{model:c,sample:l}=e;return{model:c,sample:l,kind:te(t,e),a:r,b:o}}const Ts=({info:t})=>ze(t,{iterations:t.intervention.iterations??null});function Ui(t){const e=J();if(!e)return null;const n=()=>e.edges?Fi(e):qi(e),s=e.edges?{shown_of_each_step:f.shown}:{};return{name:"path-difference",picture:t,facts:{...ji(e.a,e.b),...s,compared:es(e.a,e.b)},rows:n,json:()=>({columns:n()[0],rows:n().slice(1)}),python:{figure:"difference",a:Ts(e.a),b:Ts(e.b)}}}const zi=5,Wi=24,As=4;function Gi(t,e,n,s,o,a){const i=ws(e,n,s,o,a),r=t.columns.map(g=>Zt(g,e.shown)),{a:c,b:l,steps:u}=t,h=u.map((g,b)=>l.units.map((y,$)=>l.use(b,$)-c.use(b,$)));t.columns.length>u.length||(h[u.length-1]=l.units.map(()=>0));const d=Math.max(...h.flat().map(Math.abs),1e-9);return{path:i,difference:t,lines:r,uses:h,most:d,theme:o}}function Ss({path:t,theme:e},n,s){const{gained:o,lost:a}=Vt(e),[i,r]=ln(t.layout,n.column,{...n}),c=Math.abs(n.change)/s;return{shape:"path",d:Dn(i,r,l=>Math.round(l*10)/10),stroke:n.change>0?o:a,width:Math.max(.6,zi*c),opacity:.25+.65*c,dash:n.change>0?void 0:[5,3]}}const Hi=({lines:t})=>t.map(([e])=>Math.abs(e?.change??1));function Ki({path:t,difference:e,uses:n,most:s,theme:o}){const{gained:a,lost:i}=Vt(o);return e.steps.flatMap((r,c)=>n[c].map((l,u)=>{const h={shape:"circle",cx:t.layout.columns[c],cy:t.layout.y(u)},p=Math.max(1.2,t.largest*Math.sqrt(Math.abs(l)/s));return{...h,r:p,fill:l?l>0?a:i:o.unmatched}}))}function Ji({path:{layout:t,view:e},theme:n},s){const o=s.flatMap(({column:i,from:r,to:c})=>[...c<0?[]:[{step:i,unit:c}],...i?[{step:i-1,unit:r}]:[]]),a=[];return o.flatMap(({step:i,unit:r})=>{const c={x:t.columns[i]+10,y:t.y(r)+3.5};if(a.some(({x:u,y:h})=>u===c.x&&Math.abs(h-c.y)<11))return[];a.push(c);const l=e.units[r];return[{shape:"text",...c,text:l,size:10.5,weight:600,fill:n.ink,halo:n.surface}]})}function Vi({path:t,theme:e,lines:n}){const{layout:s}=t,{gained:o,lost:a}=Vt(e),[i,r,c]=[s.compact?4:s.strip.x,s.height-11,s.width-8],l=Math.max(...n.flat().map(({change:g})=>Math.abs(g)),0),u="the widest: "+G(100*l,1).replace("+","")+" points of a receiver's attention",p=[{text:"more in B",stroke:o},{text:"less in B",stroke:a,dash:[5,3]},...s.compact?[]:[{text:u+"; dots: what the next step pays to a module, in the same colours",key:"none"}]],d=jn(vt([t.caption],{x:i,y:r-14,size:10.5,fill:"dim",room:c-i}),e).items;return[...qn(p,"",{x:i,y:r,right:c},e),...d]}function Xi(t,e,n){const{path:s,difference:o,lines:a,theme:i}=t,{layout:r}=s,c=Hi(t),u=a.map(d=>[...d].reverse().map(g=>Ss(t,g,c[g.column]))).flat().map(d=>n?{...d,opacity:.08}:d),h=n?Je(o,n,Wi).map(d=>Ss(t,d,c[d.column])):[],p=Math.min(e,o.steps.length-1);return{width:r.width,height:r.height,background:i.surface,title:"Difference of two paths: "+s.caption,desc:"Columns are steps, dots modules, lines messages whose attention differs most: solid where B has more of it than A, dashed where it has less, as wide as the change.",items:[...$s(s,p),...u,...h,...Ki(t),...ys(s),...ks(s),...Ji(t,n?Je(o,n,As):a[p].slice(0,As)),...Vi(t)]}}const Qi=[.05,.1,.2,.5,1],[Cs,Yi]=[2.5,18],un=6;function Zi({b:t,tokens:e}){const{rows:n=0,columns:s=0}=t.patches.length?t.info.grid:{},o=e.length-t.patches.length,a=n||Math.ceil(Math.sqrt(o)),i=s?s+.5:0;let r=0;return{places:e.map(({kind:l,row:u,column:h})=>{if(l==="patch"||l==="panel")return{x:h??0,y:u??0};const p={x:i+Math.floor(r/a),y:r%a};return r+=1,p}),wide:o?i+Math.ceil(o/a):s,tall:a}}function tr(t,e,n){const{steps:s,units:o}=t,a=e<620,{places:i,wide:r,tall:c}=Zi(t),l=a?30:58,u=Math.max((e-l-6)/s.length,r*Cs+4),h=Math.max(Cs,Math.min(Yi,.86*u/r)),[p,d]=[h*r,h*c],g=a?9:14,b=34,y=(a?64:42)+(n?22:0),$=b+o.length*(d+g)+y,k=(v,O)=>({x:l+u*(v+.5)-p/2,y:b+O*(d+g)+g/2});return{compact:a,width:l+u*s.length+6,height:$,left:l,top:b,pitch:u,size:h,across:p,down:d,gap:g,foot:y,places:i,corner:k}}const Es=({largest:t})=>Qi.find(e=>Math.abs(t?.change??0)<=e)??1;function Ps(t,e,n){const{gained:s,lost:o}=Vt(n),a=Math.min(1,Math.abs(t)/e);return zn(n.surface,t>0?s:o,a**.6)}function er({steps:t,units:e,b:n},s,o,a){const{compact:i,left:r,top:c,pitch:l,height:u,foot:h,down:p,gap:d}=s,g=[];a<t.length&&g.push({shape:"rect",x:r+a*l+1,y:c-26,w:l-2,h:u-c-h+28,rx:6,fill:o.raised});const b=t.every($=>Fe($)!==$),y={shape:"text",y:c-10,fill:o.dim};return i||g.push({...y,x:r,text:b?"iteration":"step",size:11,anchor:"end"}),t.forEach(($,k)=>{const v=k===a?{weight:700,fill:o.ink}:{};g.push({...y,x:r+l*(k+.5),text:Fe($),size:12,anchor:"middle",...v})}),e.forEach(($,k)=>{const v=c+k*(p+d)+d/2+p/2;i||g.push({shape:"rect",x:4,y:v-8,w:4,h:16,rx:2,fill:o.unit(n.paint(0,k))});const O=n.state(k)?o.dim:o.ink;g.push({shape:"text",x:i?4:14,y:v+4,text:$,size:13,weight:650,fill:O})}),g}function nr({a:t,b:e,steps:n,units:s,tokens:o,change:a,rerouted:i,largest:r},c,l,u){const{size:h,places:p,corner:d}=c,g=Es({largest:r}),[b,y]=[s.length,o.length],$=O=>u?.size===1&&u.has(O),k=[];return[...n.flatMap((O,w)=>s.flatMap((_,M)=>{const{x:N,y:q}=d(w,M);return o.map((Z,I)=>{const P={x:N+h*p[I].x,y:q+h*p[I].y,w:h-.6,h:h-.6},bt=!u||u.has(I)?1:.35,wt=[t,e].map(zt=>zt.dominant(w,I)===M);if(h>=un&&i[w*y+I]&&(wt[0]||wt[1])){const zt={x:P.x+.8,y:P.y+.8,w:P.w-1.6,h:P.h-1.6},Ee=wt[1]?void 0:[2,2];k.push({shape:"rect",...zt,stroke:l.ink,width:1.4,dash:Ee,opacity:bt})}$(I)&&k.push({shape:"rect",...P,stroke:l.ink,width:2});const Ce=Ps(a[(w*b+M)*y+I],g,l);return{shape:"rect",...P,fill:Ce,stroke:l.hair,width:.6,opacity:bt}})})),...k]}function sr(t,e,n,s){const{compact:o,left:a,width:i,height:r,size:c,foot:l}=e,u=Es(t),h=u<.1?2:1,p="none",d={x:o?4:a,y:r-l+22,size:10.5},g=We([{text:B(-u,h),key:p}],{...d,width:1/0}),b=[-1,-.5,-.1,0,.1,.5,1],y=Un(b.map(String),[g.end+6,g.end+6+17*b.length],1),$={key:"bar",stroke:"ink",width:1.4},k=[{...$,text:"went through it in A",dash:[2,2]},{...$,text:"goes through it in B instead"}],v=We([{text:G(u,h)+" compatibility in B against A",key:p},...c<un||o?[]:k],{...d,x:y.range[1]+6,width:1/0}),O=c>=un&&o?We(k,{...d,y:d.y+20,width:i}).marks:[],w=xt(b,{x:(M,N)=>y.extent(N),y:[d.y-5,d.y+5],fill:M=>Ps(M*u,u,n),stroke:"line",width:.6}),_=vt(s?[s]:[],{x:d.x,y:r-10,down:0,size:10.5,fill:"dim",room:i-d.x});return jn([g.marks,w,v.marks,O,_],n).items}function or(t,e,n,{step:s,tokens:o,caption:a}){const i=o&&new Set(o);return{width:e.width,height:e.height,background:n.surface,title:"Difference of two paths: "+a,desc:"Columns are steps, rows functions; in each cell the tokens lie as in the sample. Colours: the compatibility of a token with the function in B minus that in A. Frames: another function takes the token most.",items:[...er(t,e,n,s),...nr(t,e,n,i),...sr(t,e,n,a)]}}function ar({steps:t,units:e},n,s,o){const{left:a,top:i,pitch:r,down:c,gap:l,size:u,places:h,corner:p}=n,[d,g]=[Math.floor((s-a)/r),Math.floor((o-i)/(c+l))];if(d<0||d>=t.length||g<0||g>=e.length)return null;const b=p(d,g),y=h.findIndex($=>{const[k,v]=[s-b.x-u*$.x,o-b.y-u*$.y];return k>=0&&k<u&&v>=0&&v<u});return y<0?null:{step:d,unit:g,token:y}}function gt({look:t,make:e,hidden:n,children:s}){const o=lt(null);return $t(()=>{const a=e(o.current);return()=>a.dispose()},[]),m`<div class=${t} hidden=${n} ref=${o}>${s}</div>`}const ir="A and B are the same path. Choose another sample or another model, or mute or drop something.",hn={width:1100,height:560},Bs=12,rr=4,Ns=({model:t,sample:e,intervention:{drop:n,mute:s,iterations:o,keep_edges:a,top_k:i}})=>ha({model:t,sample:e,drop:n,mute:s,iterations:o??null,edges:a??null,top_k:i??null}),pn=()=>f.view?Ns(f.view.info):null;function Is({letter:t}){const e=Jt(R.value);if(!e)return null;const n=t==="A"?S.view?Ns(S.view.info):e:pn();return m`<h3 class="side-title">
    <span class="pin-letter">${t}</span><span>${n?Ge(n):"nothing is shown yet"}</span>
  </h3>`}function cr(){const{status:t,problem:e}=S;if(t==="loading")return m`<div class="skeleton" aria-hidden="true"></div>`;if(t!=="failed"||!e)return null;const n=Jt(R.value),s=n&&de(n);return m`<div class="message" role="alert">
    <p class="message-title">${e.title||"The path of A could not be shown"}</p>
    <p class="message-detail">${e.message}</p>
    ${!s&&m`<button type="button" class="button" onClick=${hs}>Try again</button>`}
  </div>`}function lr(){const[t,e]=[S.view,f.view];if(S.status==="failed")return m`<p class="difference-sentence">Without A there is nothing to compare.</p>`;if(!t||!e||it.value===null)return m`<p class="difference-sentence">${f.status==="empty"?"B has no sample yet.":"Comparing"}</p>`;const n=J();return n?m`
    <p class="difference-sentence">${ur()+Qa(n,f.step)}</p>
    ${es(t,e).map(s=>m`<p class="hint" key=${s}>${s}</p>`)}
  `:m`<p class="difference-sentence">${it.value||ir}</p>`}function ur(){const[t,e]=[S.view,f.view];return t&&e&&te(t.info,e.info)==="caused"?"Caused by the intervention: ":""}function hr(){const t=J(),e=L();if(!t||!e)return"";if(t.edges)return pr(t,e);const n=Math.min(f.step,t.steps.length-1);if(e.token===void 0)return"";const{token:s}=e,o=t.units.map((a,i)=>{const r=t.change[(n*t.units.length+i)*t.tokens.length+s];return a+" "+B(t.a.compatibility(n,i,s),2)+" to "+B(t.b.compatibility(n,i,s),2)+" ("+G(r,2)+")"});return t.b.label(s)+" in "+T(t.steps[n])+", A to B: "+o.join("; ")}function pr(t,e){const n=Je(t,e,rr);return n.length?n.map(s=>ne(t,s).replace(" of "," reads of ")+": "+At(s,!0)).join("; "):"Nothing differs here."}const dn=t=>t===null?"none":(rt()?.labels??[])[t]??String(t);function Rs({head:t,label:e}){if(!t)return m`<td colspan="2">no such head</td>`;const n=e===null?"":t.label===e?", right":", wrong";return m`<td>${t.labels[t.label]+n}</td>
    <td>${nt(t.probabilities[t.label])}</td>`}function dr(t,e){const n=({numbers:a},i)=>a.find(({domain:r})=>r===i)?.value??null,o=[...new Set([t,e].flatMap(({numbers:a})=>a.map(({domain:i})=>i)))].map(a=>{const[i,r]=[n(t,a),n(e,a)],c=i===null||r===null?"":G(r-i,3);return[a,...[i,r].map(l=>l===null?"":l.toFixed(3)),c]});return Lt("What both answer.",["head","A answers","B answers","change"],o)}function fr(){const[t,e]=[S.view,f.view],n=[S.sample,f.sample];if(!t||!e||!n[0]||!n[1])return null;if(t.info.numbers.length||e.info.numbers.length)return dr(t.info,e.info);const s=n.map(u=>u?.label??null),o=[t,e].map(({info:u})=>pa(u.predictions));if(!o[0].length&&!o[1].length)return null;const a=o.map(u=>u.length===1&&!!u[0].shared),r=(a[0]&&a[1]?[""]:[...new Set([t,e].flatMap(({info:u})=>u.predictions.map(({domain:h})=>h)))]).map(u=>{const[h,p]=[t,e].map(({info:b},y)=>u?b.predictions.find(({domain:$})=>$===u):o[y][0]),d=h&&p?p.probabilities[h.label]:void 0,g=h&&d!==void 0?G(100*(d-h.probabilities[h.label]),1)+" points":"";return m`<tr key=${u}>
      <th scope="row">${u||"one for every data set"}</th>
      ${Rs({head:h,label:s[0]})} ${Rs({head:p,label:s[1]})}
      <td>${d===void 0?"":nt(d)+" ("+g+")"}</td>
    </tr>`}),c=["head","A answers","confidence","B answers","confidence","A's answer in B"],l=s[0]===s[1]?"True label: "+dn(s[0]):`True label: ${dn(s[0])} of A, ${dn(s[1])} of B`;return m`<${Wn}
    heads=${c.map(u=>m`<th scope="col">${u}</th>`)}
    rows=${r}
    caption=${"What both answer. "+l+"."}
  />`}const Lt=(t,e,n)=>m`<${Wn}
    caption=${t}
    heads=${e.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${n.map(([s,...o],a)=>m`<tr key=${a}>
          <th scope="row">${s}</th>
          ${o.map(i=>m`<td>${i}</td>`)}
        </tr>`)}
  />`;function mr(t){const{steps:e,units:n,tokens:s,perStep:o,b:a}=t,i=Math.min(f.step,e.length-1),r=o.map(l=>[T(e[l.step]),l.rerouted+" of "+s.length,B(l.mean,3),l.largest?ss(t,l.largest)+": "+At(l.largest):"none"]),c=Ga(t,i,Bs).map(l=>[a.label(l.token),n[l.unit],B(l.a,3),B(l.b,3),G(l.change,3)]);return m`
    ${Lt("What differs at every step.",["step","tokens through another function","mean absolute change","largest change"],r)}
    ${Lt("Largest changes in "+T(e[i])+".",["token","function","A","B","change"],c)}
  `}function gr(t){const{columns:e,steps:n}=t,s=e[Math.min(f.step,n.length-1)],o=e.map(i=>{const[r]=Zt(i,1),c=B(100*i.moved,1)+" %";return[T(i.name),c,r?ne(t,r)+": "+At(r,!0):"none"]}),a=Zt(s,Bs).map(i=>{const[r,c]=ne(t,i).split(" of "),l=[i.a,i.b].map(u=>B(100*u,2)+" %");return[r,c,...l,G(100*i.change,2)+" points"]});return m`
    ${Lt("What differs at every step.",["step","attention that goes elsewhere","largest change"],o)}
    ${Lt("Largest changes in "+T(s.name)+".",["reader","reads of","A","B","change"],a)}
  `}const br=()=>{const[t,e]=[Jt(R.peek()),pn()];return t&&e?"A: "+Ge(t)+" \xB7 B: "+Ge(e):""};function Ls(t,e,n,s){const o=j(),{step:a}=f;if(t.edges){const c=me(),l=Gi(t,c,n,s,o,e);return{scene:Xi(l,a,L()),targetAt:(u,h)=>xs(l.path,u,h)}}const i=tr(t,n,!!e),r=Q();return{scene:or(t,i,o,{step:a,tokens:r,caption:e}),targetAt(c,l){const u=ar(t,i,c,l);return u&&{token:u.token}}}}class wr{constructor(e){this.host=e,this.canvas=e.querySelector("canvas"),this.targetAt=(()=>null),this.stops=[pt((n,s)=>[...s].some(o=>o!=="time"&&o!=="playing")&&this.draw()),F(()=>{J(),ct(()=>this.draw())}),Kt(()=>this.draw()),je(e,()=>this.draw())],this.canvas.addEventListener("pointermove",n=>A(this.under(n))),this.canvas.addEventListener("pointerdown",n=>A(this.under(n))),this.canvas.addEventListener("click",n=>st(this.under(n)));for(const n of["pointerleave","blur"])this.canvas.addEventListener(n,()=>A(null))}dispose(){this.stops.forEach(e=>e())}draw(){const e=J();this.host.hidden=!e;const n=this.host.clientWidth;if(!e||n<40){delete this.canvas.dataset.painted;return}const s=document.fullscreenElement?.contains(this.host)?innerHeight-260:hn.height,{scene:o,targetAt:a}=Ls(e,"",n,Math.max(340,s));this.targetAt=a,this.canvas.style.width=o.width+"px",this.canvas.style.height=o.height+"px";const i=Fn(this.canvas,o.width,o.height);i.clearRect(0,0,o.width,o.height),Ue(i,o.items,j().font),this.canvas.dataset.painted=e.a.info.id+" "+e.b.info.id,this.canvas.dataset.step=String(f.step)}under({clientX:e,clientY:n}){const s=this.canvas.getBoundingClientRect();return J()?this.targetAt(e-s.left,n-s.top):null}scene(e){const n=J();if(!n)throw new Error("There is no difference to draw.");return Ls(n,br(),e??Math.max(hn.width,this.host.clientWidth),hn.height).scene}}let Ds=null;const $r=t=>Ds=new wr(t),yr={compatibility:"B minus A, step by step. Rows are functions, cells tokens. Blue: more in B; orange: less.",messages:"B minus A, step by step. Lines: attention that changed most. Blue: more in B; orange, dashed: less."},kr={compatibility:"In each cell the tokens lie as in the image, CLS tokens beside it. Blue tokens go through the function more than in A, orange ones less.",messages:"A line is as wide as the change of a module's attention."};function vr(){const t=J(),[e,n]=[S.view,f.view],s=e&&n?te(e.info,n.info):"same";return m`<${Ot}
    id="path-difference"
    title="Difference"
    reads=${C(yr)}
    more=${C(kr)}
    tag=${s==="same"?"":s}
    formats=${["svg","png","csv","json"]}
    written=${()=>Ui(Ds)}
    look=${"panel-difference"+(t?"":" is-empty")}
  >
    <div aria-live="polite"><${lr} /></div>
    <${gt} look="difference-canvas" make=${$r}>
      <canvas
        id="difference-picture"
        tabindex="0"
        role="img"
        data-path-keys="true"
        aria-label="Differences between the paths of A and B. Left and right change the step, up and down move through the tokens. The same numbers are in the table below."
      ></canvas>
    <//>
    <p class="difference-pointed">${hr()}</p>
    <div class="difference-answers" tabindex="0" role="region" aria-label="Answers of A and B"><${fr} /></div>
    <details class="as-table">
      <summary>The same as a table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="The difference as a table">
        ${t&&(t.edges?gr(t):mr(t))}
      </div>
    </details>
  <//>`}const xr={mute:{compatibility:"its compatibility is set to 0","":"its output is set to 0"},drop:{router_logits:"tokens take the best of the remaining experts",compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"}},Or=Bo("paths","iterations").offered.at(-1),fn="data-unit-chip",_r=250;function Mr(t,e){const n=W.value,s=Bt(t),o=f.view?Bt(t,f.view.info.intervention):s,a=o===s?s:s?"not "+s+" yet":"still "+o,i=s?"Bring "+t+" back":(n==="drop"?"Drop ":"Mute ")+t+" ("+C(xr[n])+")";return m`
    <button
      key=${t}
      type="button"
      class="chip"
      ...${{[fn]:t}}
      data-state=${o||"on"}
      aria-pressed=${String(!!s)}
      aria-label=${t+(a&&", "+a)+". "+i}
      title=${i}
      onClick=${()=>ce(t)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:Do(e,t)}}></span>
      ${t}
      <span class="chip-state">${a}</span>
    </button>
  `}function Tr(){const t=lt(null),e=lt(null),{view:n,graph:s,order:o}=f,{mute:a,drop:i}=re();return $t(()=>{if(!n)return;const[r,{names:c}]=[t.current,n],l=da(n.info.units_by_step??[]);if(l.length){const u=e.current instanceof Gn?e.current:new Gn(r,fn,js);return e.current=u,u.order.length!==c.length&&u.lay(l),u.tell(new Map(c.map((h,p)=>[h,Fs(n,p)])))}e.current=e.current||new fa(r,fn,js),e.current.show(n.circuit?ms(n,s,o).map(u=>c[u]):c),s&&e.current.shade(u=>s.connectivity[c.indexOf(u)])},[n,s,o]),$t(()=>e.current?.mark([...a,...i],a.length?i.length?"away":"muted":"dropped")),m`<div class="paths-cells" role="group" aria-label="Units" ref=${t}></div>`}function qs(t,e){if(t.names.length===t.units.length)return{step:f.step,unit:e};const n=t.info.units_by_step??[],s=o=>n[o]?.includes(t.names[e]);return{step:s(f.step)?f.step:n.findIndex((o,a)=>s(a)),unit:e%t.units.length}}function Fs(t,e){const{step:n,unit:s}=qs(t,e);return t.use(n,s)}const js={toggle:nn,point:t=>f.view&&A(t?qs(f.view,f.view.names.indexOf(t)):null),about(t,e){const{graph:n,view:s}=f,o=s.names.indexOf(t),a=s.info.units_by_step?", "+De(Fs(s,o))+" % of its layer here":"",i=n?", q "+n.connectivity[o].toFixed(1):"";return t+a+i+". "+(e?"Bring it back":W.value==="drop"?"Drop it":"Mute it")}},Ar={top_experts:"drop: the others share its weight",compatibility:"drop: renormalise over the rest",messages:"drop: with its links"};function Sr(){const t=rt();return m`<div class="control" hidden=${!!Pn(t)}>
    <span class="control-name">${"Click "+Ht(t).a_unit+" to"}</span>
    <${Io}
      id="paths-mode"
      label="What a click on a unit does"
      options=${[["mute","mute: set to zero"],["drop",C(Ar)]]}
      chosen=${W.value}
      onChoose=${e=>W.value=e}
    />
  </div>`}let mn={model:"",names:[]};function Cr(){const{view:t}=f,{model:e}=H();t&&(mn={model:t.info.model,names:t.names});const n=mn.model===e?mn.names:[],s=n.length>Le;return m`<div class=${"paths-units"+(s?"":" chips")} role="group" aria-label="Units">
    ${s?m`<${Tr} key=${e} />`:n.map(o=>Mr(o,n))}
  </div>`}function Er(){const t=rt(),{least_iterations:e=0,most_iterations:n=null}=t||{},{passes:s}=Ht(t),{iterations:o}=ft.value;return m`<div id="paths-passes" class="control" hidden=${e===n}>
    <span class="control-name">${s[0].toUpperCase()+s.slice(1)}</span>
    <${Ro}
      id="paths-iterations"
      label=${"Number of "+s}
      chosen=${o}
      most=${n||Or}
      none="as trained"
      onChoose=${a=>a!==o&&Pt({iterations:a})}
    />
  </div>`}function Pr(){const[t,e]=Lo(null),n=f.view?.info.fields.some(({name:i})=>i==="link_probability"),s=t??ft.value.edges??1,o=lt(0);qe(()=>()=>clearTimeout(o.current),[]);function a({currentTarget:i}){const r=Number(i.value)/100;e(r),clearTimeout(o.current),o.current=setTimeout(()=>{Pt({edges:r===1?null:r}),e(null)},_r)}return m`<div class="control" hidden=${!n}>
    <span class="control-name">edges kept</span>
    <input
      type="range"
      class="range"
      id="paths-edges"
      min="0"
      max="100"
      step="1"
      aria-label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*s)}
      onInput=${a}
    />
    <output class="readout">${De(s)+" %"}</output>
  </div>`}function Br(){const t=Pn(rt());return qe(()=>{t&&(W.value="drop")},[t]),m`<div class="interventions">
    <${Sr} /><${Cr} /><${Er} /><${Pr} />
    <${No} id="paths-reset" act=${()=>Pt(Ct)}>Reset<//>
    <span id="paths-mute-refusal" class="hint" role="status">${t}</span>
  </div>`}const gn=[25,50,100,150,250,500,1e3,2e3],Nr={graph:"as in the graph",connectivity:"by connectivity",name:"by name"};function Ir(){const{graph:t,shown:e,order:n}=f,s=Object.entries(Nr).map(([i,r])=>m`<option value=${i}>${r}</option>`),o=({currentTarget:i})=>x({shown:gn[Number(i.value)]}),a=({currentTarget:i})=>x({order:i.value});return m`
    <div class="control">
      <span class="control-name">strongest</span>
      <input
        type="range"
        class="range"
        id="paths-shown"
        min="0"
        max=${gn.length-1}
        step="1"
        aria-label="How many of the strongest messages of each step are drawn"
        value=${gn.indexOf(e)}
        onInput=${o}
      />
      <output class="readout">${e+" a step"}</output>
    </div>
    <div class="control" hidden=${!t}>
      <span class="control-name">rows</span>
      <select class="small-input" id="paths-order" aria-label="Order of the rows" value=${n} onChange=${a}>
        ${s}
      </select>
    </div>
  `}function Rr(){const{baseline:t,showBaseline:e,threshold:n}=f,s=({currentTarget:a})=>x({threshold:Number(a.value)/100}),o=({currentTarget:a})=>x({showBaseline:a.checked});return m`
    <div class="control when-wide">
      <label class="control-name" for="paths-threshold">weaker routes above</label>
      <input
        type="range"
        class="range"
        id="paths-threshold"
        min="5"
        max="50"
        step="5"
        value=${Math.round(100*n)}
        aria-valuetext=${n.toFixed(2)}
        onInput=${s}
      />
      <output class="readout" for="paths-threshold">${n.toFixed(2)}</output>
    </div>
    <label class="control" hidden=${!t}>
      <input type="checkbox" id="paths-baseline" checked=${e} onChange=${o} />
      <span class="control-name">path without intervention, dashed</span>
    </label>
  `}const Lr=()=>m`<div class="path-options">
    ${f.view?.circuit?m`<${Ir} />`:m`<${Rr} />`}
  </div>`;function Us(){const t=Math.round(100*f.opacity),e=({currentTarget:n})=>x({opacity:Number(n.value)/100});return m`<div class="control">
    <label class="control-name" for="paths-opacity">colour</label>
    <input
      type="range"
      class="range"
      id="paths-opacity"
      min="0"
      max="100"
      step="5"
      value=${t}
      aria-label="Opacity of the colours"
      aria-valuetext=${t+" %"}
      onInput=${e}
    />
  </div>`}const Dt=6,Dr=12,we=t=>(100*t).toFixed(1)+" %";function qt(t){return gs(t.view,t.graph,j())}function Ft(t,e){if(!e.length)return null;const n=Math.max(...e.map(s=>s.value),1e-9);return m`
    <h3 class="small-title">${t}</h3>
    ${e.map(({name:s,value:o,paint:a,target:i})=>m`
        <button type="button" class="bar-row bar-row-wide" onClick=${()=>st(i)}>
          <span class="bar-name">${s}</span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style=${{width:100*o/n+"%",background:a}}></span>
          </span>
          <span class="bar-value">${we(o)}</span>
        </button>
      `)}
  `}function $e(t,e,n){const s=qt(t);return e.map(([o,a])=>({name:t.view.units[o],value:a,paint:s(o),target:{step:n,unit:o}}))}const qr=(t,e)=>e.map(([n,s])=>({name:t.label(n),value:s,paint:"var(--rs-unmatched)",target:{token:n}})),Fr=t=>m`<button type="button" class="tool tool-text" data-unit-action=${t} onClick=${()=>ce(t)}>
    ${Bt(t)?"Bring "+t+" back":(W.value==="drop"?"Drop ":"Mute ")+t}
  </button>`;function jr(t,{step:e,unit:n}){const{view:s,graph:o}=t,a=s.units[n],i=s.steps[e+1]||"the output",r=s.state(n),c=[we(s.use(e,n))+" of what "+i+" reads"];if(o){const l=o.connectivity.filter(u=>u>o.connectivity[n]).length+1;c.push("connectivity q "+o.connectivity[n].toFixed(1)+", rank "+l+" of "+s.units.length)}return s.readOut&&c.push(we(s.readOut[n])+" of the output"),m`
    <h3 class="small-title">${a+" at "+s.steps[e]+(r?", "+r:"")}</h3>
    <p class="hint">${c.join("; ")+"."}</p>
    ${Fr(a)}
    ${e>0?Ft("reads",$e(t,s.senders(e,n,Dt),e-1)):Ft("looks at",qr(s,s.looks(n,Dt)))}
    ${Ft("is read by, at "+i,$e(t,s.receivers(e,n,Dt),e+1))}
  `}function Ur(t,{token:e}){const{view:n}=t;return m`
    <h3 class="small-title">${n.label(e)}</h3>
    <p class="hint">Each module's read-in adds up to 100 % over the tokens.</p>
    ${Ft("is read most by",$e(t,n.readersOf(e,2*Dt),0))}
  `}function zr(t){const{view:e,step:n}=t,s=L();if(s&&s.unit!==void 0)return jr(t,s);if(s)return Ur(t,s);const o=e.steps[n+1],a=o?o+" reads most, on average":"the output reads most";return m`
    ${Ft(a,$e(t,e.leading(n,2*Dt),n))}
    <p class="hint">
      Point at a dot or a ${e.points.length?"point":"patch"}; click to keep it, double-click a dot to drop its
      module.
    </p>
  `}function Wr(t){const e=t.steps.map((a,i)=>t.leading(i,Dr)),n=t.steps.map((a,i)=>a+", read by "+(t.steps[i+1]||"the output")),s=Array.from({length:Math.max(0,...e.map(a=>a.length))},(a,i)=>[String(i+1),...e.map(r=>r[i]?t.units[r[i][0]]+" ("+we(r[i][1])+")":"")]);return[[["rank",...n],...s],"The modules of every step that the next one reads most, with their share of its attention, averaged over receivers and heads."]}function Gr(t){const{view:e,step:n}=t,s=new Map;for(const a of[...e.patches,...e.points]){const i=e.dominant(n,a);i>=0&&s.set(i,(s.get(i)||0)+1)}const o=qt(t);return[...s].sort((a,i)=>i[1]-a[1]||a[0]-i[0]).map(([a,i])=>({unit:a,name:e.units[a],count:i,paint:o(a)}))}function Hr(t){const{view:e,step:n}=t,s=j(),o=qt(t),a=t.hover||t.pinned;if(a&&a.unit!==void 0){const{unit:i}=a,r=Math.max(...e.points.map(c=>e.reads(i,c)),1e-9);return e.points.map(c=>zn(s.hair,o(i),e.reads(i,c)/r))}return e.points.map(i=>a&&a.token===i?s.ink:e.dominant(n,i)<0?s.unmatched:o(e.dominant(n,i)))}function Kr({view:t,step:e}){return t.points.map(n=>{const s=t.dominant(e,n),o=s<0?"no module":t.units[s]+" ("+(100*t.reads(s,n)).toFixed(1)+" %)";return t.label(n)+", read most by "+o})}const bn=()=>!!(f.view?.circuit&&f.view.points.length);let ye=null;function Jr(){if(!ye)throw new Error("There is no picture yet.");return ye.picture("The module that reads every point most","The cloud with each point in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks.")}function Vr(t){const e=new ma(t,{point:a=>A(a===null?null:{token:a}),pick:a=>st({token:a})});ye=e;let n=!1;async function s(){if(!bn())return;const{sample:a}=f.view.info,i=()=>n||f.view?.info.sample!==a;try{const r=await ga(a);if(i())return;const c=f,[l,u,h]=[r.x,r.y,r.z].map(p=>p.slice(0,c.view.points.length));await e.show(a,{x:l,y:u,z:h},Hr(c),Kr(c))}catch(r){i()||(t.textContent=r instanceof Error?r.message:String(r))}}const o=[pt(s),Kt(s)];return{dispose(){n=!0,o.forEach(a=>a()),e.dispose(),ye=null}}}const zs=150,[ke,Xr]=[22,34],Qr=64;function Yr(t,e){const n=j(),{view:s,step:o,opacity:a}=t,{name:i,id:r,point:c}=t.sample,u=(t.hover||t.pinned)&&Q(s),h=u&&new Set(u),p=s.numbers.map((w,_)=>{const M=s.dominant(o,w),N=h&&!h.has(w),q=M<0?"none":s.nameAt(o,M);return{token:w,said:q,value:c?.values[_],faint:N?.25:1,dim:N?.5:1,paint:n.unit(s.paint(o,M))}}),d=Un(p.map(({said:w})=>w),[0,e]),g=Math.min(Qr,d.step-8)/2,b=zs-Xr,y=(w,_)=>d(_),$=(w,_)=>[d(_)-g,d(_)+g],k={x:$,y:({value:w=1})=>[b-Math.max(1,(b-ke)*w),b]},v={x:y,down:0,anchor:"middle",opacity:({dim:w})=>w},O=T(s.steps[o]);return ba({width:e,height:zs,title:"Dominant function of every number at "+O+": "+(i||r),desc:"A bar for each number, in the colour of the function that it is most compatible with at "+O+".",marks:[xt(p,{x:$,y:[ke,b],fill:"raised"}),xt(p,{...k,fill:({paint:w})=>w,opacity:({faint:w})=>w*Math.max(.15,a)}),xt(p,{...k,stroke:({paint:w})=>w,width:1.5,opacity:({faint:w})=>w}),xt(p,{x:$,y:({token:w})=>h?.has(w)?[ke,b]:null,stroke:"ink",width:2,rx:2}),vt(p,{...v,y:ke-7,text:({value:w})=>w===void 0?"":B(w,2),size:11.5,fill:"dim"}),vt(p,{...v,y:b+14,text:({token:w})=>wa(s.tokens[w].name),size:13,weight:650}),vt(p,{...v,y:b+29,text:({said:w})=>w,size:10.5,fill:"dim",room:d.step-4})]})}const Zr=2.1,tc=13.5;function ec(t,e){const n=Math.min(tc,e/t);return{wide:n,tall:n*Zr}}function nc(t,e){const n=j(),{view:s,step:o,opacity:a}=t,{rows:i,columns:r,places:c}=s.text,{wide:l,tall:u}=ec(r,e),h=t.hover||t.pinned,p=h&&Q(s),d=p&&new Set(p),g=s.circuit?qt(t):_=>n.unit(s.paint(o,_)),b=s.circuit&&h&&h.unit!==void 0?h.unit:null,y=b===null?1:Math.max(...c.map((_,M)=>s.compatibility(o,b,M)),1e-9),$=[];c.forEach(({row:_,column:M,span:N},q)=>{const Z=b??s.dominant(o,q),I=b===null&&d&&!d.has(q),P={x:M*l,y:_*u,w:N*l,h:u},bt=b===null?1:s.compatibility(o,b,q)/y,wt=(I?.25:1)*a*bt;Z>=0&&$.push({shape:"rect",...P,fill:g(Z),opacity:wt});const Ce={x:P.x,y:P.y+u-2.5,w:P.w-.5,h:2.5};Z>=0&&$.push({shape:"rect",...Ce,fill:g(Z),opacity:I?.25:bt}),[...kt(s.tokens[q].text??"")].slice(0,N).forEach((Ee,wo)=>{const $o=P.x+(wo+.5)*l,yo={size:l*1.45,fill:n.ink,halo:n.surface,opacity:I?.4:1};$.push({shape:"text",x:$o,y:P.y+.68*u,text:Ee,anchor:"middle",...yo})})});for(const _ of d&&d.size===1?d:[]){const{row:M,column:N,span:q}=c[_],Z={x:N*l,y:M*u+.5,w:q*l,h:u-1,rx:2};$.push({shape:"rect",...Z,stroke:n.ink,width:2})}const{name:k,id:v}=t.sample,O=T(s.steps[o]),w=s.circuit?{title:"The module that reads every token most: "+(k||v),desc:"The text, each token on the colour of the module whose read-in is most on it; or, with a module chosen, what that one reads."}:{title:"The expert with most weight for every token at "+O+": "+(k||v),desc:"The text, each token on the colour of the expert whose weight for it is the largest at "+O+"."};return{width:Math.max(1,r*l),height:i*u,background:n.surface,...w,items:$}}let wn=null;function sc(t,e,n){const{view:s,step:o,opacity:a}=t,{rows:i,columns:r}=s.info.grid,[c,l]=[n/r,n/i],u=t.hover||t.pinned,h=u&&Q(s);if(s.circuit&&u&&u.unit!==void 0)return oc(t,u.unit,[c,l]);const p=h&&new Set(h),d=s.circuit?qt(t):b=>e.unit(s.paint(o,b)),g=[];for(const b of s.patches){const{row:y,column:$}=s.tokens[b],k=s.dominant(o,b),v={x:($??0)*c,y:(y??0)*l,w:c,h:l},O=p&&!p.has(b);if(k>=0&&g.push({shape:"rect",...v,fill:d(k),opacity:O?a*.25:a}),k>=0&&a>0){const w=Math.max(1.5,Math.min(3,c/16)),_={x:v.x+w/2+.5,y:v.y+w/2+.5,w:c-w-1,h:l-w-1};g.push({shape:"rect",..._,stroke:d(k),width:w,opacity:O?.25:1})}if(c>=26&&a>0){const w=k<0?"none":s.nameAt(o,k),_={shape:"text",x:v.x+6,y:v.y+14,text:w,size:10.5,weight:650};g.push({..._,fill:"#ffffff",halo:"rgba(0, 0, 0, 0.6)",opacity:O?.25:1})}}for(const b of h||[]){if(!s.patches.includes(b))continue;const{row:y,column:$}=s.tokens[b],k={x:($??0)*c+1.5,y:(y??0)*l+1.5,w:c-3,h:l-3,rx:2};g.push({shape:"rect",...k,stroke:"#000000",width:4,opacity:.65}),g.push({shape:"rect",...k,stroke:"#ffffff",width:2})}return g}function oc({view:t,opacity:e},n,[s,o]){const a=Math.max(...t.patches.map(i=>t.reads(n,i)),1e-9);return t.patches.flatMap(i=>{const{row:r,column:c}=t.tokens[i],l=t.reads(n,i),h=[{...{shape:"rect",x:(c??0)*s,y:(r??0)*o,w:s,h:o,fill:"#000000"},opacity:(.35+.5*e)*(1-l/a)}],p={shape:"text",text:Math.round(100*l)+" %",size:10.5,weight:650,fill:"#ffffff"};return s>=34&&h.push({...p,x:(c??0)*s+6,y:(r??0)*o+14,halo:"rgba(0, 0, 0, 0.6)"}),h})}function ac(t,e){const n=j(),{picture:s,view:o,step:a}=t,{width:i,height:r}=s,c=o.steps[a];return{width:e,height:e,background:n.surface,title:ic(o,c)+": "+(t.sample.name||t.sample.id),desc:rc(o,c),items:[{shape:"image",source:s,sx:0,sy:0,sw:i,sh:r,x:0,y:0,w:e,h:e},...sc(t,n,e)]}}const ic=(t,e)=>t.circuit?"The module that reads every patch most":"Dominant function of every patch at step "+e,rc=(t,e)=>t.circuit?"The image with each patch in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks.":"The image with each patch in the colour of the function it is most compatible with at step "+e+".";function Ws(t){return t?t.circuit?t.text?"text":"picture":t.text?"text":t.numbers.length?"numbers":"picture":"picture"}class Gs{constructor(e,n){this.host=e,this.see=n,this.canvas=e.querySelector("canvas"),this.stops=[pt(()=>this.draw()),...n===mt?[F(()=>(S.view,ct(()=>this.draw())))]:[],Kt(()=>this.draw()),je(e,()=>this.draw())];const s=(o,a)=>this.canvas.addEventListener(o,a);s("pointermove",o=>A(this.targetAt(o))),s("pointerdown",o=>A(this.targetAt(o)));for(const o of["pointerleave","blur"])s(o,()=>A(null));s("click",o=>st(this.targetAt(o))),s("keydown",o=>this.onKey(o))}dispose(){this.stops.forEach(e=>e())}draw(){const e=this.see(),n=Ws(e.view),s=n!=="picture";this.host.dataset.shows=n;const o=s?this.host.clientWidth:Math.min(this.host.clientWidth,this.host.clientHeight);if(o<20)return;if(!e.view||!e.view.grid||!(s||e.picture)){this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height),delete this.canvas.dataset.painted;return}const a=this.scene(o);$a(a,j().font,this.canvas),this.canvas.style.width=a.width+"px",this.canvas.style.height=a.height+"px";const{view:i}=e,c=((e.hover||e.pinned)&&Q(i)||[]).map(l=>i.tokens[l].name);this.canvas.dataset.painted=i.info.id,this.canvas.dataset.step=i.steps[e.step],this.canvas.dataset.highlighted=c.join(" ")}targetAt(e){const{view:n}=this.see();if(!n||!n.grid||this.see===mt&&it.value)return null;const s=this.canvas.getBoundingClientRect(),o=Math.floor((e.clientY-s.top)/s.height*n.grid.rows),a=Math.floor((e.clientX-s.left)/s.width*n.grid.columns),i=n.at(o,a);return i===null?null:{token:i}}onKey(e){const n={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]},{view:s}=this.see(),o=n[e.key];if(!s||!o)return;e.preventDefault(),e.stopPropagation();const a=L(),i=a&&a.token!==void 0?s.tokens[a.token]:null;if(s.text){const l=ya(s.text.places,a?.token,o);l!==null&&x({hover:{token:l}});return}const r=i&&i.kind!=="cls"?[(i.row??0)+o[0],(i.column??0)+o[1]]:[0,0],c=s.at(...r);c!==null&&x({hover:{token:c}})}scene(e=480){const n=this.see(),s=Ws(n.view);return s==="picture"?ac(n,e):(s==="text"?nc:Yr)(n,e)}}const cc=t=>wn=new Gs(t,()=>f),lc=t=>new Gs(t,mt),uc=2**24,Hs=2**18;function hc(t){const e=t.steps.length*t.units;if(e>Hs){const i=[e,Hs].map(r=>r.toLocaleString("en"));throw new Error("The log has "+i[0]+" experts in all its layers; up to "+i[1]+" are drawn.")}const n=Math.floor(uc/e);if(t.tokens.length<=n)return t;const[s,o]=[t.experts,t.shares].map(i=>i.map(r=>r.slice(0,n))),a=t.margin&&t.margin.map(i=>i.slice(0,n));return{...t,tokens:t.tokens.slice(0,n),experts:s,shares:o,margin:a}}const pc=({text:t,number:e,place:n})=>t??String(e??n+1)+" ";function dc({log:t,sequence:e,sequence_name:n,start:s,steps:o,units:a,tokens:i}){const r=Array.from({length:a},(l,u)=>"e"+(u+1)),c=o.map(l=>r.map(u=>l+"."+u));return{id:[t.id,e,s].join("."),model:t.name,revision:"",sample:n,intervention:{drop:[],mute:[],mute_routes:[],copy_routes:[],gates:{}},seed:null,units:r,units_by_step:c,kept:c.flat(),steps:o,tokens:i.map(l=>({name:"token:"+l.place,kind:"text",row:null,column:null,text:pc(l)})),grid:{rows:0,columns:0},domains:[],predictions:[],numbers:[],fields:[],seconds:0,cached:!0}}function fc({steps:t,units:e,tokens:n,experts:s,shares:o}){const a=new Float32Array(t.length*e*n.length),i=new Int16Array(t.length*n.length).fill(-1);return s.forEach((r,c)=>r.forEach((l,u)=>{let h=-1;l.forEach((p,d)=>{if(p<0)return;const g=o[c][u][d];a[(c*e+p)*n.length+u]=g,!(g<=h)&&(h=g,i[c*n.length+u]=p)})})),{data:a,first:i}}function mc(t){const{steps:e,units:n,tokens:s,margin:o,log:a,weighted:i,start:r,margin_of:c}=t,{data:l,first:u}=fc(t),h=o&&Float32Array.from(o.flat(),p=>p??NaN);return new Rn(dc(t),{data:l,shape:[e.length,n,s.length],dims:["step","unit","token"]},{margin:h?{data:h,shape:[e.length,s.length],dims:["step","token"]}:void 0,dominants:u,log:{id:a.id,weighted:i,start:r,margin_of:c??"logits"}})}function gc({weights:t,margin:e,token_ids:n,token_texts:s}){return[[t,"No weights: a token's experts have equal shares, and its colour is that of the first the log names."],[e,"No margin: how far an expert was ahead is not known."],[s,n?"No texts: tokens are shown by their numbers.":"No token text; positions are shown."]].filter(([a])=>!a).map(([,a])=>a)}const bc=256,wc=100,$n={log:null,found:null,sequences:null,sequence:0,start:0},{state:E,update:jt,subscribe:Dl}=On($n);let ve=0;const Ks=t=>"/logs/"+encodeURIComponent(t);function Js(){const{log:t,sequence:e,start:n,found:s}=E;t&&s&&Sn("paths",{...V(),log:t,sequence:e,token:n,step:f.step})}async function yn(t,e,n=f.step){const s=ve+=1,{log:o}=E;if(o){jt({sequence:t,start:e}),x({status:"loading",problem:null,playing:!1});try{const a=new URLSearchParams({sequence:String(t),start:String(e),tokens:String(bc)}),i=await et("GET",Ks(o)+"/path?"+a.toString());if(s!==ve)return;const r=hc(i),c=mc(r),l=r.sequence_name,u={id:l,name:l,label:null,set:null,set_title:null,stand_in:!1,domain:null,words:""};jt({found:r}),x({status:"ready",view:c,baseline:null,graph:null,sample:{...u,origin:"data"},picture:null,step:Cn(r.log.name,n,c.steps.length),time:null,hover:null,pinned:null}),Js()}catch(a){if(s!==ve)return;const{title:i,message:r}=a;x({status:"failed",problem:{title:i||"The path could not be shown",detail:r},view:null})}}}async function $c(t,e,n,s){if(jt({...$n,log:t}),await yn(e,n,s),E.log!==t||!E.found)return;const o=await et("GET",Ks(t)+"/sequences?limit="+wc).catch(()=>null);E.log===t&&jt({sequences:o})}function yc(){ve+=1,jt($n),rn()}function kc(t){const e=[["step","token","unit","compatibility","dominant"]];return t.steps.forEach((n,s)=>t.tokens.forEach((o,a)=>t.units.forEach((i,r)=>e.push([n,o.name,t.text?t.nameAt(s,r):i,t.compatibility(s,r,a),t.dominant(s,a)===r])))),e}function vc(t){const e=t.steps.map((n,s)=>t.units.map((o,a)=>t.tokens.map((i,r)=>t.compatibility(s,a,r))));return{dims:["step","unit","token"],step:t.steps,unit:t.units,token:t.tokens.map(n=>n.name),compatibility:e}}function Vs(t){const{shown:e}=f,n=[["token","step","next_step","from_unit","to_unit","weight"]],s=o=>o<0?"":t.units[o];for(let o=0;o<=t.steps.length;o+=1)for(const{from:a,to:i,weight:r}of t.strongest(o,e))n.push([o?"":t.tokens[a].name,o?t.steps[o-1]:"",t.steps[o]||"read-out",o?s(a):"",s(i),r]);return n}function xc(t){const[e,...n]=Vs(t),s=t.steps.map((o,a)=>t.units.map((i,r)=>t.use(a,r)));return{columns:e,rows:n,step:t.steps,unit:t.units,share_of_the_next_step:s}}function Oc(t){if(t.points.length){const n=o=>t.dominant(0,o),s=t.points.map(o=>[t.label(o),t.units[n(o)]??"",n(o)<0?0:t.reads(n(o),o)]);return[["point","read_most_by","weight"],...s]}const e=[[...t.text?["token","text"]:["row","column"],"read_most_by","weight"]];for(const n of t.patches){const{name:s,text:o,row:a,column:i}=t.tokens[n],r=t.dominant(0,n),c=t.text?[s,o]:[a,i];e.push([...c,r<0?"":t.units[r],r<0?0:t.reads(r,n)])}return e}function _c(t,e){const n=t.units.map((o,a)=>t.nameAt(e,a)),s=[["token","text","bits","margin","dominant",...n]];return t.tokens.forEach(({name:o,text:a},i)=>{const r=n.map((l,u)=>t.compatibility(e,u,i)),c=n[t.dominant(e,i)]??"";s.push([o,a,t.bits(i)??"",t.margin(e,i)??"",c,...r])}),s}function Mc(t,e){if(t.circuit)return Oc(t);if(t.text)return _c(t,e);const n=[["row","column","dominant",...t.units]];for(const s of t.patches){const{row:o,column:a}=t.tokens[s],i=t.dominant(e,s);n.push([o,a,i<0?"":t.units[i],...t.units.map((r,c)=>t.compatibility(e,c,s))])}return n}function Tc(t){const e=va(t).map(({domain:n,value:s,right:o,before:a})=>[n,s??"",o??"",a??""]);return[["domain","network","expression","without_intervention"],...e]}function Ac(t){if(t.current.numbers.length)return Tc(t);const e=[["trace","domain","label","probability"]],{baseline:n}=t,s=n&&n.id!==t.current.id,o=[["shown",t.current]];s&&o.push(["without intervention",n]);for(const[a,i]of o)for(const r of i.predictions)r.probabilities.forEach((c,l)=>e.push([a,r.domain,l,c]));return e}const xe=({intervention:t})=>({iterations:t.iterations??null});function Xs({log:t,tokens:e},n){const{found:s}=E;if(!t||!s)return null;const{sequence:o,sequence_name:a,start:i}=s;return{...ka([s.log]),sequence:o,sequence_name:a,start:i,tokens:e.length,...n}}function Sc(t){const e=[["layer","token","expert","share","dominant"]];return t.steps.forEach((n,s)=>t.tokens.forEach((o,a)=>t.units.forEach((i,r)=>{const c=t.compatibility(s,r,a),l=a+(t.log?.start??0);c>0&&e.push([n,l,t.nameAt(s,r),c,t.dominant(s,a)===r])}))),e}function Cc(t){const e=()=>Sc(t);return{name:"path",picture:be,facts:Xs(t)??{},rows:e,json:()=>He(e()),python:{figure:"log-path"}}}const Ec=(t,e)=>({name:"answers",picture:Ys(t),info:t.current,extra:{function:t.point?.set??null,expression:t.point?.expression??null},python:{figure:"predictions",...xe(t.current)},rows:e,json:()=>He(e())}),Pc=t=>!t.circuit&&t.candidate!==null,Qs=({candidate:t})=>t===null?void 0:{answer:t};function Oe(){const{view:t,baseline:e,sample:n}=f;if(!t||!n||!(t.info.predictions.length||t.info.numbers.length))return null;const{label:s,domain:o,name:a,point:i}=n;return{current:t.info,baseline:e?.info??t.info,label:s,domain:o,name:a,point:i}}const Ys=t=>({scene:(e=640)=>Hn(t,e)}),kn={path:()=>{const{view:t}=f;return t&&!t.circuit&&t.log?Cc(t):t&&{name:"path",picture:be,info:t.info,rows:()=>t.circuit?Vs(t):kc(t),json:()=>t.circuit?xc(t):vc(t),extra:t.circuit?{shown_of_each_step:f.shown}:Qs(t),python:{figure:"path",...xe(t.info)}}},patches:()=>{const{view:t,step:e}=f;if(!t)return null;const n=()=>Mc(t,e),s=()=>({step:t.steps[e],...He(n())}),o=t.circuit?null:Xs(t,{layer:t.steps[e]}),a=wn;return o?{name:"text",picture:a,facts:o,python:{figure:"log-text"},rows:n,json:s}:bn()?{name:"points",picture:Jr(),info:t.info,rows:n,json:s}:{name:"patches",picture:wn,info:t.info,extra:{step:t.steps[e],...t.circuit?{}:Qs(t)},python:{figure:Pc(t)?"path":"patches",...xe(t.info)},rows:n,json:s}},predictions:()=>{const t=Oe();if(!t)return null;const e=()=>Ac(t);if(t.current.numbers.length)return Ec(t,e);const n=()=>({true_label:t.label,shown:t.current.predictions,without_intervention:t.baseline?t.baseline.predictions:null});return{name:"predictions",picture:Ys(t),info:t.current,extra:{true_label:t.label},python:{figure:"predictions",...xe(t.current)},rows:e,json:n}}};function Bc({tokens:t,tokens_left_out:e,bytes_left_out:n}){const[s,o]=[e,n].map(i=>(Array.isArray(i)?i[0]:i)??0),a=t.filter(({text:i})=>i!=="").length;return s?`Text was cut to ${X(a)} tokens; ${X(s)} tokens (${X(o)} bytes) are left out.`:""}const Nc=100;function _e({name:t,label:e,to:n,end:s,go:o}){return m`<button
    type="button"
    class="tool"
    title=${e}
    aria-label=${e}
    disabled=${n<0||n>=s}
    onClick=${()=>o(n)}
  >
    ${Bn(t)}
  </button>`}function Ic({total:t}){const{sequence:e,sequences:n}=E,s=r=>{yn(r,0)},o=({currentTarget:r})=>{const c=Number(r.value)-1;Number.isInteger(c)&&c>=0&&c<t?s(c):r.value=String(e+1)},i=n&&t<=Nc?n.items.map(({sequence:r,name:c,tokens:l})=>m`<option value=${r+1}>${c+", "+X(l)+" tokens"}</option>`):null;return m`<div class="control">
    <span class="control-name">sequence</span>
    <${_e} name="previous" label="Previous sequence" to=${e-1} end=${t} go=${s} />
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
    <${_e} name="next" label="Next sequence" to=${e+1} end=${t} go=${s} />
    <span class="readout">${"of "+X(t)}</span>
  </div>`}function Rc(){const{found:t,sequence:e}=E;if(!t)return null;const{start:n,total:s,tokens:o}=t,a=l=>{yn(e,l)},i=X(n+1)+" to "+X(n+o.length)+" of "+X(s),[r,c]=[n>0?Math.max(0,n-o.length):-1,n+o.length];return m`<div class="control">
    <span class="control-name">tokens</span>
    <${_e} name="previous" label="Tokens before" to=${r} end=${s} go=${a} />
    <span class="readout">${i}</span>
    <${_e} name="next" label="Tokens behind" to=${c} end=${s} go=${a} />
  </div>`}function Zs(){const{model:t,sample:e}=V(),{log:n}=E,s=f.view?.steps[f.step];return[["Observe the log",ut("observe",{model:t,sample:e,log:n,...s?{steps:[s]}:{}})],["Logs",ut("logs",{model:t,sample:e,a:n})],["Leave the log",ut("paths",{model:t,sample:e})]].map(([a,i])=>m`<a key=${a} class="tool tool-text" href=${i} onClick=${yt}>${a}</a>`)}function Lc(){const{found:t,sequences:e}=E;if(!t)return m`<div class="log-bar">
      <div class="log-links"><${Zs} /></div>
    </div>`;const n=e?.total??t.log.facts.sequences,s=gc(t.log.facts.has);return m`<div class="log-bar">
    <${Ic} total=${n} />
    <${Rc} />
    <${Us} />
    <div class="log-links"><${Zs} /></div>
    ${s.length>0&&m`<p class="hint log-lacks">${s.join(" ")}</p>`}
  </div>`}function Dc(){const{found:t}=E;if(!t)return null;const{name:e,facts:n}=t.log;return m`<strong>${t.sequence_name}</strong>
    <span>${"routing log "+e}</span>
    <span>${n.format+", "+n.version}</span>
    <span class="tag">no model</span>`}function qc(){let t=V().sample;return F(()=>{const{model:e,sample:n}=V();n!==t&&(t=n,!(!n||new URLSearchParams(location.search).get("sample")===n)&&ct(()=>setTimeout(()=>qo(ut("paths",{model:e,sample:n})))))})}function Fc({log:t,sequence:e,token:n,step:s}){const o=[qc(),pt((a,i)=>{i.has("step")&&!f.playing&&Js()})];return $c(t,e,n,s),()=>{o.forEach(a=>a()),yc()}}function jc(t,e,n){const s=o=>t.dominant(n,o)!==e.dominant(n,o);return{panels:t.patches.filter(s).length,cls:t.classTokens.some(s)}}function Uc(t,e){const{step:n,sample:s}=f,o=t.candidate,{columns:a}=t.info.grid,i=t.candidates.length+t.patches.length-1,[r]=t.info.predictions,c=r?.probabilities[o-1],l=[...s?.label===o-1?["right"]:[],...r?.label===o-1?["network"]:[]],u=g=>{const b=t.dominant(n,g);return b<0?"var(--rs-unmatched)":ht(t.paint(n,b))},{panels:h,cls:p}=jc(t,e,n),d="answer "+o+(c===void 0?"":", "+nt(c))+(l.includes("right")?", right":"")+(l.includes("network")?", the network's answer":"")+(t===e?"":"; "+h+" panels"+(p?" and the CLS token":"")+" go elsewhere than with the answer that is shown");return m`
    <button
      key=${o}
      type="button"
      class="candidate"
      data-candidate=${o}
      data-marks=${l.join(" ")}
      aria-pressed=${String(t===e)}
      aria-label=${d}
      title=${d}
      onClick=${()=>Xe(o)}
    >
      <span
        class="candidate-picture"
        style=${xa(t.info.sample,t.patches.length-2+o,i)}
      ></span>
      <span class="candidate-map" style=${{gridTemplateColumns:"repeat("+a+", 1fr)"}}>
        ${t.patches.map(g=>m`<span style=${{background:u(g)}}></span>`)}
      </span>
      <span class="candidate-caption">
        ${t.classTokens.map(g=>m`<span class="candidate-cls" style=${{background:u(g)}}></span>`)}
        <strong>${o}</strong>
        ${c!==void 0&&m`<span>${nt(c)}</span>`}
      </span>
      <span class="candidate-marks">${l.join(", ")}</span>
    </button>
  `}function zc(){const{view:t,step:e}=f;return!t||t.circuit||!t.candidates.length?null:m`<div class="candidates">
    <h3 class="small-title">${"With each answer, at "+T(t.steps[e])}</h3>
    <p class="hint">
      Squares: panels, the last with the answer; diamond: the CLS token that the head scores. Choose an answer to see
      its path.
    </p>
    <div class="candidate-list" role="group" aria-label="Answers side by side">
      ${t.candidates.map(n=>Uc(n,t))}
    </div>
  </div>`}const vn="paths-continuation",to=[16,48,128,256],Wc=[[1,"the most probable"],[5,"drawn from 5"],[40,"drawn from 40"]],D=tt(null),Ut=tt(null),Me=tt(to[1]),xn=tt(5),eo=()=>D.value&&D.value.of===f.view?.info.id?D.value:null;function Te(t){D.value&&(D.value={...D.value,...t})}function Gc({info:t},e){const{drop:n,mute:s,top_k:o}=t.intervention,a=new URLSearchParams({model:t.model,sample:t.sample,tokens:String(e.tokens)});return e.among>1&&a.set("among",String(e.among)),n.length&&a.set("drop",n.join(",")),s.length&&a.set("mute",s.join(",")),o&&a.set("top_k",String(o)),"/continuations/stream?"+a}async function Hc(t){const{view:e}=f;if(!e||!e.text||e.circuit)return;const{intervention:n}=e.info,[s,o]=await Promise.all([n.drop,n.mute].map(In)),a={...n,drop:s.split(",").filter(Boolean),mute:o.split(",").filter(Boolean)};f.view===e&&(t.style.minHeight=t.getBoundingClientRect().height+"px",Ut.value=null,D.value={of:e.info.id,status:"running",wanted:Me.value,tokens:[],problem:""},Fo(vn,Gc({info:{...e.info,intervention:a}},{tokens:Me.value,among:xn.value}),{token:i=>Te({tokens:[...(D.value?.tokens??[]).slice(0,i.at),i]}),done:()=>(t.style.minHeight="",Te({status:"done"}),!0)},i=>Te({status:"failed",problem:i.message})))}function Kc(){Nn(vn),Te({status:"cancelled"})}function Jc(t,{path:e},n){const s=e[n]?.experts[0]?.unit;return t.units.findIndex((o,a)=>t.nameAt(n,a)===s)}function Vc(t,e,n){const s=Jc(t,e,n),o=()=>Ut.value=e.at,a=s<0?{}:{"--rs-expert":ht(t.paint(n,s))},i=kt(e.text);return m`<span
      key=${e.at}
      class=${Ut.value===e.at?"new-token is-pointed":"new-token"}
      style=${a}
      tabindex="0"
      role="button"
      aria-label=${"new token "+(e.at+1)+", "+i}
      onPointerEnter=${o}
      onFocus=${o}
      >${i}</span
    >${e.text===`
`?m`<br />`:null}`}const Xc=({experts:t,margin:e})=>t.map(({unit:n,weight:s})=>n+" "+s.toFixed(2)).join(", ")+(e===null?"":" (margin "+e.toFixed(2)+")");function Qc({at:t,text:e,probability:n,candidates:s,path:o}){const a=s.map(i=>"\u201C"+kt(i.text)+"\u201D "+nt(i.probability));return m`
    <p class="hint">
      <strong>${"New token "+(t+1)+" \u201C"+kt(e)+"\u201D"}</strong>
      ${", probability "+nt(n)+". Most probable here: "+a.join(", ")+"."}
    </p>
    <ol class="new-path">
      ${o.map(i=>m`<li key=${i.step}>${Xc(i)}</li>`)}
    </ol>
  `}function Yc({status:t,tokens:e,wanted:n,problem:s}){if(t==="failed")return s;const o=e.length+" of "+n+" tokens";return{running:o+" so far",done:e.length+" tokens written by the model",cancelled:o+", cancelled"}[t]}function Zc(t){const e=eo()?.status==="running",n=({currentTarget:o})=>Me.value=Number(o.value),s=({currentTarget:o})=>xn.value=Number(o.value);return m`
    <div class="continuation-controls">
      <button type="button" class="tool tool-text" id="paths-continue" onClick=${e?Kc:t}>
        ${e?"Cancel":"Continue the text"}
      </button>
      <select
        class="small-input"
        aria-label="How many tokens are written"
        value=${Me.value}
        onChange=${n}
      >
        ${to.map(o=>m`<option value=${o}>${o+" tokens"}</option>`)}
      </select>
      <select class="small-input" aria-label="Which token is written" value=${xn.value} onChange=${s}>
        ${Wc.map(([o,a])=>m`<option value=${o}>${a}</option>`)}
      </select>
    </div>
  `}function no(){Nn(vn),D.value=null}function tl(){const t=lt(null),{view:e,step:n}=f;if(qe(()=>no,[]),$t(()=>{!D.value||D.value.of===e?.info.id||(no(),t.current&&(t.current.style.minHeight=""))},[e]),!e||!e.text||e.circuit)return null;const s=eo(),o=s&&Ut.value!==null?s.tokens[Ut.value]:null,a=e;return m`<div class="continuation" ref=${t}>
    ${Zc(()=>{t.current&&Hc(t.current)})}
    ${s&&m`<p class="continuation-said" role="status">${Yc(s)}</p>
        <p class="new-tokens" data-status=${s.status}>${s.tokens.map(i=>Vc(a,i,n))}</p>`}
    ${o&&Qc(o)}
  </div>`}const el=.9,nl=Aa(el,()=>f.playing&&f.view,t=>{const{steps:e}=f.view,n=e.length+1,s=(f.time??0)+t,o=Math.max(0,Math.min(e.length-1,Math.floor(s+.02)-1));return s>=n?x({playing:!1,time:null,step:o}):x(o===f.step?{time:s}:{time:s,step:o}),s<n});function so(){if(!f.view)return;if(f.playing){x({playing:!1,time:null});return}const t=f.step>=f.view.steps.length-1;x({playing:!0,time:t?0:f.step+1,step:t?0:f.step}),nl()}function oo(t){_a(t)||!f.view||Ma(t,{...Ta(so,se,f.step,f.view.steps.length),ArrowDown:()=>Ve(1),ArrowUp:()=>Ve(-1),Escape:()=>x({hover:null,pinned:null})})}function sl(t){const{tagName:e}=t.target;(t.key==="Escape"||e!=="BUTTON"&&t.key===" ")&&oo(t)}function ol(){const{view:t,step:e,playing:n}=f,s=t?Sa(t.steps,e):"",o=t&&{count:t.steps.length,step:e,valuetext:s,words:s};return m`<div class="player" onKeyDown=${sl}>
    <${Ca}
      ...${{shown:o,playing:n,toggle:so,goTo:se,least:1}}
      step=${()=>f.step}
      playLabel="Play through the steps"
      pauseTitle="Pause (space)"
    />
  </div>`}Oa("[data-path-keys]",oo);function al({info:t,names:e,text:n}){if(n)return[];const{mute:s,drop:o,iterations:a,keep_edges:i}=t.intervention,r={mute:s,drop:o,iterations:a,edges:i},c=s.length||o.length||a!==null||i!==null,{model:l,sample:u}=t,h=d=>ut("samples",{model:l,sample:u,...r,...d},e),p=[["Samples nearest in routing to this one",h({order:"nearest",to:u})]];return c?[...p,["Samples rerouted most by what is changed here",h({order:"rerouted"})]]:p}const il=()=>m`<p class="path-samples">
    ${(f.view?al(f.view):[]).map(([t,e])=>m`<a key=${t} href=${e} onClick=${yt}>${t}</a>`)}
  </p>`,rl=16,Y=t=>t.toFixed(2);function ao(t,e,n){const s=t.dominant(e,n),o=t.units.flatMap((l,u)=>{const h=t.compatibility(e,u,n);if(h<.004)return[];const p={width:h*100+"%",background:ht(t.paint(e,u))};return[m`<span class="stack-part" title=${l+" "+Y(h)} style=${p}></span>`]}),a=s<0?"no match":t.nameAt(e,s)+" "+Y(t.compatibility(e,s,n)),i=L()?.token===n,r=()=>A({token:n}),c=()=>A(null);return m`
    <button
      key=${n}
      type="button"
      class=${i?"token-row is-pointed":"token-row"}
      data-token=${n}
      onPointerEnter=${r}
      onPointerLeave=${c}
      onFocus=${r}
      onBlur=${c}
      onClick=${()=>st({token:n})}
    >
      <span class="token-name">${t.label(n)}</span>
      <div class="stack" aria-hidden="true">${o}</div>
      <span class="token-most">${a}</span>
    </button>
  `}function cl(t,e,n){if(t.text)return ll(t,e,n);const s=a=>Math.min(100,a*100)+"%",o=t.units.map((a,i)=>{const r=t.compatibility(e,i,n),c=e>0?s(t.compatibility(e-1,i,n)):null,l=t.state(i);return m`
      <div class="bar-row">
        <span class="bar-name">${a}</span>
        <span class="bar-track" aria-hidden="true">
          <span class="bar-fill" style=${{width:s(r),background:ht(t.paint(e,i))}}></span>
          ${c&&m`<span class="bar-mark" title="the step before" style=${{left:c}}></span>`}
        </span>
        <span class="bar-value">${Y(r)+(l?" "+l:"")}</span>
      </div>
    `});return m`
    <h3 class="small-title">${t.label(n)+" at "+T(t.steps[e])}</h3>
    ${o}
  `}function ll(t,e,n){const s=t.units.map((h,p)=>({unit:p,value:t.compatibility(e,p,n)})).filter(({value:h})=>h>0).sort((h,p)=>p.value-h.value),[o,a]=[t.margin(e,n),t.bits(n)],i=s.map(({unit:h,value:p})=>m`
      <div class="bar-row">
        <span class="bar-name">${t.nameAt(e,h)}</span>
        <span class="bar-track" aria-hidden="true">
          <span
            class="bar-fill"
            style=${{width:p*100+"%",background:ht(t.paint(e,h))}}
          ></span>
        </span>
        <span class="bar-value">${Y(p)+(t.state(h,e)?" "+t.state(h,e):"")}</span>
      </div>
    `),r=t.log?.margin_of??"logits",c=o===null?"":"Margin of the router: "+Y(o)+" ("+r+", before the next expert). ",l=a===null?"":"This token cost "+Y(a)+" bits, given those before it.",u=t.steps.map((h,p)=>t.nameAt(p,t.dominant(p,n))??"none").join(", ");return m`
    <h3 class="small-title">${t.label(n)+" at "+T(t.steps[e])}</h3>
    ${i}
    <p class="hint">${c+l}</p>
    <p class="hint">
      ${(t.log?.weighted===!1?"Named first":"Most weight")+" over the layers: "+u+"."}
    </p>
  `}function ul(t,{step:e,unit:n}){const s=t.members(e,n),o=s.map(r=>t.label(r)),a=o.length>8?"; and "+(o.length-8)+" more":"",i="Dominant for "+s.length+" of "+t.tokens.length+" tokens; ";return m`
    <h3 class="small-title">${t.nameAt(e,n)+" at "+T(t.steps[e])}</h3>
    <p class="hint">${i+"mean compatibility "+Y(t.use(e,n))+"."}</p>
    <p class="hint">${o.slice(0,8).join("; ")+a}</p>
  `}function hl(t){const{view:e,step:n}=t;if(e.circuit)return zr(t);const s=L();if(s&&s.token!==void 0)return cl(e,n,s.token);if(s)return ul(e,s);const o=e.text?"Point at a character, a line or a dot to see the experts and their weights; click to keep it.":`Point at a ${e.candidate?"panel":e.numbers.length?"number":"patch"}, a line or a dot to see its compatibilities; click to keep it.`;return m`<p class="hint">${o}</p>`}function pl({alone:t}){const e=lt(null),n=e.current?.contains(document.activeElement);return $t(()=>{n&&!e.current?.contains(document.activeElement)&&e.current?.querySelector("button")?.focus()}),m`
    <div class=${t?"token-detail is-alone":"token-detail"} ref=${e}>
      <${jo} key=${JSON.stringify(L())}>${f.view&&hl(f)}<//>
    </div>
  `}function dl(){const{view:t,step:e}=f,n=t&&!t.circuit&&!t.text?t:null;return m`<div class="token-bars">
    ${n&&n.numbers.length>0&&m`<${fl} view=${n} step=${e} />`}
    ${n&&m`<h3 class="small-title">CLS tokens (each is read by its head)</h3>
        <div class="token-list">${n.classTokens.map(s=>ao(n,e,s))}</div>`}
    <${pl} alone=${!n} />
  </div>`}const fl=({view:t,step:e})=>m`
  <h3 class="small-title">Numbers</h3>
  <div class="token-list">${t.numbers.map(n=>ao(t,e,n))}</div>
`;function ml(t){const e=t.steps.map(c=>T(c)),n=t.units.map((c,l)=>[c,...t.steps.map((u,h)=>t.members(h,l).length+" ("+Y(t.use(h,l))+")")]),o=[...t.text||t.numbers.length?t.tokens.keys():t.classTokens].map(c=>[t.label(c),...t.steps.map((l,u)=>t.nameAt(u,t.dominant(u,c))??"none")]),a=t.text||t.numbers.length?"token":"CLS token",i=t.text?"expert":"function",r=`Tokens whose dominant ${i} this is, and its mean compatibility, at every step; below, the dominant ${i} of each ${a}.`;return[[[i,...e],...n,...o],r]}function gl(){const{view:t}=f,[e,n]=t?t.circuit?Wr(t):ml(t):[[],""],s=t?.circuit?"Modules that are read most at every step":"Dominant units at every step";return m`<${Ea} words=${s} caption=${()=>n} rows=${t&&(()=>e)} />`}const bl=(t,e)=>t.units.map((n,s)=>{const o=i=>t.text!==null||t.tokens[i].kind!=="cls",a=t.members(e,s).filter(o).length;return{unit:s,name:t.nameAt(e,s),count:a,paint:ht(t.paint(e,s))}});function wl(t,e){if(t.circuit)return Gr(f);const n=bl(t,e);return t.text&&n.length>rl?n.filter(({count:s})=>s>0):n}const $l=t=>t.text?t.tokens.length+" tokens":t.patches.length+(t.circuit?" patches":t.candidate?" panels":t.numbers.length?" numbers":" patches");function yl(){const{view:t,step:e}=f;return t?m`<div class="legend">
    ${wl(t,e).map(({unit:n,name:s,count:o,paint:a})=>m`
        <span
          key=${n}
          class="legend-entry"
          title=${o+" of "+$l(t)}
          onPointerEnter=${()=>A({step:t.circuit?0:e,unit:n})}
          onPointerLeave=${()=>A(null)}
        >
          <span class="swatch" aria-hidden="true" style=${{background:a}}></span>
          ${s}
          <small>${o}</small>
        </span>
      `)}
  </div>`:m`<div class="legend"></div>`}const Ae=["svg","png","csv","json"],io={top_experts:"Columns are layers, dots experts, lines tokens: each line runs through the expert with most weight for its token.",compatibility:"Columns are steps, dots functions, lines tokens: each runs through its most compatible functions.",messages:"Columns are steps, dots modules, lines messages, as wide as the receiver's attention."},kl={top_experts:"Fainter segments lead to the other experts that a token takes. Double-click a dot to drop or mute its expert.",compatibility:"Tokens are the small pictures at the left. CLS tokens are outlined and lead on to their heads.",messages:"The first column shows what modules read of the tokens, the last what the output reads of modules. Double-click a dot to drop or mute its module."},ro={points:"Points",numbers:"Numbers",top_experts:"Text",listops:"Expression",bytes:"Text",matrices:"Matrix","":"Patches"},co="Colour: the module that reads it most. Point at a module to see what it reads.",lo={points:"Colour: the module that reads a point most. Click a module to see where it looks. Drag to turn.",numbers:"Bars: the numbers of the point. Colour: most compatible function at this step.",top_experts:"Colour: the expert with most weight for the token at this layer. \u21B5 ends a line.",listops:co,bytes:co,matrices:"The matrix with one answer in its gap. Colour: most compatible function at this step.",compatibility:"Colour: most compatible function at this step.",messages:"Colour: the module that reads it most. Point at a module to see where it looks."},vl={numbers:"Dots: answers of the heads. Ticks: values of their functions. The sample's function is first.","":"Bars: softmax probabilities of each head. Dashed outlines: without intervention. Triangle: the true label."},uo={top_experts:"Experts of a token",compatibility:"Compatibility of tokens",messages:"Attention"},ho={top_experts:"The experts that the token takes at this layer, with their weights.",compatibility:"Compatibilities at this step. Tick: the step before.",messages:"Shares of attention, averaged over heads. Read-in: shares over the tokens."},xl={numbers:"Choose or set one",points:"Choose or bring one",top_experts:"Choose or type one",listops:"Choose or type one",bytes:"Choose or type one","":"Choose, upload or draw one"};function Ol({view:t,baseline:e}){if(!e||t.circuit!==e.circuit)return"";if(t.circuit)return _l(t,e);const n=Math.min(t.steps.length,e.steps.length);let s=0;for(let o=0;o<t.tokens.length;o+=1){let a=!0;for(let i=0;i<n;i+=1)a=a&&t.dominant(i,o)===e.dominant(i,o);a||(s+=1)}return s+" of "+t.tokens.length+" tokens take another dominant path than without intervention"+(n<Math.max(t.steps.length,e.steps.length)?" (over the "+n+" steps both have).":".")}function _l(t,e){const n=t.patches.filter(a=>t.dominant(0,a)!==e.dominant(0,a)).length,s=(100*t.movedFrom(e)).toFixed(1),o=n+" of "+t.patches.length+" patches are read most by another module; ";return(t.patches.length?o:"")+s+" % of the attention between modules goes elsewhere than without intervention."}function Ml(){const{view:t}=f,{mute:e=[],drop:n=[],keep_edges:s=null,iterations:o=null,top_k:a=null}=t?.info.intervention??{},{pass:i,passes:r}=Ht(rt()),c=u=>u.length>Tl?u.length+" units":u.join(", "),l=[e.length?"mute "+c(e):"",n.length?"drop "+c(n):"",s===null?"":Number((100*s).toPrecision(3))+" % of the edges",a?Uo(a):"",o?o+" "+(o===1?i:r):""].filter(Boolean);return m`<span id="paths-kind">${l.length?"observed under: "+l.join("; "):"observed"}</span>`}const Tl=6;function Al(){const{problem:t}=f,{status:e=0,refused:n=!1}=t??{},s=!n&&!(e>=400&&e<500&&e!==429),o=Nt.answer()??[];return m`
    <div class="skeleton when-loading" aria-hidden="true"></div>
    <div class="message when-empty">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">
        ${C({"":"Choose one to see its path through the {units}, step by step."})}
      </p>
      <div id="paths-starters" class="starters">${o.length>0&&m`<${Ia} items=${o} />`}</div>
      <a class="button" href="/samples" onClick=${yt}>${C(xl)}</a>
    </div>
    <div class="message when-failed" role="alert">
      <p class="message-title">The path could not be shown</p>
      <p class="message-detail" id="paths-problem">
        ${t?.detail} ${n&&m`<span class="reader" data-widget="reader"></span>`}
        ${e===404&&m`<a class="button choose-other" href="/samples" onClick=${yt}>Choose another sample</a>`}
      </p>
      <button type="button" class="button" id="paths-retry" hidden=${!s} onClick=${K.again}>
        Try again
      </button>
    </div>
  `}const Se=({id:t,label:e,keys:n=!0})=>m`<canvas
    id=${t}
    tabindex=${n?0:void 0}
    role="img"
    data-path-keys=${n}
    aria-label=${e}
  ></canvas>`,Sl="Computational path. Space plays, left and right change the step, up and down move through the tokens, Escape ends it. The same numbers are in the table below.";function po({log:t=!1}){const e=!!R.value&&!t,{view:n}=f;return m`<${Ot}
    id="path"
    title="Computational path"
    reads=${t?io.top_experts:C(io)}
    more=${t?"":C(kl)}
    tag=${t?"observed":m`<${Ml} />`}
    formats=${t?Ae:[...Ae,"nc"]}
    written=${kn.path}
    look="panel-path"
  >
    <div class="path-sides">
      ${e&&m`<div class="path-side" key="a">
          <${Is} letter="A" />
          <${gt} look="path-canvas" make=${Di}>
            <${Se}
              id="path-picture-of-a"
              label="Computational path of A, which is pinned, at the same step as that of B."
            />
            <div class="path-state-of-a"><${cr} /></div>
          <//>
        </div>`}
      <div class="path-side" key="b">
        <${Is} letter="B" />
        <${gt} look="path-canvas" make=${Li}><${Se} id="path-picture" label=${Sl} /><${Al} /><//>
      </div>
    </div>
    <div class="path-controls"><${ol} /><${Lr} /><${gl} />${!t&&m`<${il} />`}</div>
    ${!t&&m`<p class="path-status" aria-live="polite">${n&&Ol(f)}</p>`}
  <//>`}function fo({log:t=!1}){const e=!!R.value&&!t,n=bn();return m`<${Ot}
    id="patches"
    title=${t?ro.top_experts:C(ro)}
    reads=${t?lo.top_experts:C(lo)}
    formats=${Ae}
    written=${kn.patches}
    look="panel-patches"
  >
    <div class="patch-sides">
      ${e&&m`<${gt} key="a" look="patch-canvas" make=${lc}>
          <${Se} id="patch-picture-of-a" keys=${!1} label="The same of A, which is pinned, at the same step." />
        <//>`}
      <${gt} key="b" look="patch-canvas" make=${cc} hidden=${n}>
        <${Se}
          id="patch-picture"
          label="The sample with its tokens in the colours of their units. Arrow keys move from token to token."
        />
        <div class="skeleton when-loading" aria-hidden="true"></div>
      <//>
      ${n&&m`<${gt} key="cloud" look="cloud" make=${Vr} />`}
    </div>
    <div class="patch-foot"><${yl} />${!n&&!t&&m`<${Us} />`}</div>
    ${!t&&m`<${zc} /><${tl} />`}
  <//>`}function Cl(){const t=Oe();return m`<${Ot}
    id="predictions"
    title=${C({numbers:"Answers","":"Predictions"})}
    reads=${C(vl)}
    formats=${Ae}
    written=${kn.predictions}
    look="panel-predictions"
  >
    <div class="prediction-body">
      <${Pa}
        look="prediction-canvas"
        scene=${e=>{const n=Oe();return n&&Hn(n,e)}}
        drawn=${()=>f.view?.info.id??""}
        label=${()=>{const e=Oe();return e?Ba(e):""}}
        data=${{"data-key":"paths"}}
      />
      <details class="as-table prediction-table">
        <summary>The same as a table</summary>
        <div class="table-scroll" tabindex="0" role="region" aria-label="Answers as a table">
          ${t&&m`<${Na} ...${t} />`}
        </div>
      </details>
      <div class="skeleton when-loading skeleton-low" aria-hidden="true"></div>
    </div>
  <//>`}const mo=({log:t=!1})=>m`<${Ot}
    id="tokens"
    title=${t?uo.top_experts:C(uo)}
    reads=${t?ho.top_experts:C(ho)}
    look="panel-tokens"
    ><${dl}
  /><//>`,go={shown:pn,units:()=>f.view?.names,write:pe,noSwap:de};function El(){const{view:t,sample:e}=f;if(!t||!e)return null;const{info:n}=t,s=Bc(n),o=ft.value.drop,a=n.fields.some(({name:i})=>i==="types"||i==="messages");return m`
    <strong>${e.name}</strong>
    <span>${e.words}</span>
    ${e.stand_in&&m`<span class="tag tag-warn">stand-in data</span>`}
    ${s&&m`<span class="tag tag-warn">${s}</span>`}
    <${Fa} id=${n.model} revision=${n.revision} />
    ${a&&m`<a
        id="paths-to-types"
        href=${ut("types",{model:n.model,sample:n.sample,drop:o})}
        onClick=${yt}
        >Show on Types</a
      >`}
  `}const bo=()=>m`<button type="button" class="tool tool-text" data-copy-link="true">${Bn("link")}Copy link</button>`;function Pl(){const t=Go(Ne(H().model));return m`
    <div class="page-head">
      <h1>Paths</h1>
      <div id="paths-caption" class="caption"><${El} /></div>
      <span class="tag tag-warn" role="status" hidden=${!t}>${t}</span>
      <span class="pin-tool"><${Ra} ...${go} /></span>
      <${bo} />
    </div>
    <${La} ...${go} />
    <${Da}><${Br} /><//>
    <div class="paths-grid">
      <div class="column">
        <${po} />${R.value&&m`<${vr} />`}<${Cl} />
      </div>
      <div class="column"><${fo} /><${mo} /></div>
    </div>
  `}const Bl=()=>m`
  <div class="page-head">
    <h1>Paths</h1>
    <div class="caption"><${Dc} /></div>
    <${bo} />
  </div>
  <${Lc} />
  <div class="paths-grid">
    <div class="column"><${po} log=${!0} /></div>
    <div class="column"><${fo} log=${!0} /><${mo} log=${!0} /></div>
  </div>
`;zo("paths",({model:t,sample:e,log:n,sequence:s,token:o,...a})=>n||E.log||f.view?.info.model!==t||!e?null:(ie(a,{model:t,sample:e}),ls().then(()=>{setTimeout(pe)})));function Nl(t,e){W.value=t.drop.length&&!t.mute.length?"drop":"mute",ie({...t,step:new URLSearchParams(location.search).has("step")?t.step:null});const n=[cs(),us(),F(()=>{e.toggleAttribute("data-compares",!!R.value)})];return()=>{n.forEach(s=>s()),qa()}}const Il=Wo({Tree:()=>E.log?m`<${Bl} />`:m`<${Pl} />`,choice:()=>{const{log:t,sequence:e,start:n}=E;return{...ft.value,log:t,sequence:e,token:n}},take:({log:t,sequence:e,token:n,...s})=>ie(s),open({log:t,sequence:e,token:n,...s},o){const a=o.closest(".page"),i=[t?Fc({log:t,sequence:e,token:n,step:s.step}):Nl(s,a),F(()=>{const{status:r,view:c}=f;a.dataset.status=r,c&&(a.dataset.answers=c.info.predictions.length+c.info.numbers.length?"said":"none")})];return()=>i.forEach(r=>r())}});Ho({compare:()=>pi,geometry:()=>ja,pathCanvas:()=>be,paths:()=>cn});export{Il as mount};
