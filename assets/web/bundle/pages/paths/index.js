/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{b2 as z,f as B,z as Mn,n as Z,aj as Ce,ai as Ee,E as tt,U as To,a6 as Tn,a5 as Be,V as qt,_ as Pe,ac as J,ad as Ao,X as Ie,a1 as An,Y as Ut,b4 as Sn,b3 as So,ax as Co,R as W,aJ as Eo,d as Cn,o as zt,m as rt,an as Wt,ah as En,c as Bn,ay as Bo,bc as Po,bd as Io,be as No,bf as Pn,aK as Ro,a8 as et,S as Ne,aZ as Re,r as G,aF as Lo,H as In,k as Le,P as V,al as ct,s as m,aW as A,ae as Do,aO as Nn,Q as De,T as jo,am as Fo,aN as qo,$ as Uo,aY as zo,D as Y,a2 as Wo,au as lt,at as mt,i as Rn,ab as gt,A as Ln,C as Go,bg as Ho,l as Ko,av as Jo,aw as Vo,bb as Yo,O as Xo}from"../../boot.js";import{bg as Qo,bq as Zo,bf as bt,aH as _,ag as L,am as ta,ao as ea,an as Dn,br as na,b5 as jn,bs as sa,bt as oa,bu as aa,bv as Fn,bw as ia,ai as Gt,aj as ra,aI as qn,w as Un,T as ca,bx as la,by as ua,bi as zn,l as Wn,bz as Gn,b6 as ha,bA as pa,o as Hn,b7 as da,aJ as fa,b2 as Kn,bb as ma,ba as ga,bB as je,Q as Ht,bC as Jn,C as $t,F as Fe,ae as Vn,a3 as wt,m as Yn,p as ba,P as yt,bD as qe,ah as $a,bE as wa,X as Xn,bF as ya,aC as Qn,a8 as ka,bG as va,bH as xa,z as Oa,bI as _a,bJ as Ma,az as Ue,bK as Zn,bh as Ta,bL as Aa,bM as Sa,bN as Ca,bO as Ea,bP as Ba,bQ as Pa,be as Ia,bR as Na,B as Ra,A as La,j as Da,bS as ja,bT as Fa,bU as qa,aN as Ua,aO as za,aP as Wa,aM as Ga,R as Ha,bV as Ka}from"../../shared.js";function Kt({data:t,shape:e,dims:n}){const s=n.indexOf("sample");if(s>=0&&e[s]!==1)throw new Error("a path is of one sample, not of "+e[s]);return{data:t,shape:e.filter((o,a)=>a!==s)}}function F(t,e){if(e<=0)return[];let n=-1/0;if(t.length>4*e){let a=0;for(const c of t)c>a&&(a=c);const i=new Uint32Array(4096);for(const c of t)i[Math.min(4095,Math.floor(4096*Math.max(0,c)/(a||1)))]+=1;let r=4095;for(let c=0;r>0&&(c+=i[r],!(c>=e));r-=1);n=r*a/4096}const s=[];for(let o=0;o<t.length;o+=1)t[o]>=n&&t[o]>0&&s.push(o);return s.sort((o,a)=>t[a]-t[o]||o-a).slice(0,e)}class Ja{constructor(e,n){const s=e.units.length,o=Kt(n.messages),a=[e.steps.length-1,s,s];if(String(o.shape)!==String(a))throw new Error("messages have shape "+o.shape+", expected "+a);this.circuit=!0,this.info=e,this.steps=e.steps,this.units=this.names=e.units,this.padded=e.tokens.length,this.tokens=e.tokens.filter(({text:i})=>i!==""),this.text=this.indices("text").length?Qo(this.tokens.map(({text:i})=>i??"")):null,this.grid=this.text??e.grid,this.kept=new Set(e.kept),this.messages=o.data,this.readIn=n.read_in?this.ofTokens(Kt(n.read_in).data):null,this.readOut=n.read_out&&n.confidence?this.findReadOut({read_out:n.read_out,confidence:n.confidence}):null,this.uses=this.findUses(),this.patches=this.text?this.indices("text"):this.indices("patch"),this.points=this.indices("point"),this.classTokens=[],this.readers=this.findReaders(),this.byPlace=this.text?Zo(this.text.places):new Map(this.patches.map(i=>[this.tokens[i].row+","+this.tokens[i].column,i])),this.strongestOf=new Map}ofTokens(e){const n=this.tokens.length;if(n===this.padded)return e;const s=new Float32Array(this.units.length*n);for(let o=0;o<this.units.length;o+=1)s.set(e.subarray(o*this.padded,o*this.padded+n),o*n);return s}indices(e){return this.tokens.map((n,s)=>n.kind===e?s:-1).filter(n=>n>=0)}findReadOut({read_out:e,confidence:n}){const{data:s,shape:o}=Kt(e),a=Kt(n).data,[i,r]=o,c=new Float32Array(r);for(let l=0;l<i;l+=1)for(let u=0;u<r;u+=1)c[u]+=a[l]*s[l*r+u];return c}findUses(){const e=this.units.length,n=this.kept.size||1;return this.steps.map((s,o)=>{if(o===this.steps.length-1)return this.readOut||new Float32Array(e);const a=new Float32Array(e),i=o*e*e;for(let r=0;r<e*e;r+=1)a[r%e]+=this.messages[i+r];return a.map(r=>r/n)})}findReaders(){const e=new Int32Array(this.tokens.length).fill(-1);if(!this.readIn)return e;const n=new Float32Array(this.tokens.length);for(let s=0;s<this.units.length;s+=1)for(let o=0;o<this.tokens.length;o+=1){const a=this.reads(s,o);a>n[o]&&([n[o],e[o]]=[a,s])}return e}reads(e,n){return this.readIn?this.readIn[e*this.tokens.length+n]:0}message(e,n,s){return this.messages[((e-1)*this.units.length+n)*this.units.length+s]}use(e,n){return this.uses[e][n]}dominant(e,n){return this.readers[n]}members(e,n){return this.tokens.map((s,o)=>o).filter(s=>this.readers[s]===n)}compatibility(e,n,s){return this.reads(n,s)}hasUnmatched(){return!1}strongest(e,n){const s=e+" "+n;return this.strongestOf.has(s)||this.strongestOf.set(s,this.findStrongest(e,n)),this.strongestOf.get(s)}findStrongest(e,n){const[s,o]=[this.units.length,this.tokens.length];if(e===0){if(!this.readIn)return[];const{readIn:i}=this;return F(i,n).map(c=>({from:c%o,to:Math.floor(c/o),weight:i[c]}))}if(e===this.steps.length){const{readOut:i}=this;return i?F(i,n).map(r=>({from:r,to:-1,weight:i[r]})):[]}const a=this.messages.subarray((e-1)*s*s,e*s*s);return F(a,n).map(i=>({from:i%s,to:Math.floor(i/s),weight:a[i]}))}senders(e,n,s){const o=this.units.length,a=((e-1)*o+n)*o,i=this.messages.subarray(a,a+o);return F(i,s).map(r=>[r,i[r]])}receivers(e,n,s){if(e>=this.steps.length-1)return[];const o=Float32Array.from(this.units,(a,i)=>this.message(e+1,i,n));return F(o,s).map(a=>[a,o[a]])}looks(e,n){if(!this.readIn)return[];const s=this.readIn.subarray(e*this.tokens.length,(e+1)*this.tokens.length);return F(s,n).map(o=>[o,s[o]])}readersOf(e,n){if(!this.readIn)return[];const s=Float32Array.from(this.units,(o,a)=>this.reads(a,e));return F(s,n).map(o=>[o,s[o]])}leading(e,n){return F(this.uses[e],n).map(s=>[s,this.uses[e][s]])}at(e,n){const s=this.byPlace.get(e+","+n);return s===void 0?null:s}label(e){const{kind:n,name:s,row:o,column:a,text:i}=this.tokens[e];return n==="text"?"token "+e+" \u201C"+bt((i??"").trimEnd()||(i??""))+"\u201D":n==="patch"?"patch "+((o??0)+1)+", "+((a??0)+1):n==="point"?"point "+(Number(s.replace(/^point:/,""))+1):s.replace(/^token:/,"token ")}nameAt(e,n){return this.units[n]}state(e){const n=this.units[e];return this.kept.has(n)?(this.info.intervention.mute||[]).includes(n)?"muted":null:"dropped"}movedFrom(e){const n=Math.min(this.messages.length,e.messages.length);let[s,o]=[0,0];for(let a=0;a<n;a+=1)s+=Math.max(0,this.messages[a]-e.messages[a]),o+=this.messages[a];return o?s/o:0}}function Jt(t,e){const n=t.steps.findIndex((s,o)=>s!==e.steps[o]);return n<0?t.steps:t.steps.slice(0,n)}function Va(t,e){const n=Jt(t,e),{units:s,tokens:o}=e,[a,i]=[s.length,o.length],r=new Float32Array(n.length*a*i),c=new Uint8Array(n.length*i);for(let d=0;d<n.length;d+=1)for(let g=0;g<i;g+=1){c[d*i+g]=+(t.dominant(d,g)!==e.dominant(d,g));for(let b=0;b<a;b+=1)r[(d*a+b)*i+g]=e.compatibility(d,b,g)-t.compatibility(d,b,g)}const l={a:t,b:e,steps:n,units:s,tokens:o,change:r,rerouted:c},u=n.map((d,g)=>Ya(l,g)),h=o.filter((d,g)=>n.some((b,$)=>c[$*i+g])).length,p=ts(t,e);return{...l,perStep:u,elsewhere:h,largest:Vt(l,kt(r)),staying:Vt(l,kt(r,d=>p(Math.floor(d/i)%a,Math.floor(d/(a*i)))))}}const ts=(t,e)=>(n,s)=>!t.state(n,s)&&!e.state(n,s);function kt(t,e=()=>!0){let[n,s]=[0,-1];for(let o=0;o<t.length;o+=1)Math.abs(t[o])>n&&e(o)&&([n,s]=[Math.abs(t[o]),o]);return s}function Vt({a:t,b:e,units:n,tokens:s,change:o},a){if(a<0)return null;const[i,r]=[n.length,s.length],[c,l,u]=[Math.floor(a/(i*r)),Math.floor(a/r)%i,a%r],[h,p]=[t,e].map(d=>d.compatibility(c,l,u));return{step:c,unit:l,token:u,a:h,b:p,change:o[a]}}function Ya(t,e){const{units:n,tokens:s,change:o,rerouted:a}=t,[i,r]=[n.length*s.length,s.length],c={patch:0,panel:0,number:0,point:0,cls:0,token:0,text:0};s.forEach(({kind:d},g)=>c[d]+=a[e*r+g]);const l=o.subarray(e*i,(e+1)*i),u=l.reduce((d,g)=>d+Math.abs(g),0),h=kt(l),p=Vt(t,h<0?h:e*i+h);return{step:e,rerouted:Object.values(c).reduce((d,g)=>d+g,0),of:c,mean:u/i,largest:p}}function Xa(t,e,n){const s=t.units.length*t.tokens.length,o=t.change.subarray(e*s,(e+1)*s);return F(o.map(Math.abs),n).map(i=>Vt(t,e*s+i))}function Qa(t,e){const n=Jt(t,e),[s,o]=[e.units.length,e.tokens.length],a=n.map((p,d)=>d?ze({column:d,name:p,senders:s,output:!1},ns(t,d),ns(e,d)):ze({column:d,name:p,senders:o,output:!1},t.readIn,e.readIn));n.length===t.steps.length&&n.length===e.steps.length&&a.push(ze({column:n.length,name:"read-out",senders:s,output:!0},t.readOut,e.readOut));const i=e.patches.filter(p=>t.dominant(0,p)!==e.dominant(0,p)).length,r=ts(t,e),c=a.flatMap(p=>vt(p,kt(p.change))),l=a.flatMap(p=>vt(p,kt(p.change,Za(p,r)))),[u,h]=[c,l].map(p=>p.sort(es)[0]??null);return{edges:!0,a:t,b:e,steps:n,units:e.units,tokens:e.tokens,columns:a,patches:i,largest:u,staying:h}}const Za=(t,e)=>n=>{const[{from:s,to:o}]=vt(t,n);return(o<0||e(o))&&(!t.column||e(s))},es=(t,e)=>Math.abs(e.change)-Math.abs(t.change),ns=({messages:t,units:{length:e}},n)=>t.subarray((n-1)*e*e,n*e*e);function ze(t,e,n){const[s,o]=e&&n?[e,n]:[[],[]],a=Float32Array.from(s,(c,l)=>o[l]-c);let[i,r]=[0,0];for(let c=0;c<a.length;c+=1)i+=Math.abs(a[c])/2,r+=(s[c]+o[c])/2;return{...t,a:s,b:o,change:a,moved:r?i/r:0}}const vt=({column:t,senders:e,output:n,a:s,b:o,change:a},...i)=>i.filter(r=>r>=0).map(r=>({column:t,from:r%e,to:n?-1:Math.floor(r/e),a:s[r],b:o[r],change:a[r]})),Yt=(t,e)=>vt(t,...F(t.change.map(Math.abs),e));function We({columns:t},e,n){return t.flatMap(o=>vt(o,...ti(o,e))).filter(({change:o})=>o).sort(es).slice(0,n)}function ti({column:t,senders:e,change:n},s){const o=n.length/e,a=i=>Array.from({length:o},(r,c)=>c*e+i);return s.token!==void 0?t===0?a(s.token):[]:t===s.step+1?a(s.unit):t!==s.step||s.unit>=o?[]:Array.from({length:e},(i,r)=>s.unit*e+r)}const xt=(t,e)=>JSON.stringify(t)===JSON.stringify(e),ss=({tokens:t,info:{grid:e}})=>[t.map(({name:n,kind:s,row:o,column:a})=>[n,s,o,a]),e],os=({intervention:{drop:t,mute:e,iterations:n,keep_edges:s,top_k:o}})=>[[...t].sort(),[...e].sort(),n??null,s??null,o??null],as=({model:t,revision:e})=>[t,e],is=(t,e)=>({model:!xt(as(t),as(e)),sample:t.sample!==e.sample,intervention:!xt(os(t),os(e))});function Xt(t,e){const{model:n,sample:s,intervention:o}=is(t,e);return n||s?"observed":o?"caused":"same"}const Qt=t=>t.length>1?t[0]+" to "+t.at(-1):t[0]??"none",rs=({tokens:t,info:{grid:e}})=>(e&&e.rows?e.rows+" x "+e.columns+" patches, ":"")+t.length+" tokens";function ei(t,e){return!!t.circuit!=!!e.circuit?"There is no difference to draw: in one of them tokens go through functions, in the other modules read each other.":xt(t.units,e.units)?xt(ss(t),ss(e))?t.info.model!==e.info.model&&!xt(t.steps,e.steps)||!Jt(t,e).length?`There is no difference to draw: A has ${t.steps.length} steps, ${Qt(t.steps)}, B ${e.steps.length}, ${Qt(e.steps)}.`:"":`There is no difference to draw: A cuts its sample into ${rs(t)}, B into ${rs(e)}.`:`There is no difference to draw: A has ${t.units.length} units, ${Qt(t.units)}, B ${e.units.length}, ${Qt(e.units)}.`}function cs(t,e){const{model:n,sample:s,intervention:o}=is(t.info,e.info),a=[];n&&a.push(`Units of two models are compared by their names; what ${e.units[0]} of one does, ${e.units[0]} of the other need not do.`),s&&a.push("Two samples are compared by place: a token of B with the token of A at the same place."),o&&(n||s)&&a.push("More than the intervention differs, so nothing here is said to be caused by it.");const[i,r]=[Math.max(t.steps.length,e.steps.length),Jt(t,e).length];return r<i&&a.push(`Compared are the ${r} steps that both have.`),a}const ls=(t,e)=>e?B(100*t,1)+" %":B(t,2);function Ot({a:t,b:e,change:n},s=!1){const o=s?z(100*n,1)+" points":z(n,2);return ls(t,s)+" in A, "+ls(e,s)+" in B ("+o+")"}const us=({b:t,units:e,steps:n},{step:s,unit:o,token:a})=>t.label(a)+" through "+e[o]+" in "+_(n[s]);function Zt({b:t,units:e,columns:n},{column:s,from:o,to:a}){const{name:i,output:r}=n[s];return r?"the output of "+e[o]:s?`${e[a]} of ${e[o]} in ${_(i)}`:`${e[a]} of ${t.label(o)}`}const ni=t=>t.candidate?"panel":t.numbers.length?"number":"patch",_t=(t,e,n)=>t+" of "+e+" "+n+(e===1?"":n==="patch"?"es":"s");function si(t,e){return t.edges?ai(t,e):oi(t,e)}function oi(t,e){const{b:n,steps:s,tokens:o,perStep:a,elsewhere:i,largest:r,staying:c}=t;if(!r)return"Every token goes through every function with the same compatibility in A and in B.";const l=Math.min(e,s.length-1),{of:u,rerouted:h}=a[l],[p,d]=[n.patches.length,n.classTokens.length],g=o.length-p-d,b=[p?_t(u.patch+u.panel+u.number,p,ni(n)):"",g?_t(u.token+u.text,g,"token"):"",d?_t(u.cls,d,"CLS token"):""].filter(Boolean),$=h===1&&b.length===1?" goes":" go";return[b.join(" and ")+$+" through another function in "+_(s[l])+"; ",_t(i,o.length,"token")+" take another path over the "+s.length+" steps. ",hs(r,c,"function")+us(t,c??r)+", ",Ot(c??r)+"."].join("")}const hs=(t,e,n)=>!e||e.change===t.change?"Largest change: ":"Largest change of a "+n+" that stays: ";function ai(t,e){const{b:n,steps:s,columns:o,patches:a,largest:i,staying:r}=t;if(!i)return"Every module reads the same in A and in B.";const{name:c,moved:l}=o[Math.min(e,s.length-1)],u=n.patches.length?_t(a,n.patches.length,"patch")+" are read most by another module. ":"",h=r??i;return[B(100*l,1)+" % of the attention in "+_(c)+" goes elsewhere"+(u?"; ":". "),u,hs(i,r,"module")+"what "+Zt(t,h).replace(" of "," reads of ")+", ",Ot(h,!0)+"."].join("")}const ii={status:"loading",problem:null,view:null,baseline:null,sample:null,picture:null,pictures:[],step:0,time:null,playing:!1,hover:null,pinned:null,threshold:.25,opacity:.55,showBaseline:!1,graph:null,order:"graph",shown:150},{state:f,update:x,subscribe:te}=Mn(ii),P=()=>f.hover||f.pinned;function X(t=f.view){const e=P();return!e||!t?null:e.token!==void 0?[e.token]:t.members(e.step,e.unit)}const ps=(t,e)=>t===e||t&&e&&t.token===e.token&&t.step===e.step&&t.unit===e.unit;function I(t){ps(f.hover,t)||x({hover:t})}function ut(t){x({pinned:ps(f.pinned,t)?null:t})}function ee(t){if(!f.view)return;const e=f.view.steps.length-1;x({step:Math.max(0,Math.min(e,t)),time:null,playing:!1})}function Ge(t){if(!f.view)return;const e=f.view.tokens.length,n=P(),s=n&&n.token!==void 0?n.token:t>0?-1:0;x({hover:{token:(s+t+e)%e}})}const ne=({predictions:t})=>t.length?t[0].label+1:null;function ht(t,e){return(t&&!t.circuit&&e?t.candidates[e-1]:null)??t}function He(t){const{view:e,baseline:n,pictures:s}=f;q&&(q={...q,candidate:t}),!(!e||e.circuit||!e.candidates[t-1])&&x({view:ht(e,t),baseline:ht(n,t),picture:s[t-1]??null})}async function se(t){const e=a=>t.fields.some(i=>i.name===a);if(e("compatibility")){const a=["compatibility",...t.tokens.some(({kind:l})=>l==="text")?["margin","nats"]:[]],[i,r,c]=await Promise.all(a.filter(e).map(l=>Sn(t.id,l)));return t.tokens.some(({candidate:l})=>l)?na(t,i)[(ne(t)??1)-1]:new jn(t,i,{margin:r,nats:c})}if(!e("messages"))throw new qt(422,"No path","A path needs compatibilities or messages; this model has neither.");const n=["messages","read_in","read_out","confidence"].filter(e),s=await Promise.all(n.map(a=>Sn(t.id,a))),o=Object.fromEntries(n.map((a,i)=>[a,s[i]]));return new Ja(t,o)}async function Ke({tokens:t,sample:e,grid:n}){return t.some(({kind:o})=>o==="panel")?sa(e,n.columns):t.some(({kind:o})=>o==="text"||o==="number"||o==="point")?[]:[await So(e)]}const Je=(t,e)=>e[t.circuit?0:(t.candidate??1)-1]??null;async function ri(t){if(!(f.graph&&f.graph.model===t))try{const e=await tt("GET","/models/"+encodeURIComponent(t)+"/graph");f.view&&f.view.info.model===t&&x({graph:e})}catch(e){const n=e;Cn(n.title||"No graph",n.message,"bad")}}const ci=["compatibility","types","messages","read_in","read_out","confidence","margin"],Ve=["images","statements","blocks"],Mt={mute:[],drop:[],edges:null,iterations:null,top_k:null},nt=Z(Mt),Tt=Z(null);let q=null,Ye={model:"",step:0};const H=()=>Tt.value??J(),Xe=(t,e)=>JSON.stringify(t)===JSON.stringify(e),ds=(t,e)=>e.some(Ie)?e:An(t,Ut(t,e)).split(",").filter(Boolean);function li(){const{view:t,step:e}=f,n=K.answer(),s=nt.value,o=n?.said??{mute:t?ds(t.names,s.mute):s.mute,drop:t?ds(t.names,s.drop):s.drop},{keep_edges:a=null,iterations:i=null,top_k:r=null}=n?.current.intervention??{...s,keep_edges:s.edges},c=t&&!t.circuit&&t.candidate!==ne(t.info)?t.candidate:null;return{...o,edges:a,iterations:i,top_k:r,step:e,candidate:c,pin:L.value||null}}const pt=Ce(li);function oe({step:t,candidate:e,pin:n,...s},o=H()){q={step:t,candidate:e},Eo(()=>{L.value=n??"",Tt.value=Xe(o,J())?null:o,nt.value=s}),!(!K.answer()||K.answer()!==Bt)&&(q=null,ee(t),He(e??ne(f.view.info)??0))}const At=t=>nt.value={...nt.value,...t};function ae(){const{mute:t,drop:e}=K.answer()?.current.intervention??nt.value,n=f.view?.names??[];return{mute:Ut(n,Fn(t)),drop:Ut(n,Fn(e))}}const St=(t,{mute:e,drop:n}=ae())=>e.includes(t)?"muted":n.includes(t)?"dropped":"",U=Z("mute");function Qe(t,e){const n=f.view?.names??[],{mute:s,drop:o}=ae(),a={mute:s.filter(i=>!t.includes(i)),drop:o.filter(i=>!t.includes(i))};if(e&&(a[U.value]=n.filter(i=>a[U.value].includes(i)||t.includes(i))),a.drop.length<n.length)return At(a);Cn("One "+zt(rt()).unit+" stays","Without any there is no path.","bad")}const ie=t=>Qe([t],!St(t)),ui=new Map,Ct=t=>Ao(ui,t,()=>tt("GET","/models/"+encodeURIComponent(t)));async function Ze(t,e,{[t]:n,top_k:s}){const o=await ta(t,e,n,{kind:t,top_k:s}),a=Ut(e.units,o.parts.filter(c=>!Ie(c))),i=await ea(e.units,a),r=i?[i]:An(e.units,a).split(",").filter(Boolean);return{units:o.units,said:[...r,...o.parts.filter(Ie)]}}async function re(t,e,{mute:n,drop:s,edges:o,iterations:a,top_k:i},r){const[c,l]=(await Promise.all([n,s].map(Dn))).map(p=>p.split(",").filter(Boolean)),u=ci.filter(p=>t.fields.includes(p)),h={mute:c,drop:l,iterations:a,keep_edges:o,top_k:i};return tt("POST","/traces",{model:t.id,sample:e,intervention:h,fields:u},{signal:r})}async function tn({sample:t,model:e,domains:n}){const s=Ve.includes((await Ct(e)).inputs),o=await tt("GET",(s?"/samples/":"/tables/")+encodeURIComponent(t)),a=t.includes(".")?t:s?o.name:oa(o),i=o.point?.set??o.set,r=i&&n.includes(i)?i:null;if(s)return{...o,name:a,domain:r,words:o.label===null?"no label":"true label "+o.label};const c=o.panels&&o.label>=0?o.label:null;return{...o,name:a,label:c,domain:r,words:aa(o),origin:o.set===null?"upload":"data"}}async function hi(t,e){const[n,s,o]=JSON.parse(t),a=await Ct(n);if(Ve.includes(a.inputs)&&!a.samples){await Tn(n);const{title:b="",detail:$=""}=Be(n)?.refused??{};throw Object.assign(new qt(403,b,$),{refused:!0})}const[i,r]=[await Ze("mute",a,o),await Ze("drop",a,o)];o.edges!==null&&!a.has_links&&Pe(`Units of ${n} are not linked: "edges" is ignored.`),o.top_k!==null&&!a.layers.length&&Pe(`No token of ${n} takes the best of many experts: "top_k" is ignored.`);const c={mute:i.units,drop:r.units,edges:a.has_links?o.edges:null,iterations:o.iterations,top_k:a.layers.length?o.top_k:null},[l,u]=await Promise.all([re(a,s,c,e),Xe(c,{...c,...Mt})?null:re(a,s,Mt,e)]),[h,p,d,g]=await Promise.all([se(l),u&&u.id!==l.id?se(u):null,Ke(l),tn(l),Tn(n)]);return{current:l,said:{mute:i.said,drop:r.said},view:h,baseline:p,pictures:d,sample:g}}const K=Ee(()=>{const{model:t,sample:e}=H();return t&&e?JSON.stringify([t,e,nt.value]):null},hi),ce=4,fs=3,Et=Ee(()=>{const{model:t,sample:e}=H();return t&&!e?t:null},async t=>{const{inputs:e,domains:n}=await Ct(t),s=(h,p)=>tt("GET",h+To(p)),o=Ve.includes(e)?"images":e,a=(await s("/data",{inputs:o})).items,i=a.filter(({name:h})=>n.includes(h));if(o==="images"){const h=[...i,...a.filter(d=>!i.includes(d))];return(await Promise.all(h.map(({name:d})=>s("/samples",{origin:"data",set:d,limit:ce})))).flatMap(({items:d})=>d).map(d=>({id:d.id,sample:d,table:null,value:null}))}const r=[...new Set((i.length?i:a).map(({name:h,inputs_of:p})=>p||h))],c=r.length<=ce?ce:1,l=(await s("/inputs",{})).items.find(({name:h})=>h===o)?.written;return(await Promise.all([...l?[s("/samples/written",{inputs:o,limit:ce,rows:fs})]:[],...r.map(h=>s("/tables",{set:h,limit:c,rows:fs}))])).flatMap(({items:h})=>h).map(h=>({id:h.id,sample:null,table:h,value:null}))});function pi(){const{model:t}=H(),[e,n]=[t&&Be(t),Po()],s=Io.value.some(a=>a.includes('"sample" of the link')),o=new URLSearchParams(location.search).has("sample");return!!(e&&n&&No(e,n)&&!s&&!o)}let Bt=null;const en={view:null,baseline:null,graph:null,playing:!1,time:null,hover:null};function di(t){const{current:e,sample:n,pictures:s}=t,{view:o,playing:a}=f,i=o&&!o.circuit&&o.info.model===e.model&&o.info.sample===e.sample,r=ht(t.view,q?q.candidate:i?o.candidate:null),c=r.steps.length,l=o||Ye.model!==e.model?f.step:Ye.step,u=q?.step??null,h=u===null?Math.max(0,Math.min(c-1,l)):Pn(e.model,u,c),p=o&&o.info.model===e.model&&o.tokens.length===r.tokens.length,d=e.fields.some(({name:g})=>g==="link_probability");q=null,Bt=t,x({status:"ready",problem:null,view:r,baseline:ht(t.baseline,r.circuit?null:r.candidate),graph:d&&f.graph?.model===e.model?f.graph:null,sample:n,picture:Je(r,s),pictures:s,step:h,time:a?f.time:null,hover:null,pinned:p?f.pinned:null}),d&&ri(e.model)}function fi(){const[t,e,{model:n,sample:s}]=[K.answer(),K.problem(),H()],o=s?null:Et.answer()?.[0]?.id??null,a=!s&&pi()&&(Et.waits()||o!==null);Wt(()=>{if(t)return t===Bt?void 0:di(t);Bt=null,f.view&&(f.view.info.model!==n||!s)&&x(en),a&&o&&Bn({sample:o});const i=e&&(e.status===0||e.status>=500);if(e){const{title:r,message:c}=e;x({...i?{}:en,status:i&&f.view?"stale":"failed",problem:Object.assign(e,{title:r||"The path could not be shown",detail:c}),playing:!1})}else x({status:s||a||!Bo()?"loading":"empty",problem:null})})}function le(){const[t,{model:e,sample:n},{view:s,playing:o}]=[pt.value,H(),f],a=[t.mute,t.drop].every(i=>i.join(",").length<=ia);s&&s.info.model===e&&a&&!o&&Wt(()=>En("paths",{model:e,sample:n,...t}))}function ms(){const{model:t,sample:e}=Co(location.search);let n=J();Tt.value=t&&e&&!Xe({model:t,sample:e},n)?{model:t,sample:e}:null;const s=[W(()=>{const o=J();o!==n&&(Tt.value=null),n=o}),K.follow(),Et.follow(),W(fi),W(le)];return()=>{s.forEach(o=>o()),f.view&&(Ye={model:f.view.info.model,step:f.step}),nn()}}const gs=()=>new Promise(t=>{const e=W(()=>{f.status!=="loading"&&queueMicrotask(()=>t(e()))})});function nn(){[Bt,q,Tt.value]=[null,null,null],x({...en,status:"loading",problem:null,sample:null,picture:null,pictures:[],step:0,pinned:null})}var sn=Object.freeze({__proto__:null,NOTHING:Mt,choice:pt,choose:He,chosenIn:ne,follow:ms,frame:H,goTo:ee,highlighted:X,intervene:At,intervention:nt,leave:nn,mode:U,modelOf:Ct,pictureOf:Je,picturesOf:Ke,pin:ut,point:I,pointNext:Ge,pointed:P,rests:gs,sampleOf:tn,starters:Et,state:f,stateOf:St,subscribe:te,take:oe,taken:ae,toggle:ie,traceOf:re,traces:K,turn:Qe,unitsOf:Ze,update:x,viewOf:se,withCandidate:ht,write:le});const ue=({mean:t,resample:e})=>t.length||e.length?"Units at their mean, or resampled, are measured on Drop; no path is recorded under it.":"";async function mi(t,e){const n=Gt(t),s=ue(n);if(s)throw new qt(422,"No path",s);if(!n.sample)throw new qt(422,"No sample","A was pinned without a sample, and a path is of one.");const o=await Ct(n.model),{edges:a,...i}=await ra(n,o);a!==null&&!o.has_links&&Pe(`Units of ${o.id} are not linked: "edges" of "pin" is ignored.`);const r=o.has_links?a:null,c=await re(o,n.sample,{...i,edges:r},e),[l,u,h]=await Promise.all([se(c),tn(c),Ke(c)]);return{view:l,sample:u,pictures:h}}const st=Ee(()=>L.value||null,mi),S={get view(){return st.answer()?.view??null},get sample(){return st.answer()?.sample??null},get pictures(){return st.answer()?.pictures??[]},get problem(){return st.problem()},get status(){return L.value?st.answer()?"ready":st.problem()?"failed":"loading":"none"}},{follow:bs,again:$s}=st;function he(){const{view:t}=f;return ht(S.view,t&&!t.circuit?t.candidate:null)}const ot=Ce(()=>{const[t,e]=[he(),f.view];return t&&e?ei(t,e):null});function gi(){const[t,e]=[he(),f.view];return!t||!e||ot.value!==""||Xt(t.info,e.info)==="same"?null:t.circuit&&e.circuit?Qa(t,e):t.circuit||e.circuit?null:Va(t,e)}const bi=Ce(gi),at=()=>bi.value,ws=t=>!!t.circuit;function ys(t){const e=[he(),f.view].filter(n=>n!==null);return e.length===2&&e.every(n=>ws(n)===ws(t))?e:[t]}const pe=()=>{const{state:t}=sn;return S.view&&t.view?Object.assign({...t},{alike:ys(t.view)}):t};function de(){const{sample:t,pictures:e,status:n}=S,{state:s}=sn,o=he(),a=o&&Je(o,e),i={...s,view:o,sample:t,picture:a,pictures:e,baseline:null,showBaseline:!1};if(!o)return{...i,status:n==="failed"?"failed":"loading"};const r=o.steps.length-1,{time:c,step:l,graph:u}=s;return Object.assign(i,{status:"ready",step:Math.min(l,r),time:c===null?null:Math.min(c,r+2),graph:u&&String(u.units)===String(o.units)?u:null,...ot.value===""?{}:{hover:null,pinned:null},alike:ys(o)})}var $i=Object.freeze({__proto__:null,again:$s,apart:ot,difference:at,follow:bs,other:S,refused:ue,seenOfA:de,seenOfB:pe});const fe=t=>(t<.0995?(100*t).toFixed(1):Math.round(100*t))+" %",ks=5,wi=11,Pt=10;function on(t,e,n){const s=t.units.map((o,a)=>a);return!e||e.units.length!==s.length||n==="name"?s:n==="connectivity"?Ro(e.connectivity).reverse():e.order}function an(t,e,n){if(e&&e.units.length===t.units.length){const{of:s,paints:o}=ca.community(e,n);return a=>o[s[a]]}return s=>n.unit(s)}function yi({view:t,graph:e,order:n},s,o){const a=s<620,[i]=t.info.predictions,r=i?Un([i.labels[i.label]],12,700):0,c={top:34,bottom:34,left:a?16:30,right:a?50+Math.max(22,r):116},l={x:c.left,width:a?12:20},u=new Int32Array(t.units.length);on(t,e,n).forEach((w,v)=>u[w]=v);const h=o-c.top-c.bottom,p=h/t.units.length,d=p>=wi,g=l.x+l.width+(a?50:110),b=(s-c.right-g)/Math.max(1,t.steps.length-1),$=t.steps.map((w,v)=>g+v*b),y=w=>c.top+p*(u[w]+.5),k=Math.min(l.width,h/Math.max(1,t.tokens.length)-1),O=t.tokens.map((w,v)=>({x:l.x,y:c.top+h/t.tokens.length*(v+.5),size:Math.max(2,k)})),M={x:s-c.right+(a?36:44),y:c.top+h/2};return{compact:a,width:s,height:o,margin:c,strip:l,gap:p,named:d,columns:$,across:b,y,entries:O,end:M}}function me(t,e,{from:n,to:s}){const{columns:o,entries:a,strip:i,end:r,y:c}=t;return[e===0?{x:i.x+i.width+2,y:a[n].y}:{x:o[e-1],y:c(n)},e===o.length?r:{x:o[e],y:c(s)}]}function vs(t,e,n,{wider:s=0,opacity:o}={}){const[a,i]=me(t.layout,e,n),r=n.weight/t.scale[e];return{shape:"path",d:Wn(a,i,c=>Math.round(c*10)/10),stroke:e===0?t.paint(n.to):t.paint(n.from),width:Math.max(.5,ks*r)+s,opacity:o===void 0?.2+.6*r:o,cap:"round"}}function ki(t,e,n){const s=n===e.steps.length,o=t.map(a=>!s&&n>=a.steps.length?0:a.strongest(s?a.steps.length:n,1)[0]?.weight??0);return Math.max(...o)}function xs(t,e,n,s,o){const{view:a,graph:i,shown:r,alike:c=[a]}=t,l=yi(t,e,n),u=[...a.steps.keys(),a.steps.length],h=u.map($=>ki(c,a,$)||1),p=Math.max(...c.flatMap(({uses:$})=>$.map(y=>Math.max(...y))),1e-9),d=Math.max(3,Math.min(9,.9*l.gap,l.across/6)),g=($,y)=>Math.max(1,d*Math.sqrt(a.use($,y)/p)),{picture:b}=t;return{view:a,graph:i,layout:l,scale:h,radius:g,most:p,largest:d,theme:s,caption:o,shown:r,picture:b,into:u,paint:an(a,i,s)}}function vi(t){return t.into.flatMap(e=>[...t.view.strongest(e,t.shown)].reverse().map(n=>vs(t,e,n)))}function rn({view:t,layout:e,theme:n},s){const{columns:o,margin:a,height:i,across:r}=e,c=Math.min(r*.3,34),l={shape:"text",size:12,anchor:"middle",fill:n.dim},u=[{shape:"rect",x:o[s]-c,y:a.top-24,w:2*c,h:i-a.top-a.bottom+28,rx:6,fill:n.raised}],h=t.steps.map(qn),p=Un(h,12,700)<e.across-6;return t.steps.forEach((d,g)=>{const b=g===s?{weight:700,fill:n.ink}:{},$=d==="read-in"?"in":d;u.push({...l,x:o[g],y:a.top-10,text:p?h[g]:$,...b})}),u.push({...l,x:e.strip.x+e.strip.width/2,y:a.top-10,text:e.compact?"":"tokens"}),u.push({...l,x:e.end.x+(e.compact?6:18),y:a.top-10,text:e.compact?"out":"read-out"}),u}function xi(t){const{view:e,layout:n,theme:s,paint:o}=t;return e.steps.flatMap((a,i)=>e.units.map((r,c)=>{const l={shape:"circle",cx:n.columns[i],cy:n.y(c),r:t.radius(i,c)};return e.state(c)?{...l,r:Math.max(1.5,l.r),stroke:s.dim,width:1,opacity:.6}:{...l,fill:o(c)}}))}function cn({view:t,layout:e,theme:n}){return e.named?t.units.map((s,o)=>({shape:"text",x:e.columns[0]-12,y:e.y(o)+3.5,text:s,size:10,anchor:"end",fill:t.state(o)?n.dim:n.ink,halo:n.surface})):[]}function Oi({view:t,layout:e,theme:n},s){if(e.named)return[];let o=-1/0;return t.leading(s,5).map(([i,r])=>({unit:i,share:r,y:e.y(i)})).sort((i,r)=>i.y-r.y).flatMap(({unit:i,share:r,y:c})=>{if(c-o<12)return[];o=c;const l=t.units[i]+"  "+fe(r);return[{shape:"text",...{x:e.columns[s]+11,y:c+3.5},text:l,size:10.5,weight:600,fill:n.ink,halo:n.raised}]})}function ln({view:t,layout:e,theme:n,picture:s}){const{grid:o}=t.info;return t.tokens.map((a,i)=>{const{x:r,y:c,size:l}=e.entries[i],u={x:r+e.strip.width-l,y:c-l/2,w:l,h:l};return la(a,{picture:s,grid:o,theme:n},u)})}function _i({view:t,layout:e,theme:n}){const[s]=t.info.predictions,{x:o,y:a}=e.end,i=[{shape:"circle",cx:o,cy:a,r:4,fill:n.ink}];if(!s)return i;const r=et(s.probabilities[s.label]),c=s.labels[s.label];return i.push({shape:"text",x:o+9,y:a+1,text:c,size:c.length>3?11.5:15,weight:700,fill:n.ink}),e.compact||i.push({shape:"text",x:o+9,y:a+16,text:r,size:11.5,fill:n.dim}),i}function Mi({view:t,layout:e,theme:n,scale:s,most:o,largest:a,shown:i,caption:r}){const l={text:"the "+Math.min(i,t.units.length**2)+" strongest of each step",key:"none"},u=fe(Math.max(...s.slice(1,-1),0))+" of a receiver's attention, at most",h={text:fe(o)+" of the next step's, on average",key:"dot",r:a,fill:"dim"},p=[{text:u,stroke:"dim",width:ks},...e.width>820?[h]:[]],g={x:e.compact?4:e.strip.x,y:e.height-11,right:e.width-8};return Gn([l,...e.compact?[]:p],e.width>1040?r:"",g,n)}function Ti(t,e){return{frame:rn(t,e),overlay:[...xi(t),...cn(t),...ln(t),..._i(t),...Oi(t,e),...Mi(t)]}}function Ai({view:t,into:e},n){if(n.token!==void 0)return t.readersOf(n.token,Pt).map(([i,r])=>[0,{from:n.token,to:i,weight:r}]);const{step:s,unit:o}=n,a=s>0?t.senders(s,o,Pt).map(([i,r])=>[s,{from:i,to:o,weight:r}]):[];for(const[i,r]of t.receivers(s,o,Pt))a.push([s+1,{from:o,to:i,weight:r}]);if(s===t.steps.length-1&&t.readOut&&a.push([e.length-1,{from:o,to:-1,weight:t.readOut[o]}]),s===0)for(const[i,r]of t.looks(o,Pt))a.push([0,{from:i,to:o,weight:r}]);return a}function Si(t,e){const{view:n,layout:s,theme:o}=t,a=Ai(t,e).reverse(),i=a.map(([c,l])=>vs(t,c,l,{wider:.8,opacity:.95})),r=(c,l,u)=>({shape:"text",x:s.columns[c]+10,y:s.y(l)+3.5,text:n.units[l]+(u===void 0?"":"  "+fe(u)),size:10.5,weight:u===void 0?700:500,fill:o.ink,halo:o.surface});if(e.unit!==void 0){const{step:c,unit:l}=e,u={cx:s.columns[c],cy:s.y(l)};i.push({shape:"circle",...u,r:t.radius(c,l)+3,stroke:o.ink,width:1.5}),i.push(r(c,l));const h=a.filter(([p,d])=>p>0&&d.to>=0).slice(-2*Pt);for(const[p,d]of Os(h,s,c))i.push(r(p===c?p-1:p,p===c?d.from:d.to,d.weight))}else for(const[,c]of Os(a,s,null))i.push(r(0,c.to,c.weight));return i}function Os(t,e,n){const s=[];return[...t].sort((o,a)=>a[1].weight-o[1].weight).filter(([o,a])=>{const i=o===n?"from":"to",r=e.y(a[i]);return s.some(c=>c.side===i&&Math.abs(c.y-r)<11)?!1:(s.push({side:i,y:r}),!0)})}const Ci=7,Ei=60;function Bi({layout:t},e){const n=[t.strip.x+t.strip.width,...t.columns,t.end.x],s=Math.min(Math.floor(e),n.length-2);return n[s]+(n[s+1]-n[s])*Math.min(1,e-s)}function Pi(t,e){const{view:n,layout:s,theme:o,shown:a}=t,i=Math.min(Math.floor(e),n.steps.length);return n.strongest(i,Math.min(a,Ei)).map(r=>{const[c,l]=me(s,i,r),{x:u,y:h}=ua(c,l,Math.min(1,e-i)),p=1.6+1.8*(r.weight/t.scale[i]);return{shape:"circle",cx:u,cy:h,r:p,fill:o.marker,stroke:o.surface,width:.8}})}function _s({view:t,layout:e},n,s){const{strip:o,entries:a,columns:i}=e;if(n>o.x-8&&n<o.x+o.width+6){const u=Math.max(4,(a[1]?a[1].y-a[0].y:20)/2),h=a.findIndex(p=>Math.abs(p.y-s)<=u);return h<0?null:{token:h}}const r=i.findIndex(u=>Math.abs(u-n)<=Math.min(14,e.across/3));if(r<0)return null;let[c,l]=[-1,Math.max(Ci,e.gap/2)];for(let u=0;u<t.units.length;u+=1){const h=Math.abs(e.y(u)-s);h<l&&([c,l]=[u,h])}return c<0?null:{step:r,unit:c}}const Ii=({steps:t,units:e,tokens:n})=>"Columns are "+t.length+" "+zn(t)+"s, dots "+e.length+" modules sized by the attention that the next column pays to them, lines messages from sender to receiver, as wide as the receiver's attention, averaged over heads; at the left what modules read of "+n.length+" tokens, at the right what the output reads of modules.",Ni=!0;var Ri=Object.freeze({__proto__:null,endsOf:me,frameItems:rn,frontAt:Bi,highlight:Si,lines:vi,linesOver:Ni,nameItems:cn,orderOf:on,paints:an,partsOf:xs,pointed:P,stripItems:ln,surroundings:Ti,targetAt:_s,travellers:Pi,words:Ii});let ge=null;const Ms={...pa,partsOf:ha,pointed:({view:t,hover:e,pinned:n})=>e||n?X(t):null},Li=t=>t.circuit?Ri:Ms;function Ts(t){const{info:e}=t.view,n=t.sample,{mute:s,drop:o,keep_edges:a,top_k:i}=e.intervention,r=[s.length?"mute "+In(s):null,o.length?"drop "+In(o):null,typeof a=="number"?Le(a)+" % of links":null,i?i+(i===1?" expert":" experts")+" a token":null].filter(Boolean),c=r.length?r.join("; "):"no intervention",l=!t.view.circuit&&t.view.log;return[e.model,n.name||n.id,l?"as logged":c].join(" \xB7 ")}class As{constructor(e,n){this.host=e,this.see=n,this.canvas=e.querySelector("canvas"),this.picture=Ms,this.parts=null,this.lines=[],this.ribbons=null,this.layers=null,this.stops=[te((o,a)=>this.onState(a)),W(()=>{S.view,Wt(()=>this.rebuild())}),Ne(()=>this.rebuild()),Hn(e,()=>this.rebuild())];const s=(o,a)=>this.canvas.addEventListener(o,a);s("pointermove",o=>this.onPointer(o)),s("pointerdown",o=>this.onPointer(o));for(const o of["pointerleave","blur"])s(o,()=>I(null));s("click",o=>o.detail<2&&ut(this.targetAt(o))),n===pe&&s("dblclick",o=>this.onDouble(o))}onDouble(e){const n=this.targetAt(e),{view:s}=f;if(!s||!n||n.unit===void 0||s.names.length<=Re||!s.circuit&&s.log)return;const o=s.nameAt(n.step,n.unit);ie(o)}dispose(){this.stops.forEach(e=>e())}onState(e){if(!this.isThere())return;["view","baseline","picture","threshold","showBaseline","graph","order","shown"].some(s=>e.has(s))?this.rebuild():e.has("step")?this.turnTo(this.see().step):(e.has("time")||e.has("hover")||e.has("pinned"))&&this.draw()}isThere(){const{status:e,view:n}=this.see();return this.canvas.dataset.status=e,n?!0:(this.layers=this.parts=null,this.clear(),!1)}clear(){this.canvas.getContext("2d").clearRect(0,0,this.canvas.width,this.canvas.height),delete this.canvas.dataset.painted}rebuild(){const e=this.see();if(!this.isThere()||!e.view)return;this.host.dataset.units=e.view.names.length>Re?"many":"few";const{clientWidth:n,clientHeight:s}=this.host;if(n<40||s<40)return;const o=G();this.picture=Li(e.view),this.parts=this.picture.partsOf(e,n,s,o,Ts(e)),this.lines=this.picture.lines(this.parts),this.ribbons=da(this.lines,{width:n,height:s},o.font),this.turnTo(e.step)}turnTo(e){this.parts&&(this.layers=this.picture.surroundings(this.parts,e),this.draw())}draw(){const{layers:e,parts:n,ribbons:s}=this,o=this.see();if(!e||!n||!s)return;const{theme:a,layout:i}=n,r=fa(this.canvas,i.width,i.height);r.clearRect(0,0,i.width,i.height),Kn(r,e.frame,a.font);const c=this.picture.pointed(o),l=o.time!==null&&Lo()?Math.floor(o.time):o.time;l!==null?ma(r,s,i,this.picture.frontAt(n,l)):ga(r,s,i,c?.14:1);const u=h=>Kn(r,h,a.font);this.picture.linesOver&&u(e.overlay),c&&u(this.picture.highlight(n,c)),l!==null&&u(this.picture.travellers(n,l,c)),this.picture.linesOver||u(e.overlay),this.publish(o)}targetAt(e){if(!this.layers||!this.parts||this.see===de&&ot.value)return null;const n=this.canvas.getBoundingClientRect(),{layout:s}=this.parts,o=(e.clientX-n.left)*s.width/n.width,a=(e.clientY-n.top)*s.height/n.height;return this.picture.targetAt(this.parts,o,a)}onPointer(e){const n=this.targetAt(e);this.canvas.style.cursor=n?"pointer":"default",I(n)}publish(e){const n=e.hover||e.pinned,s=n&&X(e.view),o=this.canvas.dataset;o.painted=e.view.info.id,o.step=e.view.steps[e.step],o.playing=String(e.playing),o.highlighted=(s||[]).map(a=>e.view.tokens[a].name).join(" "),o.hoveredDot=n&&n.unit!==void 0?e.view.steps[n.step]+"/"+e.view.units[n.unit]:""}scene(e){const n=this.see(),{view:s}=n;if(!s||!this.parts)throw new Error("There is no path to show.");const{width:o,height:a}=this.parts.layout,i=G(),r=this.picture.partsOf(n,e??o,a,i,Ts(n)),c=this.picture.surroundings(r,n.step),{layout:l}=r,u=this.picture.lines(r),h=this.picture.pointed(n),p=b=>({...b,opacity:(b.opacity===void 0?1:b.opacity)*.14}),d=[h?this.picture.highlight(r,h):[],c.overlay],g=[...c.frame,...h?u.map(p):u,...(this.picture.linesOver?d.reverse():d).flat()];return{width:l.width,height:l.height,background:i.surface,title:"Computational path: "+r.caption,desc:this.picture.words(s),items:g}}}const Di=t=>ge=new As(t,pe),ji=t=>new As(t,de),Fi=({a:t,b:e,steps:n,units:s,tokens:o,change:a})=>[["step","token","unit","a","b","change","dominant_in_a","dominant_in_b"],...n.flatMap((i,r)=>o.flatMap(({name:c},l)=>s.map((u,h)=>{const p=[t,e].map(g=>g.compatibility(r,h,l)),d=[t,e].map(g=>g.dominant(r,l)===h);return[i,c,u,...p,a[(r*s.length+h)*o.length+l],...d]})))];function qi({columns:t,steps:e,units:n,tokens:s}){const o=t.flatMap(a=>Yt(a,f.shown).map(({from:i,to:r,a:c,b:l,change:u})=>[a.column?"":s[i].name,a.column?e[a.column-1]:"",a.name,a.column?n[i]:"",r<0?"":n[r],c,l,u]));return[["token","step","next_step","from_unit","to_unit","a","b","change"],...o]}function Ui({info:t},{info:e}){const{made_with:n,link:s,...o}=je(e),{made_with:a,link:i,...r}=je(t),{model:c,sample:l}=e;return{model:c,sample:l,kind:Xt(t,e),a:r,b:o}}const Ss=({info:t})=>je(t,{iterations:t.intervention.iterations??null});function zi(t){const e=at();if(!e)return null;const n=()=>e.edges?qi(e):Fi(e),s=e.edges?{shown_of_each_step:f.shown}:{};return{name:"path-difference",picture:t,facts:{...Ui(e.a,e.b),...s,compared:cs(e.a,e.b)},rows:n,json:()=>({columns:n()[0],rows:n().slice(1)}),python:{figure:"difference",a:Ss(e.a),b:Ss(e.b)}}}const Wi=5,Gi=24,Cs=4;function Hi(t,e,n,s,o,a){const i=xs(e,n,s,o,a),r=t.columns.map(g=>Yt(g,e.shown)),{a:c,b:l,steps:u}=t,h=u.map((g,b)=>l.units.map(($,y)=>l.use(b,y)-c.use(b,y)));t.columns.length>u.length||(h[u.length-1]=l.units.map(()=>0));const d=Math.max(...h.flat().map(Math.abs),1e-9);return{path:i,difference:t,lines:r,uses:h,most:d,theme:o}}function Es({path:t,theme:e},n,s){const{gained:o,lost:a}=Ht(e),[i,r]=me(t.layout,n.column,{...n}),c=Math.abs(n.change)/s;return{shape:"path",d:Wn(i,r,l=>Math.round(l*10)/10),stroke:n.change>0?o:a,width:Math.max(.6,Wi*c),opacity:.25+.65*c,dash:n.change>0?void 0:[5,3]}}const Ki=({lines:t})=>t.map(([e])=>Math.abs(e?.change??1));function Ji({path:t,difference:e,uses:n,most:s,theme:o}){const{gained:a,lost:i}=Ht(o);return e.steps.flatMap((r,c)=>n[c].map((l,u)=>{const h={shape:"circle",cx:t.layout.columns[c],cy:t.layout.y(u)},p=Math.max(1.2,t.largest*Math.sqrt(Math.abs(l)/s));return{...h,r:p,fill:l?l>0?a:i:o.unmatched}}))}function Vi({path:{layout:t,view:e},theme:n},s){const o=s.flatMap(({column:i,from:r,to:c})=>[...c<0?[]:[{step:i,unit:c}],...i?[{step:i-1,unit:r}]:[]]),a=[];return o.flatMap(({step:i,unit:r})=>{const c={x:t.columns[i]+10,y:t.y(r)+3.5};if(a.some(({x:u,y:h})=>u===c.x&&Math.abs(h-c.y)<11))return[];a.push(c);const l=e.units[r];return[{shape:"text",...c,text:l,size:10.5,weight:600,fill:n.ink,halo:n.surface}]})}function Yi({path:t,theme:e,lines:n}){const{layout:s}=t,{gained:o,lost:a}=Ht(e),[i,r,c]=[s.compact?4:s.strip.x,s.height-11,s.width-8],l=Math.max(...n.flat().map(({change:g})=>Math.abs(g)),0),u="the widest: "+z(100*l,1).replace("+","")+" points of a receiver's attention",p=[{text:"more in B",stroke:o},{text:"less in B",stroke:a,dash:[5,3]},...s.compact?[]:[{text:u+"; dots: what the next step pays to a module, in the same colours",key:"none"}]],d=Jn($t([t.caption],{x:i,y:r-14,size:10.5,fill:"dim",room:c-i}),e).items;return[...Gn(p,"",{x:i,y:r,right:c},e),...d]}function Xi(t,e,n){const{path:s,difference:o,lines:a,theme:i}=t,{layout:r}=s,c=Ki(t),u=a.map(d=>[...d].reverse().map(g=>Es(t,g,c[g.column]))).flat().map(d=>n?{...d,opacity:.08}:d),h=n?We(o,n,Gi).map(d=>Es(t,d,c[d.column])):[],p=Math.min(e,o.steps.length-1);return{width:r.width,height:r.height,background:i.surface,title:"Difference of two paths: "+s.caption,desc:"Columns are steps, dots modules, lines messages whose attention differs most: solid where B has more of it than A, dashed where it has less, as wide as the change.",items:[...rn(s,p),...u,...h,...Ji(t),...cn(s),...ln(s),...Vi(t,n?We(o,n,Cs):a[p].slice(0,Cs)),...Yi(t)]}}const Qi=[.05,.1,.2,.5,1],[Bs,Zi]=[2.5,18],un=6;function tr({b:t,tokens:e}){const{rows:n=0,columns:s=0}=t.patches.length?t.info.grid:{},o=e.length-t.patches.length,a=n||Math.ceil(Math.sqrt(o)),i=s?s+.5:0;let r=0;return{places:e.map(({kind:l,row:u,column:h})=>{if(l==="patch"||l==="panel")return{x:h??0,y:u??0};const p={x:i+Math.floor(r/a),y:r%a};return r+=1,p}),wide:o?i+Math.ceil(o/a):s,tall:a}}function er(t,e,n){const{steps:s,units:o}=t,a=e<620,{places:i,wide:r,tall:c}=tr(t),l=a?30:58,u=Math.max((e-l-6)/s.length,r*Bs+4),h=Math.max(Bs,Math.min(Zi,.86*u/r)),[p,d]=[h*r,h*c],g=a?9:14,b=34,$=(a?64:42)+(n?22:0),y=b+o.length*(d+g)+$,k=(O,M)=>({x:l+u*(O+.5)-p/2,y:b+M*(d+g)+g/2});return{compact:a,width:l+u*s.length+6,height:y,left:l,top:b,pitch:u,size:h,across:p,down:d,gap:g,foot:$,places:i,corner:k}}const Ps=({largest:t})=>Qi.find(e=>Math.abs(t?.change??0)<=e)??1;function Is(t,e,n){const{gained:s,lost:o}=Ht(n),a=Math.min(1,Math.abs(t)/e);return Yn(n.surface,t>0?s:o,a**.6)}function nr({steps:t,units:e,b:n},s,o,a){const{compact:i,left:r,top:c,pitch:l,height:u,foot:h,down:p,gap:d}=s,g=[];a<t.length&&g.push({shape:"rect",x:r+a*l+1,y:c-26,w:l-2,h:u-c-h+28,rx:6,fill:o.raised});const b={shape:"text",y:c-10,fill:o.dim};return!i&&zn(t)==="iteration"&&g.push({...b,x:r,text:"iteration",size:11,anchor:"end"}),t.forEach(($,y)=>{const k=y===a?{weight:700,fill:o.ink}:{};g.push({...b,x:r+l*(y+.5),text:qn($),size:12,anchor:"middle",...k})}),e.forEach(($,y)=>{const k=c+y*(p+d)+d/2+p/2;i||g.push({shape:"rect",x:4,y:k-8,w:4,h:16,rx:2,fill:o.unit(n.paint(0,y))});const O=n.state(y)?o.dim:o.ink;g.push({shape:"text",x:i?4:14,y:k+4,text:$,size:13,weight:650,fill:O})}),g}function sr({a:t,b:e,steps:n,units:s,tokens:o,change:a,rerouted:i,largest:r},c,l,u){const{size:h,places:p,corner:d}=c,g=Ps({largest:r}),[b,$]=[s.length,o.length],y=M=>u?.size===1&&u.has(M),k=[];return[...n.flatMap((M,w)=>s.flatMap((v,T)=>{const{x:N,y:j}=d(w,T);return o.map((Q,R)=>{const E={x:N+h*p[R].x,y:j+h*p[R].y,w:h-.6,h:h-.6},dt=!u||u.has(R)?1:.35,ft=[t,e].map(Ft=>Ft.dominant(w,R)===T);if(h>=un&&i[w*$+R]&&(ft[0]||ft[1])){const Ft={x:E.x+.8,y:E.y+.8,w:E.w-1.6,h:E.h-1.6},Se=ft[1]?void 0:[2,2];k.push({shape:"rect",...Ft,stroke:l.ink,width:1.4,dash:Se,opacity:dt})}y(R)&&k.push({shape:"rect",...E,stroke:l.ink,width:2});const Ae=Is(a[(w*b+T)*$+R],g,l);return{shape:"rect",...E,fill:Ae,stroke:l.hair,width:.6,opacity:dt}})})),...k]}function or(t,e,n,s){const{compact:o,left:a,width:i,height:r,size:c,foot:l}=e,u=Ps(t),h=u<.1?2:1,p="none",d={x:o?4:a,y:r-l+22,size:10.5},g=Fe([{text:B(-u,h),key:p}],{...d,width:1/0}),b=[-1,-.5,-.1,0,.1,.5,1],$=Vn(b.map(String),[g.end+6,g.end+6+17*b.length],1),y={key:"bar",stroke:"ink",width:1.4},k=[{...y,text:"went through it in A",dash:[2,2]},{...y,text:"goes through it in B instead"}],O=Fe([{text:z(u,h)+" compatibility in B against A",key:p},...c<un||o?[]:k],{...d,x:$.range[1]+6,width:1/0}),M=c>=un&&o?Fe(k,{...d,y:d.y+20,width:i}).marks:[],w=wt(b,{x:(T,N)=>$.extent(N),y:[d.y-5,d.y+5],fill:T=>Is(T*u,u,n),stroke:"line",width:.6}),v=$t(s?[s]:[],{x:d.x,y:r-10,down:0,size:10.5,fill:"dim",room:i-d.x});return Jn([g.marks,w,O.marks,M,v],n).items}function ar(t,e,n,{step:s,tokens:o,caption:a}){const i=o&&new Set(o);return{width:e.width,height:e.height,background:n.surface,title:"Difference of two paths: "+a,desc:"Columns are steps, rows functions; in each cell the tokens lie as in the sample. Colours: the compatibility of a token with the function in B minus that in A. Frames: another function takes the token most.",items:[...nr(t,e,n,s),...sr(t,e,n,i),...or(t,e,n,a)]}}function ir({steps:t,units:e},n,s,o){const{left:a,top:i,pitch:r,down:c,gap:l,size:u,places:h,corner:p}=n,[d,g]=[Math.floor((s-a)/r),Math.floor((o-i)/(c+l))];if(d<0||d>=t.length||g<0||g>=e.length)return null;const b=p(d,g),$=h.findIndex(y=>{const[k,O]=[s-b.x-u*y.x,o-b.y-u*y.y];return k>=0&&k<u&&O>=0&&O<u});return $<0?null:{step:d,unit:g,token:$}}function hn({look:t,make:e,children:n}){const s=V(null);return ct(()=>{const o=e(s.current);return()=>o.dispose()},[]),m`<div class=${t} ref=${s}>${n}</div>`}function pn({id:t,look:e,label:n,draw:s,keys:o=!0,onKey:a,hidden:i,children:r}){const c=V(null),l=V(null);ct(()=>{const p=c.current,d=p.querySelector("canvas");function g(){const $=l.current=s(p);if(!$){d.getContext("2d")?.clearRect(0,0,d.width,d.height),delete d.dataset.painted;return}ba({...$.scene,background:null},G().font,d),Object.assign(d.style,{width:$.scene.width+"px",height:$.scene.height+"px"}),Object.assign(d.dataset,$.data)}const b=[W(g),Ne(g),Hn(p,g)];return()=>b.forEach($=>$())},[]);function u({clientX:p,clientY:d,currentTarget:g}){const b=g.getBoundingClientRect();return l.current?.targetAt(p-b.left,d-b.top,b)??null}const h=()=>I(null);return m`<div class=${e} ref=${c} hidden=${i}>
    <canvas
      id=${t}
      role="img"
      tabindex=${o?0:void 0}
      data-path-keys=${o}
      aria-label=${n}
      onPointerMove=${p=>I(u(p))}
      onPointerDown=${p=>I(u(p))}
      onPointerLeave=${h}
      onBlur=${h}
      onClick=${p=>ut(u(p))}
      onKeyDown=${a}
    ></canvas>
    ${r}
  </div>`}const rr="A and B are the same path. Choose another sample or another model, or mute or drop something.",dn={width:1100,height:560},Ns=12,cr=4,Rs=({model:t,sample:e,intervention:{drop:n,mute:s,iterations:o,keep_edges:a,top_k:i}})=>$a({model:t,sample:e,drop:n,mute:s,iterations:o??null,edges:a??null,top_k:i??null}),fn=()=>f.view?Rs(f.view.info):null;function Ls({letter:t}){const e=Gt(L.value);if(!e)return null;const n=t==="A"?S.view?Rs(S.view.info):e:fn();return m`<h3 class="side-title">
    <span class="pin-letter">${t}</span><span>${n?qe(n):"nothing is shown yet"}</span>
  </h3>`}function lr(){const{status:t,problem:e}=S;if(t==="loading")return m`<div class="skeleton" aria-hidden="true"></div>`;if(t!=="failed"||!e)return null;const n=Gt(L.value),s=n&&ue(n);return m`<div class="message" role="alert">
    <p class="message-title">${e.title||"The path of A could not be shown"}</p>
    <p class="message-detail">${e.message}</p>
    ${!s&&m`<button type="button" class="button" onClick=${$s}>Try again</button>`}
  </div>`}function ur(){const[t,e]=[S.view,f.view];if(S.status==="failed")return m`<p class="difference-sentence">Without A there is nothing to compare.</p>`;if(!t||!e||ot.value===null)return m`<p class="difference-sentence">${f.status==="empty"?"B has no sample yet.":"Comparing"}</p>`;const n=at();return n?m`
    <p class="difference-sentence">${hr()+si(n,f.step)}</p>
    ${cs(t,e).map(s=>m`<p class="hint" key=${s}>${s}</p>`)}
  `:m`<p class="difference-sentence">${ot.value||rr}</p>`}function hr(){const[t,e]=[S.view,f.view];return t&&e&&Xt(t.info,e.info)==="caused"?"Caused by the intervention: ":""}function pr(){const t=at(),e=P();if(!t||!e)return"";if(t.edges)return dr(t,e);const n=Math.min(f.step,t.steps.length-1);if(e.token===void 0)return"";const{token:s}=e,o=t.units.map((a,i)=>{const r=t.change[(n*t.units.length+i)*t.tokens.length+s];return a+" "+B(t.a.compatibility(n,i,s),2)+" to "+B(t.b.compatibility(n,i,s),2)+" ("+z(r,2)+")"});return t.b.label(s)+" in "+_(t.steps[n])+", A to B: "+o.join("; ")}function dr(t,e){const n=We(t,e,cr);return n.length?n.map(s=>Zt(t,s).replace(" of "," reads of ")+": "+Ot(s,!0)).join("; "):"Nothing differs here."}const mn=t=>t===null?"none":(rt()?.labels??[])[t]??String(t);function Ds({head:t,label:e}){if(!t)return m`<td colspan="2">no such head</td>`;const n=e===null?"":t.label===e?", right":", wrong";return m`<td>${t.labels[t.label]+n}</td>
    <td>${et(t.probabilities[t.label])}</td>`}function fr(t,e){const n=({numbers:a},i)=>a.find(({domain:r})=>r===i)?.value??null,o=[...new Set([t,e].flatMap(({numbers:a})=>a.map(({domain:i})=>i)))].map(a=>{const[i,r]=[n(t,a),n(e,a)],c=i===null||r===null?"":z(r-i,3);return[a,...[i,r].map(l=>l===null?"":l.toFixed(3)),c]});return It("What both answer.",["head","A answers","B answers","change"],o)}function mr(){const[t,e]=[S.view,f.view],n=[S.sample,f.sample];if(!t||!e||!n[0]||!n[1])return null;if(t.info.numbers.length||e.info.numbers.length)return fr(t.info,e.info);const s=n.map(u=>u?.label??null),o=[t,e].map(({info:u})=>wa(u.predictions));if(!o[0].length&&!o[1].length)return null;const a=o.map(u=>u.length===1&&!!u[0].shared),r=(a[0]&&a[1]?[""]:[...new Set([t,e].flatMap(({info:u})=>u.predictions.map(({domain:h})=>h)))]).map(u=>{const[h,p]=[t,e].map(({info:b},$)=>u?b.predictions.find(({domain:y})=>y===u):o[$][0]),d=h&&p?p.probabilities[h.label]:void 0,g=h&&d!==void 0?z(100*(d-h.probabilities[h.label]),1)+" points":"";return m`<tr key=${u}>
      <th scope="row">${u||"one for every data set"}</th>
      ${Ds({head:h,label:s[0]})} ${Ds({head:p,label:s[1]})}
      <td>${d===void 0?"":et(d)+" ("+g+")"}</td>
    </tr>`}),c=["head","A answers","confidence","B answers","confidence","A's answer in B"],l=s[0]===s[1]?"True label: "+mn(s[0]):`True label: ${mn(s[0])} of A, ${mn(s[1])} of B`;return m`<${Xn}
    heads=${c.map(u=>m`<th scope="col">${u}</th>`)}
    rows=${r}
    caption=${"What both answer. "+l+"."}
  />`}const It=(t,e,n)=>m`<${Xn}
    caption=${t}
    heads=${e.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${n.map(([s,...o],a)=>m`<tr key=${a}>
          <th scope="row">${s}</th>
          ${o.map(i=>m`<td>${i}</td>`)}
        </tr>`)}
  />`;function gr(t){const{steps:e,units:n,tokens:s,perStep:o,b:a}=t,i=Math.min(f.step,e.length-1),r=o.map(l=>[_(e[l.step]),l.rerouted+" of "+s.length,B(l.mean,3),l.largest?us(t,l.largest)+": "+Ot(l.largest):"none"]),c=Xa(t,i,Ns).map(l=>[a.label(l.token),n[l.unit],B(l.a,3),B(l.b,3),z(l.change,3)]);return m`
    ${It("What differs at every step.",["step","tokens through another function","mean absolute change","largest change"],r)}
    ${It("Largest changes in "+_(e[i])+".",["token","function","A","B","change"],c)}
  `}function br(t){const{columns:e,steps:n}=t,s=e[Math.min(f.step,n.length-1)],o=e.map(i=>{const[r]=Yt(i,1),c=B(100*i.moved,1)+" %";return[_(i.name),c,r?Zt(t,r)+": "+Ot(r,!0):"none"]}),a=Yt(s,Ns).map(i=>{const[r,c]=Zt(t,i).split(" of "),l=[i.a,i.b].map(u=>B(100*u,2)+" %");return[r,c,...l,z(100*i.change,2)+" points"]});return m`
    ${It("What differs at every step.",["step","attention that goes elsewhere","largest change"],o)}
    ${It("Largest changes in "+_(s.name)+".",["reader","reads of","A","B","change"],a)}
  `}const $r=()=>{const[t,e]=[Gt(L.peek()),fn()];return t&&e?"A: "+qe(t)+" \xB7 B: "+qe(e):""};function js(t,e,n,s){const o=G(),{step:a}=f;if(t.edges){const c=pe(),l=Hi(t,c,n,s,o,e);return{scene:Xi(l,a,P()),targetAt:(u,h)=>_s(l.path,u,h)}}const i=er(t,n,!!e),r=X();return{scene:ar(t,i,o,{step:a,tokens:r,caption:e}),targetAt(c,l){const u=ir(t,i,c,l);return u&&{token:u.token}}}}function wr(t){const e=at();if(!e)return null;const n=document.fullscreenElement?.contains(t)?innerHeight-260:dn.height,s={painted:e.a.info.id+" "+e.b.info.id,step:String(f.step)};return{...js(e,"",Math.max(40,t.clientWidth),Math.max(340,n)),data:s}}const yr={scene(t=dn.width){const e=at();if(!e)throw new Error("There is no difference to draw.");return js(e,$r(),t,dn.height).scene}},kr={compatibility:"B minus A, by {pass}. Rows are functions, cells tokens. Blue: more in B; orange: less.",messages:"B minus A, by {pass}. Lines: attention that changed most. Blue: more in B; orange, dashed: less."},vr={compatibility:"In each cell the tokens lie as in the image, CLS tokens beside it. Blue tokens go through the function more than in A, orange ones less.",messages:"A line is as wide as the change of a module's attention."};function xr(){const t=at(),[e,n]=[S.view,f.view],s=e&&n?Xt(e.info,n.info):"same";return m`<${yt}
    id="path-difference"
    title="Difference"
    reads=${A(kr)}
    more=${A(vr)}
    tag=${s==="same"?"":s}
    formats=${["svg","png","csv","json"]}
    written=${()=>zi(yr)}
    look=${"panel-difference"+(t?"":" is-empty")}
  >
    <div aria-live="polite"><${ur} /></div>
    <${pn}
      id="difference-picture"
      look="difference-canvas"
      label="Differences between the paths of A and B. Left and right go back and on, up and down move through the tokens. The same numbers are in the table below."
      draw=${wr}
      hidden=${!t}
    />
    <p class="difference-pointed">${pr()}</p>
    <div class="difference-answers" tabindex="0" role="region" aria-label="Answers of A and B"><${mr} /></div>
    <details class="as-table">
      <summary>The same as a table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="The difference as a table">
        ${t&&(t.edges?br(t):gr(t))}
      </div>
    </details>
  <//>`}const Or={mute:{compatibility:"its compatibility is set to 0","":"its output is set to 0"},drop:{router_logits:"tokens take the best of the remaining experts",compatibility:"compatibilities are renormalised over the rest","":"its compute is saved"}},_r=Do("paths","iterations").offered.at(-1),gn="data-unit-chip",Mr=250;function Tr(t,e){const n=U.value,s=St(t),o=f.view?St(t,f.view.info.intervention):s,a=o===s?s:s?"not "+s+" yet":"still "+o,i=s?"Bring "+t+" back":(n==="drop"?"Drop ":"Mute ")+t+" ("+A(Or[n])+")";return m`
    <button
      key=${t}
      type="button"
      class="chip"
      ...${{[gn]:t}}
      data-state=${o||"on"}
      aria-pressed=${String(!!s)}
      aria-label=${t+(a&&", "+a)+". "+i}
      title=${i}
      onClick=${()=>ie(t)}
    >
      <span class="swatch" aria-hidden="true" style=${{background:zo(e,t)}}></span>
      ${t}
      <span class="chip-state">${a}</span>
    </button>
  `}function Ar(){const t=V(null),e=V(null),{view:n,graph:s,order:o}=f,{mute:a,drop:i}=ae();return ct(()=>{if(!n)return;const[r,{names:c}]=[t.current,n],l=ya(n.info.units_by_step??[]);if(l.length){const u=e.current instanceof Qn?e.current:new Qn(r,gn,Us);return e.current=u,u.order.length!==c.length&&u.lay(l),u.tell(new Map(c.map((h,p)=>[h,qs(n,p)])))}e.current=e.current||new ka(r,gn,Us),e.current.show(n.circuit?on(n,s,o).map(u=>c[u]):c),s&&e.current.shade(u=>s.connectivity[c.indexOf(u)])},[n,s,o]),ct(()=>e.current?.mark([...a,...i],a.length?i.length?"away":"muted":"dropped")),m`<div class="paths-cells" role="group" aria-label="Units" ref=${t}></div>`}function Fs(t,e){if(t.names.length===t.units.length)return{step:f.step,unit:e};const n=t.info.units_by_step??[],s=o=>n[o]?.includes(t.names[e]);return{step:s(f.step)?f.step:n.findIndex((o,a)=>s(a)),unit:e%t.units.length}}function qs(t,e){const{step:n,unit:s}=Fs(t,e);return t.use(n,s)}const Us={toggle:Qe,point:t=>f.view&&I(t?Fs(f.view,f.view.names.indexOf(t)):null),about(t,e){const{graph:n,view:s}=f,o=s.names.indexOf(t),a=s.info.units_by_step?", "+Le(qs(s,o))+" % of its layer here":"",i=n?", q "+n.connectivity[o].toFixed(1):"";return t+a+i+". "+(e?"Bring it back":U.value==="drop"?"Drop it":"Mute it")}},Sr={top_experts:"drop: the others share its weight",compatibility:"drop: renormalise over the rest",messages:"drop: with its links"};function Cr(){const t=rt();return m`<div class="control" hidden=${!!Nn(t)}>
    <span class="control-name">${"Click "+zt(t).a_unit+" to"}</span>
    <${Fo}
      id="paths-mode"
      label="What a click on a unit does"
      options=${[["mute","mute: set to zero"],["drop",A(Sr)]]}
      chosen=${U.value}
      onChoose=${e=>U.value=e}
    />
  </div>`}let bn={model:"",names:[]};function Er(){const{view:t}=f,{model:e}=H();t&&(bn={model:t.info.model,names:t.names});const n=bn.model===e?bn.names:[],s=n.length>Re;return m`<div class=${"paths-units"+(s?"":" chips")} role="group" aria-label="Units">
    ${s?m`<${Ar} key=${e} />`:n.map(o=>Tr(o,n))}
  </div>`}function Br(){const t=rt(),{least_iterations:e=0,most_iterations:n=null}=t||{},{passes:s}=zt(t),{iterations:o}=pt.value;return m`<div id="paths-passes" class="control" hidden=${e===n}>
    <span class="control-name">${s[0].toUpperCase()+s.slice(1)}</span>
    <${qo}
      id="paths-iterations"
      label=${"Number of "+s}
      chosen=${o}
      most=${n||_r}
      none="as trained"
      onChoose=${a=>a!==o&&At({iterations:a})}
    />
  </div>`}const be=({id:t,name:e,label:n,least:s=0,most:o,step:a=1,value:i,words:r,onInput:c,look:l="control",hidden:u})=>m`<div class=${l} hidden=${u}>
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
  </div>`;function Pr(){const[t,e]=Uo(null),n=f.view?.info.fields.some(({name:i})=>i==="link_probability"),s=t??pt.value.edges??1,o=V(0);De(()=>()=>clearTimeout(o.current),[]);function a(i){const r=i/100;e(r),clearTimeout(o.current),o.current=setTimeout(()=>{At({edges:r===1?null:r}),e(null)},Mr)}return m`<${be}
    id="paths-edges"
    name="links kept"
    label="Share of the links that is kept, the most probable first"
    most=${100}
    value=${Math.round(100*s)}
    words=${Le(s)+" %"}
    hidden=${!n}
    onInput=${a}
  />`}function Ir(){const t=Nn(rt());return De(()=>{t&&(U.value="drop")},[t]),m`<div class="interventions">
    <${Cr} /><${Er} /><${Br} /><${Pr} />
    <${jo} id="paths-reset" act=${()=>At(Mt)}>Reset<//>
    <span id="paths-mute-refusal" class="hint" role="status">${t}</span>
  </div>`}const $n=[25,50,100,150,250,500,1e3,2e3],Nr={graph:"as in the graph",connectivity:"by connectivity",name:"by name"};function Rr(){const{graph:t,shown:e,order:n}=f,s=({currentTarget:o})=>x({order:o.value});return m`
    <${be}
      id="paths-shown"
      name="strongest"
      label="How many of the strongest messages of each step are drawn"
      most=${$n.length-1}
      value=${$n.indexOf(e)}
      words=${e+" a step"}
      onInput=${o=>x({shown:$n[o]})}
    />
    <div class="control" hidden=${!t}>
      <span class="control-name">rows</span>
      <select class="small-input" id="paths-order" aria-label="Order of the rows" value=${n} onChange=${s}>
        ${Object.entries(Nr).map(([o,a])=>m`<option value=${o}>${a}</option>`)}
      </select>
    </div>
  `}function Lr(){const{baseline:t,showBaseline:e,threshold:n}=f,s=({currentTarget:o})=>x({showBaseline:o.checked});return m`
    <${be}
      id="paths-threshold"
      name="weaker routes above"
      ...${{least:5,most:50,step:5,look:"control when-wide"}}
      value=${Math.round(100*n)}
      words=${n.toFixed(2)}
      onInput=${o=>x({threshold:o/100})}
    />
    <label class="control" hidden=${!t}>
      <input type="checkbox" id="paths-baseline" checked=${e} onChange=${s} />
      <span class="control-name">path without intervention, dashed</span>
    </label>
  `}const Dr=()=>m`<div class="path-options">
    ${f.view?.circuit?m`<${Rr} />`:m`<${Lr} />`}
  </div>`,zs=()=>m`<${be}
    id="paths-opacity"
    name="colour"
    label="Opacity of the colours"
    ...${{most:100,step:5}}
    value=${Math.round(100*f.opacity)}
    words=${Math.round(100*f.opacity)+" %"}
    onInput=${t=>x({opacity:t/100})}
  />`,Nt=6,jr=12,$e=t=>(100*t).toFixed(1)+" %";function Rt(t){return an(t.view,t.graph,G())}function Lt(t,e){if(!e.length)return null;const n=Math.max(...e.map(s=>s.value),1e-9);return m`
    <h3 class="small-title">${t}</h3>
    ${e.map(({name:s,value:o,paint:a,target:i})=>m`
        <button type="button" class="bar-row bar-row-wide" onClick=${()=>ut(i)}>
          <span class="bar-name">${s}</span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style=${{width:100*o/n+"%",background:a}}></span>
          </span>
          <span class="bar-value">${$e(o)}</span>
        </button>
      `)}
  `}function we(t,e,n){const s=Rt(t);return e.map(([o,a])=>({name:t.view.units[o],value:a,paint:s(o),target:{step:n,unit:o}}))}const Fr=(t,e)=>e.map(([n,s])=>({name:t.label(n),value:s,paint:"var(--rs-unmatched)",target:{token:n}})),qr=t=>m`<button type="button" class="tool tool-text" data-unit-action=${t} onClick=${()=>ie(t)}>
    ${St(t)?"Bring "+t+" back":(U.value==="drop"?"Drop ":"Mute ")+t}
  </button>`;function Ur(t,{step:e,unit:n}){const{view:s,graph:o}=t,a=s.units[n],i=s.steps[e+1]||"the output",r=s.state(n),c=[$e(s.use(e,n))+" of what "+i+" reads"];if(o){const l=o.connectivity.filter(u=>u>o.connectivity[n]).length+1;c.push("connectivity q "+o.connectivity[n].toFixed(1)+", rank "+l+" of "+s.units.length)}return s.readOut&&c.push($e(s.readOut[n])+" of the output"),m`
    <h3 class="small-title">${a+" at "+_(s.steps[e])+(r?", "+r:"")}</h3>
    <p class="hint">${c.join("; ")+"."}</p>
    ${qr(a)}
    ${e>0?Lt("reads",we(t,s.senders(e,n,Nt),e-1)):Lt("looks at",Fr(s,s.looks(n,Nt)))}
    ${Lt("is read by, at "+i,we(t,s.receivers(e,n,Nt),e+1))}
  `}function zr(t,{token:e}){const{view:n}=t;return m`
    <h3 class="small-title">${n.label(e)}</h3>
    <p class="hint">Each module's read-in adds up to 100 % over the tokens.</p>
    ${Lt("is read most by",we(t,n.readersOf(e,2*Nt),0))}
  `}function Wr(t){const{view:e,step:n}=t,s=P();if(s&&s.unit!==void 0)return Ur(t,s);if(s)return zr(t,s);const o=e.steps[n+1],a=o?o+" reads most, on average":"the output reads most";return m`
    ${Lt(a,we(t,e.leading(n,2*Nt),n))}
    <p class="hint">
      Point at a dot or a ${e.points.length?"point":"patch"}; click to keep it, double-click a dot to drop its
      module.
    </p>
  `}function Gr(t){const e=t.steps.map((a,i)=>t.leading(i,jr)),n=t.steps.map((a,i)=>_(a)+", read by "+(t.steps[i+1]?_(t.steps[i+1]):"the output")),s=Array.from({length:Math.max(0,...e.map(a=>a.length))},(a,i)=>[String(i+1),...e.map(r=>r[i]?t.units[r[i][0]]+" ("+$e(r[i][1])+")":"")]);return[[["rank",...n],...s],"The modules of every step that the next one reads most, with their share of its attention, averaged over receivers and heads."]}function Hr(t){const{view:e,step:n}=t,s=new Map;for(const a of[...e.patches,...e.points]){const i=e.dominant(n,a);i>=0&&s.set(i,(s.get(i)||0)+1)}const o=Rt(t);return[...s].sort((a,i)=>i[1]-a[1]||a[0]-i[0]).map(([a,i])=>({unit:a,name:e.units[a],count:i,paint:o(a)}))}function Kr(t){const{view:e,step:n}=t,s=G(),o=Rt(t),a=t.hover||t.pinned;if(a&&a.unit!==void 0){const{unit:i}=a,r=Math.max(...e.points.map(c=>e.reads(i,c)),1e-9);return e.points.map(c=>Yn(s.hair,o(i),e.reads(i,c)/r))}return e.points.map(i=>a&&a.token===i?s.ink:e.dominant(n,i)<0?s.unmatched:o(e.dominant(n,i)))}function Jr({view:t,step:e}){return t.points.map(n=>{const s=t.dominant(e,n),o=s<0?"no module":t.units[s]+" ("+(100*t.reads(s,n)).toFixed(1)+" %)";return t.label(n)+", read most by "+o})}const wn=()=>!!(f.view?.circuit&&f.view.points.length);let ye=null;function Vr(){if(!ye)throw new Error("There is no picture yet.");return ye.picture("The module that reads every point most","The cloud with each point in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks.")}function Yr(t){const e=new va(t,{point:a=>I(a===null?null:{token:a}),pick:a=>ut({token:a})});ye=e;let n=!1;async function s(){if(!wn())return;const{sample:a}=f.view.info,i=()=>n||f.view?.info.sample!==a;try{const r=await xa(a);if(i())return;const c=f,[l,u,h]=[r.x,r.y,r.z].map(p=>p.slice(0,c.view.points.length));await e.show(a,{x:l,y:u,z:h},Kr(c),Jr(c))}catch(r){i()||(t.textContent=r instanceof Error?r.message:String(r))}}const o=[te(s),Ne(s)];return{dispose(){n=!0,o.forEach(a=>a()),e.dispose(),ye=null}}}const Ws=150,[ke,Xr]=[22,34],Qr=64;function Zr(t,e){const n=G(),{view:s,step:o,opacity:a}=t,{name:i,id:r,point:c}=t.sample,u=(t.hover||t.pinned)&&X(s),h=u&&new Set(u),p=s.numbers.map((w,v)=>{const T=s.dominant(o,w),N=h&&!h.has(w),j=T<0?"none":s.nameAt(o,T);return{token:w,said:j,value:c?.values[v],faint:N?.25:1,dim:N?.5:1,paint:n.unit(s.paint(o,T))}}),d=Vn(p.map(({said:w})=>w),[0,e]),g=Math.min(Qr,d.step-8)/2,b=Ws-Xr,$=(w,v)=>d(v),y=(w,v)=>[d(v)-g,d(v)+g],k={x:y,y:({value:w=1})=>[b-Math.max(1,(b-ke)*w),b]},O={x:$,down:0,anchor:"middle",opacity:({dim:w})=>w},M=_(s.steps[o]);return Oa({width:e,height:Ws,title:"Dominant function of every number at "+M+": "+(i||r),desc:"A bar for each number, in the colour of the function that it is most compatible with at "+M+".",marks:[wt(p,{x:y,y:[ke,b],fill:"raised"}),wt(p,{...k,fill:({paint:w})=>w,opacity:({faint:w})=>w*Math.max(.15,a)}),wt(p,{...k,stroke:({paint:w})=>w,width:1.5,opacity:({faint:w})=>w}),wt(p,{x:y,y:({token:w})=>h?.has(w)?[ke,b]:null,stroke:"ink",width:2,rx:2}),$t(p,{...O,y:ke-7,text:({value:w})=>w===void 0?"":B(w,2),size:11.5,fill:"dim"}),$t(p,{...O,y:b+14,text:({token:w})=>_a(s.tokens[w].name),size:13,weight:650}),$t(p,{...O,y:b+29,text:({said:w})=>w,size:10.5,fill:"dim",room:d.step-4})]})}const tc=2.1,ec=13.5;function nc(t,e){const n=Math.min(ec,e/t);return{wide:n,tall:n*tc}}function sc(t,e){const n=G(),{view:s,step:o,opacity:a}=t,{rows:i,columns:r,places:c}=s.text,{wide:l,tall:u}=nc(r,e),h=t.hover||t.pinned,p=h&&X(s),d=p&&new Set(p),g=s.circuit?Rt(t):v=>n.unit(s.paint(o,v)),b=s.circuit&&h&&h.unit!==void 0?h.unit:null,$=b===null?1:Math.max(...c.map((v,T)=>s.compatibility(o,b,T)),1e-9),y=[];c.forEach(({row:v,column:T,span:N},j)=>{const Q=b??s.dominant(o,j),R=b===null&&d&&!d.has(j),E={x:T*l,y:v*u,w:N*l,h:u},dt=b===null?1:s.compatibility(o,b,j)/$,ft=(R?.25:1)*a*dt;Q>=0&&y.push({shape:"rect",...E,fill:g(Q),opacity:ft});const Ae={x:E.x,y:E.y+u-2.5,w:E.w-.5,h:2.5};Q>=0&&y.push({shape:"rect",...Ae,fill:g(Q),opacity:R?.25:dt}),[...bt(s.tokens[j].text??"")].slice(0,N).forEach((Se,Oo)=>{const _o=E.x+(Oo+.5)*l,Mo={size:l*1.45,fill:n.ink,halo:n.surface,opacity:R?.4:1};y.push({shape:"text",x:_o,y:E.y+.68*u,text:Se,anchor:"middle",...Mo})})});for(const v of d&&d.size===1?d:[]){const{row:T,column:N,span:j}=c[v],Q={x:N*l,y:T*u+.5,w:j*l,h:u-1,rx:2};y.push({shape:"rect",...Q,stroke:n.ink,width:2})}const{name:k,id:O}=t.sample,M=_(s.steps[o]),w=s.circuit?{title:"The module that reads every token most: "+(k||O),desc:"The text, each token on the colour of the module whose read-in is most on it; or, with a module chosen, what that one reads."}:{title:"The expert with most weight for every token at "+M+": "+(k||O),desc:"The text, each token on the colour of the expert whose weight for it is the largest at "+M+"."};return{width:Math.max(1,r*l),height:i*u,background:n.surface,...w,items:y}}function oc(t,e,n){const{view:s,step:o,opacity:a}=t,{rows:i,columns:r}=s.info.grid,[c,l]=[n/r,n/i],u=t.hover||t.pinned,h=u&&X(s);if(s.circuit&&u&&u.unit!==void 0)return ac(t,u.unit,[c,l]);const p=h&&new Set(h),d=s.circuit?Rt(t):b=>e.unit(s.paint(o,b)),g=[];for(const b of s.patches){const{row:$,column:y}=s.tokens[b],k=s.dominant(o,b),O={x:(y??0)*c,y:($??0)*l,w:c,h:l},M=p&&!p.has(b);if(k>=0&&g.push({shape:"rect",...O,fill:d(k),opacity:M?a*.25:a}),k>=0&&a>0){const w=Math.max(1.5,Math.min(3,c/16)),v={x:O.x+w/2+.5,y:O.y+w/2+.5,w:c-w-1,h:l-w-1};g.push({shape:"rect",...v,stroke:d(k),width:w,opacity:M?.25:1})}if(c>=26&&a>0){const w=k<0?"none":s.nameAt(o,k),v={shape:"text",x:O.x+6,y:O.y+14,text:w,size:10.5,weight:650};g.push({...v,fill:"#ffffff",halo:"rgba(0, 0, 0, 0.6)",opacity:M?.25:1})}}for(const b of h||[]){if(!s.patches.includes(b))continue;const{row:$,column:y}=s.tokens[b],k={x:(y??0)*c+1.5,y:($??0)*l+1.5,w:c-3,h:l-3,rx:2};g.push({shape:"rect",...k,stroke:"#000000",width:4,opacity:.65}),g.push({shape:"rect",...k,stroke:"#ffffff",width:2})}return g}function ac({view:t,opacity:e},n,[s,o]){const a=Math.max(...t.patches.map(i=>t.reads(n,i)),1e-9);return t.patches.flatMap(i=>{const{row:r,column:c}=t.tokens[i],l=t.reads(n,i),h=[{...{shape:"rect",x:(c??0)*s,y:(r??0)*o,w:s,h:o,fill:"#000000"},opacity:(.35+.5*e)*(1-l/a)}],p={shape:"text",text:Math.round(100*l)+" %",size:10.5,weight:650,fill:"#ffffff"};return s>=34&&h.push({...p,x:(c??0)*s+6,y:(r??0)*o+14,halo:"rgba(0, 0, 0, 0.6)"}),h})}function ic(t,e){const n=G(),{picture:s,view:o,step:a}=t,{width:i,height:r}=s,c=_(o.steps[a]),[l,u]=o.circuit?["The module that reads every patch most","The image with each patch in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks."]:["Dominant function of every patch at "+c,"The image with each patch in the colour of the function it is most compatible with at "+c+"."];return{width:e,height:e,background:n.surface,title:l+": "+(t.sample.name||t.sample.id),desc:u,items:[{shape:"image",source:s,sx:0,sy:0,sw:i,sh:r,x:0,y:0,w:e,h:e},...oc(t,n,e)]}}function Gs(t){return t?t.circuit?t.text?"text":"picture":t.text?"text":t.numbers.length?"numbers":"picture":"picture"}function rc(t){const e={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]},{view:n}=f,s=e[t.key];if(!n||!s)return;t.preventDefault(),t.stopPropagation();const o=P(),a=o&&o.token!==void 0?n.tokens[o.token]:null,i=a&&a.kind!=="cls"?[(a.row??0)+s[0],(a.column??0)+s[1]]:[0,0],r=n.text?Ma(n.text.places,o?.token,s):n.at(...i);r!==null&&x({hover:{token:r}})}function Hs(t,e=480){const n=Gs(t.view);return n==="picture"?ic(t,e):(n==="text"?sc:Zr)(t,e)}function Ks(t,e){const{view:n,picture:s}=t,o=Gs(n);e.dataset.shows=o;const{clientWidth:a,clientHeight:i}=e,r=o==="picture"?Math.min(a,i):a;if(!n||!n.grid||o==="picture"&&!s)return null;const l=(P()&&X(n)||[]).map(u=>n.tokens[u].name).join(" ");return{scene:Hs(t,Math.max(r,20)),data:{painted:n.info.id,step:n.steps[t.step],highlighted:l},targetAt(u,h,p){const{rows:d,columns:g}=n.grid,b=n.at(Math.floor(h/p.height*d),Math.floor(u/p.width*g));return b===null?null:{token:b}}}}const cc=({hidden:t})=>m`<${pn}
    id="patch-picture"
    look="patch-canvas"
    label="The sample with its tokens in the colours of their units. Arrow keys move from token to token."
    draw=${e=>Ks(f,e)}
    ...${{onKey:rc,hidden:t}}
    ><div class="skeleton when-loading" aria-hidden="true"></div
  ><//>`,lc=()=>m`<${pn}
    id="patch-picture-of-a"
    look="patch-canvas"
    label="The same of A, which is pinned, at the same step."
    keys=${!1}
    draw=${t=>{const e=Ks(de(),t);return e&&{...e,...ot.value?{targetAt:()=>null}:{}}}}
  />`,uc=2**24,Js=2**18;function hc(t){const e=t.steps.length*t.units;if(e>Js){const i=[e,Js].map(r=>r.toLocaleString("en"));throw new Error("The log has "+i[0]+" experts in all its layers; up to "+i[1]+" are drawn.")}const n=Math.floor(uc/e);if(t.tokens.length<=n)return t;const[s,o]=[t.experts,t.shares].map(i=>i.map(r=>r.slice(0,n))),a=t.margin&&t.margin.map(i=>i.slice(0,n));return{...t,tokens:t.tokens.slice(0,n),experts:s,shares:o,margin:a}}const pc=({text:t,number:e,place:n})=>t??String(e??n+1)+" ";function dc({log:t,sequence:e,sequence_name:n,start:s,steps:o,units:a,tokens:i}){const r=Array.from({length:a},(l,u)=>"e"+(u+1)),c=o.map(l=>r.map(u=>l+"."+u));return{id:[t.id,e,s].join("."),model:t.name,revision:"",sample:n,intervention:{drop:[],mute:[],mute_routes:[],copy_routes:[],gates:{}},seed:null,units:r,units_by_step:c,kept:c.flat(),steps:o,tokens:i.map(l=>({name:"token:"+l.place,kind:"text",row:null,column:null,text:pc(l)})),grid:{rows:0,columns:0},domains:[],predictions:[],numbers:[],fields:[],seconds:0,cached:!0}}function fc({steps:t,units:e,tokens:n,experts:s,shares:o}){const a=new Float32Array(t.length*e*n.length),i=new Int16Array(t.length*n.length).fill(-1);return s.forEach((r,c)=>r.forEach((l,u)=>{let h=-1;l.forEach((p,d)=>{if(p<0)return;const g=o[c][u][d];a[(c*e+p)*n.length+u]=g,!(g<=h)&&(h=g,i[c*n.length+u]=p)})})),{data:a,first:i}}function mc(t){const{steps:e,units:n,tokens:s,margin:o,log:a,weighted:i,start:r,margin_of:c}=t,{data:l,first:u}=fc(t),h=o&&Float32Array.from(o.flat(),p=>p??NaN);return new jn(dc(t),{data:l,shape:[e.length,n,s.length],dims:["step","unit","token"]},{margin:h?{data:h,shape:[e.length,s.length],dims:["step","token"]}:void 0,dominants:u,log:{id:a.id,weighted:i,start:r,margin_of:c??"logits"}})}function gc({weights:t,margin:e,token_ids:n,token_texts:s}){return[[t,"No weights: a token's experts have equal shares, and its colour is that of the first the log names."],[e,"No margin: how far an expert was ahead is not known."],[s,n?"No texts: tokens are shown by their numbers.":"No token text; positions are shown."]].filter(([a])=>!a).map(([,a])=>a)}const bc=256,$c=100,yn={log:null,found:null,sequences:null,sequence:0,start:0},{state:C,update:Dt,subscribe:Rl}=Mn(yn);let ve=0;const Vs=t=>"/logs/"+encodeURIComponent(t);function Ys(){const{log:t,sequence:e,start:n,found:s}=C;t&&s&&En("paths",{...J(),log:t,sequence:e,token:n,step:f.step})}async function kn(t,e,n=f.step){const s=ve+=1,{log:o}=C;if(o){Dt({sequence:t,start:e}),x({status:"loading",problem:null,playing:!1});try{const a=new URLSearchParams({sequence:String(t),start:String(e),tokens:String(bc)}),i=await tt("GET",Vs(o)+"/path?"+a.toString());if(s!==ve)return;const r=hc(i),c=mc(r),l=r.sequence_name;Dt({found:r}),x({status:"ready",view:c,baseline:null,graph:null,sample:{id:l,name:l},picture:null,step:Pn(r.log.name,n,c.steps.length),time:null,hover:null,pinned:null}),Ys()}catch(a){if(s!==ve)return;const{title:i,message:r}=a;x({status:"failed",problem:{title:i||"The path could not be shown",detail:r},view:null})}}}async function wc(t,e,n,s){if(Dt({...yn,log:t}),await kn(e,n,s),C.log!==t||!C.found)return;const o=await tt("GET",Vs(t)+"/sequences?limit="+$c).catch(()=>null);C.log===t&&Dt({sequences:o})}function yc(){ve+=1,Dt(yn),nn()}const Xs=({steps:t,tokens:e,units:n},s)=>t.flatMap((o,a)=>e.flatMap((i,r)=>n.map((c,l)=>s(a,r,l)))),Qs=(t,e,n,s)=>[t.text?t.nameAt(e,s):t.units[s],t.compatibility(e,s,n),t.dominant(e,n)===s],kc=t=>[["step","token","unit","compatibility","dominant"],...Xs(t,(e,n,s)=>[t.steps[e],t.tokens[n].name,...Qs(t,e,n,s)])],vc=t=>[["layer","token","expert","share","dominant"],...Xs(t,(e,n,s)=>[t.steps[e],n+(t.log?.start??0),...Qs(t,e,n,s)]).filter(e=>Number(e[3])>0)];function xc(t){const e=t.steps.map((n,s)=>t.units.map((o,a)=>t.tokens.map((i,r)=>t.compatibility(s,a,r))));return{dims:["step","unit","token"],step:t.steps,unit:t.units,token:t.tokens.map(n=>n.name),compatibility:e}}function Zs(t){const{steps:e,units:n,tokens:s}=t,o=[...e,"read-out"].flatMap((a,i)=>t.strongest(i,f.shown).map(({from:r,to:c,weight:l})=>[...i?["",e[i-1],a,n[r]]:[s[r].name,"",a,""],n[c]??"",l]));return[["token","step","next_step","from_unit","to_unit","weight"],...o]}function Oc(t){const[e,...n]=Zs(t),s=t.steps.map((o,a)=>t.units.map((i,r)=>t.use(a,r)));return{columns:e,rows:n,step:t.steps,unit:t.units,share_of_the_next_step:s}}function _c(t){const{points:e,text:n,tokens:s,patches:o}=t,a=c=>{const{name:l,text:u,row:h,column:p}=s[c];return e.length?[t.label(c)]:n?[l,u]:[h,p]},i=(e.length?e:o).map(c=>{const l=t.dominant(0,c);return[...a(c),t.units[l]??"",l<0?0:t.reads(l,c)]});return[[...e.length?["point"]:n?["token","text"]:["row","column"],"read_most_by","weight"],...i]}function Mc(t,e){if(t.circuit)return _c(t);const n=t.text?t.units.map((a,i)=>t.nameAt(e,i)):t.units,s=t.text?["token","text","bits","margin"]:["row","column"],o=(t.text?[...t.tokens.keys()]:t.patches).map(a=>{const{name:i,text:r,row:c,column:l}=t.tokens[a],u=t.text?[i,r,t.bits(a)??"",t.margin(e,a)??""]:[c,l],h=n.map((p,d)=>t.compatibility(e,d,a));return[...u,n[t.dominant(e,a)]??"",...h]});return[[...s,"dominant",...n],...o]}function Tc(t){const e=Aa(t).map(({domain:n,value:s,right:o,before:a})=>[n,...[s,o,a].map(i=>i??"")]);return[["domain","network","expression","without_intervention"],...e]}function Ac({current:t,baseline:e}){const n=[["shown",t]];e&&e.id!==t.id&&n.push(["without intervention",e]);const s=n.flatMap(([o,{predictions:a}])=>a.flatMap(({domain:i,probabilities:r})=>r.map((c,l)=>[o,i,l,c])));return[["trace","domain","label","probability"],...s]}const vn=({intervention:t})=>({iterations:t.iterations??null});function to({log:t,tokens:e},n){const{found:s}=C;if(!t||!s)return null;const{sequence:o,sequence_name:a,start:i}=s;return{...Ta([s.log]),sequence:o,sequence_name:a,start:i,tokens:e.length,...n}}function Sc(t){const e=()=>vc(t);return{name:"path",picture:ge,facts:to(t)??{},rows:e,json:()=>Ue(e()),python:{figure:"log-path"}}}const Cc=t=>!t.circuit&&t.candidate!==null,eo=({candidate:t})=>t===null?void 0:{answer:t};function xe(){const{view:t,baseline:e,sample:n}=f;if(!t||!n||!(t.info.predictions.length||t.info.numbers.length))return null;const{label:s,domain:o,name:a,point:i}=n;return{current:t.info,baseline:e?.info??t.info,label:s,domain:o,name:a,point:i}}const xn={path:()=>{const{view:t}=f;return t&&!t.circuit&&t.log?Sc(t):t&&{name:"path",picture:ge,info:t.info,rows:()=>t.circuit?Zs(t):kc(t),json:()=>t.circuit?Oc(t):xc(t),extra:t.circuit?{shown_of_each_step:f.shown}:eo(t),python:{figure:"path",...vn(t.info)}}},patches:()=>{const{view:t,step:e}=f;if(!t)return null;const n=()=>Mc(t,e),s=()=>({step:t.steps[e],...Ue(n())}),o=t.circuit?null:to(t,{layer:t.steps[e]}),a={scene:i=>Hs(f,i)};return o?{name:"text",picture:a,facts:o,python:{figure:"log-text"},rows:n,json:s}:wn()?{name:"points",picture:Vr(),info:t.info,rows:n,json:s}:{name:"patches",picture:a,info:t.info,extra:{step:t.steps[e],...t.circuit?{}:eo(t)},python:{figure:Cc(t)?"path":"patches",...vn(t.info)},rows:n,json:s}},predictions:()=>{const t=xe();if(!t)return null;const{current:e,baseline:n,label:s,point:o}=t,a=e.numbers.length>0,i=()=>a?Tc(t):Ac(t),r=()=>({true_label:s,shown:e.predictions,without_intervention:n?.predictions??null});return{name:a?"answers":"predictions",picture:{scene:(c=640)=>Zn(t,c)},info:e,extra:a?{function:o?.set??null,expression:o?.expression??null}:{true_label:s},python:{figure:"predictions",...vn(e)},rows:i,json:()=>a?Ue(i()):r()}}};function Ec({tokens:t,tokens_left_out:e,bytes_left_out:n}){const[s,o]=[e,n].map(i=>(Array.isArray(i)?i[0]:i)??0),a=t.filter(({text:i})=>i!=="").length;return s?`Text was cut to ${Y(a)} tokens; ${Y(s)} tokens (${Y(o)} bytes) are left out.`:""}const Bc=100;function Oe({name:t,label:e,to:n,end:s,go:o}){return m`<button
    type="button"
    class="tool"
    title=${e}
    aria-label=${e}
    disabled=${n<0||n>=s}
    onClick=${()=>o(n)}
  >
    ${Rn(t)}
  </button>`}function Pc({total:t}){const{sequence:e,sequences:n}=C,s=r=>{kn(r,0)},o=({currentTarget:r})=>{const c=Number(r.value)-1;Number.isInteger(c)&&c>=0&&c<t?s(c):r.value=String(e+1)},i=n&&t<=Bc?n.items.map(({sequence:r,name:c,tokens:l})=>m`<option value=${r+1}>${c+", "+Y(l)+" tokens"}</option>`):null;return m`<div class="control">
    <span class="control-name">sequence</span>
    <${Oe} name="previous" label="Previous sequence" to=${e-1} end=${t} go=${s} />
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
    <${Oe} name="next" label="Next sequence" to=${e+1} end=${t} go=${s} />
    <span class="readout">${"of "+Y(t)}</span>
  </div>`}function Ic(){const{found:t,sequence:e}=C;if(!t)return null;const{start:n,total:s,tokens:o}=t,a=l=>{kn(e,l)},i=Y(n+1)+" to "+Y(n+o.length)+" of "+Y(s),[r,c]=[n>0?Math.max(0,n-o.length):-1,n+o.length];return m`<div class="control">
    <span class="control-name">tokens</span>
    <${Oe} name="previous" label="Tokens before" to=${r} end=${s} go=${a} />
    <span class="readout">${i}</span>
    <${Oe} name="next" label="Tokens behind" to=${c} end=${s} go=${a} />
  </div>`}function no(){const{model:t,sample:e}=J(),{log:n}=C,s=f.view?.steps[f.step];return[["Observe the log",lt("observe",{model:t,sample:e,log:n,...s?{steps:[s]}:{}})],["Logs",lt("logs",{model:t,sample:e,a:n})],["Leave the log",lt("paths",{model:t,sample:e})]].map(([a,i])=>m`<a key=${a} class="tool tool-text" href=${i} onClick=${mt}>${a}</a>`)}function Nc(){const{found:t,sequences:e}=C;if(!t)return m`<div class="log-bar">
      <div class="log-links"><${no} /></div>
    </div>`;const n=e?.total??t.log.facts.sequences,s=gc(t.log.facts.has);return m`<div class="log-bar">
    <${Pc} total=${n} />
    <${Ic} />
    <${zs} />
    <div class="log-links"><${no} /></div>
    ${s.length>0&&m`<p class="hint log-lacks">${s.join(" ")}</p>`}
  </div>`}function Rc(){const{found:t}=C;if(!t)return null;const{name:e,facts:n}=t.log;return m`<strong>${t.sequence_name}</strong>
    <span>${"routing log "+e}</span>
    <span>${n.format+", "+n.version}</span>
    <span class="tag">no model</span>`}function Lc(){let t=J().sample;return W(()=>{const{model:e,sample:n}=J();n!==t&&(t=n,!(!n||new URLSearchParams(location.search).get("sample")===n)&&Wt(()=>setTimeout(()=>Wo(lt("paths",{model:e,sample:n})))))})}function Dc({log:t,sequence:e,token:n,step:s}){const o=[Lc(),te((a,i)=>{i.has("step")&&!f.playing&&Ys()})];return wc(t,e,n,s),()=>{o.forEach(a=>a()),yc()}}function jc(t,e,n){const s=o=>t.dominant(n,o)!==e.dominant(n,o);return{panels:t.patches.filter(s).length,cls:t.classTokens.some(s)}}function Fc(t,e){const{step:n,sample:s}=f,o=t.candidate,{columns:a}=t.info.grid,i=t.candidates.length+t.patches.length-1,[r]=t.info.predictions,c=r?.probabilities[o-1],l=[...s?.label===o-1?["right"]:[],...r?.label===o-1?["network"]:[]],u=b=>{const $=t.dominant(n,b);return $<0?"var(--rs-unmatched)":gt(t.paint(n,$))},{panels:h,cls:p}=jc(t,e,n),d=p?" and the CLS token":"",g=["answer "+o,...c===void 0?[]:[et(c)],...l.map(b=>b==="network"?"the network's answer":b)].join(", ")+(t===e?"":"; "+h+" panels"+d+" go elsewhere than with the answer that is shown");return m`
    <button
      key=${o}
      type="button"
      class="candidate"
      data-candidate=${o}
      data-marks=${l.join(" ")}
      aria-pressed=${String(t===e)}
      aria-label=${g}
      title=${g}
      onClick=${()=>He(o)}
    >
      <span
        class="candidate-picture"
        style=${Sa(t.info.sample,t.patches.length-2+o,i)}
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
  `}function qc(){const{view:t,step:e}=f;return!t||t.circuit||!t.candidates.length?null:m`<div class="candidates">
    <h3 class="small-title">${"With each answer, at "+_(t.steps[e])}</h3>
    <p class="hint">
      Squares: panels, the last with the answer; diamond: the CLS token that the head scores. Choose an answer to see
      its path.
    </p>
    <div class="candidate-list" role="group" aria-label="Answers side by side">
      ${t.candidates.map(n=>Fc(n,t))}
    </div>
  </div>`}const On="paths-continuation",so=[16,48,128,256],Uc=[[1,"the most probable"],[5,"drawn from 5"],[40,"drawn from 40"]],D=Z(null),jt=Z(null),_e=Z(so[1]),_n=Z(5),oo=()=>D.value&&D.value.of===f.view?.info.id?D.value:null;function Me(t){D.value&&(D.value={...D.value,...t})}function zc({info:t},e){const{drop:n,mute:s,top_k:o}=t.intervention,a=new URLSearchParams({model:t.model,sample:t.sample,tokens:String(e.tokens)});return e.among>1&&a.set("among",String(e.among)),n.length&&a.set("drop",n.join(",")),s.length&&a.set("mute",s.join(",")),o&&a.set("top_k",String(o)),"/continuations/stream?"+a}async function Wc(t){const{view:e}=f;if(!e||!e.text||e.circuit)return;const{intervention:n}=e.info,[s,o]=await Promise.all([n.drop,n.mute].map(Dn)),a={...n,drop:s.split(",").filter(Boolean),mute:o.split(",").filter(Boolean)};f.view===e&&(t.style.minHeight=t.getBoundingClientRect().height+"px",jt.value=null,D.value={of:e.info.id,status:"running",wanted:_e.value,tokens:[],problem:""},Go(On,zc({info:{...e.info,intervention:a}},{tokens:_e.value,among:_n.value}),{token:i=>Me({tokens:[...(D.value?.tokens??[]).slice(0,i.at),i]}),done:()=>(t.style.minHeight="",Me({status:"done"}),!0)},i=>Me({status:"failed",problem:i.message})))}function Gc(){Ln(On),Me({status:"cancelled"})}function Hc(t,{path:e},n){const s=e[n]?.experts[0]?.unit;return t.units.findIndex((o,a)=>t.nameAt(n,a)===s)}function Kc(t,e,n){const s=Hc(t,e,n),o=()=>jt.value=e.at,a=s<0?{}:{"--rs-expert":gt(t.paint(n,s))},i=bt(e.text);return m`<span
      key=${e.at}
      class=${jt.value===e.at?"new-token is-pointed":"new-token"}
      style=${a}
      tabindex="0"
      role="button"
      aria-label=${"new token "+(e.at+1)+", "+i}
      onPointerEnter=${o}
      onFocus=${o}
      >${i}</span
    >${e.text===`
`?m`<br />`:null}`}const Jc=({experts:t,margin:e})=>t.map(({unit:n,weight:s})=>n+" "+s.toFixed(2)).join(", ")+(e===null?"":" (margin "+e.toFixed(2)+")");function Vc({at:t,text:e,probability:n,candidates:s,path:o}){const a=s.map(i=>"\u201C"+bt(i.text)+"\u201D "+et(i.probability));return m`
    <p class="hint">
      <strong>${"New token "+(t+1)+" \u201C"+bt(e)+"\u201D"}</strong>
      ${", probability "+et(n)+". Most probable here: "+a.join(", ")+"."}
    </p>
    <ol class="new-path">
      ${o.map(i=>m`<li key=${i.step}>${Jc(i)}</li>`)}
    </ol>
  `}function Yc({status:t,tokens:e,wanted:n,problem:s}){if(t==="failed")return s;const o=e.length+" of "+n+" tokens";return{running:o+" so far",done:e.length+" tokens written by the model",cancelled:o+", cancelled"}[t]}function Xc(t){const e=oo()?.status==="running",n=({currentTarget:o})=>_e.value=Number(o.value),s=({currentTarget:o})=>_n.value=Number(o.value);return m`
    <div class="continuation-controls">
      <button type="button" class="tool tool-text" id="paths-continue" onClick=${e?Gc:t}>
        ${e?"Cancel":"Continue the text"}
      </button>
      <select
        class="small-input"
        aria-label="How many tokens are written"
        value=${_e.value}
        onChange=${n}
      >
        ${so.map(o=>m`<option value=${o}>${o+" tokens"}</option>`)}
      </select>
      <select class="small-input" aria-label="Which token is written" value=${_n.value} onChange=${s}>
        ${Uc.map(([o,a])=>m`<option value=${o}>${a}</option>`)}
      </select>
    </div>
  `}function ao(){Ln(On),D.value=null}function Qc(){const t=V(null),{view:e,step:n}=f;if(De(()=>ao,[]),ct(()=>{!D.value||D.value.of===e?.info.id||(ao(),t.current&&(t.current.style.minHeight=""))},[e]),!e||!e.text||e.circuit)return null;const s=oo(),o=s&&jt.value!==null?s.tokens[jt.value]:null,a=e;return m`<div class="continuation" ref=${t}>
    ${Xc(()=>{t.current&&Wc(t.current)})}
    ${s&&m`<p class="continuation-said" role="status">${Yc(s)}</p>
        <p class="new-tokens" data-status=${s.status}>${s.tokens.map(i=>Kc(a,i,n))}</p>`}
    ${o&&Vc(o)}
  </div>`}const Zc=.9,tl=Ia(Zc,()=>f.playing&&f.view,t=>{const{steps:e}=f.view,n=e.length+1,s=(f.time??0)+t,o=Math.max(0,Math.min(e.length-1,Math.floor(s+.02)-1));return s>=n?x({playing:!1,time:null,step:o}):x(o===f.step?{time:s}:{time:s,step:o}),s<n});function io(){if(!f.view)return;if(f.playing){x({playing:!1,time:null});return}const t=f.step>=f.view.steps.length-1;x({playing:!0,time:t?0:f.step+1,step:t?0:f.step}),tl()}function ro(t){Ea(t)||!f.view||Ba(t,{...Pa(io,ee,f.step,f.view.steps.length),ArrowDown:()=>Ge(1),ArrowUp:()=>Ge(-1),Escape:()=>x({hover:null,pinned:null})})}function el(t){const{tagName:e}=t.target;(t.key==="Escape"||e!=="BUTTON"&&t.key===" ")&&ro(t)}function nl(){const{view:t,step:e,playing:n}=f,s=t?Na(t.steps,e):"",o=t&&{count:t.steps.length,step:e,valuetext:s,words:s};return m`<div class="player" onKeyDown=${el}>
    <${Ra}
      ...${{shown:o,playing:n,toggle:io,goTo:ee,least:1}}
      step=${()=>f.step}
      playLabel=${A({"":"Play through the {passes}"})}
      pauseTitle="Pause (space)"
    />
  </div>`}Ca("[data-path-keys]",ro);function sl({info:t,names:e,text:n}){if(n)return[];const{mute:s,drop:o,iterations:a,keep_edges:i}=t.intervention,r={mute:s,drop:o,iterations:a,edges:i},c=s.length||o.length||a!==null||i!==null,{model:l,sample:u}=t,h=d=>lt("samples",{model:l,sample:u,...r,...d},e),p=[["Samples nearest in routing to this one",h({order:"nearest",to:u})]];return c?[...p,["Samples rerouted most by what is changed here",h({order:"rerouted"})]]:p}function ol(){const t=f.view?sl(f.view):[];if(f.view?.text)return null;const e=([n,s]=["",""])=>m`<a key=${n} href=${s} onClick=${mt}>${n}</a>`;return m`<p class="path-samples">${t.map(n=>e(n))}</p>`}const al=16,it=t=>t.toFixed(2);function co(t,e,n){const s=t.dominant(e,n),o=t.units.flatMap((l,u)=>{const h=t.compatibility(e,u,n);if(h<.004)return[];const p={width:h*100+"%",background:gt(t.paint(e,u))};return[m`<span class="stack-part" title=${l+" "+it(h)} style=${p}></span>`]}),a=s<0?"no match":t.nameAt(e,s)+" "+it(t.compatibility(e,s,n)),i=P()?.token===n,r=()=>I({token:n}),c=()=>I(null);return m`
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
  `}const lo=t=>Math.min(100,t*100)+"%";function uo(t,e,n,s,o=null){const a=t.compatibility(e,n,s);return m`<div class="bar-row">
    <span class="bar-name">${t.text?t.nameAt(e,n):t.units[n]}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:lo(a),background:gt(t.paint(e,n))}}></span>
      ${o!==null&&m`<span class="bar-mark" title="the step before" style=${{left:lo(o)}}></span>`}
    </span>
    <span class="bar-value">${[it(a),t.state(n,e)].filter(Boolean).join(" ")}</span>
  </div>`}function il(t,e,n){if(t.text)return rl(t,e,n);const s=o=>e>0?t.compatibility(e-1,o,n):null;return m`
    <h3 class="small-title">${t.label(n)+" at "+_(t.steps[e])}</h3>
    ${t.units.map((o,a)=>uo(t,e,a,n,s(a)))}
  `}function rl(t,e,n){const s=h=>t.compatibility(e,h,n),o=[...t.units.keys()].filter(h=>s(h)>0).sort((h,p)=>s(p)-s(h)),[a,i]=[t.margin(e,n),t.bits(n)],r=t.log?.margin_of??"logits",c=a===null?"":"The last chosen expert won by "+it(a)+" "+r+". ",l=i===null?"":"This token cost "+it(i)+" bits, given those before it.",u=t.steps.map((h,p)=>t.nameAt(p,t.dominant(p,n))??"none").join(", ");return m`
    <h3 class="small-title">${t.label(n)+" at "+_(t.steps[e])}</h3>
    ${o.map(h=>uo(t,e,h,n))}
    <p class="hint">${c+l}</p>
    <p class="hint">
      ${(t.log?.weighted===!1?"Named first":"Most weight")+" over the layers: "+u+"."}
    </p>
  `}function cl(t,{step:e,unit:n}){const s=t.members(e,n),o=s.map(r=>t.label(r)),a=o.length>8?"; and "+(o.length-8)+" more":"",i="Dominant for "+s.length+" of "+t.tokens.length+" tokens; ";return m`
    <h3 class="small-title">${t.nameAt(e,n)+" at "+_(t.steps[e])}</h3>
    <p class="hint">${i+"mean compatibility "+it(t.use(e,n))+"."}</p>
    <p class="hint">${o.slice(0,8).join("; ")+a}</p>
  `}function ll(t){const{view:e,step:n}=t;if(e.circuit)return Wr(t);const s=P();if(s&&s.token!==void 0)return il(e,n,s.token);if(s)return cl(e,s);const o=e.text?"Point at a character, a line or a dot to see the experts and their weights; click to keep it.":`Point at a ${e.candidate?"panel":e.numbers.length?"number":"patch"}, a line or a dot to see its compatibilities; click to keep it.`;return m`<p class="hint">${o}</p>`}function ul({alone:t}){const e=V(null),n=e.current?.contains(document.activeElement);return ct(()=>{n&&!e.current?.contains(document.activeElement)&&e.current?.querySelector("button")?.focus()}),m`
    <div class=${t?"token-detail is-alone":"token-detail"} ref=${e}>
      <${Ho} key=${JSON.stringify(P())}>${f.view&&ll(f)}<//>
    </div>
  `}function hl(){const{view:t,step:e}=f,n=t&&!t.circuit&&!t.text?t:null;return m`<div class="token-bars">
    ${n&&n.numbers.length>0&&m`<${pl} view=${n} step=${e} />`}
    ${n&&m`<h3 class="small-title">CLS tokens (each is read by its head)</h3>
        <div class="token-list">${n.classTokens.map(s=>co(n,e,s))}</div>`}
    <${ul} alone=${!n} />
  </div>`}const pl=({view:t,step:e})=>m`
  <h3 class="small-title">Numbers</h3>
  <div class="token-list">${t.numbers.map(n=>co(t,e,n))}</div>
`;function dl(t){const e=t.steps.map(c=>_(c)),n=t.units.map((c,l)=>[c,...t.steps.map((u,h)=>t.members(h,l).length+" ("+it(t.use(h,l))+")")]),o=[...t.text||t.numbers.length?t.tokens.keys():t.classTokens].map(c=>[t.label(c),...t.steps.map((l,u)=>t.nameAt(u,t.dominant(u,c))??"none")]),a=t.text||t.numbers.length?"token":"CLS token",i=t.text?"expert":"function",r=`Tokens whose dominant ${i} this is, and its mean compatibility, at every step; below, the dominant ${i} of each ${a}.`;return[[[i,...e],...n,...o],r]}function fl(){const{view:t}=f,[e,n]=t?t.circuit?Gr(t):dl(t):[[],""],s=t?.circuit?"Modules that are read most at every step":"Dominant units at every step";return m`<${La} words=${s} caption=${()=>n} rows=${t&&(()=>e)} />`}const ml=(t,e)=>t.units.map((n,s)=>{const o=i=>t.text!==null||t.tokens[i].kind!=="cls",a=t.members(e,s).filter(o).length;return{unit:s,name:t.nameAt(e,s),count:a,paint:gt(t.paint(e,s))}});function gl(t,e){if(t.circuit)return Hr(f);const n=ml(t,e);return t.text&&n.length>al?n.filter(({count:s})=>s>0):n}const bl=t=>t.text?t.tokens.length+" tokens":t.patches.length+(t.circuit?" patches":t.candidate?" panels":t.numbers.length?" numbers":" patches");function $l(){const{view:t,step:e}=f;return t?m`<div class="legend">
    ${gl(t,e).map(({unit:n,name:s,count:o,paint:a})=>m`
        <span
          key=${n}
          class="legend-entry"
          title=${o+" of "+bl(t)}
          onPointerEnter=${()=>I({step:t.circuit?0:e,unit:n})}
          onPointerLeave=${()=>I(null)}
        >
          <span class="swatch" aria-hidden="true" style=${{background:a}}></span>
          ${s}
          <small>${o}</small>
        </span>
      `)}
  </div>`:m`<div class="legend"></div>`}const Te=["svg","png","csv","json"],ho={top_experts:"Columns are layers, dots experts, lines tokens: each line runs through the expert with most weight for its token.",compatibility:"Columns are {passes}, dots functions, lines tokens: each runs through its most compatible functions.",messages:"Columns are {passes}, dots modules, lines messages, as wide as the receiver's attention."},wl={top_experts:"Fainter segments lead to the other experts that a token takes. Double-click a dot to drop or mute its expert.",compatibility:"Tokens are the small pictures at the left. CLS tokens are outlined and lead on to their heads.",messages:"The first column shows what modules read of the tokens, the last what the output reads of modules. Double-click a dot to drop or mute its module."},po={points:"Points",numbers:"Numbers",top_experts:"Text",listops:"Expression",bytes:"Text",matrices:"Matrix","":"Patches"},fo="Colour: the module that reads it most. Point at a module to see what it reads.",mo={points:"Colour: the module that reads a point most. Click a module to see where it looks. Drag to turn.",numbers:"Bars: the numbers of the point. Colour: most compatible function at this {pass}.",top_experts:"Colour: the expert with most weight for the token at this layer. \u21B5 ends a line.",listops:fo,bytes:fo,matrices:"The matrix with one answer in its gap. Colour: most compatible function at this {pass}.",compatibility:"Colour: most compatible function at this {pass}.",messages:"Colour: the module that reads it most. Point at a module to see where it looks."},yl={numbers:"Dots: answers of the heads. Ticks: values of their functions. The sample's function is first.","":"Bars: softmax probabilities of each head. Dashed outlines: without intervention. Triangle: the true label."},go={top_experts:"Experts of a token",compatibility:"Compatibility of tokens",messages:"Attention"},bo={top_experts:"The experts that the token takes at this layer, with their weights.",compatibility:"Compatibilities at this {pass}. Tick: the {pass} before.",messages:"Shares of attention, averaged over heads. Read-in: shares over the tokens."},kl={numbers:"Choose or set one",points:"Choose or bring one",top_experts:"Choose or type one",listops:"Choose or type one",bytes:"Choose or type one","":"Choose, upload or draw one"};function vl({view:t,baseline:e}){if(!e||t.circuit!==e.circuit)return"";if(t.circuit)return xl(t,e);const n=Math.min(t.steps.length,e.steps.length);let s=0;for(let o=0;o<t.tokens.length;o+=1){let a=!0;for(let i=0;i<n;i+=1)a=a&&t.dominant(i,o)===e.dominant(i,o);a||(s+=1)}return s+" of "+t.tokens.length+" tokens take another dominant path than without intervention"+(n<Math.max(t.steps.length,e.steps.length)?" (over the "+n+" steps both have).":".")}function xl(t,e){const n=t.patches.filter(a=>t.dominant(0,a)!==e.dominant(0,a)).length,s=(100*t.movedFrom(e)).toFixed(1),o=n+" of "+t.patches.length+" patches are read most by another module; ";return(t.patches.length?o:"")+s+" % of the attention between modules goes elsewhere than without intervention."}function Ol(){const{view:t}=f,{mute:e=[],drop:n=[],keep_edges:s=null,iterations:o=null,top_k:a=null}=t?.info.intervention??{},{pass:i,passes:r}=zt(rt()),c=u=>u.length>_l?u.length+" units":u.join(", "),l=[e.length?"mute "+c(e):"",n.length?"drop "+c(n):"",s===null?"":Number((100*s).toPrecision(3))+" % of the edges",a?Ko(a):"",o?o+" "+(o===1?i:r):""].filter(Boolean);return m`<span id="paths-kind">${l.length?"observed under: "+l.join("; "):"observed"}</span>`}const _l=6;function Ml(){const{problem:t}=f,{status:e=0,refused:n=!1}=t??{},s=!n&&!(e>=400&&e<500&&e!==429),o=Et.answer()??[];return m`
    <div class="skeleton when-loading" aria-hidden="true"></div>
    <div class="message when-empty">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">${A({"":"Choose one to see its path through the {units}."})}</p>
      <div id="paths-starters" class="starters">${o.length>0&&m`<${qa} items=${o} />`}</div>
      <a class="button" href="/samples" onClick=${mt}>${A(kl)}</a>
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
  `}const $o=({id:t,label:e})=>m`<canvas id=${t} tabindex="0" role="img" data-path-keys="true" aria-label=${e}></canvas>`,Tl="Computational path. Space plays, left and right go back and on, up and down move through the tokens, Escape ends it. The same numbers are in the table below.";function wo({log:t=!1}){const e=!!L.value&&!t,{view:n}=f;return m`<${yt}
    id="path"
    title="Computational path"
    reads=${t?ho.top_experts:A(ho)}
    more=${t?"":A(wl)}
    tag=${t?"observed":m`<${Ol} />`}
    formats=${t?Te:[...Te,"nc"]}
    written=${xn.path}
    look="panel-path"
  >
    <div class="path-sides">
      ${e&&m`<div class="path-side" key="a">
          <${Ls} letter="A" />
          <${hn} look="path-canvas" make=${ji}>
            <${$o}
              id="path-picture-of-a"
              label="Computational path of A, which is pinned, at the same step as that of B."
            />
            <div class="path-state-of-a"><${lr} /></div>
          <//>
        </div>`}
      <div class="path-side" key="b">
        <${Ls} letter="B" />
        <${hn} look="path-canvas" make=${Di}><${$o} id="path-picture" label=${Tl} /><${Ml} /><//>
      </div>
    </div>
    <div class="path-controls"><${nl} /><${Dr} /><${fl} />${!t&&m`<${ol} />`}</div>
    ${!t&&m`<p class="path-status" aria-live="polite">${n&&vl(f)}</p>`}
  <//>`}function yo({log:t=!1}){const e=!!L.value&&!t,n=wn();return m`<${yt}
    id="patches"
    title=${t?po.top_experts:A(po)}
    reads=${t?mo.top_experts:A(mo)}
    formats=${Te}
    written=${xn.patches}
    look="panel-patches"
  >
    <div class="patch-sides">
      ${e&&m`<${lc} key="a" />`}<${cc} key="b" hidden=${n} />
      ${n&&m`<${hn} key="cloud" look="cloud" make=${Yr} />`}
    </div>
    <div class="patch-foot"><${$l} />${!n&&!t&&m`<${zs} />`}</div>
    ${!t&&m`<${qc} /><${Qc} />`}
  <//>`}function Al(){const t=xe();return m`<${yt}
    id="predictions"
    title=${A({numbers:"Answers","":"Predictions"})}
    reads=${A(yl)}
    formats=${Te}
    written=${xn.predictions}
    look="panel-predictions"
  >
    <div class="prediction-body">
      <${Da}
        look="prediction-canvas"
        height=${152}
        scene=${e=>{const n=xe();return n&&Zn(n,e)}}
        drawn=${()=>f.view?.info.id??""}
        label=${()=>{const e=xe();return e?ja(e):""}}
        data=${{"data-key":"paths"}}
      />
      <details class="as-table prediction-table">
        <summary>The same as a table</summary>
        <div class="table-scroll" tabindex="0" role="region" aria-label="Answers as a table">
          ${t&&m`<${Fa} ...${t} />`}
        </div>
      </details>
    </div>
  <//>`}const ko=({log:t=!1})=>m`<${yt}
    id="tokens"
    title=${t?go.top_experts:A(go)}
    reads=${t?bo.top_experts:A(bo)}
    look="panel-tokens"
    ><${hl}
  /><//>`,vo={shown:fn,units:()=>f.view?.names,write:le,noSwap:ue};function Sl(){const{view:t,sample:e}=f;if(!t||!e)return null;const{info:n}=t,s=Ec(n),o=pt.value.drop,a=n.fields.some(({name:i})=>i==="types"||i==="messages");return m`
    <strong>${e.name}</strong>
    <span>${e.words}</span>
    ${e.stand_in&&m`<span class="tag tag-warn">stand-in data</span>`}
    ${s&&m`<span class="tag tag-warn">${s}</span>`}
    <${Ha} id=${n.model} revision=${n.revision} />
    ${a&&m`<a
        id="paths-to-types"
        href=${lt("types",{model:n.model,sample:n.sample,drop:o})}
        onClick=${mt}
        >Show on Types</a
      >`}
  `}const xo=()=>m`<button type="button" class="tool tool-text" data-copy-link="true">${Rn("link")}Copy link</button>`;function Cl(){const t=Yo(Be(H().model));return m`
    <div class="page-head">
      <h1>Paths</h1>
      <div id="paths-caption" class="caption"><${Sl} /></div>
      <span class="tag tag-warn" role="status" hidden=${!t}>${t}</span>
      <span class="pin-tool"><${Ua} ...${vo} /></span>
      <${xo} />
    </div>
    <${za} ...${vo} />
    <${Wa}><${Ir} /><//>
    <div class="paths-grid">
      <div class="column">
        <${wo} />${L.value&&m`<${xr} />`}<${Al} />
      </div>
      <div class="column"><${yo} /><${ko} /></div>
    </div>
  `}const El=()=>m`
  <div class="page-head">
    <h1>Paths</h1>
    <div class="caption"><${Rc} /></div>
    <${xo} />
  </div>
  <${Nc} />
  <div class="paths-grid">
    <div class="column"><${wo} log=${!0} /></div>
    <div class="column"><${yo} log=${!0} /><${ko} log=${!0} /></div>
  </div>
`;Jo("paths",({model:t,sample:e,log:n,sequence:s,token:o,...a})=>n||C.log||f.view?.info.model!==t||!e?null:(oe(a,{model:t,sample:e}),Bn({model:t,sample:e}),gs().then(()=>{setTimeout(le)})));function Bl(t,e){U.value=t.drop.length&&!t.mute.length?"drop":"mute",oe({...t,step:new URLSearchParams(location.search).has("step")?t.step:null});const n=[ms(),bs(),W(()=>{e.toggleAttribute("data-compares",!!L.value)})];return()=>{n.forEach(s=>s()),Ga()}}const Pl=Vo({Tree:()=>C.log?m`<${El} />`:m`<${Cl} />`,choice:()=>{const{log:t,sequence:e,start:n}=C;return{...pt.value,log:t,sequence:e,token:n}},take:({log:t,sequence:e,token:n,...s})=>oe(s),open({log:t,sequence:e,token:n,...s},o){const a=o.closest(".page"),i=[t?Dc({log:t,sequence:e,token:n,step:s.step}):Bl(s,a),W(()=>{const{status:r,view:c}=f;a.dataset.status=r,c&&(a.dataset.answers=c.info.predictions.length+c.info.numbers.length?"said":"none")})];return()=>i.forEach(r=>r())}});Xo({compare:()=>$i,geometry:()=>Ka,pathCanvas:()=>ge,paths:()=>sn});export{Pl as mount};
