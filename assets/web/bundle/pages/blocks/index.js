/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{r as js,H as Rt,ae as zt,af as sn,z as en,ag as nn,E as V,V as Bt,_ as Cs,c as ut,d as on,ad as rn,ah as an,ai as Gt,aj as ln,ak as dt,n as ht,s as p,P as F,al as Y,am as Ps,T as D,Q as Wt,R as pt,an as Ls,S as cn,U as Fs,ao as Kt,ap as un,aq as Rs,q as Ht,G as zs,ar as dn,a8 as hn,i as Bs,D as Gs,v as Ws,f as Ut,as as pn,at as fn,au as gn,av as mn,aw as bn,ax as $n,ac as wn,ay as kn,ab as yn,O as vn}from"../../boot.js";import{m as xn,b as qt,l as Mn,w as X,f as _n,a as On,B as Sn,o as En,p as An,c as Jt,d as Tn,P as B,e as In,A as Vt,g as Dn,h as Ks,i as Nn,j as Hs,k as jn,n as Cn,q as Us,r as Pn,s as Ln,t as Fn,u as qs,N as ft,v as gt,x as Js,y as Rn,z as Yt,C as R,D as zn,E as Bn,F as Gn,G as Xt,H as Wn,I as Kn,J as Hn,K as Un,R as qn}from"../../shared.js";const Vs=.06,Z=({t:s,level:t,index:e})=>[s,t,e].join(),mt=({t:s,level:t,index:e,source:n})=>[s,t,e,n].join();function Zt({view:s,layout:t},e){if(e.level>0||t.column(e.t,0))return e;const n=s.levels[s.depth].indexOf(s.levels[0][e.index]);return n<0?e:{t:e.t-1,level:s.depth,index:n}}function Jn({view:s},{t,level:e,index:n}){if(e<s.depth)return{t,level:e,index:n};const o=s.levels[0].indexOf(s.levels[e][n]);return o>=0&&t+1<s.iterations?{t:t+1,level:0,index:o}:null}function Vn(s,t){const e=Zt(s,{t:t.t,level:t.level-1,index:t.source}),n=new Set([Z(t),Z(e)]);return{block:o=>n.has(Z(o))?1:.25,ribbon:o=>mt(o)===mt(t)?3:.12}}function Yn(s,t){const{view:e}=s,[n,o]=[new Map,new Map],r=(l,u,d)=>l.set(u,Math.max(l.get(u)||0,d)),i=[];t.level>0&&i.push({t:t.t,found:e.upstream(t),low:1,high:t.level,up:!0});const a=Jn(s,t);a&&i.push({t:a.t,found:e.downstream(a),low:a.level+1,high:e.depth,up:!1});for(const{t:l,found:u,low:d,high:h,up:f}of i){for(const[$,w]of u)for(const[k,m]of w)r(n,Z(Zt(s,{t:l,level:$,index:k})),m);for(let $=d;$<=h;$+=1)for(const[w,k]of u.get($)??[])for(const{source:m,weight:g}of e.shares({t:l,level:$,index:w}).sources)r(o,mt({t:l,level:$,index:w,source:m}),g*(f?k:u.get($-1)?.get(m)||0))}const c=l=>Vs+(1-Vs)*Math.min(1,2.5*(l||0));return{block:l=>Math.max(.22,c(n.get(Z(l)))),ribbon:l=>1.5*c(o.get(mt(l)))}}const Xn=(s,t)=>t.source===void 0?Yn(s,t):Vn(s,{...t,source:t.source}),Zn=10,Qn=.04,Ys=s=>[1,3,5].map(t=>Number.parseInt(s.slice(t,t+2),16)),Xs=(s,t,e)=>e<s.levels[0].length?t.unit(e):t.ink;function Zs(s,t,e){const n=Array.from(s.origin(e),(r,i)=>({part:i,share:r})).filter(({share:r})=>r>=Qn),o=n.reduce((r,{share:i})=>r+i,0)||1;return n.map(({part:r,share:i})=>({part:r,share:i/o,paint:Xs(s,t,r)}))}function Qs(s,t,e){if(!Number.isFinite(t))return s.surface;const n=s.dark?s.hair:"#eef1f4";return xn(n,t>=0?s.ink:s.unit(Zn),Math.min(1,Math.abs(t)/e))}function to(){const s=js(),[t,e,n]=Ys(s.surface);return{...s,dark:t+e+n<380}}function so(s,t,e,n){const o=Math.ceil(t.length/e),r=document.createElement("canvas");[r.width,r.height]=[e,o];const i=r.getContext("2d"),a=i.createImageData(e,o);return t.forEach((c,l)=>{a.data.set([...Ys(Qs(s,c,n)),255],4*l)}),i.putImageData(a,0,0),{bitmap:r,href:r.toDataURL(),width:e,height:o}}const I=34,eo={gate:30,strip:70,digit:18,out:5,ribbon:64,height:20,pitch:45,most:230},no={gate:20,strip:40,digit:13,out:4,ribbon:46,height:20,pitch:45,most:120},oo=80,G=8,ro=14,io=s=>s.reduce((t,e)=>t+e,0);function ao(s,t,e,n,o,r){const i=[];let a=e;for(let c=r?0:1;c<=s.depth;c+=1){const l=c===0?0:o.gate;(i.length||!r)&&(a+=n),i.push({t,level:c,x:a,strip:a+l}),a+=l+o.strip+o.digit+o.out}return{columns:i,end:a}}const te=(s,t)=>s.depth*(t.ribbon+t.gate+t.strip+t.digit+t.out);function lo(s,t,e,n){const o=n.strip+n.digit+n.out,r=te(s,n);let[i,a]=[t,t];const c=(h,f)=>{const $=I*(s.iterations-(f-h+1));return o+r*(f-h+1)+Math.min($,I*8)<=e-2*G};for(let h=!0;h;)h=!1,a+1<s.iterations&&c(i,a+1)&&([a,h]=[a+1,!0]),i>0&&c(i-1,a)&&([i,h]=[i-1,!0]);const l=Math.max(0,Math.floor((e-2*G-o-r*(a-i+1))/I)),u=Math.min(s.iterations-1-a,Math.max(Math.ceil(l/2),l-i)),d=Math.min(i,Math.max(0,l-u));return{first:i,last:a,before:d,after:u}}function se(s,t,e,n){const o=t===0?s.levels[0]:s.levels[t],r=l=>Array.from({length:l},(u,d)=>e+n*(d+.5)/l);if(t!==s.depth)return r(o.length);const i=s.levels[0];if(!(o.length>1&&o.every(l=>i.includes(l))))return r(o.length);const c=r(i.length);return o.map(l=>c[i.indexOf(l)])}function ee(s,{width:t,focus:e=0,image:n=!1}){const o=t<620,r={...o?no:eo};n&&!o&&(r.strip=oo);const{first:i,last:a,before:c,after:l}=lo(s,e,t,r),u=a-i+1,d=r.strip+r.digit+r.out,h=t-2*G-I*(c+l)-d-u*te(s,r),f=o?0:60,$=Math.max(0,h-f)/(u*s.depth),w=Math.min(r.most,r.ribbon+$),k=s.iterations>1?62:30,g=Math.max(...s.levels.map(M=>M.length))*r.pitch,v=[];let y=G;for(let M=i-c;M<i;M+=1,y+=I)v.push({state:M,x:y});let O=[];for(let M=i;M<=a;M+=1){const z=ao(s,M,y,w,r,M===i);O=[...O,...z.columns],y=z.end}const T=y;y+=l?f:0;for(let M=a+1;M<=a+l;M+=1,y+=I)v.push({state:M+1,x:y});for(const M of O){const z=se(s,M.level,k,g);if(M.blocks=z.map((L,Ft)=>({t:M.t,level:M.level,index:Ft,y:L})),M.out=M.strip+r.strip+r.digit,M.right=M.out+r.out,M.level===s.depth&&M.t<a){const L=s.levels[0].length-1,Ft=se(s,0,k,g)[L];M.task={t:M.t+1,level:0,index:L,y:Ft}}}return{view:s,beside:f||G,sizes:r,narrow:o,image:n,gap:w,header:k,first:i,last:a,hidden:{before:i-c,after:s.iterations-1-a-l},folded:v,columns:O,end:T,width:Math.max(t,y+(l?0:f)+G),height:k+g+ro,top:k,bottom:k+g,column:(M,z)=>O.find(L=>L.t===M&&L.level===z)}}function bt(s,t,e,n){const{view:o}=s,r=s.column(t,e-1);if(r)return{column:r,block:r.blocks[n]};const i=s.column(t-1,o.depth);if(!i)return null;const a=o.levels[0][n],c=o.levels[o.depth].indexOf(a);return{column:i,block:c>=0?i.blocks[c]:i.task}}function ne(s,t,e){const{view:n,sizes:o}=s,r=n.step(t,e),{height:i}=o,a=s.column(t,e),c=r.sources.map((d,h)=>io(r.blocks.map((f,$)=>n.weight(r,h,$)))),l=r.sources.map(()=>0),u=[];return a&&r.blocks.forEach((d,h)=>{let f=a.blocks[h].y-i/2;r.sources.forEach(($,w)=>{const k=n.weight(r,w,h),m=bt(s,t,e,w);if(!m||!m.block||k<=0)return;const g=i/Math.max(1,c[w]),v=m.block.y-Math.min(1,c[w])*i/2+l[w];u.push({t,level:e,index:h,source:w,weight:k,x0:m.column.right,x1:a.x,from:[v,v+k*g],to:[f,f+k*i]}),l[w]+=k*g,f+=k*i})}),u}function oe(s,t,e,n){const{sizes:o,view:r}=s;for(const{state:d,x:h}of s.folded)if(e>=h&&e<h+I)return{kind:"folded",t:Math.max(0,d-1)};for(const d of s.columns){const h=d.task?[...d.blocks,d.task]:d.blocks;if(e<d.x-3||e>d.right+3)continue;const f=h.find(w=>Math.abs(w.y-n)<=o.height/2+13);if(!f)continue;return{kind:f.level>0&&e<d.strip&&Math.abs(f.y-n)<=o.height/2+4?"gate":"block",t:f.t,level:f.level,index:f.index}}const i={best:null,distance:6};for(const d of t){if(e<=d.x0||e>=d.x1||d.weight<.03)continue;const h=re(d,e),f=($t(d,e,1)-$t(d,e,0))/2,$=Math.max(0,Math.abs(n-h)-f);($<i.distance||$===0&&i.best&&d.weight<i.best.weight)&&Object.assign(i,{best:d,distance:$})}if(!i.best)return null;const{t:a,level:c,index:l,source:u}=i.best;return{kind:"ribbon",t:a,level:c,index:l,source:u,name:r.step(a,c).sources[u]}}function co(s,t,e,n,o){const r=(o-s)/(e-s);let[i,a]=[0,1];for(let l=0;l<20;l+=1){const u=(i+a)/2;1.5*u*(1-u)*(1-u)+1.5*u*u*(1-u)+u*u*u<r?i=u:a=u}const c=(i+a)/2;return t+(n-t)*(3*c*c-2*c*c*c)}const $t=({x0:s,x1:t,from:e,to:n},o,r)=>co(s,e[r],t,n[r],o),re=(s,t)=>($t(s,t,0)+$t(s,t,1))/2;var uo=Object.freeze({__proto__:null,FOLDED:I,heightAt:re,layOut:ee,portsOf:ne,sourceOf:bt,targetAt:oe});const Qt=.9,wt=.1,ie=3,N=s=>{const t=100*s;return(t>99.5&&s<.99995?">99":t<.5&&s>0?"<1":Math.round(t))+" %"};function ts(s,t){const e=s.filter(({share:o})=>o>=wt).sort((o,r)=>r.share-o.share),[n]=e;return t>=Qt?{kind:"computed",parts:[],computed:t}:n&&n.share>=Qt?{kind:"copied",parts:[n],computed:t}:t<=wt?{kind:"interpolated",parts:e,computed:t}:{kind:"mixed",parts:e,computed:t}}const ss=s=>s.slice(0,ie).map(({name:t,share:e})=>t+" "+N(e)).join(" + ");function ae({kind:s,parts:t,computed:e},n){const o=t.length>ie?" and others":"";if(s==="computed")return"computed, "+N(e);if(s==="copied")return"copied from "+ss(t);const r=t.length?ss(t)+o:"all "+n+" sources, each less than "+N(wt);return s==="interpolated"?"interpolated from "+r:N(e)+" computed, the rest from "+(t.length?r:"many sources")}function es({kind:s,parts:t,computed:e}){if(s==="computed")return"computed "+N(e);if(s==="copied")return"copy of "+t[0].name;const n=t.slice(0,2).map(({name:o,share:r})=>o+" "+Math.round(100*r));return s==="interpolated"?n.length?n.join(" + ")+" %":"mean of many":[...n.slice(0,1),"computed "+Math.round(100*e)].join(" + ")+" %"}function ho({kind:s,parts:t,computed:e}){return s==="computed"?"computed":s==="copied"?"= "+t[0].name:s==="interpolated"?"mixed":N(e)+" new"}function kt(s,t){const{sources:e,computed:n}=s.shares(t),o=ts(e,n),r=ae(o,e.length);if(o.kind!=="computed")return{...o,long:r,short:es(o)};const i=ts(e.map(({name:c,weight:l})=>({name:c,share:l})),0),a=i.parts.length?"; routed to it: "+ss(i.parts):"";return{...o,long:r+a,short:es(o)}}function yt(s,t){const e=s.origin(t),n=s.levels[0],o=n.map((i,a)=>({name:i,share:e[a]})),r=ts(o,e[n.length]);return{...r,long:ae(r,n.length),short:es(r),brief:ho(r)}}function ns(s,{t,index:e}){const{digit:n,truth:o,right:r}=s.answer(t,e)||{};return r===!1?s.levels[s.depth][e]+" is "+n+", by the rule it is "+o:null}function le(s,t){const e=s.run.answers[t];if(!e)return{text:"",state:"unknown"};const n=e.digits.map((c,l)=>ns(s,{t,index:l})).filter(Boolean),o=n.length>3?[...n.slice(0,2),"and "+(n.length-2)+" more"]:n,r=s.run.first_wrong&&s.run.first_wrong.iteration===t+1,i=e.explanation||"";if(r)return{text:"Wrong here: "+o.join("; ")+".",state:"wrong"};if(o.length&&e.follows)return{text:i+" The rule is followed; what is wrong was so before.",state:"follows"};if(o.length)return{text:"Wrong: "+o.join("; ")+".",state:"wrong"};const a=s.run.input.digits?"":"strips in the order "+e.subtask;return{text:i||a,state:e.right.includes(null)?"unknown":"right"}}var po=Object.freeze({__proto__:null,LEAST:wt,MOST:Qt,made:kt,origin:yt,percent:N,sentence:le,wrong:ns});const os=24,fo=10,go=28,ce=.02,S=(s,t,e,n)=>({shape:"text",x:s,y:t,text:e,size:10.5,...n}),j=(s,t,e,n,o)=>({shape:"rect",x:s,y:t,w:e,h:n,...o}),vt=(s,t,e,n=10.5,o=400)=>_n(t,e,n,On(s.font),o),rs=([s,t],e,n)=>[s+(t-s)*e,s+(t-s)*n];function ue({view:s,theme:t},{t:e,level:n,source:o}){return(n===1?[{share:1,paint:Xs(s,t,o)}]:null)||Zs(s,t,{t:e,level:n-1,index:o})}function mo({view:s},{t,level:e,index:n,weight:o}){const r=s.gate(s.step(t,e),n);return o<ce?.05:(.2+.62*Math.min(1,1.4*o))*(.62+.38*(1-r))}function bo(s,t,e){if(e<.012||t.weight<.004)return[];const{x0:n,x1:o,from:r,to:i}=t;let a=0;return ue(s,t).map(({share:c,paint:l})=>{const u=a+c,d={shape:"path",d:qt(n,o,rs(r,a,u),rs(i,a,u)),fill:l,opacity:e};return a=u,d})}const $o=(s,t,e,n)=>{const{view:o,theme:r,layout:i,ribbons:a}=s,{height:c}=i.sizes,l=o.gate(o.step(e.t,e.level),e.index),[u,d]=[e.y-c/2,e.y+c/2],[h,f]=[t.x+3,t.strip-3],$=[j(t.x,u,3,c,{fill:r.dim,opacity:.35*n})],w=k=>u+(k-u)*(1-l);for(const k of a){if(k.t!==e.t||k.level!==e.level||k.index!==e.index)continue;let m=0;for(const{share:g,paint:v}of ue(s,k)){const y=m+g,[O,T]=rs(k.to,m,y);$.push({shape:"path",d:qt(h,f,[O,T],[w(O),w(T)]),fill:v,opacity:n*(k.weight<ce?.3:.92)}),m=y}}return l>.004&&$.push({shape:"path",d:qt(h,f,[d,d],[d-l*c,d]),fill:r.ink,opacity:n}),[...$,...wo(s,t,e,n)]},wo=({view:s,theme:t,layout:e},n,o,r)=>{const{gates:i,copy_routes:a}=s.changes,c=s.name(o),l=a.some(f=>f.endsWith(">"+c));if(!(c in i)&&!l)return[];const{height:u,gate:d}=e.sizes,h={stroke:t.accent,width:2,opacity:r};return[j(n.x-1,o.y-u/2-2,d,u+4,{rx:3,...h}),S(n.x+d/2,o.y+u/2+13,l?"forced":"fixed",{size:9.5,weight:600,anchor:"middle",fill:t.accent,halo:t.surface,opacity:r})]};function ko({view:s,theme:t,layout:e}){const n=new Set(s.changes.mute_routes);return n.size?e.columns.flatMap(o=>{if(o.level===0)return[];const r=s.step(o.t,o.level);return r.blocks.flatMap((i,a)=>r.sources.flatMap((c,l)=>{if(!n.has(c+">"+i))return[];const u=bt(e,o.t,o.level,l);if(!u||!u.block)return[];const[d,h,f,$]=[u.column.right,u.block.y,o.x,o.blocks[a].y],[w,k]=[(d+f)/2,(h+$)/2];return[{shape:"path",d:Mn({x:d,y:h},{x:f,y:$}),stroke:t.bad,width:1.4,dash:[4,4]},{shape:"circle",cx:w,cy:k,r:6,fill:t.surface,stroke:t.bad,width:1.4},{shape:"path",d:`M${w-3},${k+3}L${w+3},${k-3}`,stroke:t.bad,width:1.6}]}))}):[]}const Q=({view:s},t)=>t.level===0&&t.index===s.levels[0].length-1,yo=(s,t,e,n)=>{const{view:o,theme:r,layout:i,most:a}=s,{strip:c,height:l}=i.sizes,[u,d]=[t.strip,e.y-l/2];if(!o.there(e)){const g={stroke:r.dim,dash:[3,3],opacity:.7*n};return[j(u,d,c,l,{rx:2,...g}),S(u+c/2,e.y+4,"dropped",{anchor:"middle",fill:r.dim})]}let h=o.values(e);const f=e.level===o.depth&&h.length>os;Q(s,e)?h=h.subarray(0,Math.min(h.length,s.task.subtasks.length)):f&&(h=o.probabilities(e.t,e.index).subarray(0,fo));const $=j(u-.5,d-.5,c+1,l+1,{rx:2,stroke:r.line,width:1,opacity:n});if(h.length>os){const g=s.bitmap(e,h,go,a[e.level]),v={sx:0,sy:0,sw:g.width,sh:g.height};return[{shape:"image",source:g,...v,x:u,y:d,w:c,h:l,opacity:n},$]}const w=c/h.length,k=f||Q(s,e)?1:a[e.level];return[...Array.from(h,(g,v)=>j(u+v*w,d,w-(w>5?1:.5),l,{fill:Qs(r,g,k),opacity:n})),$]},vo=(s,t,e,n)=>{const{view:o,theme:r,layout:i}=s,{sizes:a}=i,c=t.strip+a.strip+a.digit/2+1,l=de(s,e);if(l){const h=l.right===!1,f=o.levels[o.depth].length===1?17:14,$=String(l.digit),w=[S(c,e.y+f*.36,$,{size:f,weight:700,anchor:"middle",fill:h?r.bad:r.ink,opacity:n})];return h?[...w,...xo(s,t,e,n)]:w}if(Q(s,e)||s.layout.image&&e.level===0)return[];const u=o.digits(e);if(!u.length)return[];const d=u.length>1?9.5:13;return[S(c,e.y+d*.36,u.join("\xB7"),{size:d,weight:650,anchor:"middle",fill:r.ink,opacity:n*(u.length>1?.8:1)})]};function de(s,{t,level:e,index:n}){const{view:o}=s;return e===o.depth?o.answer(t,n):e===0&&t>0&&!Q(s,{level:e,index:n})?o.stateAnswer(t,n):null}const xo=({view:s,theme:t,layout:e},n,o,r)=>{const{strip:i,height:a,digit:c}=e.sizes,l=s.isFirstWrong(o);return[{shape:"rect",...{x:n.strip-2.5,y:o.y-a/2-2.5,w:i+c+4,h:a+5,rx:4},stroke:t.bad,width:l?2.2:1,opacity:l?1:.7*r}]};function Mo({view:s},t,e,n){const o="rule: "+e;return(s.isFirstWrong(t)?["wrong here, rule: "+e,"wrong here: "+e,o]:["wrong, "+o,o]).find(i=>X([i],10.5,700)<=n)||"\u2260 "+e}const _o=(s,t,e,n)=>{const{view:o,theme:r,layout:i}=s,{sizes:a,narrow:c}=i,l=o.name(e),u=e.y-a.height/2-6,d=[S(t.strip,u,l,{size:11.5,weight:650,fill:r.ink,halo:r.surface,opacity:n})],h=t.strip+X([l],11.5,650)+5,f=t.level===o.depth&&!i.column(t.t+1,1),$=f?i.beside:Math.min(c?14:70,i.gap*.55),w=t.right+$-h,k=de(s,e);if(k&&k.right===!1)d.push(S(h,u,Mo(s,e,k.truth,w),{weight:700,fill:r.bad,halo:r.surface,opacity:o.isFirstWrong(e)?1:n}));else{const[y,O]=So(s,e),T=X([y],10.5,400)>w&&O?vt(r,O,w):vt(r,y,w);T&&d.push(S(h,u,T,{fill:r.dim,halo:r.surface,opacity:n}))}if(f&&e.level>0)return d;let m=e.y-a.height/2;const v=(e.level===o.depth?0:e.level)===0?Oo(o,e):e;for(const{share:y,paint:O}of v?Zs(o,r,v):[])d.push(j(t.out,m,a.out,y*a.height,{fill:O,opacity:n})),m+=y*a.height;return d};function Oo(s,t){if(t.level===0)return t;const e=s.levels[0].indexOf(s.name(t));return e<0?null:{t:t.t+1,level:0,index:e}}function So(s,t){const{view:e,task:n}=s;if(t.level>0){const{short:a,brief:c}=yt(e,t),l=t.level===e.depth?e.before(t.t,t.index):null;return l!==null?["was "+l+"; "+a,"was "+l]:e.there(t)?[a,c]:[""]}if(!Q(s,t))return[""];const{program:o,permutation:r}=e.run.input,i=o?o[t.t%o.length]:r;return[(i===void 0?"":n.subtasks[i])||""]}const Eo=(s,t,e,n)=>[...e.level>0?$o(s,t,e,n):[],...yo(s,t,e,n),..._o(s,t,e,n),...vo(s,t,e,n)],Ao=()=>po;function To({view:s,task:t},{t:e,level:n}){return n===0?e===0?"input":"state "+e:n<s.depth?"level "+n:s.iterations>1?"state "+(e+1):t.outputs.length>1?"outputs":"output"}function Io(s){const{view:t,theme:e,layout:n,step:o}=s,r=[];for(const i of n.columns){const a=o!==null&&i.level>0&&t.place(i.t,i.level)===o,c=To(s,i);if(a){const l=bt(n,i.t,i.level,0),u=l?l.column.right+2:i.x-30;r.push(j(u,n.top-8,i.right+8-u,n.bottom-n.top+16,{rx:6,fill:e.raised}))}r.push(S(i.strip,n.top-14,c,{size:11,weight:a?700:400,fill:a?e.ink:e.dim}))}if(t.iterations>1){for(let i=n.first;i<=n.last;i+=1)r.push(...Do(s,i));for(const i of n.folded)r.push(...No(s,i))}return r}const is={right:"\u2713",wrong:"\u2717",follows:"\u2713",unknown:""};function Do({view:s,theme:t,layout:e,task:n},o){const r=e.column(o,0)||e.column(o-1,s.depth),i=e.column(o,s.depth);if(!r||!i)return[];const[a,c]=[r.right+6,i.right],{text:l,state:u}=Ao().sentence(s,o),d=o>=n.iterations?", beyond training":"",h="iteration "+(o+1)+": "+s.run.answers[o].subtask+d,f=u==="wrong"?t.bad:t.ink;return[{shape:"path",d:"M"+a+",39V34H"+c+"V39",stroke:t.line,width:1.2},S(a,12,vt(t,h,c-a,11,650),{size:11,weight:650,fill:t.ink}),S(a,27,vt(t,(is[u]?is[u]+" ":"")+l,c-a,11),{size:11,fill:f})]}function No({view:s,theme:t,layout:e},{state:n,x:o}){const r=o+I/2,i=e.columns.find(({level:f})=>f===s.depth),a=n>0&&s.run.answers[n-1].right.includes(!1),c=s.run.first_wrong&&s.run.first_wrong.iteration===n,l=a?t.bad:t.dim,u={rx:5,fill:t.raised,stroke:c?t.bad:void 0,width:c?2:0},d={anchor:"middle",size:11},h=[S(r,12,n?String(n):"in",{...d,weight:650,fill:t.dim}),S(r,27,n?is[a?"wrong":"right"]:"",{...d,weight:c?700:400,fill:l}),j(o+3,e.top-8,I-6,e.bottom-e.top+8,u)];return i?.blocks.forEach(({index:f,y:$})=>{const{digit:w,right:k=null}=s.stateAnswer(n,f)??{},m=k===!1,g=m?t.bad:t.ink;h.push(S(r,$+5,String(w),{anchor:"middle",size:13,weight:m?700:500,fill:g}))}),h}const jo=.6,Co=.35,Po=["weights","gates","inputs","routed","computed","outputs"],he=s=>Number.isFinite(s)?s:0;class Lo{constructor(t,e){this.run=t,this.levels=t.levels,this.depth=Math.max(1,t.levels.length-1),this.iterations=t.iterations;const n=t.intervention;this.changes={mute_routes:[],copy_routes:[],gates:{},...n},this.steps=t.steps.map(o=>this.read(o,e)),this.origins=[];for(const o of this.steps)this.origins.push(this.trace(o));this.answered=t.answers.map(({probabilities:o})=>({values:e(o),shape:o.shape})),this.picture=t.picture?{values:e(t.picture),shape:t.picture.shape}:null}read(t,e){const[n,o]=[t.sources.length,t.blocks.length],r={};for(const i of Po)r[i]=e(t[i]);return{...t,...r,M:n,N:o,size:r.outputs.length/Math.max(1,o)}}step(t,e){return this.steps[t*this.depth+e-1]}place(t,e){return t*this.depth+e-1}at(t){return{t:Math.floor(t/this.depth),level:t%this.depth+1}}name({t,level:e,index:n}){return e===0?this.step(t,1).sources[n]:this.step(t,e).blocks[n]}values({t,level:e,index:n}){const o=this.step(t,Math.max(1,e));return(e===0?o.inputs:o.outputs).subarray(n*o.size,(n+1)*o.size)}there(t){return Number.isFinite(this.values(t)[0])}weight(t,e,n){return he(t.weights[e*t.N+n])}gate(t,e){return he(t.gates[e])}shares({t,level:e,index:n}){const o=this.step(t,e),r=this.gate(o,n),i=o.sources.map((a,c)=>{const l=this.weight(o,c,n);return{source:c,name:a,weight:l,share:(1-r)*l}});return{gate:r,sources:i,computed:r}}trace(t){const e=t.mfnnr>1?this.origins[this.origins.length-1]:null,n=this.levels[0].length;return t.blocks.map((o,r)=>{const i=this.gate(t,r),a=new Float64Array(n+1);a[n]=i;for(let c=0;c<t.M;c+=1){const l=(1-i)*this.weight(t,c,r);l&&(e?e[c].forEach((u,d)=>a[d]+=l*u):a[c]+=l)}return a})}origin({t,level:e,index:n}){if(e>0)return this.origins[this.place(t,e)][n];const o=new Float64Array(this.levels[0].length+1);return o[n]=1,o}upstream({t,level:e,index:n}){const o=new Map([[e,new Map([[n,1]])]]);for(let r=e;r>0;r-=1){const i=new Map;for(const[a,c]of o.get(r)??[])for(const{source:l,weight:u}of this.shares({t,level:r,index:a}).sources)i.set(l,(i.get(l)||0)+c*u);o.set(r-1,i)}return o}downstream({t,level:e,index:n}){const o=new Map([[e,new Map([[n,1]])]]);for(let r=e+1;r<this.levels.length;r+=1){const i=new Map;this.step(t,r).blocks.forEach((a,c)=>{const{sources:l}=this.shares({t,level:r,index:c}),u=h=>o.get(r-1)?.get(h)||0,d=l.reduce((h,{source:f,weight:$})=>h+$*u(f),0);i.set(c,d)}),o.set(r,i)}return o}digits(t,e=10){const n=Array.from(this.values(t).subarray(0,e));if(n.length<2||!n.every(Number.isFinite))return[];const o=n.map((l,u)=>({value:l,digit:u})).sort((l,u)=>u.value-l.value),[r,i,a]=o;return r.value>=jo&&r.value-i.value>=Co?[r.digit]:i.value>=.35&&r.value-i.value<.2&&r.value<.75&&(!a||a.value<.15)?[r.digit,i.digit].sort():[]}answer(t,e){const n=this.run.answers[t];return n?{digit:n.digits[e],truth:n.true[e],right:n.right[e]}:null}probabilities(t,e){const{values:n,shape:o}=this.answered[t];return n.subarray(e*o[1],(e+1)*o[1])}stateAnswer(t,e){if(t>0)return this.answer(t-1,e);const n=this.levels[0].indexOf(this.levels[this.depth][e]);return{digit:(this.run.input.digits||[])[n],truth:null,right:null}}before(t,e){const n=(this.run.baseline||[])[t];return n&&n.digits[e]!==this.answer(t,e)?.digit?n.digits[e]:null}isFirstWrong({t,level:e,index:n}){const o=this.run.first_wrong;return!o||e!==this.depth||o.iteration!==t+1?!1:this.answer(t,n)?.right===!1}}const Fo=s=>Rt(s.map(t=>String(t+1)));function Ro(s,{model:t,task:e,levels:n,known:o}){const r=[];for(const l of["mute_routes","copy_routes"]){const u=s[l].filter(d=>!o[l].includes(d));u.length&&r.push(`"${l}" names ${Rt(u)}: ${t} has no such route. ${pe(n)}, and each reads the one before.`)}const i=Object.keys(s.gates).filter(l=>!(l in o.gates));i.length&&r.push(`"gates" names ${Rt(i)}: ${t} has no such gate. ${pe(n)}.`);const a=Math.min(s.iterations||e.iterations,e.most_iterations);s.iterations&&s.iterations>e.most_iterations&&r.push(`"iterations" is ${s.iterations}: ${t} runs up to ${e.most_iterations}, which are shown.`);const c=Math.max(0,n.length-1)*a;return s.step!==null&&c&&s.step>=c&&r.push(`"step" is ${s.step+1}: ${t} has ${c} steps here. Shown is step ${c}.`),r}function zo({digits:s,program:t,permutation:e},n,o){const r=[],i=n.subtasks.length;if(n.inputs==="picture")return(s.length||t.length)&&r.push(`${n.title} is about a picture: "digits" and "program" are of no use here.`),e>=i&&r.push(`"permutation" is ${e+1}: there are ${i}. Shown is ${Math.max(1,i)}.`),r;const a=n.values.filter(u=>u!=="task").length;s.length>a&&r.push(`"digits" are ${s.length}: ${n.title} has ${a}, the first of which are shown.`);const c=t.filter(u=>u>=i);c.length&&r.push(`"program" names ${Fo(c)}: ${n.title} has ${i} subtasks. Shown is the last of them.`);const l=Math.min(o,n.most_iterations);return t.length>l&&r.push(`"program" has ${t.length} subtasks: up to ${l} are shown.`),r}const pe=s=>"Its levels of blocks are "+s.map(t=>t.length>1?t[0]+" to "+t.at(-1):t[0]).join("; "),Bo=150,as=zt("blocks","program").longest,ls=zt("blocks","digits"),cs="task",us="multiplexer_weights",xt=sn("blocks"),{state:x,differ:Go,subscribe:Mt}=en({...xt,status:"loading",problem:null,model:null,sample:null,info:null,task:null,levels:[],playing:!1,hover:null,unfolded:null}),_t=(s,t)=>JSON.stringify(s)===JSON.stringify(t),tt=(s,t,e)=>Math.max(t,Math.min(e,s)),st=()=>x.iterations||(x.task?x.task.iterations:1);function Wo(s){const t={...s},{task:e=null}={task:x.task,...s};if(!e)return t;const n={...x,...s},o=e.example||{};if(e.inputs!=="picture"){const a=e.values.filter(u=>u!==cs).map((u,d)=>n.digits[d]??(o.digits||[])[d]??0);t.digits=a.map(u=>tt(Math.round(u)||0,ls.least,ls.most));const c=n.program.length?n.program:o.program||[0],l=Math.min(as,e.most_iterations);t.program=c.slice(0,l).map(u=>tt(u,0,e.subtasks.length-1))}else t.permutation=tt(n.permutation,0,Math.max(0,e.subtasks.length-1));const r=n.iterations&&tt(Math.round(n.iterations),1,e.most_iterations);t.iterations=r===e.iterations?null:r;const i=Math.max(0,n.levels.length-1)*(t.iterations||e.iterations);return n.step!==null&&i&&(t.step=tt(n.step,0,i-1)),t}function _(s){const{model:t,sample:e,...n}=s;e!==void 0&&e!==x.sample&&ut({sample:e}),t!==void 0&&t!==x.model&&ut({model:t}),W(n)}function W(s){[...Go(Wo(s),_t)].some(e=>e in xt||e==="sample")&&$e()}const K=(s,t)=>s+">"+t,et=s=>[s.slice(0,s.indexOf(">")),s.slice(s.indexOf(">")+1)],H=s=>et(s)[1],fe=(s,t)=>s.filter(e=>e!==t);function ds(s){const t=x.levels.findIndex((e,n)=>n>0&&e.includes(s));return t>0?x.levels[t-1]:[]}function ge(s,t){const e=K(s,t),{mute_routes:n,copy_routes:o}=x;if(n.includes(e)){_({mute_routes:fe(n,e)});return}if(!ds(t).filter(i=>i!==s&&!n.includes(K(i,t))).length){on("One route stays","A block that reads nothing has no weights.","bad");return}_({mute_routes:[...n,e],copy_routes:o.filter(i=>H(i)!==t)})}function me(s,t){const e=K(s,t),n=x.copy_routes.filter(a=>H(a)!==t),o=x.copy_routes.includes(e),{[t]:r,...i}=x.gates;_({copy_routes:o?n:[...n,e],mute_routes:o?x.mute_routes:fe(x.mute_routes,e),gates:o?x.gates:i})}function hs(s,t){const{[s]:e,...n}=x.gates,o=x.copy_routes.filter(r=>t===null||H(r)!==s);_({gates:t===null?n:{...n,[s]:t},copy_routes:o})}function Ko(s){const t=o=>{const r=s.findIndex((i,a)=>a>0&&i.includes(H(o)));return r>0&&s[r-1].includes(et(o)[0])},e=s.slice(1).flat(),n=x.copy_routes.filter(t);return{mute_routes:x.mute_routes.filter(t),copy_routes:n.filter((o,r)=>n.findIndex(i=>H(i)===H(o))===r),gates:Object.fromEntries(Object.entries(x.gates).filter(([o])=>e.includes(o)))}}const be=nn,ps=()=>!!(x.mute_routes.length||x.copy_routes.length||Object.keys(x.gates).length);let nt=0;function $e(){nt||(nt=setTimeout(Ho,Bo))}function Ho(){nt=0;const{task:s}=x;if(!s)return;const t=s.inputs!=="picture",e=s.example||{},n=o=>_t(x[o],e[o])?null:x[o];an("blocks",{...fs(),model:x.model,sample:x.sample,digits:t&&n("digits"),program:t&&n("program"),permutation:t?null:x.permutation})}const Ot=s=>W(s),fs=()=>Object.fromEntries(Object.keys(xt).map(s=>[s,x[s]]));let St=0;const Uo=new Map,qo=()=>rn(Uo,"",async()=>(await V("GET","/block-tasks")).items);function Jo(s,t){const n=[[...t.values.filter(o=>o!==cs),cs]];for(const o of s.units){const r=Number.parseInt(o,10)||1;(n[r]=n[r]||[]).push(o)}return[...n.filter(Boolean),t.outputs]}async function gs(s){const t=St+=1,e=!x.model,n=e||x.model===s?x.step:null;if(W({status:"loading",problem:null,model:s,info:null,task:null,levels:[],playing:!1,step:n}),!!s)try{const o=V("GET","/models/"+encodeURIComponent(s)),[r,i]=await Promise.all([o,qo()]);if(t!==St)return;if(r.inputs!=="blocks")throw new Bt(404,"No blocks",s+" takes no blocks of numbers.");if(![...r.fields,...r.constants].includes(us))throw new Bt(404,"No routes",s+" takes blocks, but routes none of them. Its answers stand beside those of networks that do.");const a=i.find(u=>u.models.includes(s));if(!a)throw new Bt(404,"No task","There is no task for "+s+".");const c=Jo(r,a),l=Ko(c);Ro(x,{model:s,task:a,levels:c,known:l}).forEach(Cs),e&&zo(x,a,as).forEach(Cs),W({info:r,task:a,levels:c,...l,status:"ready"}),$e()}catch(o){if(t!==St)return;const{title:r="The page failed",message:i,status:a}=o;W({status:"failed",problem:{title:r,detail:i,status:a}})}}const we=s=>W({sample:s||null});function ke(){St+=1,clearTimeout(nt),nt=0,Object.assign(x,xt,{status:"loading",problem:null,model:null,info:null,task:null,levels:[]},{playing:!1,hover:null,unfolded:null})}const b=()=>x;var Et=Object.freeze({__proto__:null,DIGIT:ls,FIELD:us,LONGEST:as,changed:ps,choice:fs,follow:we,gatesText:be,get:b,iterations:st,leave:ke,open:gs,partsOf:et,restore:Ot,route:K,same:_t,set:_,setGate:hs,sourcesOf:ds,subscribe:Mt,toggleCopy:me,toggleMute:ge});const Vo=90;function ye(){const{model:s,task:t,digits:e,program:n,sample:o,permutation:r,mute_routes:i,copy_routes:a,gates:c}=b();if(!t)return null;const l=t.inputs==="picture",u=o||(t.example||{}).sample;return l&&!u?null:JSON.stringify([s,{input:l?{sample:u,permutation:r}:{digits:e,program:n},iterations:st(),intervention:{mute_routes:i,copy_routes:a,gates:c}}])}const ot=Gt(ye,async(s,t)=>{await new Promise(i=>setTimeout(i,Vo)),t.throwIfAborted();const[e,n]=JSON.parse(s),o="/models/"+encodeURIComponent(e)+"/block-runs",r=await V("POST",o,n,{signal:t});return new Lo(r,dt)}),Yo=ln(()=>{const s=ot.problem(),t=s?null:ot.latest(),e=b().task&&ye()===null?"empty":"loading";return{status:s?"failed":ot.answer()?"done":e,problem:s&&{title:s.title??"The run could not be shown",detail:s.message},run:t&&t.run,view:t,fresh:ot.answer()!==null}}),E=()=>Yo.value,{again:ve,follow:xe}=ot;var Xo=Object.freeze({__proto__:null,again:ve,follow:xe,get:E});const Zo=[["","free"],["0","0 copied"],["0.5","0.5"],["1","1 computed"]],Qo=292,tr=70,ms=ht(null);function rt(){ms.value=null}function sr(s){ms.value=s}function er(){const{value:s}=ms,{view:t}=E(),e=s&&t&&t.steps[t.place(s.block.t,s.block.level)]?s:null,n=e&&[e.block.t,e.block.level,e.block.index,e.clicked,e.x,e.y].join();return e&&t&&p`<${nr} key=${n} menu=${e} view=${t} />`}function nr({menu:s,view:t}){const e=F(null);return Y(()=>{const o=e.current,r=o.parentElement,i=s.x-(r.querySelector(".block-scroll")?.scrollLeft??0)+10;o.style.left=Math.max(4,Math.min(i,r.clientWidth-Qo-8))+"px",o.style.top=Math.max(4,Math.min(s.y+8,r.clientHeight+tr-o.offsetHeight))+"px",(o.querySelector('[data-clicked="true"] button')||o.querySelector("input:checked")||o.querySelector("input"))?.focus({preventScroll:!0});const c=({target:l})=>l instanceof Element&&!o.contains(l)&&l.id!=="block-picture"&&rt();return document.addEventListener("pointerdown",c),()=>{document.removeEventListener("pointerdown",c),o.contains(document.activeElement)&&s.back()}},[]),p`<div ref=${e} class="blocks-menu" role="dialog" aria-labelledby="blocks-menu-title" onKeyDown=${o=>{o.key==="Escape"&&(o.stopPropagation(),rt())}}>
    <${or} view=${t} block=${s.block} clicked=${s.clicked} />
  </div>`}function or({view:s,block:t,clicked:e}){const n=F(null),o=document.activeElement;Y(()=>{o instanceof HTMLElement&&n.current?.contains(o)&&o.focus({preventScroll:!0})});const{sources:r,gate:i}=s.shares(t),a=s.name(t),c=[...r].sort((l,u)=>u.weight-l.weight);return p`<div class="blocks-menu-head">
      <strong id="blocks-menu-title">${"Block "+a}</strong>
      <span class="control-name">${"gate "+i.toFixed(2)}</span>
      <button type="button" class="tool" aria-label="Close" onClick=${rt}>×</button>
    </div>
    <${Ps}
      id="blocks-menu-gate"
      label=${"Gate of "+a}
      options=${Zo}
      chosen=${rr(a)}
      onChoose=${l=>hs(a,l===""?null:Number(l))}
    />
    <div ref=${n} class="blocks-menu-rows">
      ${c.map(l=>ir(l,a,l.source===e))}
    </div>`}function rr(s){const{gates:t,copy_routes:e}=b();return e.some(n=>n.endsWith(">"+s))?"copied":s in t?String(t[s]):""}function ir({name:s,weight:t},e,n){const{toggleMute:o,toggleCopy:r}=Et,{mute_routes:i,copy_routes:a}=b(),c=K(s,e),l=(u,d,h,f)=>p`<${D} look="segment" label=${d} pressed=${h} act=${()=>f(s,e)}>${u}<//>`;return p`<div key=${c} class="blocks-menu-row" data-route=${c} data-clicked=${String(n)}>
    <span class="blocks-menu-name">${s}</span>
    <span class="blocks-menu-bar" aria-hidden="true"><span style=${{width:100*t+"%"}}></span></span>
    <span class="blocks-menu-value">${t.toFixed(2)}</span>
    ${l("mute","Mute "+c,i.includes(c),o)}
    ${l("copy","Make "+e+" a copy of "+s,a.includes(c),r)}
  </div>`}const Me=1100;let it=0;const At=()=>E().view;function _e(s){const t=At();t&&_({step:s===null?null:Math.max(0,Math.min(t.steps.length-1,s))})}function bs(){clearTimeout(it),b().playing&&_({playing:!1})}function Oe(){const s=At(),{step:t,playing:e}=b();if(e){if(!s){bs();return}t!==null&&t>=s.steps.length-1?_({playing:!1,step:null}):(_e(t===null?0:t+1),it=setTimeout(Oe,Me))}}function Se(){const s=At();if(!s)return;if(b().playing){bs();return}const{step:t}=b();clearTimeout(it),_({playing:!0,step:t!==null&&t<s.steps.length-1?t:0}),it=setTimeout(Oe,Me)}function Ee(s){const{task:t}=b();t&&_({iterations:Math.max(1,Math.min(t.most_iterations,s))})}function ar(s,t){if(t===null||!s.steps[t])return s.iterations>1?"all iterations":"all levels";const{t:e,level:n}=s.at(t),o="MFNNR "+n+" of "+s.depth;return s.iterations>1?"iteration "+(e+1)+", "+o:o}function lr(){const{task:s}=b();if(!s||s.most_iterations<2)return null;const t=st(),e=({currentTarget:{value:o}})=>Number(o)&&Ee(Math.round(Number(o))),n=(o,r,i,a)=>p`<${D} look="tool" id=${o} title=${i} label=${i} act=${()=>Ee(t+a)}>${r}<//>`;return p`<div class="control blocks-runs">
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
  </div>`}function cr(s){bs(),_e(s<-1?1/0:s<0?null:s)}function ur(){const s=At(),{step:t,playing:e}=b(),n=s?ar(s,t):"";return Wt(()=>()=>clearTimeout(it),[]),p`<div class="player blocks-player">
    <${Sn}
      id="blocks-play"
      shown=${s&&{count:s.steps.length,step:t??-1,valuetext:n,words:n}}
      playing=${e}
      toggle=${Se}
      goTo=${cr}
      step=${()=>b().step??-1}
      least=${0}
      playLabel="Play through the levels"
      pauseTitle="Pause (space)"
    />
    <${lr} />
  </div>`}let Tt=null;const[dr,hr]=[.55,.1];class Ns{constructor(t){this.host=t,this.canvas=t.querySelector("canvas"),this.bitmaps=new Map,this.view=null,this.parts=null,this.cursor=null,this.stops=[Mt((n,o)=>this.onState(n,o)),pt(()=>{const{view:n}=E();Ls(()=>this.onRun(n))}),cn(()=>this.rebuild()),En(t,()=>this.rebuild())];const e=(n,o)=>this.canvas.addEventListener(n,o);e("pointermove",n=>this.point(this.targetAt(n))),e("pointerleave",()=>this.point(this.cursor||null)),e("click",n=>this.onClick(n)),e("keydown",n=>this.onKey(n)),e("blur",n=>t.contains(n.relatedTarget)||this.point(this.cursor=null))}get drawn(){return this.parts}dispose(){this.stops.forEach(t=>t())}onState(t,e){if(e.has("task")&&this.rebuild(),e.has("step")){const n=this.parts&&t.step!==null?this.parts.view.at(t.step).t:null;n!==null&&!this.drawn.layout.column(n,this.drawn.view.depth)?this.rebuild():this.draw()}else(e.has("hover")||e.has("playing"))&&this.draw()}onRun(t){t!==this.view&&(this.view=t,this.bitmaps.clear(),t?(this.parts&&this.parts.view.run.model!==t.run.model&&(this.cursor=null),this.cursor&&this.cursor.t>=t.iterations&&this.point(this.cursor=null),this.rebuild()):(this.parts=this.cursor=null,this.point(null),delete this.canvas.dataset.painted,this.canvas.getContext("2d")?.clearRect(0,0,this.canvas.width,this.canvas.height)))}focus(t){const{step:e}=b();if(e!==null)return Math.min(t.iterations-1,t.at(e).t);const n=t.run.first_wrong;return n?n.iteration-1:0}static largest(t){return t.levels.map((e,n)=>{const o=[];for(let r=0;r<t.iterations;r+=1)e.forEach((i,a)=>o.push(...t.values({t:r,level:n,index:a}).map(Math.abs)));return Math.max(1,...o.filter(Number.isFinite).sort((r,i)=>r-i).slice(0,-1-Math.floor(o.length/200)))})}rebuild(){const{view:t}=E(),{task:e}=b(),n=this.host.clientWidth;!t||!e||n<40||(this.parts=this.partsAt(t,e,n),this.draw())}partsAt(t,e,n){const o=to(),r=t.steps[0].size>os,i=ee(t,{width:n,focus:this.focus(t),image:r}),a=i.columns.filter(({level:u})=>u>0).flatMap(({t:u,level:d})=>ne(i,u,d)),c=this.parts&&this.parts.view===t?this.parts.most:Ns.largest(t);return{view:t,task:e,theme:o,layout:i,ribbons:a,most:c,bitmap:(u,d,h,f)=>{const $=[u.t,u.level,u.index,o.dark].join(),w=this.bitmaps.get($)||so(o,d,h,f);return this.bitmaps.set($,w),w},step:null}}visibility(){const{step:t,playing:e,hover:n}=b(),{view:o}=this.drawn,r=l=>t===null||l===t?1:l<t?e?1:dr:hr,i=({t:l,level:u})=>l*o.depth+u-1,a=n?Xn(this.drawn,n):{block:()=>1,ribbon:()=>1},c=l=>t!==null&&l===t-1?1:r(Math.max(0,l));return{block:l=>c(i(l))*a.block(l),ribbon:l=>r(i(l))*a.ribbon(l)}}items(){const{step:t}=b(),e=this.parts={...this.drawn,step:t},{block:n,ribbon:o}=this.visibility(),r=e.ribbons.map(i=>({ribbon:i,opacity:Math.min(.95,mo(e,i)*o(i))})).sort((i,a)=>i.opacity-a.opacity);return[...Io(e),...r.flatMap(({ribbon:i,opacity:a})=>bo(e,i,a)),...ko(e),...e.layout.columns.flatMap(i=>[...i.blocks,...i.task?[i.task]:[]].flatMap(a=>Eo(e,i,a,n(a)))),...this.cursorItems()]}cursorItems(){const{hover:t}=b();if(!t||t.source!==void 0)return[];const e=Zt(this.drawn,t),{layout:n,theme:o}=this.drawn,r=n.column(e.t,e.level)||n.column(e.t-1,this.drawn.view.depth);if(!r)return[];const i=[...r.blocks,r.task].find(d=>d&&d.level===e.level&&d.index===e.index&&d.t===e.t);if(!i)return[];const{strip:a,digit:c,height:l}=n.sizes;return[{shape:"rect",...{x:r.strip-2,y:i.y-l/2-2,w:a+c+4,h:l+4},rx:4,stroke:o.accent,width:1.6}]}draw(){if(!this.parts)return;const{layout:t,theme:e}=this.parts;this.canvas.style.width=t.width+"px",this.canvas.style.height=t.height+"px";const n={width:t.width,height:t.height,items:this.items()};An(n,e.font,this.canvas),this.publish()}publish(){const{view:t,layout:e,ribbons:n}=this.drawn,{step:o,hover:r,playing:i}=b(),a=this.canvas.dataset,c=t.run.first_wrong;_({unfolded:{first:e.first,last:e.last}}),a.painted=t.run.model,a.iterations=e.first+1+".."+(e.last+1),a.ribbons=String(n.filter(({weight:l})=>l>=.02).length),a.step=o===null?"":t.steps[o]?t.steps[o].name:"",a.playing=String(i),a.wrong=c?c.iteration+"/"+c.output:"",a.hovered=r?this.nameOf(r):"",a.digits=t.run.answers.map(({digits:l})=>l.join("")).join(" ")}nameOf(t){const e=this.drawn.view.name(t);return t.source===void 0?e:t.name+">"+e}scene(t){const e=this.drawn;t&&(this.parts=this.partsAt(e.view,e.task,t));const{layout:n,theme:o,view:r}=this.drawn,i=this.items();this.parts=e;const{digits:a,sample:c,permutation:l=0}=r.run.input,u=a?a.join(", "):c+", permutation "+(l+1);return{width:n.width,height:n.height,background:o.surface,title:"Blocks of "+r.run.model+" for "+u,desc:"Columns are levels of blocks, ribbons what each block reads, as wide as its weight, in the colour of the input that it came from; at the gate they shrink to what is copied, the dark wedge is what is computed.",items:i}}placeOf(t){const e=this.canvas.getBoundingClientRect(),{layout:n}=this.drawn;return[(t.clientX-e.left)*n.width/e.width,(t.clientY-e.top)*n.height/e.height]}targetAt(t){return this.parts?oe(this.parts.layout,this.parts.ribbons,...this.placeOf(t)):null}point(t){const e=t&&t.kind!=="folded"?t:null;this.canvas.style.cursor=t&&(t.kind==="folded"||t.level>0)?"pointer":"default",_t(e,b().hover)||_({hover:e})}onClick(t){const e=this.targetAt(t);if(!e){rt(),b().step!==null&&_({step:null});return}const{view:n}=this.drawn;e.kind==="folded"?_({step:n.place(e.t,n.depth)}):e.level>0&&this.open(e,...this.placeOf(t))}open(t,e,n){const o={t:t.t,level:t.level,index:t.index};sr({block:o,clicked:t.source,x:e,y:n,back:()=>this.canvas.focus()})}move(t,e){const{view:n,layout:o}=this.drawn,{step:r}=b(),i=r===null?{t:o.first,level:0,index:0}:{...n.at(r),index:0};let{t:a,level:c,index:l}=this.cursor||{...i,level:i.level-Math.sign(t)};!this.cursor&&!t&&(l-=Math.sign(e)),c=Math.max(0,c)+(this.cursor||t>0?t:0),c<0&&a>0&&([a,c]=[a-1,n.depth-1]),c>n.depth&&(a+1<n.iterations?[a,c]=[a+1,1]:c=n.depth),c=Math.max(0,c);const u=n.levels[c].length;l=(Math.min(l,u-1)+e+u)%u,this.cursor={kind:"block",t:a,level:c,index:l},!o.column(a,c)&&!(c===0&&o.column(a-1,n.depth))&&_({step:n.place(a,Math.max(1,c))}),this.point(this.cursor)}onKey(t){if(t.altKey||t.ctrlKey||t.metaKey||!this.parts)return;const e={ArrowRight:()=>this.move(1,0),ArrowLeft:()=>this.move(-1,0),ArrowDown:()=>this.move(0,1),ArrowUp:()=>this.move(0,-1),Enter:()=>this.openAtCursor()," ":()=>Se(),Escape:()=>{this.cursor=null,this.point(null),b().step!==null&&_({step:null,playing:!1})}};!e[t.key]||t.key==="Escape"&&document.fullscreenElement||(t.preventDefault(),e[t.key]())}openAtCursor(){if(!this.cursor||this.cursor.level===0)return;const t=this.drawn.layout.column(this.cursor.t,this.cursor.level);t&&this.open(this.cursor,t.strip,t.blocks[this.cursor.index].y+14)}}const pr="Blocks, level by level. Left and right change the level, up and down the block, Enter opens what can be changed about it, Space plays, Escape ends it. The same numbers are in the table below.";function fr(){const{status:s,problem:t}=E();return!t&&s!=="empty"?p`<div class="skeleton" aria-hidden="true"></div>`:p`<div class="message" role="alert">
    ${t?Jt(t.title,t.detail,{words:"Try again",act:ve}):Jt("No picture chosen","Choose a digit beside, draw one, or pick a picture above.")}
  </div>`}function gr(){const s=F(null),{status:t,view:e}=E();return Wt(()=>{const n=Tt=new Ns(s.current);return()=>{n.dispose(),Tt=null,rt()}},[]),p`<div
    ref=${s}
    class="block-canvas"
    data-status=${e?"ready":t}
    aria-busy=${String(t==="loading")}
  >
    <div class="block-scroll">
      <canvas id="block-picture" tabindex="0" role="img" data-block-keys="true" aria-label=${pr}></canvas>
    </div>
    ${e?null:p`<${fr} />`}
    <${er} />
  </div>`}const{offered:mr}=zt("blocks","measured"),Ae=760;function br(){const{status:s,model:t,task:e,measured:n,mute_routes:o,copy_routes:r,gates:i}=b();if(s!=="ready"||!e)return"";const a={model:t,data:e.name,samples:n,iterations:ps()?null:b().iterations,mute_routes:o.join(","),copy_routes:r.join(","),gates:be(i),controls:"0"};return"/evaluations/stream"+Fs(a)}const at=Tn({owner:"blocks",pathOf:br,subscribePage:s=>Mt(s)}),{state:A}=at,$s=()=>A.evaluation?.accuracy?A.evaluation:null;function $r(){const{measured:s}=b(),t=A.evaluation?A.evaluation.data:[],e=p`<${Kt}
    id="blocks-measured"
    look="small-input"
    options=${un(mr,s)}
    chosen=${String(s)}
    onChoose=${n=>_({measured:Number(n)})}
  />`;return p`<div class="blocks-bar">
    ${Rs("Samples","blocks-measured",e)}
    <span class="caption"
      >${t.map(({title:n,stand_in:o})=>n+(o?", a stand-in":"")).join("; ")}</span
    >
  </div>`}const Te=({intervention:{mute_routes:s,copy_routes:t,gates:e,drop:n,iterations:o}})=>![s,t,n,Object.keys(e??{})].some(r=>r?.length)&&!o;function Ie({part:s,mark:t}){const e=s&&s.evaluation,n=e!==null&&Te(e),{accuracy:o,change:r,loss:i}=qs(e),a=qs(e?.baseline?{...e,...e.baseline,change:null}:null),c=n?{...r,value:Js,detail:"nothing is changed",mood:""}:r,l=s?s.where:"",u=d=>"blocks-number-"+d+t;return p`
    <${ft} id=${u("baseline")} ...${gt({...a.accuracy,name:"Full model"},l)} />
    <${ft} id=${u("accuracy")} main=${!0} ...${gt({...o,name:"As steered"},l)} />
    <${ft} id=${u("change")} main=${!0} ...${gt(c,l)} />
    <${ft} ...${gt(i,l)} />
  `}function wr(){const{evaluation:s,fresh:t}=A,[e=null,n]=s?Ks(s):[];return p`<div class="numbers blocks-numbers" data-fresh=${String(t)}>
    <${Ie} part=${e} mark="" />${n&&p`<${Ie} part=${n} mark="-out" />`}
  </div>`}function kr(s){const{task:t,iterations:e}=b(),n=Te(s)?" Mute a route or fix a gate to see its effect.":"",o=t&&e&&!s.intervention.iterations;return n+(o?" Scored after "+t.iterations+" iterations, as in training.":"")}const yr=s=>Nn(s,{chosen:b().measured,waiting:"Measured once this is in view.",after:kr});function It(s){if((s.by_kind??[]).length<2)return["right answer",Us(s,"by_label")];const{task:t}=b();return[t&&t.outputs.length>1?"output asked for":"subtask",Us(s,"by_kind")]}const ws=(s,t)=>jn(s,t,{named:"as steered",room:2});function De(s,t){const[e,n]=It(s);return n.length>1?Pn(n,e,s,t):null}function vr(s,t){const[e,n]=[ws(s,t),De(s,t)];return n?{...e,height:e.height+n.height,desc:e.desc+" "+n.desc,items:[...e.items,...n.items.map(o=>Fn(o,0,e.height))]}:e}function Ne(s){const{name:t,lossUnit:e}=Ht(s.measure),n=[["what","samples","value","low","high","as_it_is","change","change_low","change_high"]],o=a=>a?[a.value,a.low??"",a.high??""]:["","",""];for(const{where:a,count:c,evaluation:l}of Ks(s)){const u=c??Ln(s);for(const d of["accuracy","loss"]){const h=d==="loss"?"loss"+(e?" in "+e:""):t,f=l.baseline?l.baseline[d].value:"";l[d]&&n.push([h+(a&&", "+a),u,...o(l[d]),f,...o(l.change?.[d])])}}const[r,i]=It(s);for(const{name:a,distribution:c,count:l,accuracy:u,low:d,high:h,baseline:f,change:$,change_low:w,change_high:k}of i)n.push([r+" "+a+(c?", "+c:""),l,u,d,h,f,$,w,k]);return n}function xr(){const s=$s();return s?{name:"blocks-accuracy",facts:Dn(s,["drop","mute_routes","copy_routes","gates","iterations"]),python:{figure:"accuracy"},rows:()=>Ne(s),json:()=>({result:s}),picture:{scene:t=>vr(s,t??Ae)}}:null}function Mr(s){const t=Ht(s.measure);return"Task "+t.name+", "+Cn(s)+": "+zs(t,s.accuracy?.value??0)}function _r(s){const t=Ht(s.measure),[e,n]=It(s),o=n.map(({name:r,accuracy:i})=>r+" "+zs(t,i)).join("; ");return t.title+" by "+e+": "+o}const je=({scene:s,label:t})=>p`<${Hs}
    look="drop-picture"
    widest=${Ae}
    height=${150}
    data=${{"data-fresh":String(A.fresh),"data-state":A.status}}
    scene=${e=>{const n=$s();return n&&s(n,e)}}
    drawn=${()=>A.evaluation?.id??""}
    label=${()=>A.evaluation?t(A.evaluation):""}
  />`;function Or(){const s=F(null),t=$s();return Wt(()=>{const e=[Mt(({model:n},o)=>o.has("info")&&A.evaluation&&A.evaluation.model!==n&&at.forget()),at.watch(s.current),at.leave];return()=>e.forEach(n=>n())},[]),p`<div ref=${s}>
    <${B}
      id="blocks-accuracy"
      title="Task accuracy"
      tag="caused"
      reads="Accuracy on the validation split. Dot: under these interventions, with 95 % interval. Ring: full model, on the same samples. Changes are paired."
      more="A sample of ALGO asks for one output. Samples of sums come from the distribution of training; the card has the accuracy on the rest."
      formats=${["svg","png","csv","json"]}
      written=${xr}
    >
      <${$r} /><${wr} />
      <${In} name="blocks" look="drop-progress" followed=${at} progressOf=${yr} />
      <div class="blocks-effect" data-fresh=${String(A.fresh)}>
        <${je} scene=${ws} label=${Mr} />
        ${(!t||It(t)[1].length>1)&&p`<${je} scene=${De} label=${_r} />`}
      </div>
      <${Vt}
        words="The task accuracy as a table"
        data=${{"data-blocks-table":"accuracy"}}
        caption=${()=>(t&&ws(t,640).desc)??""}
        rows=${t&&(()=>Ne(t))}
      />
    <//>
  </div>`}const ks=new Map([["0","0, copied"],["0.25","0.25"],["0.5","0.5, half of each"],["0.75","0.75"],["1","1, computed"]]),Ce=()=>{const{mute_routes:s,copy_routes:t,gates:e}=b();return{mute_routes:s,copy_routes:t,gates:e}},Sr={mute_routes:[],copy_routes:[],gates:{}},C=ht([]);let U="";function Er(){const s=pt(()=>{const{model:t,status:e}=b(),[n,o]=[JSON.stringify(Ce()),t+" "];e==="ready"&&(U.startsWith(o)&&U!==o+n?C.value=[...C.peek(),U.slice(o.length)].slice(-100):U.startsWith(o)||(C.value=[]),U=o+n)});return()=>{s(),[C.value,U]=[[],""]}}function Ar(){const s=C.value.at(-1);if(s===void 0)return;const t=C.value.slice(0,-1);_(JSON.parse(s)),C.value=t}const Pe=s=>s.replace(">"," \u2192 ");function Tr({mute_routes:s,copy_routes:t,gates:e}){const{toggleMute:n,toggleCopy:o,setGate:r}=Et;return[...s.map(i=>({key:"mute "+i,kind:"muted",words:Pe(i),remove:()=>n(...et(i))})),...t.map(i=>({key:"copy "+i,kind:"forced copy",words:Pe(i),remove:()=>o(...et(i))})),...Object.entries(e).map(([i,a])=>({key:"gate "+i,kind:"gate fixed",words:i+" at "+(ks.get(String(a))||Number(a.toPrecision(3))),remove:()=>r(i,null)}))]}const Ir=s=>Rn(s)||"no intervention";function Dr({key:s,kind:t,words:e,remove:n}){const o=({currentTarget:i})=>{const a=i.closest("li"),c=a?.nextElementSibling||a?.previousElementSibling;(c?c.querySelector("button"):document.getElementById("blocks-undo"))?.focus(),n()},r="Take back: "+t+" "+e;return p`<li key=${s} data-intervention=${s}>
    <span class="control-name">${t}</span><span class="blocks-what">${e}</span
    ><button type="button" class="tool" title="Take back" aria-label=${r} onClick=${o}>×</button>
  </li>`}function Nr(){const s=Tr(Ce()),t=s.length?s.length+(s.length===1?" intervention":" interventions"):"";return p`<div class="blocks-interventions">
    <ul class="blocks-list" aria-label="Interventions" hidden=${!s.length}>
      ${s.map(Dr)}
    </ul>
    <p class="hint" hidden=${s.length>0}>No intervention.</p>
    <div class="blocks-bar">
      <span class="caption" role="status" id="blocks-intervened">${t}</span>
      <${D} id="blocks-undo" wait=${!C.value.length} act=${Ar}>Undo<//>
      <${D} id="blocks-clear" wait=${!s.length} act=${()=>_(Sr)}>Clear all<//>
    </div>
  </div>`}const Le=(s,t)=>s.includes(t)?t:s[0]??"",Dt=ht({block:"",source:""});function jr(){const{levels:s,gates:t,mute_routes:e,copy_routes:n}=b(),o=s.slice(1),r=Le(o.flat(),Dt.value.block),i=ds(r),a=Le(i,Dt.value.source),c=!r,l=o.map((g,v)=>p`<optgroup key=${v} label=${v+2===s.length?"Output":"Level "+(v+1)}>
        ${g.map(y=>p`<option key=${y} value=${y}>${y}</option>`)}
      </optgroup>`),u=({currentTarget:{value:g}})=>Dt.value={block:g,source:a},d=r in t?String(t[r]):"",h=d&&!ks.has(d)?[[d,d]]:[],f=K(a,r),$=(g,v,y,O)=>p`<${D} id=${g} pressed=${v} wait=${c} act=${()=>O(a,r)}>${y[v?1:0]}<//>`,w=(g,v,y,O,T)=>Rs(g,v,p`<${Kt} ...${{id:v,options:y,wait:c}} look="small-input" chosen=${O} onChoose=${T} />`),k=r?[["","free, as learned"],...ks,...h]:[],m=i.map(g=>[g,g]);return p`<div class="blocks-steering">
    <div class="blocks-bar">
      <div class="control">
        <label class="control-name" for="blocks-block">Block</label>
        <select class="small-input" id="blocks-block" value=${r} disabled=${c} onChange=${u}>
          ${l}
        </select>
      </div>
      ${w("reads","blocks-source",m,a,g=>Dt.value={block:r,source:g})}
      ${$("blocks-mute",e.includes(f),["Mute","Unmute"],ge)}
      ${$("blocks-copy",n.includes(f),["Force copy","No forced copy"],me)}
    </div>
    <div class="blocks-bar">
      ${w("Its gate","blocks-gate",k,d,g=>hs(r,g===""?null:Number(g)))}
    </div>
  </div>`}const Cr=()=>p`<${B}
    id="blocks-steer"
    title="Interventions"
    tag="caused"
    reads="Mute a route, force a copy, or fix a gate (0 copies, 1 computes)."
    more="A muted route takes no part. A forced copy makes the block a copy of its source. A click in the picture opens the same choices."
  >
    <${Nr} /><${jr} />
  <//>`;function*ys(s){for(let t=0;t<s.iterations;t+=1)for(let e=1;e<=s.depth;e+=1)for(let n=0;n<s.levels[e].length;n+=1)yield{t,level:e,index:n}}const Pr=s=>[["iteration","level","block","made","gate","in terms of the input","digit"],...Array.from(ys(s),t=>{const e=t.level===s.depth?s.answer(t.t,t.index):null,n=e?.right===!1?" (rule: "+e.truth+")":"";return[t.t+1,t.level,s.name(t),kt(s,t).long,s.shares(t).gate.toFixed(3),yt(s,t).long,e?e.digit+n:s.digits(t).join(" or ")]})];function Fe({model:s,revision:t,input:e,task:n,iterations:o,intervention:r,baseline:i}){const{drop:a=[],mute_routes:c=[],copy_routes:l=[],gates:u={}}=r,d=i?"under intervention":"observed";return{model:s,revision:t,seed:null,sample:e.sample,task:n,input:e,iterations:o,drop:a,mute_routes:c,copy_routes:l,gates:u,kind:d}}function Lr(s){const t=[["step","iteration","level","block","source","weight","gate","share_of_block"]];for(const e of ys(s)){const n=s.step(e.t,e.level),{sources:o,gate:r}=s.shares(e);for(const{name:i,weight:a,share:c}of o)t.push([n.name,e.t+1,e.level,s.name(e),i,a,r,c])}return t}function Fr(s){const t=s.levels[0];return{levels:s.levels,answers:s.run.answers.map(({probabilities:e,...n})=>n),first_wrong:s.run.first_wrong,blocks:Array.from(ys(s),e=>{const{sources:n,gate:o}=s.shares(e),r=s.origin(e);return{step:s.step(e.t,e.level).name,block:s.name(e),gate:o,weights:Object.fromEntries(n.map(({name:i,weight:a})=>[i,a])),made:kt(s,e).kind,of_inputs:Object.fromEntries(t.map((i,a)=>[i,r[a]])),of_computed:r[t.length],numbers:Array.from(s.values(e))}})}}function Rr(){const{view:s}=E(),t=Tt;return!s||!t?null:{name:"blocks",facts:Fe(s.run),python:{figure:"blocks",input:s.run.input},rows:()=>Lr(s),json:()=>Fr(s),picture:t}}const vs="\u2717",zr=56,xs=()=>E(),Ms=({intervention:s})=>Ir(s);function Nt(s){const t={key:"network",name:s.model,about:s.baseline?Ms(s):"",answers:s.answers},e=s.baseline?[{key:"baseline",name:s.model,about:"without intervention",answers:s.baseline}]:[],n=s.others.map(({model:o,family:r,answers:i})=>({key:o,name:o,about:r,answers:i}));return[t,...e,...n]}const lt=s=>s.levels[s.levels.length-1],Re=new WeakMap,_s=(s,t)=>{const e=s.probabilities.shape[1],n=Re.get(s)||dt(s.probabilities);return Re.set(s,n),n.subarray(t*e,(t+1)*e)},ze=hn;function Os(s){const{first_wrong:t,answers:e,iterations:n}=s;if(!e.some(c=>c.right.some(l=>l!==null)))return{words:"The right answer is not known: the picture has no label.",right:null};if(!t)return{words:n===1?"Right.":"Right after each of the "+n+" iterations.",right:!0};const r=lt(s).indexOf(t.output),i=e[t.iteration-1];return{words:(n===1?"Wrong: ":"First wrong after iteration "+t.iteration+": ")+t.output+" is "+i.digits[r]+" instead of "+i.true[r]+".",right:!1}}function Br(){const{run:s,fresh:t}=xs(),{words:e,right:n}=s?Os(s):{words:"",right:null};return p`<p class="blocks-verdict" role="status" data-right=${String(n)} data-fresh=${String(t)}>
    ${(n===!1?vs+" ":n?"\u2713 ":"")+e}
  </p>`}const Be=s=>s==null?Js:String(s);function Gr(s,t){const e=Array.from(s,(n,o)=>{const r=Math.max(4,100*n)+"%";return p`<span class="blocks-spread-bar" data-true=${o===t||null} style=${{height:r}}></span>`});return p`<span class="blocks-spread" aria-hidden="true">${e}</span>`}const Ss=s=>s.map(t=>p`<span class="blocks-said">${Be(t)}</span>`);function Wr({answer:s,outputs:t,before:e}){const n=t.map((i,a)=>{const c=s.digits[a],l=s.right[a],u=!!(e&&e.digits[a]!==c),d=i+": "+c+", "+ze(_s(s,a)[c])+(l===!1?"; the rule says "+s.true[a]:"")+(e&&u?"; "+e.digits[a]+" without intervention":""),h=p`<span class="blocks-cross">${vs}<span class="hidden-visually">${" wrong"}</span></span>`;return p`<span
      class="blocks-said"
      title=${d}
      data-right=${String(l)}
      data-moved=${String(u)}
      data-output=${i}
      >${c}${l===!1&&h}</span
    >`}),o=p`<span class="blocks-answer">${n}</span>`;if(t.length===1){const i=_s(s,0),a=ze(i[s.digits[0]]);return[o,p`<span class="caption">${a}</span>`,Gr(i,s.true[0])]}const r=s.follows&&s.right.includes(!1);return[o,r&&p`<span class="hint">as the rule goes from its own digits</span>`]}function Kr({run:s,systems:t,names:e}){const n=e.length>1&&p`<span class="blocks-answer blocks-letters" aria-hidden="true">${Ss(e)}</span>`,o=(i,a)=>p`<th scope="col">
      <span class="blocks-system">${i}</span>
      ${[a&&p`<span class="blocks-about" title=${a}>${a}</span>`,n]}
    </th>`,r=s.input.sample!==void 0;return p`<tr>
    <th scope="col"><span class="blocks-system">iteration</span></th>
    ${r?o("label","of the picture"):o("rule","of the task")}
    ${t.map(({name:i,about:a})=>o(i,a))}
    ${!r&&p`<th scope="col"><span class="blocks-system">what the rule does here</span></th>`}
  </tr>`}function Hr(){const{step:s,levels:t}=b();return s===null||t.length<2?-1:Math.floor(s/(t.length-1))}function Ur({run:s,systems:t,names:e,at:n}){const o=dn(()=>Hr()===n),r=s.input.sample!==void 0,i=s.answers[n],{iterations:a}=b().task||s,c=t.map(({key:l,answers:u})=>{const d=l==="network"&&s.baseline?s.baseline[n]:null;return p`<td key=${l} data-system=${l}>
      <${Wr} answer=${u[n]} outputs=${e} before=${d} />
    </td>`});return p`<tr data-iteration-row=${n} aria-current=${o.value?"step":null}>
    <th scope="row">
      <button
        type="button"
        class="tool tool-text"
        title="Look at this iteration in the picture"
        data-look=${n}
        onClick=${()=>_({step:n*(s.levels.length-1)})}
      >
        ${n+1}
      </button>
      <span class="blocks-row-task">${r?"strips "+i.subtask:i.subtask}</span>
      ${n>=a&&p`<span class="tag" title=${"It was trained on "+a}>beyond training</span>`}
    </th>
    <td data-system="rule"><span class="blocks-answer">${Ss(i.true)}</span></td>
    ${c}
    ${!r&&p`<td class="blocks-why">${i.explanation||i.follows===!1&&"not followed here"}</td>`}
  </tr>`}function qr({run:s,systems:t,names:e}){const{digits:n}=s.input;if(!n||n.length!==e.length)return null;const o=()=>p`<td><span class="blocks-answer">${Ss(n)}</span></td>`;return p`<tr class="blocks-given">
    <th scope="row">given</th>
    ${["rule",...t].map(o)}
    <td></td>
  </tr>`}function Jr(s){const t=lt(s),e={run:s,names:t,systems:Nt(s)};return p`<table class="figures blocks-table">
    <caption class="hidden-visually">
      ${"Answers of "+s.model+", "+Ms(s)+". "+Os(s).words}
    </caption>
    <thead>
      <${Kr} ...${e} />
    </thead>
    <tbody>
      <${qr} ...${e} />
      ${s.answers.map((n,o)=>p`<${Ur} key=${o} ...${e} at=${o} />`)}
    </tbody>
  </table>`}function Vr(){const{run:s,problem:t,status:e,fresh:n}=xs();return p`<${B}
    id="blocks-answers"
    title="Answers"
    reads="The model's answer after each iteration, beside the rule of the task and models without routes. A red cross marks an error."
    more="An error is a digit that differs from the rule. Small bars are the probabilities of the ten digits, 0 to 9."
    formats=${["svg","png","csv","json"]}
    written=${Zr}
  >
    <${Br} />
    <div
      class="table-scroll blocks-answers"
      tabindex="0"
      role="region"
      aria-label="Answers by iteration"
      data-status=${e}
      data-fresh=${String(n)}
    >
      ${s?Jr(s):t?p`<div class="message" role="alert">${Jt(t.title,t.detail)}</div>`:p`<div class="skeleton blocks-skeleton" aria-hidden="true"></div>`}
    </div>
  <//>`}function Yr(s){const t=[["iteration","subtask","network","about","output","digit","rule","right","probability"]],e=lt(s);for(const{name:n,about:o,answers:r}of Nt(s))for(const i of r)e.forEach((a,c)=>t.push([i.iteration,i.subtask,n,o,a,i.digits[c],i.true[c]??"",i.right[c]??"",_s(i,c)[i.digits[c]]]));return t}function Xr(s,t=0){const e=lt(s),n=[{name:s.input.sample===void 0?"rule":"label",about:"",answers:s.answers.map(m=>({digits:m.true,right:[]}))},...Nt(s)],[o,r,i]=[Math.max(24,Math.min(zr,X(e,11)+8)),26,66],a=s.answers.map(({iteration:m,subtask:g})=>m+"  "+g),c=t?Math.min(170,X(a)+16):170,l=Math.max(t?(t-c)/n.length:140,e.length*o+(t?8:26)),u=c+n.length*l,d=(m,g)=>c+g*l,{words:h}=Os(s),f=i+r*s.answers.length+34,$=m=>i+r*m+14,w=e.length>1?n.flatMap((m,g)=>e.map((v,y)=>({name:v,x:d(m,g)+y*o}))):[],k=n.flatMap(({answers:m},g)=>m.flatMap((v,y)=>v.digits.map((O,T)=>{const M=v.right[T]===!1;return{x:d(v,g)+T*o,y:$(y),said:Be(O)+(M?vs:""),wrong:M}})));return Yt({width:u,height:f,title:"Answers of "+s.model+" by iteration",desc:h+" "+Ms(s)+".",marks:[R(n,{x:d,y:20,down:0,text:({name:m})=>m,weight:650,room:l-8}),R(n,{x:d,y:36,down:0,text:({about:m})=>m,size:11,fill:"dim",room:l-8}),R(w,{x:m=>m.x,y:54,down:0,text:({name:m})=>m,size:11,fill:"dim",room:o-6}),zn(s.answers,{x:[0,u],y:(m,g)=>$(g)-18}),R(a,{x:4,y:(m,g)=>$(g),down:0,fill:"dim",room:c-12}),R(k,{x:m=>m.x,y:m=>m.y,down:0,text:({said:m})=>m,size:14,weight:({wrong:m})=>m?700:450,fill:({wrong:m})=>m?"bad":"ink"}),R([h],{x:4,y:f-12,down:0,fill:"dim",room:u-8})]})}function Zr(){const{run:s}=xs();if(!s)return null;const t=({iteration:e,subtask:n,digits:o,true:r,right:i,follows:a,explanation:c})=>({iteration:e,subtask:n,digits:o,rule:r,right:i,follows:a,explanation:c});return{name:"blocks-answers",facts:Fe(s),python:{figure:"block-answers",input:s.input},rows:()=>Yr(s),json:()=>({outputs:lt(s),answers:Nt(s).map(({name:e,about:n,answers:o})=>({network:e,about:n,answers:o.map(t)}))}),picture:{scene:e=>Xr(s,e)}}}const Ge="mnist",q=20,jt=28,We=s=>s!==null&&s.inputs==="picture";function Qr({run:s},t){if(!s||!s.picture||s.task!==t.name)return null;const e=dt(s.picture),n=t.permutations[s.input.permutation??0],o=e.length/n.length,r=[];return n.forEach((i,a)=>r[i]=e.subarray(a*o,(a+1)*o)),r}function ti(s,t,e){const n=s.getContext("2d"),o=n.createImageData(jt,jt);e.forEach((r,i)=>t[r].forEach((a,c)=>{const l=Math.round(255*a);o.data.set([l,l,l,255],4*(i*t[r].length+c))})),n.putImageData(o,0,0),s.dataset.painted=e.join("")}function si({order:s,at:t,chosen:e,strips:n}){const o=F(null);Y(()=>{n&&o.current&&ti(o.current,n,s)},[s,n]);const r=s.map(a=>a+1),i="Strips in the order "+r.join(" ");return p`<button
    type="button"
    class="thumb blocks-permutation"
    data-permutation=${t}
    aria-label=${i}
    title=${i}
    aria-pressed=${String(e)}
    onClick=${()=>_({permutation:t})}
  >
    <canvas ref=${o} width=${jt} height=${jt} class="pixels" aria-hidden="true"></canvas>
    <span class="thumb-caption">${r.join("")}</span>
  </button>`}function ei({task:s}){const{permutation:t}=b(),e=Qr(E(),s),n=s.permutations.map((o,r)=>p`<${si} key=${r} order=${o} at=${r} chosen=${r===t} strips=${e} />`);return p`<div class="blocks-permutations">
    <p class="small-title" id="blocks-permutations-title">Order of the strips</p>
    <div class="thumbs" role="group" aria-labelledby="blocks-permutations-title">${n}</div>
  </div>`}const Ke=s=>b().sample||(s.example||{}).sample;function ni({reply:s,sample:t}){const e=F(null),n=Math.max(0,s.items.findIndex(({id:o})=>o===t));return Y(()=>e.current?.querySelectorAll("button").forEach((o,r)=>o.tabIndex=r===n?0:-1),[s,n]),p`<div ref=${e} class="thumbs" role="group" aria-label="Digits" data-gallery="blocks">
    ${s.items.map(({id:o,label:r,image:i,name:a})=>p`<button
          key=${o}
          type="button"
          class="thumb"
          data-pick-sample=${o}
          aria-label=${"Digit "+r+", "+a}
          title=${a}
          aria-pressed=${String(o===t)}
        >
          <img src=${i} alt="" width="44" height="44" class="pixels" loading="lazy" />
          <span class="thumb-caption">${r}</span>
        </button>`)}
  </div>`}const He=ht(null);function Ue(s){const t=new RegExp("^"+Ge+"\\.[a-z]+\\.(\\d+)$").exec(Ke(s)??"");return He.value??(t?Math.floor(Number(t[1])/q)*q:0)}const Es=Gt(()=>{const{task:s}=b();return We(s)?String(Ue(s)):null},(s,t)=>V("GET","/samples"+Fs({origin:"data",set:Ge,limit:q,offset:Number(s)||null}),void 0,{signal:t})),{follow:oi}=Es;function ri({task:s}){const{items:t,total:e}=Es.latest()??{items:[],total:0},n=Ue(s),o=e?n+1+" to "+(n+t.length)+" of "+e.toLocaleString("en"):"",r=(i,a,c,l)=>p`<${D} look="tool" title=${a} label=${a} wait=${l} act=${()=>He.value=c}
      >${Bs(i)}<//
    >`;return p`<div class="blocks-gallery">
    <p class="small-title">Digits that the network was not trained on</p>
    <p class="hint danger" role="alert">${Es.problem()?.message}</p>
    <${ni} reply=${{items:t,total:e}} sample=${Ke(s)} />
    <div class="pager">
      <span class="caption" role="status">${o}</span>
      ${r("previous","Digits before",n-q,n<=0)}
      ${r("next","Next digits",n+q,n+q>=e)}
    </div>
  </div>`}const ii="Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke.";function ai(){const s=(e,n,o="tool tool-text")=>p`<button type="button" class=${o} disabled data-pad=${e}>${n}</button>`,t=document.querySelector(".page-blocks")?.dataset.maxBytes;return p`<details class="as-table blocks-bring">
    <summary>Draw a digit, or bring a picture</summary>
    <div class="bring">
      <div class="pad" data-widget="drawing-pad" data-empty="true">
        <div class="pad-frame">
          <canvas id="blocks-pad" tabindex="0" role="img" aria-label=${ii}></canvas>
          <span class="pad-hint" aria-hidden="true">draw a digit</span>
        </div>
        <div class="pad-tools">
          ${s("undo","Undo")}${s("clear","Clear")}${s("save","Use drawing","button")}
        </div>
      </div>
      <div class="upload" data-widget="upload" data-max-bytes=${t}></div>
    </div>
  </details>`}function li(){const{task:s}=b();return We(s)?p`<div class="blocks-image"><${ei} task=${s} /><${ri} task=${s} /><${ai} /></div>`:null}const[qe,ci]=[196,300],ui=54,Je=[[],[6,4],[2,3],[8,3,2,3],[10,4]],Ve=/^gates\.(?:l?(\d+))(?:\.mean)?$/,As=s=>"MFNNR "+s,ct=s=>s.slice(s.indexOf(".")+1),di=[{title:"Accuracy, %",percent:!0,takes:/^accuracy\./,named:ct},{title:"Training loss",log:!0,takes:/^loss(\.|$)/,named:s=>s==="loss"?"train":ct(s)},{title:"Sharpness",takes:/^sharpness(\.|$)/,named:s=>s==="sharpness"?"all":As(ct(s).replace(/^l/,""))},{title:"Fairness; difference of permutations",takes:/^(fairness|difference)$/,named:s=>s},{title:"Share of each input",takes:/^shares\./,named:ct},{title:"Mean gate: 0 copied, 1 computed",takes:Ve,named:s=>As(Ve.exec(s)?.[1]??"")},{title:"Gates below 0.1: copied",takes:/^gates\..*\.copied$/,named:s=>As(ct(s).replace(/^l|\.copied$/g,""))}];function Ts(){const{status:s,info:t}=b();return s==="ready"&&t?.card?.history&&Object.keys(t.card.history).length?t.id+" "+t.revision:null}const P=Gt(Ts,(s,t)=>V("GET","/models/"+encodeURIComponent(s.split(" ")[0])+"/indicators",void 0,{signal:t})),{follow:hi}=P,pi=s=>s>-3?Ws(10**s):"1e\u2212"+Ut(-s,0);function fi(s,t){const[e,n]=[Math.min(...s),Math.max(...s)],[o,r]=[Math.ceil(e),Math.floor(n)],i=Array.from({length:Math.max(0,r-o+1)},(l,u)=>o+u),a=i.length>1?i:[...new Set([e,n])],c=.05*(n-e||1);return Xt([e-c,n+c],t,{ticks:a,named:pi})}function gi({title:s,percent:t,log:e},n,o,r){const{units:i}=js(),a=n.map((g,v)=>({stroke:i[v%i.length],dash:Je[v%Je.length]})),c=Gn([{text:s,key:"none",ink:"ink",weight:600},...n.map(({name:g},v)=>({text:g,ink:"ink",...a[v]}))],{x:4,y:12,width:r}),[l,u,d,h]=[42,r-16,c.height+10,qe-38+Math.max(0,c.height-ui)],f=Xt([0,Math.max(1,...o)],[l,u],{most:4,round:!1,named:g=>g?pn(g):"0"}),$=g=>e?Math.log10(g):t?100*g:g,w=n.map(({name:g,values:v})=>v.flatMap((y,O)=>y===null||e&&y<=0?[]:[{name:g,step:o[O],value:y,y:$(y)}])),k=e?fi(w.flat().map(g=>g.y),[h,d]):Xt([0,t?102:1.02],[h,d],{ticks:t?[0,25,50,75,100]:[0,.25,.5,.75,1],named:t?String:g=>Ut(g,g%.5?2:1)}),m=({name:g,step:v,value:y})=>g+": "+(t?Ut(100*y,1)+" %":Ws(y))+" after "+Gs(v)+" steps";return Yt({width:r,height:h+38,title:s,desc:s,marks:[Wn(k,[l,u],{strong:null}),Kn(f,[d,h],{strong:null}),R(["training step"],{x:(l+u)/2,y:h+29,fill:"dim",anchor:"middle",size:11}),w.map((g,v)=>[Hn(g,{x:({step:y})=>f(y),y:y=>k(y.y),...a[v]}),Un(g,{x:({step:y})=>f(y),y:y=>k(y.y),r:g.length>1?1.5:3.5,fill:a[v].stroke,words:m})]),c.marks]})}function Ye({model:s,steps:t,series:e},n){const o=e.filter(({values:d})=>d.some(h=>h!==null)),r=di.map(d=>({about:d,series:o.filter(({name:h})=>d.takes.test(h)).map(({name:h,values:f})=>({name:d.named(h),values:f}))})).filter(d=>d.series.length),i=Math.max(1,Math.min(r.length,Math.floor(n/ci))),a=Math.floor((n-24*(i-1))/i),c=r.map(({about:d,series:h})=>gi(d,h,t,a)),l=Array.from({length:Math.ceil(r.length/i)},(d,h)=>Math.max(...c.slice(h*i,(h+1)*i).map(({height:f})=>f))),u=d=>l.slice(0,d).reduce((h,f)=>h+f,0);return Yt({width:n,height:u(l.length),title:"Indicators of "+s+" over training",desc:r.map(({about:d,series:h})=>d.title+": "+h.map(({name:f})=>f).join(", ")).join("; "),marks:c.map((d,h)=>Bn(d,h%i*(a+24),u(Math.floor(h/i))))})}const Xe=({steps:s,series:t})=>[["step",...t.map(({name:e})=>e)],...s.map((e,n)=>[e,...t.map(({values:o})=>o[n]??"")])];function mi(){const s=P.answer(),{status:t}=b();if(P.problem())return P.problem()?.message;if(t==="ready"&&Ts()===null)return"This model has no training history.";if(!s)return"Loading the training history";const{steps:e}=s;return e.length+" measurements over "+Gs(e[e.length-1]||0)+" training steps."}function bi(){const s=P.answer();if(!s)return null;const{model:t,revision:e,steps:n,series:o}=s,r=b().info?.card?.settings;return{name:"blocks-indicators",facts:{model:t,revision:e,seed:r?.seed??null,drop:[],kind:"observed"},python:{figure:"indicators"},rows:()=>Xe(s),json:()=>({steps:n,series:o}),picture:{scene:i=>Ye(s,i??1080)}}}function $i(){const s=P.answer();return p`<${B}
    id="blocks-indicators"
    title="Over training"
    tag="observed"
    reads="Indicators against training steps: sharpness of the weights, fairness over the inputs, and the difference between permutations (0: none)."
    more="Sharpness: mean of the largest weight of each block. Fairness: evenness of the weight over the inputs. Difference: between permutations after undoing them."
    formats=${["svg","png","csv","json"]}
    written=${bi}
  >
    <p class="hint" role="status">${mi()}</p>
    ${Ts()!==null&&p`<${Hs}
          id="plot-blocks-indicators"
          height=${2*qe}
          scene=${t=>{const e=P.answer();return e&&Ye(e,t)}}
          drawn=${()=>P.answer()?.model??""}
          label=${({title:t,desc:e})=>t+". "+e}
        />
        <${Vt}
          words="The indicators as a table"
          data=${{"data-blocks-table":"indicators"}}
          caption=${()=>"Indicators over training"}
          rows=${s&&(()=>Xe(s))}
        />`}
  <//>`}const{LONGEST:Ze,DIGIT:wi}=Et,{least:J,most:Is}=wi,Ds=Is-J+1,Ct=()=>b().digits,Qe=s=>Math.floor(Math.random()*s),Pt=(s,t)=>_({digits:Ct().map((e,n)=>n===s?t:e)}),tn=s=>"blocks-digit-"+s,Lt=s=>document.getElementById(tn(s))?.focus();function ki({name:s,at:t,digit:e}){const n=F(null);Y(()=>{n.current===document.activeElement&&n.current?.select()},[e]);const o=u=>Pt(t,J+(Ct()[t]-J+u+Ds)%Ds),r={ArrowUp:()=>o(1),ArrowDown:()=>o(-1),ArrowLeft:()=>Lt(t-1),ArrowRight:()=>Lt(t+1),Home:()=>Pt(t,J),End:()=>Pt(t,Is),Backspace:()=>Lt(t-1)},i=u=>{u.ctrlKey||u.metaKey||u.altKey||!r[u.key]||(u.preventDefault(),r[u.key]())},a=({data:u,currentTarget:d})=>{const h=(u||d.value).replace(/\D/g,"");h&&(Pt(t,Number(h[h.length-1])),Lt(t+1)),d.value=String(Ct()[t])},c=u=>{const d=u.clipboardData?.getData("text").replace(/\D/g,"");d&&(u.preventDefault(),_({digits:Ct().map((h,f)=>Number(d[f-t]??h))}))},l=(u,d,h)=>p`<button
      type="button"
      class="blocks-arrow"
      tabindex="-1"
      aria-label=${s+": "+u}
      onClick=${()=>o(h)}
    >
      ${d}
    </button>`;return p`<div class="blocks-stepper">
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
      aria-valuemin=${J}
      aria-valuemax=${Is}
      aria-valuenow=${e}
      data-digit=${t}
      value=${String(e)}
      onKeyDown=${i}
      onFocus=${()=>n.current?.select()}
      onInput=${a}
      onPaste=${c}
    />
    ${l("one down","\u25BE",-1)}
  </div>`}function yi(){const{task:s,digits:t,program:e}=b(),n=s?s.subtasks.length:0;_({digits:t.map(()=>J+Qe(Ds)),program:e.map(()=>Qe(n))})}function vi(){const{task:s,digits:t,model:e}=b();return!s||s.inputs!=="digits"||!s.values.length?null:p`<div class="blocks-digits">
    <div class="blocks-steppers" role="group" aria-label="Digits">
      ${s.values.map((n,o)=>p`<${ki} key=${n} name=${n} at=${o} digit=${t[o]??0} />`)}
    </div>
    <${D} id="blocks-random" act=${yi}>Random<//>
    <a class="tool tool-text" href=${gn("samples",{model:e,set:s.name})} onClick=${fn}
      >From the data set</a
    >
  </div>`}function xi(s,t){const e=b().program,n=Math.max(e.length,s+1,Math.min(st(),Ze)),o=Array.from({length:n},(r,i)=>e[i%e.length]);o[s]=t,_({program:o})}const Mi=({subtasks:s,program:t})=>p`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${t.map((e,n)=>p`<div key=${n} class="blocks-iteration">
          <span class="control-name" aria-hidden="true">${n+1}</span>
          <${Kt}
            id=${"blocks-iteration-"+n}
            look="small-input"
            label=${"Subtask of iteration "+(n+1)}
            options=${s.map((o,r)=>[String(r),r+1+" "+o])}
            chosen=${String(e)}
            onChoose=${o=>xi(n,Number(o))}
          />
        </div>`)}
  </div>`;function _i(){const{task:s,program:t}=b();if(!s||s.inputs!=="digits"||s.subtasks.length<2||!t.length)return null;if(s.iterations===1)return p`<div class="blocks-program">
      <${Ps}
        id="blocks-subtask"
        label="Subtask"
        options=${s.subtasks.map((o,r)=>[String(r),o])}
        chosen=${String(t[0])}
        onChoose=${o=>_({program:[Number(o)]})}
      />
    </div>`;const e=st(),n=Array.from({length:Math.min(e,Ze)},(o,r)=>t[r%t.length]);return p`<div class="blocks-program">
    <${Mi} subtasks=${s.subtasks} program=${n} />
    <p class="hint" id="blocks-program-said">
      ${e>n.length&&"The program repeats: "+e+" iterations run."}
    </p>
  </div>`}const Oi=()=>p`<${B}
    id="blocks-inputs"
    title="Input"
    reads="Digits and a program, or the picture of a digit."
    more="Type the digits or change them with the arrow keys. Each iteration has its own subtask. A picture of a digit is cut into four strips, which lie in one of eight orders."
  >
    <${vi} /><${_i} /><${li} />
  <//>`;function Si(){const{info:s,task:t,levels:e}=b();if(!s||!t)return null;const n=e.map(o=>o.length).join(" \u2192 ");return p`<strong>${t.title}</strong>
    <${qn} id=${s.id} revision=${s.revision} />
    <span>${n+" blocks of "+t.block_size+" numbers"}</span>`}function Ei(){const{problem:s,model:t}=b();if(!s)return null;const e=s.status===404,n=(kn()??[]).filter(({inputs:o,fields:r,constants:i})=>o==="blocks"&&[...r,...i].includes(us));return p`<div class="message blocks-problem" role="alert">
    <p class="message-title">${s.title}</p>
    <p class="message-detail">${s.detail}</p>
    <div class="graph-others">
      ${e&&n.map(({id:o})=>p`<${D} key=${o} look="button" act=${()=>ut({model:o})}>${o}<//>`)}
    </div>
    <${D}
      id="blocks-retry"
      look="button"
      hidden=${e||s.status===403}
      act=${()=>{gs(t)}}
    >
      Try again
    <//>
  </div>`}function Ai(s){const{step:t,unfolded:e}=b();return t!==null&&s.steps[t]?s.at(t).t:s.run.first_wrong?s.run.first_wrong.iteration-1:Math.min(s.iterations-1,e?e.last:0)}function Ti(){const{view:s}=E(),t=s?Ai(s):0,{text:e,state:n}=s?le(s,t):{text:"",state:""};return p`<p class="blocks-sentence" aria-live="polite" data-state=${n}>
    <span class="control-name">${s&&s.iterations>1&&"Iteration "+(t+1)+": "}</span>
    ${s&&(e||s.run.answers[t].subtask)}
  </p>`}const Ii=([s,t])=>p`<span key=${s} class="legend-entry"
    ><span class="blocks-swatch" aria-hidden="true" style=${{background:t}}></span>${s}</span
  >`;function Di(){const s=(b().levels[0]||[]).map((e,n)=>[e,yn(n)]),t=[...s,...s.length?[["computed","var(--rs-ink)"]]:[]];return p`<div class="legend blocks-legend">${t.map(Ii)}</div>`}const Ni="Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";function ji(s,t){const e=s.name(t),n=s.iterations>1?" of iteration "+(t.t+1):"";if(t.level===0)return p`<strong>${e}</strong>${n+": an input block."}`;const{sources:o,gate:r}=s.shares(t);if(t.source!==void 0){const{weight:u,share:d}=o[t.source],h="; past the gate, "+N(d)+" of the block is a copy of it.";return p`<strong>${t.name+" > "+e}</strong>${n+": weight "+u.toFixed(3)+h}`}const i=n+": "+kt(s,t).long+"; gate "+r.toFixed(3)+".",a=t.level>1&&" In terms of the input: "+yt(s,t).long+".",c=t.level===s.depth?ns(s,t):null,l=s.isFirstWrong(t)?" Wrong here: ":" Wrong: ";return p`<strong>${e}</strong
    >${i}${a}${c&&p`<span class="blocks-wrong">${l+c}.</span>`}`}function Ci(){const{view:s}=E(),{hover:t}=b();return p`<div class="blocks-detail" aria-live="polite">
    ${s&&t&&t.t<s.iterations?ji(s,t):Ni}
  </div>`}function Pi(){const{view:s}=E();return p`<${B}
    id="blocks"
    title="What each block is made of"
    tag=${ps()?"under intervention":"observed"}
    look="panel-blocks"
    reads="Ribbons: the sources of each block, as wide as their weights, in the colour of the input. Dark wedge: the computed part. Click a ribbon or a gate to change it."
    more="Levels stand from left to right. A ribbon has the colour of the input that its numbers come from, and shrinks at the gate to the share that is copied."
    formats=${["svg","png","csv","json"]}
    written=${Rr}
  >
    <${Ti} />
    <div class="blocks-controls"><${ur} /><${Di} /></div>
    <${gr} />
    <${Ci} />
    <${Vt}
      words="Blocks as a table"
      data=${{"data-blocks-table":"blocks"}}
      caption=${()=>"Blocks, level by level"}
      rows=${s&&(()=>Pr(s))}
    />
  <//>`}function Li(){const s=b().status==="failed";return p`
    <div class="page-head">
      <h1>Blocks</h1>
      <div id="blocks-caption" class="caption"><${Si} /></div>
      <div class="head-actions" hidden=${s}>
        <button type="button" class="tool tool-text" data-copy-link="true">${Bs("link")}Copy link</button>
      </div>
    </div>
    ${s?p`<${Ei} />`:p`
            <div class="blocks-grid">
              <div class="column"><${Oi} /><${Cr} /></div>
              <div class="column"><${Pi} /><${Vr} /></div>
            </div>
            <${Or} /><${$i} />
          `}
  `}mn("blocks",async({model:s,sample:t,...e})=>{ut({model:s,sample:t}),Ot(e)});function Fi(){let{model:s}=$n(location.search),t=null;return pt(()=>{const{model:e,sample:n}=wn(),o=s??e;s=null,Ls(()=>{we(n),o&&o!==t&&gs(t=o)})})}const Ri=bn({Tree:Li,choice:fs,take:Ot,open(s,t){const e=t.closest(".page");Ot(s);const n=[Fi(),xe(),oi(),hi(),Er(),pt(()=>{e.dataset.status=b().status})];return()=>{n.forEach(o=>o()),ke()}}});vn({blocks:()=>({layout:uo,picture:Tt,run:{...Xo,unpack:dt},state:Et})});export{Ri as mount};
