/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{r as Cs,H as zt,ae as Bt,af as sn,z as en,ag as nn,E as Y,V as Gt,_ as Ps,c as ut,d as on,ad as rn,ah as an,ai as Wt,aj as ln,ak as dt,n as ht,s as h,P as F,al as X,am as Ls,T as D,Q as Kt,R as pt,an as Fs,S as cn,U as Rs,ao as Ht,ap as un,aq as zs,q as Ut,G as Bs,ar as dn,a8 as hn,i as Gs,D as Ws,v as Ks,f as qt,as as pn,at as fn,au as gn,av as mn,aw as bn,ax as $n,ac as wn,ay as kn,ab as yn,O as vn}from"../../boot.js";import{m as xn,b as Jt,l as Mn,w as ft,f as On,a as _n,B as Sn,o as En,p as An,c as Vt,d as Tn,P as B,e as In,A as Yt,g as Dn,h as Hs,i as jn,j as Us,k as Nn,n as Cn,q as qs,r as Pn,s as Ln,t as Fn,u as Js,N as gt,v as mt,x as Vs,y as Rn,z as Xt,C as R,D as zn,E as Bn,F as Gn,G as Zt,H as Wn,I as Kn,J as Hn,K as Un,R as qn}from"../../shared.js";const Ys=.06,Z=({t:s,level:t,index:e})=>[s,t,e].join(),bt=({t:s,level:t,index:e,source:n})=>[s,t,e,n].join();function Qt({view:s,layout:t},e){if(e.level>0||t.column(e.t,0))return e;const n=s.levels[s.depth].indexOf(s.levels[0][e.index]);return n<0?e:{t:e.t-1,level:s.depth,index:n}}function Jn({view:s},{t,level:e,index:n}){if(e<s.depth)return{t,level:e,index:n};const o=s.levels[0].indexOf(s.levels[e][n]);return o>=0&&t+1<s.iterations?{t:t+1,level:0,index:o}:null}function Vn(s,t){const e=Qt(s,{t:t.t,level:t.level-1,index:t.source}),n=new Set([Z(t),Z(e)]);return{block:o=>n.has(Z(o))?1:.25,ribbon:o=>bt(o)===bt(t)?3:.12}}function Yn(s,t){const{view:e}=s,[n,o]=[new Map,new Map],i=(l,u,d)=>l.set(u,Math.max(l.get(u)||0,d)),r=[];t.level>0&&r.push({t:t.t,found:e.upstream(t),low:1,high:t.level,up:!0});const a=Jn(s,t);a&&r.push({t:a.t,found:e.downstream(a),low:a.level+1,high:e.depth,up:!1});for(const{t:l,found:u,low:d,high:p,up:g}of r){for(const[$,w]of u)for(const[k,m]of w)i(n,Z(Qt(s,{t:l,level:$,index:k})),m);for(let $=d;$<=p;$+=1)for(const[w,k]of u.get($)??[])for(const{source:m,weight:f}of e.shares({t:l,level:$,index:w}).sources)i(o,bt({t:l,level:$,index:w,source:m}),f*(g?k:u.get($-1)?.get(m)||0))}const c=l=>Ys+(1-Ys)*Math.min(1,2.5*(l||0));return{block:l=>Math.max(.22,c(n.get(Z(l)))),ribbon:l=>1.5*c(o.get(bt(l)))}}const Xn=(s,t)=>t.source===void 0?Yn(s,t):Vn(s,{...t,source:t.source}),Zn=10,Qn=.04,Xs=s=>[1,3,5].map(t=>Number.parseInt(s.slice(t,t+2),16)),Zs=(s,t,e)=>e<s.levels[0].length?t.unit(e):t.ink;function Qs(s,t,e){const n=Array.from(s.origin(e),(i,r)=>({part:r,share:i})).filter(({share:i})=>i>=Qn),o=n.reduce((i,{share:r})=>i+r,0)||1;return n.map(({part:i,share:r})=>({part:i,share:r/o,paint:Zs(s,t,i)}))}function te(s,t,e){if(!Number.isFinite(t))return s.surface;const n=s.dark?s.hair:"#eef1f4";return xn(n,t>=0?s.ink:s.unit(Zn),Math.min(1,Math.abs(t)/e))}function to(){const s=Cs(),[t,e,n]=Xs(s.surface);return{...s,dark:t+e+n<380}}function so(s,t,e,n){const o=Math.ceil(t.length/e),i=document.createElement("canvas");[i.width,i.height]=[e,o];const r=i.getContext("2d"),a=r.createImageData(e,o);return t.forEach((c,l)=>{a.data.set([...Xs(te(s,c,n)),255],4*l)}),r.putImageData(a,0,0),{bitmap:i,href:i.toDataURL(),width:e,height:o}}const I=34,eo={gate:30,strip:70,digit:18,out:5,ribbon:64,height:20,pitch:45,most:230},no={gate:20,strip:40,digit:13,out:4,ribbon:46,height:20,pitch:45,most:120},oo=80,G=8,io=14,ro=s=>s.reduce((t,e)=>t+e,0);function ao(s,t,e,n,o,i){const r=[];let a=e;for(let c=i?0:1;c<=s.depth;c+=1){const l=c===0?0:o.gate;(r.length||!i)&&(a+=n),r.push({t,level:c,x:a,strip:a+l}),a+=l+o.strip+o.digit+o.out}return{columns:r,end:a}}const se=(s,t)=>s.depth*(t.ribbon+t.gate+t.strip+t.digit+t.out);function lo(s,t,e,n){const o=n.strip+n.digit+n.out,i=se(s,n);let[r,a]=[t,t];const c=(p,g)=>{const $=I*(s.iterations-(g-p+1));return o+i*(g-p+1)+Math.min($,I*8)<=e-2*G};for(let p=!0;p;)p=!1,a+1<s.iterations&&c(r,a+1)&&([a,p]=[a+1,!0]),r>0&&c(r-1,a)&&([r,p]=[r-1,!0]);const l=Math.max(0,Math.floor((e-2*G-o-i*(a-r+1))/I)),u=Math.min(s.iterations-1-a,Math.max(Math.ceil(l/2),l-r)),d=Math.min(r,Math.max(0,l-u));return{first:r,last:a,before:d,after:u}}function ee(s,t,e,n){const o=t===0?s.levels[0]:s.levels[t],i=l=>Array.from({length:l},(u,d)=>e+n*(d+.5)/l);if(t!==s.depth)return i(o.length);const r=s.levels[0];if(!(o.length>1&&o.every(l=>r.includes(l))))return i(o.length);const c=i(r.length);return o.map(l=>c[r.indexOf(l)])}function ne(s,{width:t,focus:e=0,image:n=!1}){const o=t<620,i={...o?no:eo};n&&!o&&(i.strip=oo);const{first:r,last:a,before:c,after:l}=lo(s,e,t,i),u=a-r+1,d=i.strip+i.digit+i.out,p=t-2*G-I*(c+l)-d-u*se(s,i),g=o?0:60,$=Math.max(0,p-g)/(u*s.depth),w=Math.min(i.most,i.ribbon+$),k=s.iterations>1?62:30,f=Math.max(...s.levels.map(M=>M.length))*i.pitch,v=[];let y=G;for(let M=r-c;M<r;M+=1,y+=I)v.push({state:M,x:y});let _=[];for(let M=r;M<=a;M+=1){const z=ao(s,M,y,w,i,M===r);_=[..._,...z.columns],y=z.end}const T=y;y+=l?g:0;for(let M=a+1;M<=a+l;M+=1,y+=I)v.push({state:M+1,x:y});for(const M of _){const z=ee(s,M.level,k,f);if(M.blocks=z.map((L,Rt)=>({t:M.t,level:M.level,index:Rt,y:L})),M.out=M.strip+i.strip+i.digit,M.right=M.out+i.out,M.level===s.depth&&M.t<a){const L=s.levels[0].length-1,Rt=ee(s,0,k,f)[L];M.task={t:M.t+1,level:0,index:L,y:Rt}}}return{view:s,beside:g||G,sizes:i,narrow:o,image:n,gap:w,header:k,first:r,last:a,hidden:{before:r-c,after:s.iterations-1-a-l},folded:v,columns:_,end:T,width:Math.max(t,y+(l?0:g)+G),height:k+f+io,top:k,bottom:k+f,column:(M,z)=>_.find(L=>L.t===M&&L.level===z)}}function $t(s,t,e,n){const{view:o}=s,i=s.column(t,e-1);if(i)return{column:i,block:i.blocks[n]};const r=s.column(t-1,o.depth);if(!r)return null;const a=o.levels[0][n],c=o.levels[o.depth].indexOf(a);return{column:r,block:c>=0?r.blocks[c]:r.task}}function oe(s,t,e){const{view:n,sizes:o}=s,i=n.step(t,e),{height:r}=o,a=s.column(t,e),c=i.sources.map((d,p)=>ro(i.blocks.map((g,$)=>n.weight(i,p,$)))),l=i.sources.map(()=>0),u=[];return a&&i.blocks.forEach((d,p)=>{let g=a.blocks[p].y-r/2;i.sources.forEach(($,w)=>{const k=n.weight(i,w,p),m=$t(s,t,e,w);if(!m||!m.block||k<=0)return;const f=r/Math.max(1,c[w]),v=m.block.y-Math.min(1,c[w])*r/2+l[w];u.push({t,level:e,index:p,source:w,weight:k,x0:m.column.right,x1:a.x,from:[v,v+k*f],to:[g,g+k*r]}),l[w]+=k*f,g+=k*r})}),u}function ie(s,t,e,n){const{sizes:o,view:i}=s;for(const{state:d,x:p}of s.folded)if(e>=p&&e<p+I)return{kind:"folded",t:Math.max(0,d-1)};for(const d of s.columns){const p=d.task?[...d.blocks,d.task]:d.blocks;if(e<d.x-3||e>d.right+3)continue;const g=p.find(w=>Math.abs(w.y-n)<=o.height/2+13);if(!g)continue;return{kind:g.level>0&&e<d.strip&&Math.abs(g.y-n)<=o.height/2+4?"gate":"block",t:g.t,level:g.level,index:g.index}}const r={best:null,distance:6};for(const d of t){if(e<=d.x0||e>=d.x1||d.weight<.03)continue;const p=re(d,e),g=(wt(d,e,1)-wt(d,e,0))/2,$=Math.max(0,Math.abs(n-p)-g);($<r.distance||$===0&&r.best&&d.weight<r.best.weight)&&Object.assign(r,{best:d,distance:$})}if(!r.best)return null;const{t:a,level:c,index:l,source:u}=r.best;return{kind:"ribbon",t:a,level:c,index:l,source:u,name:i.step(a,c).sources[u]}}function co(s,t,e,n,o){const i=(o-s)/(e-s);let[r,a]=[0,1];for(let l=0;l<20;l+=1){const u=(r+a)/2;1.5*u*(1-u)*(1-u)+1.5*u*u*(1-u)+u*u*u<i?r=u:a=u}const c=(r+a)/2;return t+(n-t)*(3*c*c-2*c*c*c)}const wt=({x0:s,x1:t,from:e,to:n},o,i)=>co(s,e[i],t,n[i],o),re=(s,t)=>(wt(s,t,0)+wt(s,t,1))/2;var uo=Object.freeze({__proto__:null,FOLDED:I,heightAt:re,layOut:ne,portsOf:oe,sourceOf:$t,targetAt:ie});const ts=.9,kt=.1,ae=3,j=s=>{const t=100*s;return(t>99.5&&s<.99995?">99":t<.5&&s>0?"<1":Math.round(t))+" %"};function ss(s,t){const e=s.filter(({share:o})=>o>=kt).sort((o,i)=>i.share-o.share),[n]=e;return t>=ts?{kind:"computed",parts:[],computed:t}:n&&n.share>=ts?{kind:"copied",parts:[n],computed:t}:t<=kt?{kind:"interpolated",parts:e,computed:t}:{kind:"mixed",parts:e,computed:t}}const es=s=>s.slice(0,ae).map(({name:t,share:e})=>t+" "+j(e)).join(" + ");function le({kind:s,parts:t,computed:e},n){const o=t.length>ae?" and others":"";if(s==="computed")return"computed, "+j(e);if(s==="copied")return"copied from "+es(t);const i=t.length?es(t)+o:"all "+n+" sources, each less than "+j(kt);return s==="interpolated"?"interpolated from "+i:j(e)+" computed, the rest from "+(t.length?i:"many sources")}function ns({kind:s,parts:t,computed:e}){if(s==="computed")return"computed "+j(e);if(s==="copied")return"copy of "+t[0].name;const n=t.slice(0,2).map(({name:o,share:i})=>o+" "+Math.round(100*i));return s==="interpolated"?n.length?n.join(" + ")+" %":"mean of many":[...n.slice(0,1),"computed "+Math.round(100*e)].join(" + ")+" %"}function ho({kind:s,parts:t,computed:e}){return s==="computed"?"computed":s==="copied"?"= "+t[0].name:s==="interpolated"?"mixed":j(e)+" new"}function yt(s,t){const{sources:e,computed:n}=s.shares(t),o=ss(e,n),i=le(o,e.length);if(o.kind!=="computed")return{...o,long:i,short:ns(o)};const r=ss(e.map(({name:c,weight:l})=>({name:c,share:l})),0),a=r.parts.length?"; routed to it: "+es(r.parts):"";return{...o,long:i+a,short:ns(o)}}function vt(s,t){const e=s.origin(t),n=s.levels[0],o=n.map((r,a)=>({name:r,share:e[a]})),i=ss(o,e[n.length]);return{...i,long:le(i,n.length),short:ns(i),brief:ho(i)}}function os(s,{t,index:e}){const{digit:n,truth:o,right:i}=s.answer(t,e)||{};return i===!1?s.levels[s.depth][e]+" is "+n+", by the rule it is "+o:null}function ce(s,t){const e=s.run.answers[t];if(!e)return{text:"",state:"unknown"};const n=e.digits.map((c,l)=>os(s,{t,index:l})).filter(Boolean),o=n.length>3?[...n.slice(0,2),"and "+(n.length-2)+" more"]:n,i=s.run.first_wrong&&s.run.first_wrong.iteration===t+1,r=e.explanation||"";if(i)return{text:"Wrong here: "+o.join("; ")+".",state:"wrong"};if(o.length&&e.follows)return{text:r+" The rule is followed; what is wrong was so before.",state:"follows"};if(o.length)return{text:"Wrong: "+o.join("; ")+".",state:"wrong"};const a=s.run.input.digits?"":"strips in the order "+e.subtask;return{text:r||a,state:e.right.includes(null)?"unknown":"right"}}var po=Object.freeze({__proto__:null,LEAST:kt,MOST:ts,made:yt,origin:vt,percent:j,sentence:ce,wrong:os});const is=24,fo=10,go=28,ue=.02,S=(s,t,e,n)=>({shape:"text",x:s,y:t,text:e,size:10.5,...n}),N=(s,t,e,n,o)=>({shape:"rect",x:s,y:t,w:e,h:n,...o}),xt=(s,t,e,n=10.5,o=400)=>On(t,e,n,_n(s.font),o),rs=([s,t],e,n)=>[s+(t-s)*e,s+(t-s)*n];function de({view:s,theme:t},{t:e,level:n,source:o}){return(n===1?[{share:1,paint:Zs(s,t,o)}]:null)||Qs(s,t,{t:e,level:n-1,index:o})}function mo({view:s},{t,level:e,index:n,weight:o}){const i=s.gate(s.step(t,e),n);return o<ue?.05:(.2+.62*Math.min(1,1.4*o))*(.62+.38*(1-i))}function bo(s,t,e){if(e<.012||t.weight<.004)return[];const{x0:n,x1:o,from:i,to:r}=t;let a=0;return de(s,t).map(({share:c,paint:l})=>{const u=a+c,d={shape:"path",d:Jt(n,o,rs(i,a,u),rs(r,a,u)),fill:l,opacity:e};return a=u,d})}const $o=(s,t,e,n)=>{const{view:o,theme:i,layout:r,ribbons:a}=s,{height:c}=r.sizes,l=o.gate(o.step(e.t,e.level),e.index),[u,d]=[e.y-c/2,e.y+c/2],[p,g]=[t.x+3,t.strip-3],$=[N(t.x,u,3,c,{fill:i.dim,opacity:.35*n})],w=k=>u+(k-u)*(1-l);for(const k of a){if(k.t!==e.t||k.level!==e.level||k.index!==e.index)continue;let m=0;for(const{share:f,paint:v}of de(s,k)){const y=m+f,[_,T]=rs(k.to,m,y);$.push({shape:"path",d:Jt(p,g,[_,T],[w(_),w(T)]),fill:v,opacity:n*(k.weight<ue?.3:.92)}),m=y}}return l>.004&&$.push({shape:"path",d:Jt(p,g,[d,d],[d-l*c,d]),fill:i.ink,opacity:n}),[...$,...wo(s,t,e,n)]},wo=({view:s,theme:t,layout:e},n,o,i)=>{const{gates:r,copy_routes:a}=s.changes,c=s.name(o),l=a.some(g=>g.endsWith(">"+c));if(!(c in r)&&!l)return[];const{height:u,gate:d}=e.sizes,p={stroke:t.accent,width:2,opacity:i};return[N(n.x-1,o.y-u/2-2,d,u+4,{rx:3,...p}),S(n.x+d/2,o.y+u/2+13,l?"forced":"fixed",{size:9.5,weight:600,anchor:"middle",fill:t.accent,halo:t.surface,opacity:i})]};function ko({view:s,theme:t,layout:e}){const n=new Set(s.changes.mute_routes);return n.size?e.columns.flatMap(o=>{if(o.level===0)return[];const i=s.step(o.t,o.level);return i.blocks.flatMap((r,a)=>i.sources.flatMap((c,l)=>{if(!n.has(c+">"+r))return[];const u=$t(e,o.t,o.level,l);if(!u||!u.block)return[];const[d,p,g,$]=[u.column.right,u.block.y,o.x,o.blocks[a].y],[w,k]=[(d+g)/2,(p+$)/2];return[{shape:"path",d:Mn({x:d,y:p},{x:g,y:$}),stroke:t.bad,width:1.4,dash:[4,4]},{shape:"circle",cx:w,cy:k,r:6,fill:t.surface,stroke:t.bad,width:1.4},{shape:"path",d:`M${w-3},${k+3}L${w+3},${k-3}`,stroke:t.bad,width:1.6}]}))}):[]}const Q=({view:s},t)=>t.level===0&&t.index===s.levels[0].length-1,yo=(s,t,e,n)=>{const{view:o,theme:i,layout:r,most:a}=s,{strip:c,height:l}=r.sizes,[u,d]=[t.strip,e.y-l/2];if(!o.there(e)){const f={stroke:i.dim,dash:[3,3],opacity:.7*n};return[N(u,d,c,l,{rx:2,...f}),S(u+c/2,e.y+4,"dropped",{anchor:"middle",fill:i.dim})]}let p=o.values(e);const g=e.level===o.depth&&p.length>is;Q(s,e)?p=p.subarray(0,Math.min(p.length,s.task.subtasks.length)):g&&(p=o.probabilities(e.t,e.index).subarray(0,fo));const $=N(u-.5,d-.5,c+1,l+1,{rx:2,stroke:i.line,width:1,opacity:n});if(p.length>is){const f=s.bitmap(e,p,go,a[e.level]),v={sx:0,sy:0,sw:f.width,sh:f.height};return[{shape:"image",source:f,...v,x:u,y:d,w:c,h:l,opacity:n},$]}const w=c/p.length,k=g||Q(s,e)?1:a[e.level];return[...Array.from(p,(f,v)=>N(u+v*w,d,w-(w>5?1:.5),l,{fill:te(i,f,k),opacity:n})),$]},vo=(s,t,e,n)=>{const{view:o,theme:i,layout:r}=s,{sizes:a}=r,c=t.strip+a.strip+a.digit/2+1,l=he(s,e);if(l){const p=l.right===!1,g=o.levels[o.depth].length===1?17:14,$=String(l.digit),w=[S(c,e.y+g*.36,$,{size:g,weight:700,anchor:"middle",fill:p?i.bad:i.ink,opacity:n})];return p?[...w,...xo(s,t,e,n)]:w}if(Q(s,e)||s.layout.image&&e.level===0)return[];const u=o.digits(e);if(!u.length)return[];const d=u.length>1?9.5:13;return[S(c,e.y+d*.36,u.join("\xB7"),{size:d,weight:650,anchor:"middle",fill:i.ink,opacity:n*(u.length>1?.8:1)})]};function he(s,{t,level:e,index:n}){const{view:o}=s;return e===o.depth?o.answer(t,n):e===0&&t>0&&!Q(s,{level:e,index:n})?o.stateAnswer(t,n):null}const xo=({view:s,theme:t,layout:e},n,o,i)=>{const{strip:r,height:a,digit:c}=e.sizes,l=s.isFirstWrong(o);return[{shape:"rect",...{x:n.strip-2.5,y:o.y-a/2-2.5,w:r+c+4,h:a+5,rx:4},stroke:t.bad,width:l?2.2:1,opacity:l?1:.7*i}]};function Mo({view:s},t,e,n){const o="rule: "+e;return(s.isFirstWrong(t)?["wrong here, rule: "+e,"wrong here: "+e,o]:["wrong, "+o,o]).find(r=>ft([r],10.5,700)<=n)||"\u2260 "+e}const Oo=(s,t,e,n)=>{const{view:o,theme:i,layout:r}=s,{sizes:a,narrow:c}=r,l=o.name(e),u=e.y-a.height/2-6,d=[S(t.strip,u,l,{size:11.5,weight:650,fill:i.ink,halo:i.surface,opacity:n})],p=t.strip+ft([l],11.5,650)+5,g=t.level===o.depth&&!r.column(t.t+1,1),$=g?r.beside:Math.min(c?14:70,r.gap*.55),w=t.right+$-p,k=he(s,e);if(k&&k.right===!1)d.push(S(p,u,Mo(s,e,k.truth,w),{weight:700,fill:i.bad,halo:i.surface,opacity:o.isFirstWrong(e)?1:n}));else{const[y,_]=So(s,e),T=ft([y],10.5,400)>w&&_?xt(i,_,w):xt(i,y,w);T&&d.push(S(p,u,T,{fill:i.dim,halo:i.surface,opacity:n}))}if(g&&e.level>0)return d;let m=e.y-a.height/2;const v=(e.level===o.depth?0:e.level)===0?_o(o,e):e;for(const{share:y,paint:_}of v?Qs(o,i,v):[])d.push(N(t.out,m,a.out,y*a.height,{fill:_,opacity:n})),m+=y*a.height;return d};function _o(s,t){if(t.level===0)return t;const e=s.levels[0].indexOf(s.name(t));return e<0?null:{t:t.t+1,level:0,index:e}}function So(s,t){const{view:e,task:n}=s;if(t.level>0){const{short:a,brief:c}=vt(e,t),l=t.level===e.depth?e.before(t.t,t.index):null;return l!==null?["was "+l+"; "+a,"was "+l]:e.there(t)?[a,c]:[""]}if(!Q(s,t))return[""];const{program:o,permutation:i}=e.run.input,r=o?o[t.t%o.length]:i;return[(r===void 0?"":n.subtasks[r])||""]}const Eo=(s,t,e,n)=>[...e.level>0?$o(s,t,e,n):[],...yo(s,t,e,n),...Oo(s,t,e,n),...vo(s,t,e,n)],Ao=()=>po;function To({view:s,task:t},{t:e,level:n}){return n===0?e===0?"input":"state "+e:n<s.depth?"level "+n:s.iterations>1?"state "+(e+1):t.outputs.length>1?"outputs":"output"}function Io(s){const{view:t,theme:e,layout:n,step:o}=s,i=[];for(const r of n.columns){const a=o!==null&&r.level>0&&t.place(r.t,r.level)===o,c=To(s,r);if(a){const l=$t(n,r.t,r.level,0),u=l?l.column.right+2:r.x-30;i.push(N(u,n.top-8,r.right+8-u,n.bottom-n.top+16,{rx:6,fill:e.raised}))}i.push(S(r.strip,n.top-14,c,{size:11,weight:a?700:400,fill:a?e.ink:e.dim}))}if(t.iterations>1){for(let r=n.first;r<=n.last;r+=1)i.push(...Do(s,r));for(const r of n.folded)i.push(...jo(s,r))}return i}const as={right:"\u2713",wrong:"\u2717",follows:"\u2713",unknown:""};function Do({view:s,theme:t,layout:e,task:n},o){const i=e.column(o,0)||e.column(o-1,s.depth),r=e.column(o,s.depth);if(!i||!r)return[];const[a,c]=[i.right+6,r.right],{text:l,state:u}=Ao().sentence(s,o),d=o>=n.iterations?", beyond training":"",p="iteration "+(o+1)+": "+s.run.answers[o].subtask+d,g=u==="wrong"?t.bad:t.ink;return[{shape:"path",d:"M"+a+",39V34H"+c+"V39",stroke:t.line,width:1.2},S(a,12,xt(t,p,c-a,11,650),{size:11,weight:650,fill:t.ink}),S(a,27,xt(t,(as[u]?as[u]+" ":"")+l,c-a,11),{size:11,fill:g})]}function jo({view:s,theme:t,layout:e},{state:n,x:o}){const i=o+I/2,r=e.columns.find(({level:g})=>g===s.depth),a=n>0&&s.run.answers[n-1].right.includes(!1),c=s.run.first_wrong&&s.run.first_wrong.iteration===n,l=a?t.bad:t.dim,u={rx:5,fill:t.raised,stroke:c?t.bad:void 0,width:c?2:0},d={anchor:"middle",size:11},p=[S(i,12,n?String(n):"in",{...d,weight:650,fill:t.dim}),S(i,27,n?as[a?"wrong":"right"]:"",{...d,weight:c?700:400,fill:l}),N(o+3,e.top-8,I-6,e.bottom-e.top+8,u)];return r?.blocks.forEach(({index:g,y:$})=>{const{digit:w,right:k=null}=s.stateAnswer(n,g)??{},m=k===!1,f=m?t.bad:t.ink;p.push(S(i,$+5,String(w),{anchor:"middle",size:13,weight:m?700:500,fill:f}))}),p}const No=.6,Co=.35,Po=["weights","gates","inputs","routed","computed","outputs"],pe=s=>Number.isFinite(s)?s:0;class Lo{constructor(t,e){this.run=t,this.levels=t.levels,this.depth=Math.max(1,t.levels.length-1),this.iterations=t.iterations;const n=t.intervention;this.changes={mute_routes:[],copy_routes:[],gates:{},...n},this.steps=t.steps.map(o=>this.read(o,e)),this.origins=[];for(const o of this.steps)this.origins.push(this.trace(o));this.answered=t.answers.map(({probabilities:o})=>({values:e(o),shape:o.shape})),this.picture=t.picture?{values:e(t.picture),shape:t.picture.shape}:null}read(t,e){const[n,o]=[t.sources.length,t.blocks.length],i={};for(const r of Po)i[r]=e(t[r]);return{...t,...i,M:n,N:o,size:i.outputs.length/Math.max(1,o)}}step(t,e){return this.steps[t*this.depth+e-1]}place(t,e){return t*this.depth+e-1}at(t){return{t:Math.floor(t/this.depth),level:t%this.depth+1}}name({t,level:e,index:n}){return e===0?this.step(t,1).sources[n]:this.step(t,e).blocks[n]}values({t,level:e,index:n}){const o=this.step(t,Math.max(1,e));return(e===0?o.inputs:o.outputs).subarray(n*o.size,(n+1)*o.size)}there(t){return Number.isFinite(this.values(t)[0])}weight(t,e,n){return pe(t.weights[e*t.N+n])}gate(t,e){return pe(t.gates[e])}shares({t,level:e,index:n}){const o=this.step(t,e),i=this.gate(o,n),r=o.sources.map((a,c)=>{const l=this.weight(o,c,n);return{source:c,name:a,weight:l,share:(1-i)*l}});return{gate:i,sources:r,computed:i}}trace(t){const e=t.mfnnr>1?this.origins[this.origins.length-1]:null,n=this.levels[0].length;return t.blocks.map((o,i)=>{const r=this.gate(t,i),a=new Float64Array(n+1);a[n]=r;for(let c=0;c<t.M;c+=1){const l=(1-r)*this.weight(t,c,i);l&&(e?e[c].forEach((u,d)=>a[d]+=l*u):a[c]+=l)}return a})}origin({t,level:e,index:n}){if(e>0)return this.origins[this.place(t,e)][n];const o=new Float64Array(this.levels[0].length+1);return o[n]=1,o}upstream({t,level:e,index:n}){const o=new Map([[e,new Map([[n,1]])]]);for(let i=e;i>0;i-=1){const r=new Map;for(const[a,c]of o.get(i)??[])for(const{source:l,weight:u}of this.shares({t,level:i,index:a}).sources)r.set(l,(r.get(l)||0)+c*u);o.set(i-1,r)}return o}downstream({t,level:e,index:n}){const o=new Map([[e,new Map([[n,1]])]]);for(let i=e+1;i<this.levels.length;i+=1){const r=new Map;this.step(t,i).blocks.forEach((a,c)=>{const{sources:l}=this.shares({t,level:i,index:c}),u=p=>o.get(i-1)?.get(p)||0,d=l.reduce((p,{source:g,weight:$})=>p+$*u(g),0);r.set(c,d)}),o.set(i,r)}return o}digits(t,e=10){const n=Array.from(this.values(t).subarray(0,e));if(n.length<2||!n.every(Number.isFinite))return[];const o=n.map((l,u)=>({value:l,digit:u})).sort((l,u)=>u.value-l.value),[i,r,a]=o;return i.value>=No&&i.value-r.value>=Co?[i.digit]:r.value>=.35&&i.value-r.value<.2&&i.value<.75&&(!a||a.value<.15)?[i.digit,r.digit].sort():[]}answer(t,e){const n=this.run.answers[t];return n?{digit:n.digits[e],truth:n.true[e],right:n.right[e]}:null}probabilities(t,e){const{values:n,shape:o}=this.answered[t];return n.subarray(e*o[1],(e+1)*o[1])}stateAnswer(t,e){if(t>0)return this.answer(t-1,e);const n=this.levels[0].indexOf(this.levels[this.depth][e]);return{digit:(this.run.input.digits||[])[n],truth:null,right:null}}before(t,e){const n=(this.run.baseline||[])[t];return n&&n.digits[e]!==this.answer(t,e)?.digit?n.digits[e]:null}isFirstWrong({t,level:e,index:n}){const o=this.run.first_wrong;return!o||e!==this.depth||o.iteration!==t+1?!1:this.answer(t,n)?.right===!1}}const Fo=s=>zt(s.map(t=>String(t+1)));function Ro(s,{model:t,task:e,levels:n,known:o}){const i=[];for(const l of["mute_routes","copy_routes"]){const u=s[l].filter(d=>!o[l].includes(d));u.length&&i.push(`"${l}" names ${zt(u)}: ${t} has no such route. ${fe(n)}, and each reads the one before.`)}const r=Object.keys(s.gates).filter(l=>!(l in o.gates));r.length&&i.push(`"gates" names ${zt(r)}: ${t} has no such gate. ${fe(n)}.`);const a=Math.min(s.iterations||e.iterations,e.most_iterations);s.iterations&&s.iterations>e.most_iterations&&i.push(`"iterations" is ${s.iterations}: ${t} runs up to ${e.most_iterations}, which are shown.`);const c=Math.max(0,n.length-1)*a;return s.step!==null&&c&&s.step>=c&&i.push(`"step" is ${s.step+1}: ${t} has ${c} steps here. Shown is step ${c}.`),i}function zo({digits:s,program:t,permutation:e},n,o){const i=[],r=n.subtasks.length;if(n.inputs==="picture")return(s.length||t.length)&&i.push(`${n.title} is about a picture: "digits" and "program" are of no use here.`),e>=r&&i.push(`"permutation" is ${e+1}: there are ${r}. Shown is ${Math.max(1,r)}.`),i;const a=n.values.filter(u=>u!=="task").length;s.length>a&&i.push(`"digits" are ${s.length}: ${n.title} has ${a}, the first of which are shown.`);const c=t.filter(u=>u>=r);c.length&&i.push(`"program" names ${Fo(c)}: ${n.title} has ${r} subtasks. Shown is the last of them.`);const l=Math.min(o,n.most_iterations);return t.length>l&&i.push(`"program" has ${t.length} subtasks: up to ${l} are shown.`),i}const fe=s=>"Its levels of blocks are "+s.map(t=>t.length>1?t[0]+" to "+t.at(-1):t[0]).join("; "),Bo=150,ls=Bt("blocks","program").longest,cs=Bt("blocks","digits"),us="task",ds="multiplexer_weights",Mt=sn("blocks"),{state:x,differ:Go,subscribe:Ot}=en({...Mt,status:"loading",problem:null,model:null,sample:null,info:null,task:null,levels:[],playing:!1,hover:null,unfolded:null}),_t=(s,t)=>JSON.stringify(s)===JSON.stringify(t),tt=(s,t,e)=>Math.max(t,Math.min(e,s)),st=()=>x.iterations||(x.task?x.task.iterations:1);function Wo(s){const t={...s},{task:e=null}={task:x.task,...s};if(!e)return t;const n={...x,...s},o=e.example||{};if(e.inputs!=="picture"){const a=e.values.filter(u=>u!==us).map((u,d)=>n.digits[d]??(o.digits||[])[d]??0);t.digits=a.map(u=>tt(Math.round(u)||0,cs.least,cs.most));const c=n.program.length?n.program:o.program||[0],l=Math.min(ls,e.most_iterations);t.program=c.slice(0,l).map(u=>tt(u,0,e.subtasks.length-1))}else t.permutation=tt(n.permutation,0,Math.max(0,e.subtasks.length-1));const i=n.iterations&&tt(Math.round(n.iterations),1,e.most_iterations);t.iterations=i===e.iterations?null:i;const r=Math.max(0,n.levels.length-1)*(t.iterations||e.iterations);return n.step!==null&&r&&(t.step=tt(n.step,0,r-1)),t}function O(s){const{model:t,sample:e,...n}=s;e!==void 0&&e!==x.sample&&ut({sample:e}),t!==void 0&&t!==x.model&&ut({model:t}),W(n)}function W(s){[...Go(Wo(s),_t)].some(e=>e in Mt||e==="sample")&&we()}const K=(s,t)=>s+">"+t,et=s=>[s.slice(0,s.indexOf(">")),s.slice(s.indexOf(">")+1)],H=s=>et(s)[1],ge=(s,t)=>s.filter(e=>e!==t);function hs(s){const t=x.levels.findIndex((e,n)=>n>0&&e.includes(s));return t>0?x.levels[t-1]:[]}function me(s,t){const e=K(s,t),{mute_routes:n,copy_routes:o}=x;if(n.includes(e)){O({mute_routes:ge(n,e)});return}if(!hs(t).filter(r=>r!==s&&!n.includes(K(r,t))).length){on("One route stays","A block that reads nothing has no weights.","bad");return}O({mute_routes:[...n,e],copy_routes:o.filter(r=>H(r)!==t)})}function be(s,t){const e=K(s,t),n=x.copy_routes.filter(a=>H(a)!==t),o=x.copy_routes.includes(e),{[t]:i,...r}=x.gates;O({copy_routes:o?n:[...n,e],mute_routes:o?x.mute_routes:ge(x.mute_routes,e),gates:o?x.gates:r})}function ps(s,t){const{[s]:e,...n}=x.gates,o=x.copy_routes.filter(i=>t===null||H(i)!==s);O({gates:t===null?n:{...n,[s]:t},copy_routes:o})}function Ko(s){const t=o=>{const i=s.findIndex((r,a)=>a>0&&r.includes(H(o)));return i>0&&s[i-1].includes(et(o)[0])},e=s.slice(1).flat(),n=x.copy_routes.filter(t);return{mute_routes:x.mute_routes.filter(t),copy_routes:n.filter((o,i)=>n.findIndex(r=>H(r)===H(o))===i),gates:Object.fromEntries(Object.entries(x.gates).filter(([o])=>e.includes(o)))}}const $e=nn,fs=()=>!!(x.mute_routes.length||x.copy_routes.length||Object.keys(x.gates).length);let nt=0;function we(){nt||(nt=setTimeout(Ho,Bo))}function Ho(){nt=0;const{task:s}=x;if(!s)return;const t=s.inputs!=="picture",e=s.example||{},n=o=>_t(x[o],e[o])?null:x[o];an("blocks",{...gs(),model:x.model,sample:x.sample,digits:t&&n("digits"),program:t&&n("program"),permutation:t?null:x.permutation})}const St=s=>W(s),gs=()=>Object.fromEntries(Object.keys(Mt).map(s=>[s,x[s]]));let Et=0;const Uo=new Map,qo=()=>rn(Uo,"",async()=>(await Y("GET","/block-tasks")).items);function Jo(s,t){const n=[[...t.values.filter(o=>o!==us),us]];for(const o of s.units){const i=Number.parseInt(o,10)||1;(n[i]=n[i]||[]).push(o)}return[...n.filter(Boolean),t.outputs]}async function ms(s){const t=Et+=1,e=!x.model,n=e||x.model===s?x.step:null;if(W({status:"loading",problem:null,model:s,info:null,task:null,levels:[],playing:!1,step:n}),!!s)try{const o=Y("GET","/models/"+encodeURIComponent(s)),[i,r]=await Promise.all([o,qo()]);if(t!==Et)return;if(i.inputs!=="blocks")throw new Gt(404,"No blocks",s+" takes no blocks of numbers.");if(![...i.fields,...i.constants].includes(ds))throw new Gt(404,"No routes",s+" takes blocks, but routes none of them. Its answers stand beside those of networks that do.");const a=r.find(u=>u.models.includes(s));if(!a)throw new Gt(404,"No task","There is no task for "+s+".");const c=Jo(i,a),l=Ko(c);Ro(x,{model:s,task:a,levels:c,known:l}).forEach(Ps),e&&zo(x,a,ls).forEach(Ps),W({info:i,task:a,levels:c,...l,status:"ready"}),we()}catch(o){if(t!==Et)return;const{title:i="The page failed",message:r,status:a}=o;W({status:"failed",problem:{title:i,detail:r,status:a}})}}const ke=s=>W({sample:s||null});function ye(){Et+=1,clearTimeout(nt),nt=0,Object.assign(x,Mt,{status:"loading",problem:null,model:null,info:null,task:null,levels:[]},{playing:!1,hover:null,unfolded:null})}const b=()=>x;var At=Object.freeze({__proto__:null,DIGIT:cs,FIELD:ds,LONGEST:ls,changed:fs,choice:gs,follow:ke,gatesText:$e,get:b,iterations:st,leave:ye,open:ms,partsOf:et,restore:St,route:K,same:_t,set:O,setGate:ps,sourcesOf:hs,subscribe:Ot,toggleCopy:be,toggleMute:me});const Vo=90;function ve(){const{model:s,task:t,digits:e,program:n,sample:o,permutation:i,mute_routes:r,copy_routes:a,gates:c}=b();if(!t)return null;const l=t.inputs==="picture",u=o||(t.example||{}).sample;return l&&!u?null:JSON.stringify([s,{input:l?{sample:u,permutation:i}:{digits:e,program:n},iterations:st(),intervention:{mute_routes:r,copy_routes:a,gates:c}}])}const ot=Wt(ve,async(s,t)=>{await new Promise(r=>setTimeout(r,Vo)),t.throwIfAborted();const[e,n]=JSON.parse(s),o="/models/"+encodeURIComponent(e)+"/block-runs",i=await Y("POST",o,n,{signal:t});return new Lo(i,dt)}),Yo=ln(()=>{const s=ot.problem(),t=s?null:ot.latest(),e=b().task&&ve()===null?"empty":"loading";return{status:s?"failed":ot.answer()?"done":e,problem:s&&{title:s.title??"The run could not be shown",detail:s.message},run:t&&t.run,view:t,fresh:ot.answer()!==null}}),E=()=>Yo.value,{again:xe,follow:Me}=ot;var Xo=Object.freeze({__proto__:null,again:xe,follow:Me,get:E});const Zo=[["","free"],["0","0 copied"],["0.5","0.5"],["1","1 computed"]],Qo=292,ti=70,bs=ht(null);function it(){bs.value=null}function si(s){bs.value=s}function ei(){const{value:s}=bs,{view:t}=E(),e=s&&t&&t.steps[t.place(s.block.t,s.block.level)]?s:null,n=e&&[e.block.t,e.block.level,e.block.index,e.clicked,e.x,e.y].join();return e&&t&&h`<${ni} key=${n} menu=${e} view=${t} />`}function ni({menu:s,view:t}){const e=F(null);return X(()=>{const o=e.current,i=o.parentElement,r=s.x-(i.querySelector(".block-scroll")?.scrollLeft??0)+10;o.style.left=Math.max(4,Math.min(r,i.clientWidth-Qo-8))+"px",o.style.top=Math.max(4,Math.min(s.y+8,i.clientHeight+ti-o.offsetHeight))+"px",(o.querySelector('[data-clicked="true"] button')||o.querySelector("input:checked")||o.querySelector("input"))?.focus({preventScroll:!0});const c=({target:l})=>l instanceof Element&&!o.contains(l)&&l.id!=="block-picture"&&it();return document.addEventListener("pointerdown",c),()=>{document.removeEventListener("pointerdown",c),o.contains(document.activeElement)&&s.back()}},[]),h`<div ref=${e} class="blocks-menu" role="dialog" aria-labelledby="blocks-menu-title" onKeyDown=${o=>{o.key==="Escape"&&(o.stopPropagation(),it())}}>
    <${oi} view=${t} block=${s.block} clicked=${s.clicked} />
  </div>`}function oi({view:s,block:t,clicked:e}){const n=F(null),o=document.activeElement;X(()=>{o instanceof HTMLElement&&n.current?.contains(o)&&o.focus({preventScroll:!0})});const{sources:i,gate:r}=s.shares(t),a=s.name(t),c=[...i].sort((l,u)=>u.weight-l.weight);return h`<div class="blocks-menu-head">
      <strong id="blocks-menu-title">${"Block "+a}</strong>
      <span class="control-name">${"gate "+r.toFixed(2)}</span>
      <button type="button" class="tool" aria-label="Close" onClick=${it}>×</button>
    </div>
    <${Ls}
      id="blocks-menu-gate"
      label=${"Gate of "+a}
      options=${Zo}
      chosen=${ii(a)}
      onChoose=${l=>ps(a,l===""?null:Number(l))}
    />
    <div ref=${n} class="blocks-menu-rows">
      ${c.map(l=>ri(l,a,l.source===e))}
    </div>`}function ii(s){const{gates:t,copy_routes:e}=b();return e.some(n=>n.endsWith(">"+s))?"copied":s in t?String(t[s]):""}function ri({name:s,weight:t},e,n){const{toggleMute:o,toggleCopy:i}=At,{mute_routes:r,copy_routes:a}=b(),c=K(s,e),l=(u,d,p,g)=>h`<${D} look="segment" label=${d} pressed=${p} act=${()=>g(s,e)}>${u}<//>`;return h`<div key=${c} class="blocks-menu-row" data-route=${c} data-clicked=${String(n)}>
    <span class="blocks-menu-name">${s}</span>
    <span class="blocks-menu-bar" aria-hidden="true"><span style=${{width:100*t+"%"}}></span></span>
    <span class="blocks-menu-value">${t.toFixed(2)}</span>
    ${l("mute","Mute "+c,r.includes(c),o)}
    ${l("copy","Make "+e+" a copy of "+s,a.includes(c),i)}
  </div>`}const Oe=1100;let rt=0;const Tt=()=>E().view;function _e(s){const t=Tt();t&&O({step:s===null?null:Math.max(0,Math.min(t.steps.length-1,s))})}function $s(){clearTimeout(rt),b().playing&&O({playing:!1})}function Se(){const s=Tt(),{step:t,playing:e}=b();if(e){if(!s){$s();return}t!==null&&t>=s.steps.length-1?O({playing:!1,step:null}):(_e(t===null?0:t+1),rt=setTimeout(Se,Oe))}}function Ee(){const s=Tt();if(!s)return;if(b().playing){$s();return}const{step:t}=b();clearTimeout(rt),O({playing:!0,step:t!==null&&t<s.steps.length-1?t:0}),rt=setTimeout(Se,Oe)}function Ae(s){const{task:t}=b();t&&O({iterations:Math.max(1,Math.min(t.most_iterations,s))})}function ai(s,t){if(t===null||!s.steps[t])return s.iterations>1?"all iterations":"all levels";const{t:e,level:n}=s.at(t),o="MFNNR "+n+" of "+s.depth;return s.iterations>1?"iteration "+(e+1)+", "+o:o}function li(){const{task:s}=b();if(!s||s.most_iterations<2)return null;const t=st(),e=({currentTarget:{value:o}})=>Number(o)&&Ae(Math.round(Number(o))),n=(o,i,r,a)=>h`<${D} look="tool" id=${o} title=${r} label=${r} act=${()=>Ae(t+a)}>${i}<//>`;return h`<div class="control blocks-runs">
    <label class="control-name" for="blocks-iterations">iterations</label>
    ${n("blocks-fewer","\u2212","One iteration less",-1)}
    <input
      type="number"
      id="blocks-iterations"
      class="small-input blocks-count"
      min="1"
      max=${s.most_iterations}
      step="1"
      aria-label="Iterations"
      value=${String(t)}
      onChange=${e}
    />
    ${n("blocks-more","+","One iteration more",1)}
    <span class="readout">
      ${"trained on "+s.iterations+(t>s.iterations?", beyond training":"")}
    </span>
  </div>`}function ci(s){$s(),_e(s<-1?1/0:s<0?null:s)}function ui(){const s=Tt(),{step:t,playing:e}=b(),n=s?ai(s,t):"";return Kt(()=>()=>clearTimeout(rt),[]),h`<div class="player blocks-player">
    <${Sn}
      id="blocks-play"
      shown=${s&&{count:s.steps.length,step:t??-1,valuetext:n,words:n}}
      playing=${e}
      toggle=${Ee}
      goTo=${ci}
      step=${()=>b().step??-1}
      least=${0}
      playLabel="Play through the levels"
      pauseTitle="Pause (space)"
    />
    <${li} />
  </div>`}let It=null;const[di,hi]=[.55,.1];class Ns{constructor(t){this.host=t,this.canvas=t.querySelector("canvas"),this.bitmaps=new Map,this.view=null,this.parts=null,this.cursor=null,this.stops=[Ot((n,o)=>this.onState(n,o)),pt(()=>{const{view:n}=E();Fs(()=>this.onRun(n))}),cn(()=>this.rebuild()),En(t,()=>this.rebuild())];const e=(n,o)=>this.canvas.addEventListener(n,o);e("pointermove",n=>this.point(this.targetAt(n))),e("pointerleave",()=>this.point(this.cursor||null)),e("click",n=>this.onClick(n)),e("keydown",n=>this.onKey(n)),e("blur",n=>t.contains(n.relatedTarget)||this.point(this.cursor=null))}get drawn(){return this.parts}dispose(){this.stops.forEach(t=>t())}onState(t,e){if(e.has("task")&&this.rebuild(),e.has("step")){const n=this.parts&&t.step!==null?this.parts.view.at(t.step).t:null;n!==null&&!this.drawn.layout.column(n,this.drawn.view.depth)?this.rebuild():this.draw()}else(e.has("hover")||e.has("playing"))&&this.draw()}onRun(t){t!==this.view&&(this.view=t,this.bitmaps.clear(),t?(this.parts&&this.parts.view.run.model!==t.run.model&&(this.cursor=null),this.cursor&&this.cursor.t>=t.iterations&&this.point(this.cursor=null),this.rebuild()):(this.parts=this.cursor=null,this.point(null),delete this.canvas.dataset.painted,this.canvas.getContext("2d")?.clearRect(0,0,this.canvas.width,this.canvas.height)))}focus(t){const{step:e}=b();if(e!==null)return Math.min(t.iterations-1,t.at(e).t);const n=t.run.first_wrong;return n?n.iteration-1:0}static largest(t){return t.levels.map((e,n)=>{const o=[];for(let i=0;i<t.iterations;i+=1)e.forEach((r,a)=>o.push(...t.values({t:i,level:n,index:a}).map(Math.abs)));return Math.max(1,...o.filter(Number.isFinite).sort((i,r)=>i-r).slice(0,-1-Math.floor(o.length/200)))})}rebuild(){const{view:t}=E(),{task:e}=b(),n=this.host.clientWidth;!t||!e||n<40||(this.parts=this.partsAt(t,e,n),this.draw())}partsAt(t,e,n){const o=to(),i=t.steps[0].size>is,r=ne(t,{width:n,focus:this.focus(t),image:i}),a=r.columns.filter(({level:u})=>u>0).flatMap(({t:u,level:d})=>oe(r,u,d)),c=this.parts&&this.parts.view===t?this.parts.most:Ns.largest(t);return{view:t,task:e,theme:o,layout:r,ribbons:a,most:c,bitmap:(u,d,p,g)=>{const $=[u.t,u.level,u.index,o.dark].join(),w=this.bitmaps.get($)||so(o,d,p,g);return this.bitmaps.set($,w),w},step:null}}visibility(){const{step:t,playing:e,hover:n}=b(),{view:o}=this.drawn,i=l=>t===null||l===t?1:l<t?e?1:di:hi,r=({t:l,level:u})=>l*o.depth+u-1,a=n?Xn(this.drawn,n):{block:()=>1,ribbon:()=>1},c=l=>t!==null&&l===t-1?1:i(Math.max(0,l));return{block:l=>c(r(l))*a.block(l),ribbon:l=>i(r(l))*a.ribbon(l)}}items(){const{step:t}=b(),e=this.parts={...this.drawn,step:t},{block:n,ribbon:o}=this.visibility(),i=e.ribbons.map(r=>({ribbon:r,opacity:Math.min(.95,mo(e,r)*o(r))})).sort((r,a)=>r.opacity-a.opacity);return[...Io(e),...i.flatMap(({ribbon:r,opacity:a})=>bo(e,r,a)),...ko(e),...e.layout.columns.flatMap(r=>[...r.blocks,...r.task?[r.task]:[]].flatMap(a=>Eo(e,r,a,n(a)))),...this.cursorItems()]}cursorItems(){const{hover:t}=b();if(!t||t.source!==void 0)return[];const e=Qt(this.drawn,t),{layout:n,theme:o}=this.drawn,i=n.column(e.t,e.level)||n.column(e.t-1,this.drawn.view.depth);if(!i)return[];const r=[...i.blocks,i.task].find(d=>d&&d.level===e.level&&d.index===e.index&&d.t===e.t);if(!r)return[];const{strip:a,digit:c,height:l}=n.sizes;return[{shape:"rect",...{x:i.strip-2,y:r.y-l/2-2,w:a+c+4,h:l+4},rx:4,stroke:o.accent,width:1.6}]}draw(){if(!this.parts)return;const{layout:t,theme:e}=this.parts;this.canvas.style.width=t.width+"px",this.canvas.style.height=t.height+"px";const n={width:t.width,height:t.height,items:this.items()};An(n,e.font,this.canvas),this.publish()}publish(){const{view:t,layout:e,ribbons:n}=this.drawn,{step:o,hover:i,playing:r}=b(),a=this.canvas.dataset,c=t.run.first_wrong;O({unfolded:{first:e.first,last:e.last}}),a.painted=t.run.model,a.iterations=e.first+1+".."+(e.last+1),a.ribbons=String(n.filter(({weight:l})=>l>=.02).length),a.step=o===null?"":t.steps[o]?t.steps[o].name:"",a.playing=String(r),a.wrong=c?c.iteration+"/"+c.output:"",a.hovered=i?this.nameOf(i):"",a.digits=t.run.answers.map(({digits:l})=>l.join("")).join(" ")}nameOf(t){const e=this.drawn.view.name(t);return t.source===void 0?e:t.name+">"+e}scene(t){const e=this.drawn;t&&(this.parts=this.partsAt(e.view,e.task,t));const{layout:n,theme:o,view:i}=this.drawn,r=this.items();this.parts=e;const{digits:a,sample:c,permutation:l=0}=i.run.input,u=a?a.join(", "):c+", permutation "+(l+1);return{width:n.width,height:n.height,background:o.surface,title:"Blocks of "+i.run.model+" for "+u,desc:"Columns are levels of blocks, ribbons what each block reads, as wide as its weight, in the colour of the input that it came from; at the gate they shrink to what is copied, the dark wedge is what is computed.",items:r}}placeOf(t){const e=this.canvas.getBoundingClientRect(),{layout:n}=this.drawn;return[(t.clientX-e.left)*n.width/e.width,(t.clientY-e.top)*n.height/e.height]}targetAt(t){return this.parts?ie(this.parts.layout,this.parts.ribbons,...this.placeOf(t)):null}point(t){const e=t&&t.kind!=="folded"?t:null;this.canvas.style.cursor=t&&(t.kind==="folded"||t.level>0)?"pointer":"default",_t(e,b().hover)||O({hover:e})}onClick(t){const e=this.targetAt(t);if(!e){it(),b().step!==null&&O({step:null});return}const{view:n}=this.drawn;e.kind==="folded"?O({step:n.place(e.t,n.depth)}):e.level>0&&this.open(e,...this.placeOf(t))}open(t,e,n){const o={t:t.t,level:t.level,index:t.index};si({block:o,clicked:t.source,x:e,y:n,back:()=>this.canvas.focus()})}move(t,e){const{view:n,layout:o}=this.drawn,{step:i}=b(),r=i===null?{t:o.first,level:0,index:0}:{...n.at(i),index:0};let{t:a,level:c,index:l}=this.cursor||{...r,level:r.level-Math.sign(t)};!this.cursor&&!t&&(l-=Math.sign(e)),c=Math.max(0,c)+(this.cursor||t>0?t:0),c<0&&a>0&&([a,c]=[a-1,n.depth-1]),c>n.depth&&(a+1<n.iterations?[a,c]=[a+1,1]:c=n.depth),c=Math.max(0,c);const u=n.levels[c].length;l=(Math.min(l,u-1)+e+u)%u,this.cursor={kind:"block",t:a,level:c,index:l},!o.column(a,c)&&!(c===0&&o.column(a-1,n.depth))&&O({step:n.place(a,Math.max(1,c))}),this.point(this.cursor)}onKey(t){if(t.altKey||t.ctrlKey||t.metaKey||!this.parts)return;const e={ArrowRight:()=>this.move(1,0),ArrowLeft:()=>this.move(-1,0),ArrowDown:()=>this.move(0,1),ArrowUp:()=>this.move(0,-1),Enter:()=>this.openAtCursor()," ":()=>Ee(),Escape:()=>{this.cursor=null,this.point(null),b().step!==null&&O({step:null,playing:!1})}};!e[t.key]||t.key==="Escape"&&document.fullscreenElement||(t.preventDefault(),e[t.key]())}openAtCursor(){if(!this.cursor||this.cursor.level===0)return;const t=this.drawn.layout.column(this.cursor.t,this.cursor.level);t&&this.open(this.cursor,t.strip,t.blocks[this.cursor.index].y+14)}}const pi="Blocks, level by level. Left and right change the level, up and down the block, Enter opens what can be changed about it, Space plays, Escape ends it. The same numbers are in the table below.";function fi(){const{status:s,problem:t}=E();return!t&&s!=="empty"?h`<div class="skeleton" aria-hidden="true"></div>`:h`<div class="message" role="alert">
    ${t?Vt(t.title,t.detail,{words:"Try again",act:xe}):Vt("No picture chosen","Choose a digit beside, draw one, or pick a picture above.")}
  </div>`}function gi(){const s=F(null),{status:t,view:e}=E();return Kt(()=>{const n=It=new Ns(s.current);return()=>{n.dispose(),It=null,it()}},[]),h`<div
    ref=${s}
    class="block-canvas"
    data-status=${e?"ready":t}
    aria-busy=${String(t==="loading")}
  >
    <div class="block-scroll">
      <canvas id="block-picture" tabindex="0" role="img" data-block-keys="true" aria-label=${pi}></canvas>
    </div>
    ${e?null:h`<${fi} />`}
    <${ei} />
  </div>`}const{offered:mi}=Bt("blocks","measured"),Te=760;function bi(){const{status:s,model:t,task:e,measured:n,mute_routes:o,copy_routes:i,gates:r}=b();if(s!=="ready"||!e)return"";const a={model:t,data:e.name,samples:n,iterations:fs()?null:b().iterations,mute_routes:o.join(","),copy_routes:i.join(","),gates:$e(r),controls:"0"};return"/evaluations/stream"+Rs(a)}const at=Tn({owner:"blocks",pathOf:bi,subscribePage:s=>Ot(s)}),{state:A}=at,ws=()=>A.evaluation?.accuracy?A.evaluation:null;function $i(){const{measured:s}=b(),t=A.evaluation?A.evaluation.data:[],e=h`<${Ht}
    id="blocks-measured"
    look="small-input"
    options=${un(mi,s)}
    chosen=${String(s)}
    onChoose=${n=>O({measured:Number(n)})}
  />`;return h`<div class="blocks-bar">
    ${zs("Samples","blocks-measured",e)}
    <span class="caption"
      >${t.map(({title:n,stand_in:o})=>n+(o?", a stand-in":"")).join("; ")}</span
    >
  </div>`}const Ie=({intervention:{mute_routes:s,copy_routes:t,gates:e,drop:n,iterations:o}})=>![s,t,n,Object.keys(e??{})].some(i=>i?.length)&&!o;function De({part:s,mark:t}){const e=s&&s.evaluation,n=e!==null&&Ie(e),{accuracy:o,change:i,loss:r}=Js(e),a=Js(e?.baseline?{...e,...e.baseline,change:null}:null),c=n?{...i,value:Vs,detail:"nothing is changed",mood:""}:i,l=s?s.where:"",u=d=>"blocks-number-"+d+t;return h`
    <${gt} id=${u("baseline")} ...${mt({...a.accuracy,name:"Full model"},l)} />
    <${gt} id=${u("accuracy")} main=${!0} ...${mt({...o,name:"As steered"},l)} />
    <${gt} id=${u("change")} main=${!0} ...${mt(c,l)} />
    <${gt} ...${mt(r,l)} />
  `}function wi(){const{evaluation:s,fresh:t}=A,[e=null,n]=s?Hs(s):[];return h`<div class="numbers blocks-numbers" data-fresh=${String(t)}>
    <${De} part=${e} mark="" />${n&&h`<${De} part=${n} mark="-out" />`}
  </div>`}function ki(s){const{task:t,iterations:e}=b(),n=Ie(s)?" Mute a route or fix a gate to see its effect.":"",o=t&&e&&!s.intervention.iterations;return n+(o?" Scored after "+t.iterations+" iterations, as in training.":"")}const yi=s=>jn(s,{chosen:b().measured,waiting:"Measured once this is in view.",after:ki});function Dt(s){if((s.by_kind??[]).length<2)return["right answer",qs(s,"by_label")];const{task:t}=b();return[t&&t.outputs.length>1?"output asked for":"subtask",qs(s,"by_kind")]}const ks=(s,t)=>Nn(s,t,{named:"as steered",room:2});function je(s,t){const[e,n]=Dt(s);return n.length>1?Pn(n,e,s,t):null}function vi(s,t){const[e,n]=[ks(s,t),je(s,t)];return n?{...e,height:e.height+n.height,desc:e.desc+" "+n.desc,items:[...e.items,...n.items.map(o=>Fn(o,0,e.height))]}:e}function Ne(s){const{name:t,lossUnit:e}=Ut(s.measure),n=[["what","samples","value","low","high","as_it_is","change","change_low","change_high"]],o=a=>a?[a.value,a.low??"",a.high??""]:["","",""];for(const{where:a,count:c,evaluation:l}of Hs(s)){const u=c??Ln(s);for(const d of["accuracy","loss"]){const p=d==="loss"?"loss"+(e?" in "+e:""):t,g=l.baseline?l.baseline[d].value:"";l[d]&&n.push([p+(a&&", "+a),u,...o(l[d]),g,...o(l.change?.[d])])}}const[i,r]=Dt(s);for(const{name:a,distribution:c,count:l,accuracy:u,low:d,high:p,baseline:g,change:$,change_low:w,change_high:k}of r)n.push([i+" "+a+(c?", "+c:""),l,u,d,p,g,$,w,k]);return n}function xi(){const s=ws();return s?{name:"blocks-accuracy",facts:Dn(s,["drop","mute_routes","copy_routes","gates","iterations"]),python:{figure:"accuracy"},rows:()=>Ne(s),json:()=>({result:s}),picture:{scene:t=>vi(s,t??Te)}}:null}function Mi(s){const t=Ut(s.measure);return"Task "+t.name+", "+Cn(s)+": "+Bs(t,s.accuracy?.value??0)}function Oi(s){const t=Ut(s.measure),[e,n]=Dt(s),o=n.map(({name:i,accuracy:r})=>i+" "+Bs(t,r)).join("; ");return t.title+" by "+e+": "+o}const Ce=({scene:s,label:t})=>h`<${Us}
    look="drop-picture"
    widest=${Te}
    height=${150}
    data=${{"data-fresh":String(A.fresh),"data-state":A.status}}
    scene=${e=>{const n=ws();return n&&s(n,e)}}
    drawn=${()=>A.evaluation?.id??""}
    label=${()=>A.evaluation?t(A.evaluation):""}
  />`;function _i(){const s=F(null),t=ws();return Kt(()=>{const e=[Ot(({model:n},o)=>o.has("info")&&A.evaluation&&A.evaluation.model!==n&&at.forget()),at.watch(s.current),at.leave];return()=>e.forEach(n=>n())},[]),h`<div ref=${s}>
    <${B}
      id="blocks-accuracy"
      title="Task accuracy"
      tag="caused"
      reads="Accuracy on the validation split. Dot: under these interventions, with 95 % interval. Ring: full model, on the same samples. Changes are paired."
      more="A sample of ALGO asks for one output. Samples of sums come from the distribution of training; the card has the accuracy on the rest."
      formats=${["svg","png","csv","json"]}
      written=${xi}
    >
      <${$i} /><${wi} />
      <${In} name="blocks" look="drop-progress" followed=${at} progressOf=${yi} />
      <div class="blocks-effect" data-fresh=${String(A.fresh)}>
        <${Ce} scene=${ks} label=${Mi} />
        ${(!t||Dt(t)[1].length>1)&&h`<${Ce} scene=${je} label=${Oi} />`}
      </div>
      <${Yt}
        words="The task accuracy as a table"
        data=${{"data-blocks-table":"accuracy"}}
        caption=${()=>(t&&ks(t,640).desc)??""}
        rows=${t&&(()=>Ne(t))}
      />
    <//>
  </div>`}const ys=new Map([["0","0, copied"],["0.25","0.25"],["0.5","0.5, half of each"],["0.75","0.75"],["1","1, computed"]]),Pe=()=>{const{mute_routes:s,copy_routes:t,gates:e}=b();return{mute_routes:s,copy_routes:t,gates:e}},Si={mute_routes:[],copy_routes:[],gates:{}},C=ht([]);let U="";function Ei(){const s=pt(()=>{const{model:t,status:e}=b(),[n,o]=[JSON.stringify(Pe()),t+" "];e==="ready"&&(U.startsWith(o)&&U!==o+n?C.value=[...C.peek(),U.slice(o.length)].slice(-100):U.startsWith(o)||(C.value=[]),U=o+n)});return()=>{s(),[C.value,U]=[[],""]}}function Ai(){const s=C.value.at(-1);if(s===void 0)return;const t=C.value.slice(0,-1);O(JSON.parse(s)),C.value=t}const Le=s=>s.replace(">"," \u2192 ");function Ti({mute_routes:s,copy_routes:t,gates:e}){const{toggleMute:n,toggleCopy:o,setGate:i}=At;return[...s.map(r=>({key:"mute "+r,kind:"muted",words:Le(r),remove:()=>n(...et(r))})),...t.map(r=>({key:"copy "+r,kind:"forced copy",words:Le(r),remove:()=>o(...et(r))})),...Object.entries(e).map(([r,a])=>({key:"gate "+r,kind:"gate fixed",words:r+" at "+(ys.get(String(a))||Number(a.toPrecision(3))),remove:()=>i(r,null)}))]}const Ii=s=>Rn(s)||"no intervention";function Di({key:s,kind:t,words:e,remove:n}){const o=({currentTarget:r})=>{const a=r.closest("li"),c=a?.nextElementSibling||a?.previousElementSibling;(c?c.querySelector("button"):document.getElementById("blocks-undo"))?.focus(),n()},i="Take back: "+t+" "+e;return h`<li key=${s} data-intervention=${s}>
    <span class="control-name">${t}</span><span class="blocks-what">${e}</span
    ><button type="button" class="tool" title="Take back" aria-label=${i} onClick=${o}>×</button>
  </li>`}function ji(){const s=Ti(Pe()),t=s.length?s.length+(s.length===1?" intervention":" interventions"):"";return h`<div class="blocks-interventions">
    <ul class="blocks-list" aria-label="Interventions" hidden=${!s.length}>
      ${s.map(Di)}
    </ul>
    <p class="hint" hidden=${s.length>0}>No intervention.</p>
    <div class="blocks-bar">
      <span class="caption" role="status" id="blocks-intervened">${t}</span>
      <${D} id="blocks-undo" wait=${!C.value.length} act=${Ai}>Undo<//>
      <${D} id="blocks-clear" wait=${!s.length} act=${()=>O(Si)}>Clear all<//>
    </div>
  </div>`}const Fe=(s,t)=>s.includes(t)?t:s[0]??"",jt=ht({block:"",source:""});function Ni(){const{levels:s,gates:t,mute_routes:e,copy_routes:n}=b(),o=s.slice(1),i=Fe(o.flat(),jt.value.block),r=hs(i),a=Fe(r,jt.value.source),c=!i,l=o.map((f,v)=>h`<optgroup key=${v} label=${v+2===s.length?"Output":"Level "+(v+1)}>
        ${f.map(y=>h`<option key=${y} value=${y}>${y}</option>`)}
      </optgroup>`),u=({currentTarget:{value:f}})=>jt.value={block:f,source:a},d=i in t?String(t[i]):"",p=d&&!ys.has(d)?[[d,d]]:[],g=K(a,i),$=(f,v,y,_)=>h`<${D} id=${f} pressed=${v} wait=${c} act=${()=>_(a,i)}>${y[v?1:0]}<//>`,w=(f,v,y,_,T)=>zs(f,v,h`<${Ht} ...${{id:v,options:y,wait:c}} look="small-input" chosen=${_} onChoose=${T} />`),k=i?[["","free, as learned"],...ys,...p]:[],m=r.map(f=>[f,f]);return h`<div class="blocks-steering">
    <div class="blocks-bar">
      <div class="control">
        <label class="control-name" for="blocks-block">Block</label>
        <select class="small-input" id="blocks-block" value=${i} disabled=${c} onChange=${u}>
          ${l}
        </select>
      </div>
      ${w("reads","blocks-source",m,a,f=>jt.value={block:i,source:f})}
      ${$("blocks-mute",e.includes(g),["Mute","Unmute"],me)}
      ${$("blocks-copy",n.includes(g),["Force copy","No forced copy"],be)}
    </div>
    <div class="blocks-bar">
      ${w("Its gate","blocks-gate",k,d,f=>ps(i,f===""?null:Number(f)))}
    </div>
  </div>`}const Ci=()=>h`<${B}
    id="blocks-steer"
    title="Interventions"
    tag="caused"
    reads="Mute a route, force a copy, or fix a gate (0 copies, 1 computes)."
    more="A muted route takes no part. A forced copy makes the block a copy of its source. A click in the picture opens the same choices."
  >
    <${ji} /><${Ni} />
  <//>`;function*vs(s){for(let t=0;t<s.iterations;t+=1)for(let e=1;e<=s.depth;e+=1)for(let n=0;n<s.levels[e].length;n+=1)yield{t,level:e,index:n}}const Pi=s=>[["iteration","level","block","made","gate","in terms of the input","digit"],...Array.from(vs(s),t=>{const e=t.level===s.depth?s.answer(t.t,t.index):null,n=e?.right===!1?" (rule: "+e.truth+")":"";return[t.t+1,t.level,s.name(t),yt(s,t).long,s.shares(t).gate.toFixed(3),vt(s,t).long,e?e.digit+n:s.digits(t).join(" or ")]})];function Re({model:s,revision:t,input:e,task:n,iterations:o,intervention:i,baseline:r}){const{drop:a=[],mute_routes:c=[],copy_routes:l=[],gates:u={}}=i,d=r?"under intervention":"observed";return{model:s,revision:t,seed:null,sample:e.sample,task:n,input:e,iterations:o,drop:a,mute_routes:c,copy_routes:l,gates:u,kind:d}}function Li(s){const t=[["step","iteration","level","block","source","weight","gate","share_of_block"]];for(const e of vs(s)){const n=s.step(e.t,e.level),{sources:o,gate:i}=s.shares(e);for(const{name:r,weight:a,share:c}of o)t.push([n.name,e.t+1,e.level,s.name(e),r,a,i,c])}return t}function Fi(s){const t=s.levels[0];return{levels:s.levels,answers:s.run.answers.map(({probabilities:e,...n})=>n),first_wrong:s.run.first_wrong,blocks:Array.from(vs(s),e=>{const{sources:n,gate:o}=s.shares(e),i=s.origin(e);return{step:s.step(e.t,e.level).name,block:s.name(e),gate:o,weights:Object.fromEntries(n.map(({name:r,weight:a})=>[r,a])),made:yt(s,e).kind,of_inputs:Object.fromEntries(t.map((r,a)=>[r,i[a]])),of_computed:i[t.length],numbers:Array.from(s.values(e))}})}}function Ri(){const{view:s}=E(),t=It;return!s||!t?null:{name:"blocks",facts:Re(s.run),python:{figure:"blocks",input:s.run.input},rows:()=>Li(s),json:()=>Fi(s),picture:t}}const xs="\u2717",Ms=()=>E(),Os=({intervention:s})=>Ii(s);function Nt(s){const t={key:"network",name:s.model,about:s.baseline?Os(s):"",answers:s.answers},e=s.baseline?[{key:"baseline",name:s.model,about:"without intervention",answers:s.baseline}]:[],n=s.others.map(({model:o,family:i,answers:r})=>({key:o,name:o,about:i,answers:r}));return[t,...e,...n]}const lt=s=>s.levels[s.levels.length-1],ze=new WeakMap,_s=(s,t)=>{const e=s.probabilities.shape[1],n=ze.get(s)||dt(s.probabilities);return ze.set(s,n),n.subarray(t*e,(t+1)*e)},Be=hn;function Ss(s){const{first_wrong:t,answers:e,iterations:n}=s;if(!e.some(c=>c.right.some(l=>l!==null)))return{words:"The right answer is not known: the picture has no label.",right:null};if(!t)return{words:n===1?"Right.":"Right after each of the "+n+" iterations.",right:!0};const i=lt(s).indexOf(t.output),r=e[t.iteration-1];return{words:(n===1?"Wrong: ":"First wrong after iteration "+t.iteration+": ")+t.output+" is "+r.digits[i]+" instead of "+r.true[i]+".",right:!1}}function zi(){const{run:s,fresh:t}=Ms(),{words:e,right:n}=s?Ss(s):{words:"",right:null};return h`<p class="blocks-verdict" role="status" data-right=${String(n)} data-fresh=${String(t)}>
    ${(n===!1?xs+" ":n?"\u2713 ":"")+e}
  </p>`}const Ge=s=>s==null?Vs:String(s);function Bi(s,t){const e=Array.from(s,(n,o)=>{const i=Math.max(4,100*n)+"%";return h`<span class="blocks-spread-bar" data-true=${o===t||null} style=${{height:i}}></span>`});return h`<span class="blocks-spread" aria-hidden="true">${e}</span>`}const Es=s=>s.map(t=>h`<span class="blocks-said">${Ge(t)}</span>`);function Gi({answer:s,outputs:t,before:e}){const n=t.map((r,a)=>{const c=s.digits[a],l=s.right[a],u=!!(e&&e.digits[a]!==c),d=r+": "+c+", "+Be(_s(s,a)[c])+(l===!1?"; the rule says "+s.true[a]:"")+(e&&u?"; "+e.digits[a]+" without intervention":""),p=h`<span class="blocks-cross">${xs}<span class="hidden-visually">${" wrong"}</span></span>`;return h`<span
      class="blocks-said"
      title=${d}
      data-right=${String(l)}
      data-moved=${String(u)}
      data-output=${r}
      >${c}${l===!1&&p}</span
    >`}),o=h`<span class="blocks-answer">${n}</span>`;if(t.length===1){const r=_s(s,0),a=Be(r[s.digits[0]]);return[o,h`<span class="caption">${a}</span>`,Bi(r,s.true[0])]}const i=s.follows&&s.right.includes(!1);return[o,i&&h`<span class="hint">as the rule goes from its own digits</span>`]}function Wi({run:s,systems:t,names:e}){const n=e.length>1&&h`<span class="blocks-answer blocks-letters" aria-hidden="true">${Es(e)}</span>`,o=(r,a)=>h`<th scope="col">
      <span class="blocks-system">${r}</span>
      ${[a&&h`<span class="blocks-about" title=${a}>${a}</span>`,n]}
    </th>`,i=s.input.sample!==void 0;return h`<tr>
    <th scope="col"><span class="blocks-system">iteration</span></th>
    ${i?o("label","of the picture"):o("rule","of the task")}
    ${t.map(({name:r,about:a})=>o(r,a))}
    ${!i&&h`<th scope="col"><span class="blocks-system">what the rule does here</span></th>`}
  </tr>`}function Ki(){const{step:s,levels:t}=b();return s===null||t.length<2?-1:Math.floor(s/(t.length-1))}function Hi({run:s,systems:t,names:e,at:n}){const o=dn(()=>Ki()===n),i=s.input.sample!==void 0,r=s.answers[n],{iterations:a}=b().task||s,c=t.map(({key:l,answers:u})=>{const d=l==="network"&&s.baseline?s.baseline[n]:null;return h`<td key=${l} data-system=${l}>
      <${Gi} answer=${u[n]} outputs=${e} before=${d} />
    </td>`});return h`<tr data-iteration-row=${n} aria-current=${o.value?"step":null}>
    <th scope="row">
      <button
        type="button"
        class="tool tool-text"
        title="Look at this iteration in the picture"
        data-look=${n}
        onClick=${()=>O({step:n*(s.levels.length-1)})}
      >
        ${n+1}
      </button>
      <span class="blocks-row-task">${i?"strips "+r.subtask:r.subtask}</span>
      ${n>=a&&h`<span class="tag" title=${"It was trained on "+a}>beyond training</span>`}
    </th>
    <td data-system="rule"><span class="blocks-answer">${Es(r.true)}</span></td>
    ${c}
    ${!i&&h`<td class="blocks-why">${r.explanation||r.follows===!1&&"not followed here"}</td>`}
  </tr>`}function Ui({run:s,systems:t,names:e}){const{digits:n}=s.input;if(!n||n.length!==e.length)return null;const o=()=>h`<td><span class="blocks-answer">${Es(n)}</span></td>`;return h`<tr class="blocks-given">
    <th scope="row">given</th>
    ${["rule",...t].map(o)}
    <td></td>
  </tr>`}function qi(s){const t=lt(s),e={run:s,names:t,systems:Nt(s)};return h`<table class="figures blocks-table">
    <caption class="hidden-visually">
      ${"Answers of "+s.model+", "+Os(s)+". "+Ss(s).words}
    </caption>
    <thead>
      <${Wi} ...${e} />
    </thead>
    <tbody>
      <${Ui} ...${e} />
      ${s.answers.map((n,o)=>h`<${Hi} key=${o} ...${e} at=${o} />`)}
    </tbody>
  </table>`}function Ji(){const{run:s,problem:t,status:e,fresh:n}=Ms();return h`<${B}
    id="blocks-answers"
    title="Answers"
    reads="The model's answer after each iteration, beside the rule of the task and models without routes. A red cross marks an error."
    more="An error is a digit that differs from the rule. Small bars are the probabilities of the ten digits, 0 to 9."
    formats=${["svg","png","csv","json"]}
    written=${Xi}
  >
    <${zi} />
    <div
      class="table-scroll blocks-answers"
      tabindex="0"
      role="region"
      aria-label="Answers by iteration"
      data-status=${e}
      data-fresh=${String(n)}
    >
      ${s?qi(s):t?h`<div class="message" role="alert">${Vt(t.title,t.detail)}</div>`:h`<div class="skeleton blocks-skeleton" aria-hidden="true"></div>`}
    </div>
  <//>`}function Vi(s){const t=[["iteration","subtask","network","about","output","digit","rule","right","probability"]],e=lt(s);for(const{name:n,about:o,answers:i}of Nt(s))for(const r of i)e.forEach((a,c)=>t.push([r.iteration,r.subtask,n,o,a,r.digits[c],r.true[c]??"",r.right[c]??"",_s(r,c)[r.digits[c]]]));return t}function Yi(s,t=0){const e=lt(s),n=[{name:s.input.sample===void 0?"rule":"label",about:"",answers:s.answers.map(m=>({digits:m.true,right:[]}))},...Nt(s)],[o,i,r]=[24,26,66],a=s.answers.map(({iteration:m,subtask:f})=>m+"  "+f),c=t?Math.min(170,ft(a)+16):170,l=Math.max(t?(t-c)/n.length:140,e.length*o+(t?8:26)),u=c+n.length*l,d=(m,f)=>c+f*l,{words:p}=Ss(s),g=r+i*s.answers.length+34,$=m=>r+i*m+14,w=e.length>1?n.flatMap((m,f)=>e.map((v,y)=>({name:v,x:d(m,f)+y*o}))):[],k=n.flatMap(({answers:m},f)=>m.flatMap((v,y)=>v.digits.map((_,T)=>{const M=v.right[T]===!1;return{x:d(v,f)+T*o,y:$(y),said:Ge(_)+(M?xs:""),wrong:M}})));return Xt({width:u,height:g,title:"Answers of "+s.model+" by iteration",desc:p+" "+Os(s)+".",marks:[R(n,{x:d,y:20,down:0,text:({name:m})=>m,weight:650,room:l-8}),R(n,{x:d,y:36,down:0,text:({about:m})=>m,size:11,fill:"dim",room:l-8}),R(w,{x:m=>m.x,y:54,down:0,text:({name:m})=>m,size:11,fill:"dim"}),zn(s.answers,{x:[0,u],y:(m,f)=>$(f)-18}),R(a,{x:4,y:(m,f)=>$(f),down:0,fill:"dim",room:c-12}),R(k,{x:m=>m.x,y:m=>m.y,down:0,text:({said:m})=>m,size:14,weight:({wrong:m})=>m?700:450,fill:({wrong:m})=>m?"bad":"ink"}),R([p],{x:4,y:g-12,down:0,fill:"dim",room:u-8})]})}function Xi(){const{run:s}=Ms();if(!s)return null;const t=({iteration:e,subtask:n,digits:o,true:i,right:r,follows:a,explanation:c})=>({iteration:e,subtask:n,digits:o,rule:i,right:r,follows:a,explanation:c});return{name:"blocks-answers",facts:Re(s),python:{figure:"block-answers",input:s.input},rows:()=>Vi(s),json:()=>({outputs:lt(s),answers:Nt(s).map(({name:e,about:n,answers:o})=>({network:e,about:n,answers:o.map(t)}))}),picture:{scene:e=>Yi(s,e)}}}const We="mnist",q=20,Ct=28,Ke=s=>s!==null&&s.inputs==="picture";function Zi({run:s},t){if(!s||!s.picture||s.task!==t.name)return null;const e=dt(s.picture),n=t.permutations[s.input.permutation??0],o=e.length/n.length,i=[];return n.forEach((r,a)=>i[r]=e.subarray(a*o,(a+1)*o)),i}function Qi(s,t,e){const n=s.getContext("2d"),o=n.createImageData(Ct,Ct);e.forEach((i,r)=>t[i].forEach((a,c)=>{const l=Math.round(255*a);o.data.set([l,l,l,255],4*(r*t[i].length+c))})),n.putImageData(o,0,0),s.dataset.painted=e.join("")}function tr({order:s,at:t,chosen:e,strips:n}){const o=F(null);X(()=>{n&&o.current&&Qi(o.current,n,s)},[s,n]);const i=s.map(a=>a+1),r="Strips in the order "+i.join(" ");return h`<button
    type="button"
    class="thumb blocks-permutation"
    data-permutation=${t}
    aria-label=${r}
    title=${r}
    aria-pressed=${String(e)}
    onClick=${()=>O({permutation:t})}
  >
    <canvas ref=${o} width=${Ct} height=${Ct} class="pixels" aria-hidden="true"></canvas>
    <span class="thumb-caption">${i.join("")}</span>
  </button>`}function sr({task:s}){const{permutation:t}=b(),e=Zi(E(),s),n=s.permutations.map((o,i)=>h`<${tr} key=${i} order=${o} at=${i} chosen=${i===t} strips=${e} />`);return h`<div class="blocks-permutations">
    <p class="small-title" id="blocks-permutations-title">Order of the strips</p>
    <div class="thumbs" role="group" aria-labelledby="blocks-permutations-title">${n}</div>
  </div>`}const He=s=>b().sample||(s.example||{}).sample;function er({reply:s,sample:t}){const e=F(null),n=Math.max(0,s.items.findIndex(({id:o})=>o===t));return X(()=>e.current?.querySelectorAll("button").forEach((o,i)=>o.tabIndex=i===n?0:-1),[s,n]),h`<div ref=${e} class="thumbs" role="group" aria-label="Digits" data-gallery="blocks">
    ${s.items.map(({id:o,label:i,image:r,name:a})=>h`<button
          key=${o}
          type="button"
          class="thumb"
          data-pick-sample=${o}
          aria-label=${"Digit "+i+", "+a}
          title=${a}
          aria-pressed=${String(o===t)}
        >
          <img src=${r} alt="" width="44" height="44" class="pixels" loading="lazy" />
          <span class="thumb-caption">${i}</span>
        </button>`)}
  </div>`}const Ue=ht(null);function qe(s){const t=new RegExp("^"+We+"\\.[a-z]+\\.(\\d+)$").exec(He(s)??"");return Ue.value??(t?Math.floor(Number(t[1])/q)*q:0)}const As=Wt(()=>{const{task:s}=b();return Ke(s)?String(qe(s)):null},(s,t)=>Y("GET","/samples"+Rs({origin:"data",set:We,limit:q,offset:Number(s)||null}),void 0,{signal:t})),{follow:nr}=As;function or({task:s}){const{items:t,total:e}=As.latest()??{items:[],total:0},n=qe(s),o=e?n+1+" to "+(n+t.length)+" of "+e.toLocaleString("en"):"",i=(r,a,c,l)=>h`<${D} look="tool" title=${a} label=${a} wait=${l} act=${()=>Ue.value=c}
      >${Gs(r)}<//
    >`;return h`<div class="blocks-gallery">
    <p class="small-title">Digits that the network was not trained on</p>
    <p class="hint danger" role="alert">${As.problem()?.message}</p>
    <${er} reply=${{items:t,total:e}} sample=${He(s)} />
    <div class="pager">
      <span class="caption" role="status">${o}</span>
      ${i("previous","Digits before",n-q,n<=0)}
      ${i("next","Next digits",n+q,n+q>=e)}
    </div>
  </div>`}const ir="Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke.";function rr(){const s=(e,n,o="tool tool-text")=>h`<button type="button" class=${o} disabled data-pad=${e}>${n}</button>`,t=document.querySelector(".page-blocks")?.dataset.maxBytes;return h`<details class="as-table blocks-bring">
    <summary>Draw a digit, or bring a picture</summary>
    <div class="bring">
      <div class="pad" data-widget="drawing-pad" data-empty="true">
        <div class="pad-frame">
          <canvas id="blocks-pad" tabindex="0" role="img" aria-label=${ir}></canvas>
          <span class="pad-hint" aria-hidden="true">draw a digit</span>
        </div>
        <div class="pad-tools">
          ${s("undo","Undo")}${s("clear","Clear")}${s("save","Use drawing","button")}
        </div>
      </div>
      <div class="upload" data-widget="upload" data-max-bytes=${t}></div>
    </div>
  </details>`}function ar(){const{task:s}=b();return Ke(s)?h`<div class="blocks-image"><${sr} task=${s} /><${or} task=${s} /><${rr} /></div>`:null}const[J,lr]=[196,300],Je=[[],[6,4],[2,3],[8,3,2,3],[10,4]],Ve=/^gates\.(?:l?(\d+))(?:\.mean)?$/,Ts=s=>"MFNNR "+s,ct=s=>s.slice(s.indexOf(".")+1),cr=[{title:"Accuracy, %",percent:!0,takes:/^accuracy\./,named:ct},{title:"Training loss",log:!0,takes:/^loss(\.|$)/,named:s=>s==="loss"?"train":ct(s)},{title:"Sharpness",takes:/^sharpness(\.|$)/,named:s=>s==="sharpness"?"all":Ts(ct(s).replace(/^l/,""))},{title:"Fairness; difference of permutations",takes:/^(fairness|difference)$/,named:s=>s},{title:"Share of each input",takes:/^shares\./,named:ct},{title:"Mean gate: 0 copied, 1 computed",takes:Ve,named:s=>Ts(Ve.exec(s)?.[1]??"")},{title:"Gates below 0.1: copied",takes:/^gates\..*\.copied$/,named:s=>Ts(ct(s).replace(/^l|\.copied$/g,""))}];function Is(){const{status:s,info:t}=b();return s==="ready"&&t?.card?.history&&Object.keys(t.card.history).length?t.id+" "+t.revision:null}const P=Wt(Is,(s,t)=>Y("GET","/models/"+encodeURIComponent(s.split(" ")[0])+"/indicators",void 0,{signal:t})),{follow:ur}=P,dr=s=>s>-3?Ks(10**s):"1e\u2212"+qt(-s,0);function hr(s,t){const[e,n]=[Math.min(...s),Math.max(...s)],[o,i]=[Math.ceil(e),Math.floor(n)],r=Array.from({length:Math.max(0,i-o+1)},(l,u)=>o+u),a=r.length>1?r:[...new Set([e,n])],c=.05*(n-e||1);return Zt([e-c,n+c],t,{ticks:a,named:dr})}function pr({title:s,percent:t,log:e},n,o,i){const{units:r}=Cs(),a=n.map((f,v)=>({stroke:r[v%r.length],dash:Je[v%Je.length]})),c=Gn([{text:s,key:"none",ink:"ink",weight:600},...n.map(({name:f},v)=>({text:f,ink:"ink",...a[v]}))],{x:4,y:12,width:i}),[l,u,d,p]=[42,i-16,c.height+10,J-38],g=Zt([0,Math.max(1,...o)],[l,u],{most:4,round:!1,named:f=>f?pn(f):"0"}),$=f=>e?Math.log10(f):t?100*f:f,w=n.map(({name:f,values:v})=>v.flatMap((y,_)=>y===null||e&&y<=0?[]:[{name:f,step:o[_],value:y,y:$(y)}])),k=e?hr(w.flat().map(f=>f.y),[p,d]):Zt([0,t?102:1.02],[p,d],{ticks:t?[0,25,50,75,100]:[0,.25,.5,.75,1],named:t?String:f=>qt(f,f%.5?2:1)}),m=({name:f,step:v,value:y})=>f+": "+(t?qt(100*y,1)+" %":Ks(y))+" after "+Ws(v)+" steps";return Xt({width:i,height:J,title:s,desc:s,marks:[Wn(k,[l,u],{strong:null}),Kn(g,[d,p],{strong:null}),R(["training step"],{x:(l+u)/2,y:J-9,fill:"dim",anchor:"middle",size:11}),w.map((f,v)=>[Hn(f,{x:({step:y})=>g(y),y:y=>k(y.y),...a[v]}),Un(f,{x:({step:y})=>g(y),y:y=>k(y.y),r:f.length>1?1.5:3.5,fill:a[v].stroke,words:m})]),c.marks]})}function Ye({model:s,steps:t,series:e},n){const o=e.filter(({values:c})=>c.some(l=>l!==null)),i=cr.map(c=>({about:c,series:o.filter(({name:l})=>c.takes.test(l)).map(({name:l,values:u})=>({name:c.named(l),values:u}))})).filter(c=>c.series.length),r=Math.max(1,Math.min(i.length,Math.floor(n/lr))),a=Math.floor((n-24*(r-1))/r);return Xt({width:n,height:J*Math.ceil(i.length/r),title:"Indicators of "+s+" over training",desc:i.map(({about:c,series:l})=>c.title+": "+l.map(({name:u})=>u).join(", ")).join("; "),marks:i.map(({about:c,series:l},u)=>Bn(pr(c,l,t,a),u%r*(a+24),Math.floor(u/r)*J))})}const Xe=({steps:s,series:t})=>[["step",...t.map(({name:e})=>e)],...s.map((e,n)=>[e,...t.map(({values:o})=>o[n]??"")])];function fr(){const s=P.answer(),{status:t}=b();if(P.problem())return P.problem()?.message;if(t==="ready"&&Is()===null)return"This model has no training history.";if(!s)return"Loading the training history";const{steps:e}=s;return e.length+" measurements over "+Ws(e[e.length-1]||0)+" training steps."}function gr(){const s=P.answer();if(!s)return null;const{model:t,revision:e,steps:n,series:o}=s,i=b().info?.card?.settings;return{name:"blocks-indicators",facts:{model:t,revision:e,seed:i?.seed??null,drop:[],kind:"observed"},python:{figure:"indicators"},rows:()=>Xe(s),json:()=>({steps:n,series:o}),picture:{scene:r=>Ye(s,r??1080)}}}function mr(){const s=P.answer();return h`<${B}
    id="blocks-indicators"
    title="Over training"
    tag="observed"
    reads="Indicators against training steps: sharpness of the weights, fairness over the inputs, and the difference between permutations (0: none)."
    more="Sharpness: mean of the largest weight of each block. Fairness: evenness of the weight over the inputs. Difference: between permutations after undoing them."
    formats=${["svg","png","csv","json"]}
    written=${gr}
  >
    <p class="hint" role="status">${fr()}</p>
    ${Is()!==null&&h`<${Us}
          id="plot-blocks-indicators"
          height=${2*J}
          scene=${t=>{const e=P.answer();return e&&Ye(e,t)}}
          drawn=${()=>P.answer()?.model??""}
          label=${({title:t,desc:e})=>t+". "+e}
        />
        <${Yt}
          words="The indicators as a table"
          data=${{"data-blocks-table":"indicators"}}
          caption=${()=>"Indicators over training"}
          rows=${s&&(()=>Xe(s))}
        />`}
  <//>`}const{LONGEST:Ze,DIGIT:br}=At,{least:V,most:Ds}=br,js=Ds-V+1,Pt=()=>b().digits,Qe=s=>Math.floor(Math.random()*s),Lt=(s,t)=>O({digits:Pt().map((e,n)=>n===s?t:e)}),tn=s=>"blocks-digit-"+s,Ft=s=>document.getElementById(tn(s))?.focus();function $r({name:s,at:t,digit:e}){const n=F(null);X(()=>{n.current===document.activeElement&&n.current?.select()},[e]);const o=u=>Lt(t,V+(Pt()[t]-V+u+js)%js),i={ArrowUp:()=>o(1),ArrowDown:()=>o(-1),ArrowLeft:()=>Ft(t-1),ArrowRight:()=>Ft(t+1),Home:()=>Lt(t,V),End:()=>Lt(t,Ds),Backspace:()=>Ft(t-1)},r=u=>{u.ctrlKey||u.metaKey||u.altKey||!i[u.key]||(u.preventDefault(),i[u.key]())},a=({data:u,currentTarget:d})=>{const p=(u||d.value).replace(/\D/g,"");p&&(Lt(t,Number(p[p.length-1])),Ft(t+1)),d.value=String(Pt()[t])},c=u=>{const d=u.clipboardData?.getData("text").replace(/\D/g,"");d&&(u.preventDefault(),O({digits:Pt().map((p,g)=>Number(d[g-t]??p))}))},l=(u,d,p)=>h`<button
      type="button"
      class="blocks-arrow"
      tabindex="-1"
      aria-label=${s+": "+u}
      onClick=${()=>o(p)}
    >
      ${d}
    </button>`;return h`<div class="blocks-stepper">
    <span class="control-name" aria-hidden="true">${s}</span>
    ${l("one up","\u25B4",1)}
    <input
      ref=${n}
      class="blocks-digit"
      id=${tn(t)}
      type="text"
      inputmode="numeric"
      autocomplete="off"
      role="spinbutton"
      aria-label=${s}
      aria-valuemin=${V}
      aria-valuemax=${Ds}
      aria-valuenow=${e}
      data-digit=${t}
      value=${String(e)}
      onKeyDown=${r}
      onFocus=${()=>n.current?.select()}
      onInput=${a}
      onPaste=${c}
    />
    ${l("one down","\u25BE",-1)}
  </div>`}function wr(){const{task:s,digits:t,program:e}=b(),n=s?s.subtasks.length:0;O({digits:t.map(()=>V+Qe(js)),program:e.map(()=>Qe(n))})}function kr(){const{task:s,digits:t,model:e}=b();return!s||s.inputs!=="digits"||!s.values.length?null:h`<div class="blocks-digits">
    <div class="blocks-steppers" role="group" aria-label="Digits">
      ${s.values.map((n,o)=>h`<${$r} key=${n} name=${n} at=${o} digit=${t[o]??0} />`)}
    </div>
    <${D} id="blocks-random" act=${wr}>Random<//>
    <a class="tool tool-text" href=${gn("samples",{model:e,set:s.name})} onClick=${fn}
      >From the data set</a
    >
  </div>`}function yr(s,t){const e=b().program,n=Math.max(e.length,s+1,Math.min(st(),Ze)),o=Array.from({length:n},(i,r)=>e[r%e.length]);o[s]=t,O({program:o})}const vr=({subtasks:s,program:t})=>h`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${t.map((e,n)=>h`<div key=${n} class="blocks-iteration">
          <span class="control-name" aria-hidden="true">${n+1}</span>
          <${Ht}
            id=${"blocks-iteration-"+n}
            look="small-input"
            label=${"Subtask of iteration "+(n+1)}
            options=${s.map((o,i)=>[String(i),i+1+" "+o])}
            chosen=${String(e)}
            onChoose=${o=>yr(n,Number(o))}
          />
        </div>`)}
  </div>`;function xr(){const{task:s,program:t}=b();if(!s||s.inputs!=="digits"||s.subtasks.length<2||!t.length)return null;if(s.iterations===1)return h`<div class="blocks-program">
      <${Ls}
        id="blocks-subtask"
        label="Subtask"
        options=${s.subtasks.map((o,i)=>[String(i),o])}
        chosen=${String(t[0])}
        onChoose=${o=>O({program:[Number(o)]})}
      />
    </div>`;const e=st(),n=Array.from({length:Math.min(e,Ze)},(o,i)=>t[i%t.length]);return h`<div class="blocks-program">
    <${vr} subtasks=${s.subtasks} program=${n} />
    <p class="hint" id="blocks-program-said">
      ${e>n.length&&"The program repeats: "+e+" iterations run."}
    </p>
  </div>`}const Mr=()=>h`<${B}
    id="blocks-inputs"
    title="Input"
    reads="Digits and a program, or the picture of a digit."
    more="Type the digits or change them with the arrow keys. Each iteration has its own subtask. A picture of a digit is cut into four strips, which lie in one of eight orders."
  >
    <${kr} /><${xr} /><${ar} />
  <//>`;function Or(){const{info:s,task:t,levels:e}=b();if(!s||!t)return null;const n=e.map(o=>o.length).join(" \u2192 ");return h`<strong>${t.title}</strong>
    <${qn} id=${s.id} revision=${s.revision} />
    <span>${n+" blocks of "+t.block_size+" numbers"}</span>`}function _r(){const{problem:s,model:t}=b();if(!s)return null;const e=s.status===404,n=(kn()??[]).filter(({inputs:o,fields:i,constants:r})=>o==="blocks"&&[...i,...r].includes(ds));return h`<div class="message blocks-problem" role="alert">
    <p class="message-title">${s.title}</p>
    <p class="message-detail">${s.detail}</p>
    <div class="graph-others">
      ${e&&n.map(({id:o})=>h`<${D} key=${o} look="button" act=${()=>ut({model:o})}>${o}<//>`)}
    </div>
    <${D}
      id="blocks-retry"
      look="button"
      hidden=${e||s.status===403}
      act=${()=>{ms(t)}}
    >
      Try again
    <//>
  </div>`}function Sr(s){const{step:t,unfolded:e}=b();return t!==null&&s.steps[t]?s.at(t).t:s.run.first_wrong?s.run.first_wrong.iteration-1:Math.min(s.iterations-1,e?e.last:0)}function Er(){const{view:s}=E(),t=s?Sr(s):0,{text:e,state:n}=s?ce(s,t):{text:"",state:""};return h`<p class="blocks-sentence" aria-live="polite" data-state=${n}>
    <span class="control-name">${s&&s.iterations>1&&"Iteration "+(t+1)+": "}</span>
    ${s&&(e||s.run.answers[t].subtask)}
  </p>`}const Ar=([s,t])=>h`<span key=${s} class="legend-entry"
    ><span class="blocks-swatch" aria-hidden="true" style=${{background:t}}></span>${s}</span
  >`;function Tr(){const s=(b().levels[0]||[]).map((e,n)=>[e,yn(n)]),t=[...s,...s.length?[["computed","var(--rs-ink)"]]:[]];return h`<div class="legend blocks-legend">${t.map(Ar)}</div>`}const Ir="Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";function Dr(s,t){const e=s.name(t),n=s.iterations>1?" of iteration "+(t.t+1):"";if(t.level===0)return h`<strong>${e}</strong>${n+": an input block."}`;const{sources:o,gate:i}=s.shares(t);if(t.source!==void 0){const{weight:u,share:d}=o[t.source],p="; past the gate, "+j(d)+" of the block is a copy of it.";return h`<strong>${t.name+" > "+e}</strong>${n+": weight "+u.toFixed(3)+p}`}const r=n+": "+yt(s,t).long+"; gate "+i.toFixed(3)+".",a=t.level>1&&" In terms of the input: "+vt(s,t).long+".",c=t.level===s.depth?os(s,t):null,l=s.isFirstWrong(t)?" Wrong here: ":" Wrong: ";return h`<strong>${e}</strong
    >${r}${a}${c&&h`<span class="blocks-wrong">${l+c}.</span>`}`}function jr(){const{view:s}=E(),{hover:t}=b();return h`<div class="blocks-detail" aria-live="polite">
    ${s&&t&&t.t<s.iterations?Dr(s,t):Ir}
  </div>`}function Nr(){const{view:s}=E();return h`<${B}
    id="blocks"
    title="What each block is made of"
    tag=${fs()?"under intervention":"observed"}
    look="panel-blocks"
    reads="Ribbons: the sources of each block, as wide as their weights, in the colour of the input. Dark wedge: the computed part. Click a ribbon or a gate to change it."
    more="Levels stand from left to right. A ribbon has the colour of the input that its numbers come from, and shrinks at the gate to the share that is copied."
    formats=${["svg","png","csv","json"]}
    written=${Ri}
  >
    <${Er} />
    <div class="blocks-controls"><${ui} /><${Tr} /></div>
    <${gi} />
    <${jr} />
    <${Yt}
      words="Blocks as a table"
      data=${{"data-blocks-table":"blocks"}}
      caption=${()=>"Blocks, level by level"}
      rows=${s&&(()=>Pi(s))}
    />
  <//>`}function Cr(){const s=b().status==="failed";return h`
    <div class="page-head">
      <h1>Blocks</h1>
      <div id="blocks-caption" class="caption"><${Or} /></div>
      <div class="head-actions" hidden=${s}>
        <button type="button" class="tool tool-text" data-copy-link="true">${Gs("link")}Copy link</button>
      </div>
    </div>
    ${s?h`<${_r} />`:h`
            <div class="blocks-grid">
              <div class="column"><${Mr} /><${Ci} /></div>
              <div class="column"><${Nr} /><${Ji} /></div>
            </div>
            <${_i} /><${mr} />
          `}
  `}mn("blocks",async({model:s,sample:t,...e})=>{ut({model:s,sample:t}),St(e)});function Pr(){let{model:s}=$n(location.search),t=null;return pt(()=>{const{model:e,sample:n}=wn(),o=s??e;s=null,Fs(()=>{ke(n),o&&o!==t&&ms(t=o)})})}const Lr=bn({Tree:Cr,choice:gs,take:St,open(s,t){const e=t.closest(".page");St(s);const n=[Pr(),Me(),nr(),ur(),Ei(),pt(()=>{e.dataset.status=b().status})];return()=>{n.forEach(o=>o()),ye()}}});vn({blocks:()=>({layout:uo,picture:It,run:{...Xo,unpack:dt},state:At})});export{Lr as mount};
