/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{r as Ce,H as Rt,af as zt,ag as en,y as sn,ah as nn,E as Y,W as Bt,a1 as Pe,c as ut,d as on,ae as rn,ai as an,aj as Wt,ak as ln,al as dt,n as ht,s as h,P as F,am as Z,an as Le,T as D,Q as Gt,R as pt,ao as Fe,S as cn,V as Re,ap as Kt,aq as un,ar as ze,m as Ht,G as Be,as as dn,F as hn,i as We,D as Ge,at as pn,f as Ut,v as Ke,au as fn,av as gn,aw as mn,ax as bn,ay as $n,ad as wn,az as kn,ac as yn,O as vn}from"../../boot.js";import{m as xn,l as Mn,w as qt,f as On,a as _n,B as Sn,o as En,p as An,b as Jt,c as Tn,P as B,d as In,A as Vt,e as Dn,g as He,h as jn,i as Ue,j as Nn,k as Cn,n as qe,q as Pn,r as Ln,s as Fn,t as Je,N as ft,u as gt,v as Ve,x as Rn,y as Yt,z as R,C as zn,D as Bn,E as Wn,F as Zt,G as Gn,H as Kn,I as Hn,J as Un,R as qn}from"../../shared.js";const Ye=.06,X=({t,level:e,index:s})=>[t,e,s].join(),mt=({t,level:e,index:s,source:n})=>[t,e,s,n].join();function Xt({view:t,layout:e},s){if(s.level>0||e.column(s.t,0))return s;const n=t.levels[t.depth].indexOf(t.levels[0][s.index]);return n<0?s:{t:s.t-1,level:t.depth,index:n}}function Jn({view:t},{t:e,level:s,index:n}){if(s<t.depth)return{t:e,level:s,index:n};const o=t.levels[0].indexOf(t.levels[s][n]);return o>=0&&e+1<t.iterations?{t:e+1,level:0,index:o}:null}function Vn(t,e){const s=Xt(t,{t:e.t,level:e.level-1,index:e.source}),n=new Set([X(e),X(s)]);return{block:o=>n.has(X(o))?1:.25,ribbon:o=>mt(o)===mt(e)?3:.12}}function Yn(t,e){const{view:s}=t,[n,o]=[new Map,new Map],i=(l,u,d)=>l.set(u,Math.max(l.get(u)||0,d)),r=[];e.level>0&&r.push({t:e.t,found:s.upstream(e),low:1,high:e.level,up:!0});const a=Jn(t,e);a&&r.push({t:a.t,found:s.downstream(a),low:a.level+1,high:s.depth,up:!1});for(const{t:l,found:u,low:d,high:p,up:g}of r){for(const[w,f]of u)for(const[b,x]of f)i(n,X(Xt(t,{t:l,level:w,index:b})),x);for(let w=d;w<=p;w+=1)for(const[f,b]of u.get(w)??[])for(const{source:x,weight:m}of s.shares({t:l,level:w,index:f}).sources)i(o,mt({t:l,level:w,index:f,source:x}),m*(g?b:u.get(w-1)?.get(x)||0))}const c=l=>Ye+(1-Ye)*Math.min(1,2.5*(l||0));return{block:l=>Math.max(.22,c(n.get(X(l)))),ribbon:l=>1.5*c(o.get(mt(l)))}}const Zn=(t,e)=>e.source===void 0?Yn(t,e):Vn(t,{...e,source:e.source}),Xn=10,Qn=.04,Ze=t=>[1,3,5].map(e=>Number.parseInt(t.slice(e,e+2),16)),Xe=(t,e,s)=>s<t.levels[0].length?e.unit(s):e.ink;function Qe(t,e,s){const n=Array.from(t.origin(s),(i,r)=>({part:r,share:i})).filter(({share:i})=>i>=Qn),o=n.reduce((i,{share:r})=>i+r,0)||1;return n.map(({part:i,share:r})=>({part:i,share:r/o,paint:Xe(t,e,i)}))}function ts(t,e,s){if(!Number.isFinite(e))return t.surface;const n=t.dark?t.hair:"#eef1f4";return xn(n,e>=0?t.ink:t.unit(Xn),Math.min(1,Math.abs(e)/s))}function to(){const t=Ce(),[e,s,n]=Ze(t.surface);return{...t,dark:e+s+n<380}}function eo(t,e,s,n){const o=Math.ceil(e.length/s),i=document.createElement("canvas");[i.width,i.height]=[s,o];const r=i.getContext("2d"),a=r.createImageData(s,o);return e.forEach((c,l)=>{a.data.set([...Ze(ts(t,c,n)),255],4*l)}),r.putImageData(a,0,0),{bitmap:i,href:i.toDataURL(),width:s,height:o}}const T=34,so={gate:30,strip:70,digit:18,out:5,ribbon:64,height:20,pitch:45,most:230},no={gate:20,strip:40,digit:13,out:4,ribbon:46,height:20,pitch:45,most:120},oo=80,W=8,io=14,ro=t=>t.reduce((e,s)=>e+s,0);function ao(t,e,s,n,o,i){const r=[];let a=s;for(let c=i?0:1;c<=t.depth;c+=1){const l=c===0?0:o.gate;(r.length||!i)&&(a+=n),r.push({t:e,level:c,x:a,strip:a+l}),a+=l+o.strip+o.digit+o.out}return{columns:r,end:a}}const es=(t,e)=>t.depth*(e.ribbon+e.gate+e.strip+e.digit+e.out);function lo(t,e,s,n){const o=n.strip+n.digit+n.out,i=es(t,n);let[r,a]=[e,e];const c=(p,g)=>{const w=T*(t.iterations-(g-p+1));return o+i*(g-p+1)+Math.min(w,T*8)<=s-2*W};for(let p=!0;p;)p=!1,a+1<t.iterations&&c(r,a+1)&&([a,p]=[a+1,!0]),r>0&&c(r-1,a)&&([r,p]=[r-1,!0]);const l=Math.max(0,Math.floor((s-2*W-o-i*(a-r+1))/T)),u=Math.min(t.iterations-1-a,Math.max(Math.ceil(l/2),l-r)),d=Math.min(r,Math.max(0,l-u));return{first:r,last:a,before:d,after:u}}function ss(t,e,s,n){const o=e===0?t.levels[0]:t.levels[e],i=l=>Array.from({length:l},(u,d)=>s+n*(d+.5)/l);if(e!==t.depth)return i(o.length);const r=t.levels[0];if(!(o.length>1&&o.every(l=>r.includes(l))))return i(o.length);const c=i(r.length);return o.map(l=>c[r.indexOf(l)])}function ns(t,{width:e,focus:s=0,image:n=!1}){const o=e<620,i={...o?no:so};n&&!o&&(i.strip=oo);const{first:r,last:a,before:c,after:l}=lo(t,s,e,i),u=a-r+1,d=i.strip+i.digit+i.out,p=e-2*W-T*(c+l)-d-u*es(t,i),g=o?0:60,w=Math.max(0,p-g)/(u*t.depth),f=Math.min(i.most,i.ribbon+w),b=t.iterations>1?62:30,m=Math.max(...t.levels.map(M=>M.length))*i.pitch,y=[];let k=W;for(let M=r-c;M<r;M+=1,k+=T)y.push({state:M,x:k});let _=[];for(let M=r;M<=a;M+=1){const z=ao(t,M,k,f,i,M===r);_=[..._,...z.columns],k=z.end}const I=k;k+=l?g:0;for(let M=a+1;M<=a+l;M+=1,k+=T)y.push({state:M+1,x:k});for(const M of _){const z=ss(t,M.level,b,m);if(M.blocks=z.map((L,Ft)=>({t:M.t,level:M.level,index:Ft,y:L})),M.out=M.strip+i.strip+i.digit,M.right=M.out+i.out,M.level===t.depth&&M.t<a){const L=t.levels[0].length-1,Ft=ss(t,0,b,m)[L];M.task={t:M.t+1,level:0,index:L,y:Ft}}}return{view:t,beside:g||W,sizes:i,narrow:o,image:n,gap:f,header:b,first:r,last:a,hidden:{before:r-c,after:t.iterations-1-a-l},folded:y,columns:_,end:I,width:Math.max(e,k+(l?0:g)+W),height:b+m+io,top:b,bottom:b+m,column:(M,z)=>_.find(L=>L.t===M&&L.level===z)}}function bt(t,e,s,n){const{view:o}=t,i=t.column(e,s-1);if(i)return{column:i,block:i.blocks[n]};const r=t.column(e-1,o.depth);if(!r)return null;const a=o.levels[0][n],c=o.levels[o.depth].indexOf(a);return{column:r,block:c>=0?r.blocks[c]:r.task}}function os(t,e,s){const{view:n,sizes:o}=t,i=n.step(e,s),{height:r}=o,a=t.column(e,s),c=i.sources.map((d,p)=>ro(i.blocks.map((g,w)=>n.weight(i,p,w)))),l=i.sources.map(()=>0),u=[];return a&&i.blocks.forEach((d,p)=>{let g=a.blocks[p].y-r/2;i.sources.forEach((w,f)=>{const b=n.weight(i,f,p),x=bt(t,e,s,f);if(!x||!x.block||b<=0)return;const m=r/Math.max(1,c[f]),y=x.block.y-Math.min(1,c[f])*r/2+l[f];u.push({t:e,level:s,index:p,source:f,weight:b,x0:x.column.right,x1:a.x,from:[y,y+b*m],to:[g,g+b*r]}),l[f]+=b*m,g+=b*r})}),u}function is(t,e,s,n){const{sizes:o,view:i}=t;for(const{state:d,x:p}of t.folded)if(s>=p&&s<p+T)return{kind:"folded",t:Math.max(0,d-1)};for(const d of t.columns){const p=d.task?[...d.blocks,d.task]:d.blocks;if(s<d.x-3||s>d.right+3)continue;const g=p.find(f=>Math.abs(f.y-n)<=o.height/2+13);if(!g)continue;return{kind:g.level>0&&s<d.strip&&Math.abs(g.y-n)<=o.height/2+4?"gate":"block",t:g.t,level:g.level,index:g.index}}const r={best:null,distance:6};for(const d of e){if(s<=d.x0||s>=d.x1||d.weight<.03)continue;const p=rs(d,s),g=($t(d,s,1)-$t(d,s,0))/2,w=Math.max(0,Math.abs(n-p)-g);(w<r.distance||w===0&&r.best&&d.weight<r.best.weight)&&Object.assign(r,{best:d,distance:w})}if(!r.best)return null;const{t:a,level:c,index:l,source:u}=r.best;return{kind:"ribbon",t:a,level:c,index:l,source:u,name:i.step(a,c).sources[u]}}function co(t,e,s,n,o){const i=(o-t)/(s-t);let[r,a]=[0,1];for(let l=0;l<20;l+=1){const u=(r+a)/2;1.5*u*(1-u)*(1-u)+1.5*u*u*(1-u)+u*u*u<i?r=u:a=u}const c=(r+a)/2;return e+(n-e)*(3*c*c-2*c*c*c)}const $t=({x0:t,x1:e,from:s,to:n},o,i)=>co(t,s[i],e,n[i],o),rs=(t,e)=>($t(t,e,0)+$t(t,e,1))/2;var uo=Object.freeze({__proto__:null,FOLDED:T,heightAt:rs,layOut:ns,portsOf:os,sourceOf:bt,targetAt:is});const Qt=.9,wt=.1,as=3,j=t=>{const e=100*t;return(e>99.5&&t<.99995?"> 99":e<.5&&t>0?"< 1":Math.round(e))+" %"};function te(t,e){const s=t.filter(({share:o})=>o>=wt).sort((o,i)=>i.share-o.share),[n]=s;return e>=Qt?{kind:"computed",parts:[],computed:e}:n&&n.share>=Qt?{kind:"copied",parts:[n],computed:e}:e<=wt?{kind:"interpolated",parts:s,computed:e}:{kind:"mixed",parts:s,computed:e}}const ee=t=>t.slice(0,as).map(({name:e,share:s})=>e+" "+j(s)).join(" + ");function ls({kind:t,parts:e,computed:s},n){const o=e.length>as?" and others":"";if(t==="computed")return"computed, "+j(s);if(t==="copied")return"copied from "+ee(e);const i=e.length?ee(e)+o:"all "+n+" sources, each less than "+j(wt);return t==="interpolated"?"interpolated from "+i:j(s)+" computed, the rest from "+(e.length?i:"many sources")}function se({kind:t,parts:e,computed:s}){if(t==="computed")return"computed "+j(s);if(t==="copied")return"copy of "+e[0].name;const n=e.slice(0,2).map(({name:o,share:i})=>o+" "+Math.round(100*i));return t==="interpolated"?n.length?n.join(" + ")+" %":"mean of many":[...n.slice(0,1),"computed "+Math.round(100*s)].join(" + ")+" %"}function ho({kind:t,parts:e,computed:s}){return t==="computed"?"computed":t==="copied"?"= "+e[0].name:t==="interpolated"?"mixed":j(s)+" new"}function kt(t,e){const{sources:s,computed:n}=t.shares(e),o=te(s,n),i=ls(o,s.length);if(o.kind!=="computed")return{...o,long:i,short:se(o)};const r=te(s.map(({name:c,weight:l})=>({name:c,share:l})),0),a=r.parts.length?"; routed to it: "+ee(r.parts):"";return{...o,long:i+a,short:se(o)}}function yt(t,e){const s=t.origin(e),n=t.levels[0],o=n.map((r,a)=>({name:r,share:s[a]})),i=te(o,s[n.length]);return{...i,long:ls(i,n.length),short:se(i),brief:ho(i)}}function ne(t,{t:e,index:s}){const{digit:n,truth:o,right:i}=t.answer(e,s)||{};return i===!1?t.levels[t.depth][s]+" is "+n+", by the rule it is "+o:null}function cs(t,e){const s=t.run.answers[e];if(!s)return{text:"",state:"unknown"};const n=s.digits.map((c,l)=>ne(t,{t:e,index:l})).filter(Boolean),o=n.length>3?[...n.slice(0,2),"and "+(n.length-2)+" more"]:n,i=t.run.first_wrong&&t.run.first_wrong.iteration===e+1,r=s.explanation||"";if(i)return{text:"Wrong here: "+o.join("; ")+".",state:"wrong"};if(o.length&&s.follows)return{text:r+" The rule is followed; what is wrong was so before.",state:"follows"};if(o.length)return{text:"Wrong: "+o.join("; ")+".",state:"wrong"};const a=t.run.input.digits?"":"strips in the order "+s.subtask;return{text:r||a,state:s.right.includes(null)?"unknown":"right"}}var po=Object.freeze({__proto__:null,LEAST:wt,MOST:Qt,made:kt,origin:yt,percent:j,sentence:cs,wrong:ne});const oe=24,fo=10,go=28,us=.02,S=(t,e,s,n)=>({shape:"text",x:t,y:e,text:s,size:10.5,...n}),N=(t,e,s,n,o)=>({shape:"rect",x:t,y:e,w:s,h:n,...o}),vt=(t,e,s,n=10.5,o=400)=>On(e,s,n,_n(t.font),o);function ie(t,e,s,n){const o=(t+e)/2,i=(a,c)=>a.toFixed(1)+","+c.toFixed(2),r=(a,c,l,u)=>"C"+i(o,c)+" "+i(o,u)+" "+i(l,u);return"M"+i(t,s[0])+r(t,s[0],e,n[0])+"L"+i(e,n[1])+r(e,n[1],t,s[1])+"Z"}const re=([t,e],s,n)=>[t+(e-t)*s,t+(e-t)*n];function ds({view:t,theme:e},{t:s,level:n,source:o}){return(n===1?[{share:1,paint:Xe(t,e,o)}]:null)||Qe(t,e,{t:s,level:n-1,index:o})}function mo({view:t},{t:e,level:s,index:n,weight:o}){const i=t.gate(t.step(e,s),n);return o<us?.05:(.2+.62*Math.min(1,1.4*o))*(.62+.38*(1-i))}function bo(t,e,s){if(s<.012||e.weight<.004)return[];const{x0:n,x1:o,from:i,to:r}=e;let a=0;return ds(t,e).map(({share:c,paint:l})=>{const u=a+c,d={shape:"path",d:ie(n,o,re(i,a,u),re(r,a,u)),fill:l,opacity:s};return a=u,d})}const $o=(t,e,s,n)=>{const{view:o,theme:i,layout:r,ribbons:a}=t,{height:c}=r.sizes,l=o.gate(o.step(s.t,s.level),s.index),[u,d]=[s.y-c/2,s.y+c/2],[p,g]=[e.x+3,e.strip-3],w=[N(e.x,u,3,c,{fill:i.dim,opacity:.35*n})],f=b=>u+(b-u)*(1-l);for(const b of a){if(b.t!==s.t||b.level!==s.level||b.index!==s.index)continue;let x=0;for(const{share:m,paint:y}of ds(t,b)){const k=x+m,[_,I]=re(b.to,x,k);w.push({shape:"path",d:ie(p,g,[_,I],[f(_),f(I)]),fill:y,opacity:n*(b.weight<us?.3:.92)}),x=k}}return l>.004&&w.push({shape:"path",d:ie(p,g,[d,d],[d-l*c,d]),fill:i.ink,opacity:n}),[...w,...wo(t,e,s,n)]},wo=({view:t,theme:e,layout:s},n,o,i)=>{const{gates:r,copy_routes:a}=t.changes,c=t.name(o),l=a.some(g=>g.endsWith(">"+c));if(!(c in r)&&!l)return[];const{height:u,gate:d}=s.sizes,p={stroke:e.accent,width:2,opacity:i};return[N(n.x-1,o.y-u/2-2,d,u+4,{rx:3,...p}),S(n.x+d/2,o.y+u/2+13,l?"forced":"fixed",{size:9.5,weight:600,anchor:"middle",fill:e.accent,halo:e.surface,opacity:i})]};function ko({view:t,theme:e,layout:s}){const n=new Set(t.changes.mute_routes);return n.size?s.columns.flatMap(o=>{if(o.level===0)return[];const i=t.step(o.t,o.level);return i.blocks.flatMap((r,a)=>i.sources.flatMap((c,l)=>{if(!n.has(c+">"+r))return[];const u=bt(s,o.t,o.level,l);if(!u||!u.block)return[];const[d,p,g,w]=[u.column.right,u.block.y,o.x,o.blocks[a].y],[f,b]=[(d+g)/2,(p+w)/2];return[{shape:"path",d:Mn({x:d,y:p},{x:g,y:w}),stroke:e.bad,width:1.4,dash:[4,4]},{shape:"circle",cx:f,cy:b,r:6,fill:e.surface,stroke:e.bad,width:1.4},{shape:"path",d:`M${f-3},${b+3}L${f+3},${b-3}`,stroke:e.bad,width:1.6}]}))}):[]}const Q=({view:t},e)=>e.level===0&&e.index===t.levels[0].length-1,yo=(t,e,s,n)=>{const{view:o,theme:i,layout:r,most:a}=t,{strip:c,height:l}=r.sizes,[u,d]=[e.strip,s.y-l/2];if(!o.there(s)){const m={stroke:i.dim,dash:[3,3],opacity:.7*n};return[N(u,d,c,l,{rx:2,...m}),S(u+c/2,s.y+4,"dropped",{anchor:"middle",fill:i.dim})]}let p=o.values(s);const g=s.level===o.depth&&p.length>oe;Q(t,s)?p=p.subarray(0,Math.min(p.length,t.task.subtasks.length)):g&&(p=o.probabilities(s.t,s.index).subarray(0,fo));const w=N(u-.5,d-.5,c+1,l+1,{rx:2,stroke:i.line,width:1,opacity:n});if(p.length>oe){const m=t.bitmap(s,p,go,a[s.level]),y={sx:0,sy:0,sw:m.width,sh:m.height};return[{shape:"image",source:m,...y,x:u,y:d,w:c,h:l,opacity:n},w]}const f=c/p.length,b=g||Q(t,s)?1:a[s.level];return[...Array.from(p,(m,y)=>N(u+y*f,d,f-(f>5?1:.5),l,{fill:ts(i,m,b),opacity:n})),w]},vo=(t,e,s,n)=>{const{view:o,theme:i,layout:r}=t,{sizes:a}=r,c=e.strip+a.strip+a.digit/2+1,l=hs(t,s);if(l){const p=l.right===!1,g=o.levels[o.depth].length===1?17:14,w=String(l.digit),f=[S(c,s.y+g*.36,w,{size:g,weight:700,anchor:"middle",fill:p?i.bad:i.ink,opacity:n})];return p?[...f,...xo(t,e,s,n)]:f}if(Q(t,s)||t.layout.image&&s.level===0)return[];const u=o.digits(s);if(!u.length)return[];const d=u.length>1?9.5:13;return[S(c,s.y+d*.36,u.join("\xB7"),{size:d,weight:650,anchor:"middle",fill:i.ink,opacity:n*(u.length>1?.8:1)})]};function hs(t,{t:e,level:s,index:n}){const{view:o}=t;return s===o.depth?o.answer(e,n):s===0&&e>0&&!Q(t,{level:s,index:n})?o.stateAnswer(e,n):null}const xo=({view:t,theme:e,layout:s},n,o,i)=>{const{strip:r,height:a,digit:c}=s.sizes,l=t.isFirstWrong(o);return[{shape:"rect",...{x:n.strip-2.5,y:o.y-a/2-2.5,w:r+c+4,h:a+5,rx:4},stroke:e.bad,width:l?2.2:1,opacity:l?1:.7*i}]};function Mo({view:t},e,s,n){const o="rule: "+s;return(t.isFirstWrong(e)?["wrong here, rule: "+s,"wrong here: "+s,o]:["wrong, "+o,o]).find(r=>qt([r],10.5,700)<=n)||"\u2260 "+s}const Oo=(t,e,s,n)=>{const{view:o,theme:i,layout:r}=t,{sizes:a,narrow:c}=r,l=o.name(s),u=s.y-a.height/2-6,d=[S(e.strip,u,l,{size:11.5,weight:650,fill:i.ink,halo:i.surface,opacity:n})],p=e.strip+qt([l],11.5,650)+5,g=e.level===o.depth&&!r.column(e.t+1,1),w=g?r.beside:Math.min(c?14:70,r.gap*.55),f=e.right+w-p,b=hs(t,s);if(b&&b.right===!1)d.push(S(p,u,Mo(t,s,b.truth,f),{weight:700,fill:i.bad,halo:i.surface,opacity:o.isFirstWrong(s)?1:n}));else{const[k,_]=So(t,s),I=qt([k],10.5,400)>f&&_?vt(i,_,f):vt(i,k,f);I&&d.push(S(p,u,I,{fill:i.dim,halo:i.surface,opacity:n}))}if(g&&s.level>0)return d;let x=s.y-a.height/2;const y=(s.level===o.depth?0:s.level)===0?_o(o,s):s;for(const{share:k,paint:_}of y?Qe(o,i,y):[])d.push(N(e.out,x,a.out,k*a.height,{fill:_,opacity:n})),x+=k*a.height;return d};function _o(t,e){if(e.level===0)return e;const s=t.levels[0].indexOf(t.name(e));return s<0?null:{t:e.t+1,level:0,index:s}}function So(t,e){const{view:s,task:n}=t;if(e.level>0){const{short:a,brief:c}=yt(s,e),l=e.level===s.depth?s.before(e.t,e.index):null;return l!==null?["was "+l+"; "+a,"was "+l]:s.there(e)?[a,c]:[""]}if(!Q(t,e))return[""];const{program:o,permutation:i}=s.run.input,r=o?o[e.t%o.length]:i;return[(r===void 0?"":n.subtasks[r])||""]}const Eo=(t,e,s,n)=>[...s.level>0?$o(t,e,s,n):[],...yo(t,e,s,n),...Oo(t,e,s,n),...vo(t,e,s,n)],Ao=()=>po;function To({view:t,task:e},{t:s,level:n}){return n===0?s===0?"input":"state "+s:n<t.depth?"level "+n:t.iterations>1?"state "+(s+1):e.outputs.length>1?"outputs":"output"}function Io(t){const{view:e,theme:s,layout:n,step:o}=t,i=[];for(const r of n.columns){const a=o!==null&&r.level>0&&e.place(r.t,r.level)===o,c=To(t,r);if(a){const l=bt(n,r.t,r.level,0),u=l?l.column.right+2:r.x-30;i.push(N(u,n.top-8,r.right+8-u,n.bottom-n.top+16,{rx:6,fill:s.raised}))}i.push(S(r.strip,n.top-14,c,{size:11,weight:a?700:400,fill:a?s.ink:s.dim}))}if(e.iterations>1){for(let r=n.first;r<=n.last;r+=1)i.push(...Do(t,r));for(const r of n.folded)i.push(...jo(t,r))}return i}const ae={right:"\u2713",wrong:"\u2717",follows:"\u2713",unknown:""};function Do({view:t,theme:e,layout:s,task:n},o){const i=s.column(o,0)||s.column(o-1,t.depth),r=s.column(o,t.depth);if(!i||!r)return[];const[a,c]=[i.right+6,r.right],{text:l,state:u}=Ao().sentence(t,o),d=o>=n.iterations?", beyond training":"",p="iteration "+(o+1)+": "+t.run.answers[o].subtask+d,g=u==="wrong"?e.bad:e.ink;return[{shape:"path",d:"M"+a+",39V34H"+c+"V39",stroke:e.line,width:1.2},S(a,12,vt(e,p,c-a,11,650),{size:11,weight:650,fill:e.ink}),S(a,27,vt(e,(ae[u]?ae[u]+" ":"")+l,c-a,11),{size:11,fill:g})]}function jo({view:t,theme:e,layout:s},{state:n,x:o}){const i=o+T/2,r=s.columns.find(({level:g})=>g===t.depth),a=n>0&&t.run.answers[n-1].right.includes(!1),c=t.run.first_wrong&&t.run.first_wrong.iteration===n,l=a?e.bad:e.dim,u={rx:5,fill:e.raised,stroke:c?e.bad:void 0,width:c?2:0},d={anchor:"middle",size:11},p=[S(i,12,n?String(n):"in",{...d,weight:650,fill:e.dim}),S(i,27,n?ae[a?"wrong":"right"]:"",{...d,weight:c?700:400,fill:l}),N(o+3,s.top-8,T-6,s.bottom-s.top+8,u)];return r?.blocks.forEach(({index:g,y:w})=>{const{digit:f,right:b=null}=t.stateAnswer(n,g)??{},x=b===!1,m=x?e.bad:e.ink;p.push(S(i,w+5,String(f),{anchor:"middle",size:13,weight:x?700:500,fill:m}))}),p}const No=.6,Co=.35,Po=["weights","gates","inputs","routed","computed","outputs"],ps=t=>Number.isFinite(t)?t:0;class Lo{constructor(e,s){this.run=e,this.levels=e.levels,this.depth=Math.max(1,e.levels.length-1),this.iterations=e.iterations;const n=e.intervention;this.changes={mute_routes:[],copy_routes:[],gates:{},...n},this.steps=e.steps.map(o=>this.read(o,s)),this.origins=[];for(const o of this.steps)this.origins.push(this.trace(o));this.answered=e.answers.map(({probabilities:o})=>({values:s(o),shape:o.shape})),this.picture=e.picture?{values:s(e.picture),shape:e.picture.shape}:null}read(e,s){const[n,o]=[e.sources.length,e.blocks.length],i={};for(const r of Po)i[r]=s(e[r]);return{...e,...i,M:n,N:o,size:i.outputs.length/Math.max(1,o)}}step(e,s){return this.steps[e*this.depth+s-1]}place(e,s){return e*this.depth+s-1}at(e){return{t:Math.floor(e/this.depth),level:e%this.depth+1}}name({t:e,level:s,index:n}){return s===0?this.step(e,1).sources[n]:this.step(e,s).blocks[n]}values({t:e,level:s,index:n}){const o=this.step(e,Math.max(1,s));return(s===0?o.inputs:o.outputs).subarray(n*o.size,(n+1)*o.size)}there(e){return Number.isFinite(this.values(e)[0])}weight(e,s,n){return ps(e.weights[s*e.N+n])}gate(e,s){return ps(e.gates[s])}shares({t:e,level:s,index:n}){const o=this.step(e,s),i=this.gate(o,n),r=o.sources.map((a,c)=>{const l=this.weight(o,c,n);return{source:c,name:a,weight:l,share:(1-i)*l}});return{gate:i,sources:r,computed:i}}trace(e){const s=e.mfnnr>1?this.origins[this.origins.length-1]:null,n=this.levels[0].length;return e.blocks.map((o,i)=>{const r=this.gate(e,i),a=new Float64Array(n+1);a[n]=r;for(let c=0;c<e.M;c+=1){const l=(1-r)*this.weight(e,c,i);l&&(s?s[c].forEach((u,d)=>a[d]+=l*u):a[c]+=l)}return a})}origin({t:e,level:s,index:n}){if(s>0)return this.origins[this.place(e,s)][n];const o=new Float64Array(this.levels[0].length+1);return o[n]=1,o}upstream({t:e,level:s,index:n}){const o=new Map([[s,new Map([[n,1]])]]);for(let i=s;i>0;i-=1){const r=new Map;for(const[a,c]of o.get(i)??[])for(const{source:l,weight:u}of this.shares({t:e,level:i,index:a}).sources)r.set(l,(r.get(l)||0)+c*u);o.set(i-1,r)}return o}downstream({t:e,level:s,index:n}){const o=new Map([[s,new Map([[n,1]])]]);for(let i=s+1;i<this.levels.length;i+=1){const r=new Map;this.step(e,i).blocks.forEach((a,c)=>{const{sources:l}=this.shares({t:e,level:i,index:c}),u=p=>o.get(i-1)?.get(p)||0,d=l.reduce((p,{source:g,weight:w})=>p+w*u(g),0);r.set(c,d)}),o.set(i,r)}return o}digits(e,s=10){const n=Array.from(this.values(e).subarray(0,s));if(n.length<2||!n.every(Number.isFinite))return[];const o=n.map((l,u)=>({value:l,digit:u})).sort((l,u)=>u.value-l.value),[i,r,a]=o;return i.value>=No&&i.value-r.value>=Co?[i.digit]:r.value>=.35&&i.value-r.value<.2&&i.value<.75&&(!a||a.value<.15)?[i.digit,r.digit].sort():[]}answer(e,s){const n=this.run.answers[e];return n?{digit:n.digits[s],truth:n.true[s],right:n.right[s]}:null}probabilities(e,s){const{values:n,shape:o}=this.answered[e];return n.subarray(s*o[1],(s+1)*o[1])}stateAnswer(e,s){if(e>0)return this.answer(e-1,s);const n=this.levels[0].indexOf(this.levels[this.depth][s]);return{digit:(this.run.input.digits||[])[n],truth:null,right:null}}before(e,s){const n=(this.run.baseline||[])[e];return n&&n.digits[s]!==this.answer(e,s)?.digit?n.digits[s]:null}isFirstWrong({t:e,level:s,index:n}){const o=this.run.first_wrong;return!o||s!==this.depth||o.iteration!==e+1?!1:this.answer(e,n)?.right===!1}}const Fo=t=>Rt(t.map(e=>String(e+1)));function Ro(t,{model:e,task:s,levels:n,known:o}){const i=[];for(const l of["mute_routes","copy_routes"]){const u=t[l].filter(d=>!o[l].includes(d));u.length&&i.push(`"${l}" names ${Rt(u)}: ${e} has no such route. ${fs(n)}, and each reads the one before.`)}const r=Object.keys(t.gates).filter(l=>!(l in o.gates));r.length&&i.push(`"gates" names ${Rt(r)}: ${e} has no such gate. ${fs(n)}.`);const a=Math.min(t.iterations||s.iterations,s.most_iterations);t.iterations&&t.iterations>s.most_iterations&&i.push(`"iterations" is ${t.iterations}: ${e} runs up to ${s.most_iterations}, which are shown.`);const c=Math.max(0,n.length-1)*a;return t.step!==null&&c&&t.step>=c&&i.push(`"step" is ${t.step+1}: ${e} has ${c} steps here. Shown is step ${c}.`),i}function zo({digits:t,program:e,permutation:s},n,o){const i=[],r=n.subtasks.length;if(n.inputs==="picture")return(t.length||e.length)&&i.push(`${n.title} is about a picture: "digits" and "program" are of no use here.`),s>=r&&i.push(`"permutation" is ${s+1}: there are ${r}. Shown is ${Math.max(1,r)}.`),i;const a=n.values.filter(u=>u!=="task").length;t.length>a&&i.push(`"digits" are ${t.length}: ${n.title} has ${a}, the first of which are shown.`);const c=e.filter(u=>u>=r);c.length&&i.push(`"program" names ${Fo(c)}: ${n.title} has ${r} subtasks. Shown is the last of them.`);const l=Math.min(o,n.most_iterations);return e.length>l&&i.push(`"program" has ${e.length} subtasks: up to ${l} are shown.`),i}const fs=t=>"Its levels of blocks are "+t.map(e=>e.length>1?e[0]+" to "+e.at(-1):e[0]).join("; "),Bo=150,le=zt("blocks","program").longest,ce=zt("blocks","digits"),ue="task",de="multiplexer_weights",xt=en("blocks"),{state:v,differ:Wo,subscribe:Mt}=sn({...xt,status:"loading",problem:null,model:null,sample:null,info:null,task:null,levels:[],playing:!1,hover:null,unfolded:null}),Ot=(t,e)=>JSON.stringify(t)===JSON.stringify(e),tt=(t,e,s)=>Math.max(e,Math.min(s,t)),et=()=>v.iterations||(v.task?v.task.iterations:1);function Go(t){const e={...t},{task:s=null}={task:v.task,...t};if(!s)return e;const n={...v,...t},o=s.example||{};if(s.inputs!=="picture"){const a=s.values.filter(u=>u!==ue).map((u,d)=>n.digits[d]??(o.digits||[])[d]??0);e.digits=a.map(u=>tt(Math.round(u)||0,ce.least,ce.most));const c=n.program.length?n.program:o.program||[0],l=Math.min(le,s.most_iterations);e.program=c.slice(0,l).map(u=>tt(u,0,s.subtasks.length-1))}else e.permutation=tt(n.permutation,0,Math.max(0,s.subtasks.length-1));const i=n.iterations&&tt(Math.round(n.iterations),1,s.most_iterations);e.iterations=i===s.iterations?null:i;const r=Math.max(0,n.levels.length-1)*(e.iterations||s.iterations);return n.step!==null&&r&&(e.step=tt(n.step,0,r-1)),e}function O(t){const{model:e,sample:s,...n}=t;s!==void 0&&s!==v.sample&&ut({sample:s}),e!==void 0&&e!==v.model&&ut({model:e}),G(n)}function G(t){[...Wo(Go(t),Ot)].some(s=>s in xt||s==="sample")&&ws()}const K=(t,e)=>t+">"+e,st=t=>[t.slice(0,t.indexOf(">")),t.slice(t.indexOf(">")+1)],H=t=>st(t)[1],gs=(t,e)=>t.filter(s=>s!==e);function he(t){const e=v.levels.findIndex((s,n)=>n>0&&s.includes(t));return e>0?v.levels[e-1]:[]}function ms(t,e){const s=K(t,e),{mute_routes:n,copy_routes:o}=v;if(n.includes(s)){O({mute_routes:gs(n,s)});return}if(!he(e).filter(r=>r!==t&&!n.includes(K(r,e))).length){on("One route stays","A block that reads nothing has no weights.","bad");return}O({mute_routes:[...n,s],copy_routes:o.filter(r=>H(r)!==e)})}function bs(t,e){const s=K(t,e),n=v.copy_routes.filter(a=>H(a)!==e),o=v.copy_routes.includes(s),{[e]:i,...r}=v.gates;O({copy_routes:o?n:[...n,s],mute_routes:o?v.mute_routes:gs(v.mute_routes,s),gates:o?v.gates:r})}function pe(t,e){const{[t]:s,...n}=v.gates,o=v.copy_routes.filter(i=>e===null||H(i)!==t);O({gates:e===null?n:{...n,[t]:e},copy_routes:o})}function Ko(t){const e=o=>{const i=t.findIndex((r,a)=>a>0&&r.includes(H(o)));return i>0&&t[i-1].includes(st(o)[0])},s=t.slice(1).flat(),n=v.copy_routes.filter(e);return{mute_routes:v.mute_routes.filter(e),copy_routes:n.filter((o,i)=>n.findIndex(r=>H(r)===H(o))===i),gates:Object.fromEntries(Object.entries(v.gates).filter(([o])=>s.includes(o)))}}const $s=nn,fe=()=>!!(v.mute_routes.length||v.copy_routes.length||Object.keys(v.gates).length);let nt=0;function ws(){nt||(nt=setTimeout(Ho,Bo))}function Ho(){nt=0;const{task:t}=v;if(!t)return;const e=t.inputs!=="picture",s=t.example||{},n=o=>Ot(v[o],s[o])?null:v[o];an("blocks",{...ge(),model:v.model,sample:v.sample,digits:e&&n("digits"),program:e&&n("program"),permutation:e?null:v.permutation})}const _t=t=>G(t),ge=()=>Object.fromEntries(Object.keys(xt).map(t=>[t,v[t]]));let St=0;const Uo=new Map,qo=()=>rn(Uo,"",async()=>(await Y("GET","/block-tasks")).items);function Jo(t,e){const n=[[...e.values.filter(o=>o!==ue),ue]];for(const o of t.units){const i=Number.parseInt(o,10)||1;(n[i]=n[i]||[]).push(o)}return[...n.filter(Boolean),e.outputs]}async function me(t){const e=St+=1,s=!v.model,n=s||v.model===t?v.step:null;if(G({status:"loading",problem:null,model:t,info:null,task:null,levels:[],playing:!1,step:n}),!!t)try{const o=Y("GET","/models/"+encodeURIComponent(t)),[i,r]=await Promise.all([o,qo()]);if(e!==St)return;if(i.inputs!=="blocks")throw new Bt(404,"No blocks",t+" takes no blocks of numbers.");if(![...i.fields,...i.constants].includes(de))throw new Bt(404,"No routes",t+" takes blocks, but routes none of them. Its answers stand beside those of networks that do.");const a=r.find(u=>u.models.includes(t));if(!a)throw new Bt(404,"No task","There is no task for "+t+".");const c=Jo(i,a),l=Ko(c);Ro(v,{model:t,task:a,levels:c,known:l}).forEach(Pe),s&&zo(v,a,le).forEach(Pe),G({info:i,task:a,levels:c,...l,status:"ready"}),ws()}catch(o){if(e!==St)return;const{title:i="The page failed",message:r,status:a}=o;G({status:"failed",problem:{title:i,detail:r,status:a}})}}const ks=t=>G({sample:t||null});function ys(){St+=1,clearTimeout(nt),nt=0,Object.assign(v,xt,{status:"loading",problem:null,model:null,info:null,task:null,levels:[]},{playing:!1,hover:null,unfolded:null})}const $=()=>v;var Et=Object.freeze({__proto__:null,DIGIT:ce,FIELD:de,LONGEST:le,changed:fe,choice:ge,follow:ks,gatesText:$s,get:$,iterations:et,leave:ys,open:me,partsOf:st,restore:_t,route:K,same:Ot,set:O,setGate:pe,sourcesOf:he,subscribe:Mt,toggleCopy:bs,toggleMute:ms});const Vo=90;function vs(){const{model:t,task:e,digits:s,program:n,sample:o,permutation:i,mute_routes:r,copy_routes:a,gates:c}=$();if(!e)return null;const l=e.inputs==="picture",u=o||(e.example||{}).sample;return l&&!u?null:JSON.stringify([t,{input:l?{sample:u,permutation:i}:{digits:s,program:n},iterations:et(),intervention:{mute_routes:r,copy_routes:a,gates:c}}])}const ot=Wt(vs,async(t,e)=>{await new Promise(r=>setTimeout(r,Vo)),e.throwIfAborted();const[s,n]=JSON.parse(t),o="/models/"+encodeURIComponent(s)+"/block-runs",i=await Y("POST",o,n,{signal:e});return new Lo(i,dt)}),Yo=ln(()=>{const t=ot.problem(),e=t?null:ot.latest(),s=$().task&&vs()===null?"empty":"loading";return{status:t?"failed":ot.answer()?"done":s,problem:t&&{title:t.title??"The run could not be shown",detail:t.message},run:e&&e.run,view:e,fresh:ot.answer()!==null}}),E=()=>Yo.value,{again:xs,follow:Ms}=ot;var Zo=Object.freeze({__proto__:null,again:xs,follow:Ms,get:E});const Xo=[["","free"],["0","0 copied"],["0.5","0.5"],["1","1 computed"]],Qo=292,ti=70,be=ht(null);function it(){be.value=null}function ei(t){be.value=t}function si(){const{value:t}=be,{view:e}=E(),s=t&&e&&e.steps[e.place(t.block.t,t.block.level)]?t:null,n=s&&[s.block.t,s.block.level,s.block.index,s.clicked,s.x,s.y].join();return s&&e&&h`<${ni} key=${n} menu=${s} view=${e} />`}function ni({menu:t,view:e}){const s=F(null);return Z(()=>{const o=s.current,i=o.parentElement,r=t.x-(i.querySelector(".block-scroll")?.scrollLeft??0)+10;o.style.left=Math.max(4,Math.min(r,i.clientWidth-Qo-8))+"px",o.style.top=Math.max(4,Math.min(t.y+8,i.clientHeight+ti-o.offsetHeight))+"px",(o.querySelector('[data-clicked="true"] button')||o.querySelector("input:checked")||o.querySelector("input"))?.focus({preventScroll:!0});const c=({target:l})=>l instanceof Element&&!o.contains(l)&&l.id!=="block-picture"&&it();return document.addEventListener("pointerdown",c),()=>{document.removeEventListener("pointerdown",c),o.contains(document.activeElement)&&t.back()}},[]),h`<div ref=${s} class="blocks-menu" role="dialog" aria-labelledby="blocks-menu-title" onKeyDown=${o=>{o.key==="Escape"&&(o.stopPropagation(),it())}}>
    <${oi} view=${e} block=${t.block} clicked=${t.clicked} />
  </div>`}function oi({view:t,block:e,clicked:s}){const n=F(null),o=document.activeElement;Z(()=>{o instanceof HTMLElement&&n.current?.contains(o)&&o.focus({preventScroll:!0})});const{sources:i,gate:r}=t.shares(e),a=t.name(e),c=[...i].sort((l,u)=>u.weight-l.weight);return h`<div class="blocks-menu-head">
      <strong id="blocks-menu-title">${"Block "+a}</strong>
      <span class="control-name">${"gate "+r.toFixed(2)}</span>
      <button type="button" class="tool" aria-label="Close" onClick=${it}>×</button>
    </div>
    <${Le}
      id="blocks-menu-gate"
      label=${"Gate of "+a}
      options=${Xo}
      chosen=${ii(a)}
      onChoose=${l=>pe(a,l===""?null:Number(l))}
    />
    <div ref=${n} class="blocks-menu-rows">
      ${c.map(l=>ri(l,a,l.source===s))}
    </div>`}function ii(t){const{gates:e,copy_routes:s}=$();return s.some(n=>n.endsWith(">"+t))?"copied":t in e?String(e[t]):""}function ri({name:t,weight:e},s,n){const{toggleMute:o,toggleCopy:i}=Et,{mute_routes:r,copy_routes:a}=$(),c=K(t,s),l=(u,d,p,g)=>h`<${D} look="segment" label=${d} pressed=${p} act=${()=>g(t,s)}>${u}<//>`;return h`<div key=${c} class="blocks-menu-row" data-route=${c} data-clicked=${String(n)}>
    <span class="blocks-menu-name">${t}</span>
    <span class="blocks-menu-bar" aria-hidden="true"><span style=${{width:100*e+"%"}}></span></span>
    <span class="blocks-menu-value">${e.toFixed(2)}</span>
    ${l("mute","Mute "+c,r.includes(c),o)}
    ${l("copy","Make "+s+" a copy of "+t,a.includes(c),i)}
  </div>`}const Os=1100;let rt=0;const At=()=>E().view;function _s(t){const e=At();e&&O({step:t===null?null:Math.max(0,Math.min(e.steps.length-1,t))})}function $e(){clearTimeout(rt),$().playing&&O({playing:!1})}function Ss(){const t=At(),{step:e,playing:s}=$();if(s){if(!t){$e();return}e!==null&&e>=t.steps.length-1?O({playing:!1,step:null}):(_s(e===null?0:e+1),rt=setTimeout(Ss,Os))}}function Es(){const t=At();if(!t)return;if($().playing){$e();return}const{step:e}=$();clearTimeout(rt),O({playing:!0,step:e!==null&&e<t.steps.length-1?e:0}),rt=setTimeout(Ss,Os)}function As(t){const{task:e}=$();e&&O({iterations:Math.max(1,Math.min(e.most_iterations,t))})}function ai(t,e){if(e===null||!t.steps[e])return t.iterations>1?"all iterations":"all levels";const{t:s,level:n}=t.at(e),o="MFNNR "+n+" of "+t.depth;return t.iterations>1?"iteration "+(s+1)+", "+o:o}function li(){const{task:t}=$();if(!t||t.most_iterations<2)return null;const e=et(),s=({currentTarget:{value:o}})=>Number(o)&&As(Math.round(Number(o))),n=(o,i,r,a)=>h`<${D} look="tool" id=${o} title=${r} label=${r} act=${()=>As(e+a)}>${i}<//>`;return h`<div class="control blocks-runs">
    <label class="control-name" for="blocks-iterations">iterations</label>
    ${n("blocks-fewer","\u2212","One iteration less",-1)}
    <input
      type="number"
      id="blocks-iterations"
      class="small-input blocks-count"
      min="1"
      max=${t.most_iterations}
      step="1"
      aria-label="Iterations"
      value=${String(e)}
      onChange=${s}
    />
    ${n("blocks-more","+","One iteration more",1)}
    <span class="readout">
      ${"trained on "+t.iterations+(e>t.iterations?", beyond training":"")}
    </span>
  </div>`}function ci(t){$e(),_s(t<-1?1/0:t<0?null:t)}function ui(){const t=At(),{step:e,playing:s}=$(),n=t?ai(t,e):"";return Gt(()=>()=>clearTimeout(rt),[]),h`<div class="player blocks-player">
    <${Sn}
      id="blocks-play"
      shown=${t&&{count:t.steps.length,step:e??-1,valuetext:n,words:n}}
      playing=${s}
      toggle=${Es}
      goTo=${ci}
      step=${()=>$().step??-1}
      least=${0}
      playLabel="Play through the levels"
      pauseTitle="Pause (space)"
    />
    <${li} />
  </div>`}let Tt=null;const[di,hi]=[.55,.1];class Ne{constructor(e){this.host=e,this.canvas=e.querySelector("canvas"),this.bitmaps=new Map,this.view=null,this.parts=null,this.cursor=null,this.stops=[Mt((n,o)=>this.onState(n,o)),pt(()=>{const{view:n}=E();Fe(()=>this.onRun(n))}),cn(()=>this.rebuild()),En(e,()=>this.rebuild())];const s=(n,o)=>this.canvas.addEventListener(n,o);s("pointermove",n=>this.point(this.targetAt(n))),s("pointerleave",()=>this.point(this.cursor||null)),s("click",n=>this.onClick(n)),s("keydown",n=>this.onKey(n)),s("blur",n=>e.contains(n.relatedTarget)||this.point(this.cursor=null))}get drawn(){return this.parts}dispose(){this.stops.forEach(e=>e())}onState(e,s){if(s.has("task")&&this.rebuild(),s.has("step")){const n=this.parts&&e.step!==null?this.parts.view.at(e.step).t:null;n!==null&&!this.drawn.layout.column(n,this.drawn.view.depth)?this.rebuild():this.draw()}else(s.has("hover")||s.has("playing"))&&this.draw()}onRun(e){e!==this.view&&(this.view=e,this.bitmaps.clear(),e?(this.parts&&this.parts.view.run.model!==e.run.model&&(this.cursor=null),this.cursor&&this.cursor.t>=e.iterations&&this.point(this.cursor=null),this.rebuild()):(this.parts=this.cursor=null,this.point(null),delete this.canvas.dataset.painted,this.canvas.getContext("2d")?.clearRect(0,0,this.canvas.width,this.canvas.height)))}focus(e){const{step:s}=$();if(s!==null)return Math.min(e.iterations-1,e.at(s).t);const n=e.run.first_wrong;return n?n.iteration-1:0}static largest(e){return e.levels.map((s,n)=>{const o=[];for(let i=0;i<e.iterations;i+=1)s.forEach((r,a)=>o.push(...e.values({t:i,level:n,index:a}).map(Math.abs)));return Math.max(1,...o.filter(Number.isFinite).sort((i,r)=>i-r).slice(0,-1-Math.floor(o.length/200)))})}rebuild(){const{view:e}=E(),{task:s}=$(),n=this.host.clientWidth;!e||!s||n<40||(this.parts=this.partsAt(e,s,n),this.draw())}partsAt(e,s,n){const o=to(),i=e.steps[0].size>oe,r=ns(e,{width:n,focus:this.focus(e),image:i}),a=r.columns.filter(({level:u})=>u>0).flatMap(({t:u,level:d})=>os(r,u,d)),c=this.parts&&this.parts.view===e?this.parts.most:Ne.largest(e);return{view:e,task:s,theme:o,layout:r,ribbons:a,most:c,bitmap:(u,d,p,g)=>{const w=[u.t,u.level,u.index,o.dark].join(),f=this.bitmaps.get(w)||eo(o,d,p,g);return this.bitmaps.set(w,f),f},step:null}}visibility(){const{step:e,playing:s,hover:n}=$(),{view:o}=this.drawn,i=l=>e===null||l===e?1:l<e?s?1:di:hi,r=({t:l,level:u})=>l*o.depth+u-1,a=n?Zn(this.drawn,n):{block:()=>1,ribbon:()=>1},c=l=>e!==null&&l===e-1?1:i(Math.max(0,l));return{block:l=>c(r(l))*a.block(l),ribbon:l=>i(r(l))*a.ribbon(l)}}items(){const{step:e}=$(),s=this.parts={...this.drawn,step:e},{block:n,ribbon:o}=this.visibility(),i=s.ribbons.map(r=>({ribbon:r,opacity:Math.min(.95,mo(s,r)*o(r))})).sort((r,a)=>r.opacity-a.opacity);return[...Io(s),...i.flatMap(({ribbon:r,opacity:a})=>bo(s,r,a)),...ko(s),...s.layout.columns.flatMap(r=>[...r.blocks,...r.task?[r.task]:[]].flatMap(a=>Eo(s,r,a,n(a)))),...this.cursorItems()]}cursorItems(){const{hover:e}=$();if(!e||e.source!==void 0)return[];const s=Xt(this.drawn,e),{layout:n,theme:o}=this.drawn,i=n.column(s.t,s.level)||n.column(s.t-1,this.drawn.view.depth);if(!i)return[];const r=[...i.blocks,i.task].find(d=>d&&d.level===s.level&&d.index===s.index&&d.t===s.t);if(!r)return[];const{strip:a,digit:c,height:l}=n.sizes;return[{shape:"rect",...{x:i.strip-2,y:r.y-l/2-2,w:a+c+4,h:l+4},rx:4,stroke:o.accent,width:1.6}]}draw(){if(!this.parts)return;const{layout:e,theme:s}=this.parts;this.canvas.style.width=e.width+"px",this.canvas.style.height=e.height+"px";const n={width:e.width,height:e.height,items:this.items()};An(n,s.font,this.canvas),this.publish()}publish(){const{view:e,layout:s,ribbons:n}=this.drawn,{step:o,hover:i,playing:r}=$(),a=this.canvas.dataset,c=e.run.first_wrong;O({unfolded:{first:s.first,last:s.last}}),a.painted=e.run.model,a.iterations=s.first+1+".."+(s.last+1),a.ribbons=String(n.filter(({weight:l})=>l>=.02).length),a.step=o===null?"":e.steps[o]?e.steps[o].name:"",a.playing=String(r),a.wrong=c?c.iteration+"/"+c.output:"",a.hovered=i?this.nameOf(i):"",a.digits=e.run.answers.map(({digits:l})=>l.join("")).join(" ")}nameOf(e){const s=this.drawn.view.name(e);return e.source===void 0?s:e.name+">"+s}scene(e){const s=this.drawn;e&&(this.parts=this.partsAt(s.view,s.task,e));const{layout:n,theme:o,view:i}=this.drawn,r=this.items();this.parts=s;const{digits:a,sample:c,permutation:l=0}=i.run.input,u=a?a.join(", "):c+", permutation "+(l+1);return{width:n.width,height:n.height,background:o.surface,title:"Blocks of "+i.run.model+" for "+u,desc:"Columns are levels of blocks, ribbons what each block reads, as wide as its weight, in the colour of the input that it came from; at the gate they shrink to what is copied, the dark wedge is what is computed.",items:r}}placeOf(e){const s=this.canvas.getBoundingClientRect(),{layout:n}=this.drawn;return[(e.clientX-s.left)*n.width/s.width,(e.clientY-s.top)*n.height/s.height]}targetAt(e){return this.parts?is(this.parts.layout,this.parts.ribbons,...this.placeOf(e)):null}point(e){const s=e&&e.kind!=="folded"?e:null;this.canvas.style.cursor=e&&(e.kind==="folded"||e.level>0)?"pointer":"default",Ot(s,$().hover)||O({hover:s})}onClick(e){const s=this.targetAt(e);if(!s){it(),$().step!==null&&O({step:null});return}const{view:n}=this.drawn;s.kind==="folded"?O({step:n.place(s.t,n.depth)}):s.level>0&&this.open(s,...this.placeOf(e))}open(e,s,n){const o={t:e.t,level:e.level,index:e.index};ei({block:o,clicked:e.source,x:s,y:n,back:()=>this.canvas.focus()})}move(e,s){const{view:n,layout:o}=this.drawn,{step:i}=$(),r=i===null?{t:o.first,level:0,index:0}:{...n.at(i),index:0};let{t:a,level:c,index:l}=this.cursor||{...r,level:r.level-Math.sign(e)};!this.cursor&&!e&&(l-=Math.sign(s)),c=Math.max(0,c)+(this.cursor||e>0?e:0),c<0&&a>0&&([a,c]=[a-1,n.depth-1]),c>n.depth&&(a+1<n.iterations?[a,c]=[a+1,1]:c=n.depth),c=Math.max(0,c);const u=n.levels[c].length;l=(Math.min(l,u-1)+s+u)%u,this.cursor={kind:"block",t:a,level:c,index:l},!o.column(a,c)&&!(c===0&&o.column(a-1,n.depth))&&O({step:n.place(a,Math.max(1,c))}),this.point(this.cursor)}onKey(e){if(e.altKey||e.ctrlKey||e.metaKey||!this.parts)return;const s={ArrowRight:()=>this.move(1,0),ArrowLeft:()=>this.move(-1,0),ArrowDown:()=>this.move(0,1),ArrowUp:()=>this.move(0,-1),Enter:()=>this.openAtCursor()," ":()=>Es(),Escape:()=>{this.cursor=null,this.point(null),$().step!==null&&O({step:null,playing:!1})}};!s[e.key]||e.key==="Escape"&&document.fullscreenElement||(e.preventDefault(),s[e.key]())}openAtCursor(){if(!this.cursor||this.cursor.level===0)return;const e=this.drawn.layout.column(this.cursor.t,this.cursor.level);e&&this.open(this.cursor,e.strip,e.blocks[this.cursor.index].y+14)}}const pi="Blocks, level by level. Left and right change the level, up and down the block, Enter opens what can be changed about it, Space plays, Escape ends it. The same numbers are in the table below.";function fi(){const{status:t,problem:e}=E();return!e&&t!=="empty"?h`<div class="skeleton" aria-hidden="true"></div>`:h`<div class="message" role="alert">
    ${e?Jt(e.title,e.detail,{words:"Try again",act:xs}):Jt("No picture chosen","Choose a digit beside, draw one, or pick a picture above.")}
  </div>`}function gi(){const t=F(null),{status:e,view:s}=E();return Gt(()=>{const n=Tt=new Ne(t.current);return()=>{n.dispose(),Tt=null,it()}},[]),h`<div
    ref=${t}
    class="block-canvas"
    data-status=${s?"ready":e}
    aria-busy=${String(e==="loading")}
  >
    <div class="block-scroll">
      <canvas id="block-picture" tabindex="0" role="img" data-block-keys="true" aria-label=${pi}></canvas>
    </div>
    ${s?null:h`<${fi} />`}
    <${si} />
  </div>`}const{offered:mi}=zt("blocks","measured"),Ts=760;function bi(){const{status:t,model:e,task:s,measured:n,mute_routes:o,copy_routes:i,gates:r}=$();if(t!=="ready"||!s)return"";const a={model:e,data:s.name,samples:n,iterations:fe()?null:$().iterations,mute_routes:o.join(","),copy_routes:i.join(","),gates:$s(r),controls:"0"};return"/evaluations/stream"+Re(a)}const at=Tn({owner:"blocks",pathOf:bi,subscribePage:t=>Mt(t)}),{state:A}=at,we=()=>A.evaluation?.accuracy?A.evaluation:null;function $i(){const{measured:t}=$(),e=A.evaluation?A.evaluation.data:[],s=h`<${Kt}
    id="blocks-measured"
    look="small-input"
    options=${un(mi,t)}
    chosen=${String(t)}
    onChoose=${n=>O({measured:Number(n)})}
  />`;return h`<div class="blocks-bar">
    ${ze("Samples","blocks-measured",s)}
    <span class="caption"
      >${e.map(({title:n,stand_in:o})=>n+(o?", a stand-in":"")).join("; ")}</span
    >
  </div>`}const Is=({intervention:{mute_routes:t,copy_routes:e,gates:s,drop:n,iterations:o}})=>![t,e,n,Object.keys(s??{})].some(i=>i?.length)&&!o;function Ds({part:t,mark:e}){const s=t&&t.evaluation,n=s!==null&&Is(s),{accuracy:o,change:i,loss:r}=Je(s),a=Je(s?.baseline?{...s,...s.baseline,change:null}:null),c=n?{...i,value:Ve,detail:"nothing is changed",mood:""}:i,l=t?t.where:"",u=d=>"blocks-number-"+d+e;return h`
    <${ft} id=${u("baseline")} ...${gt({...a.accuracy,name:"Full model"},l)} />
    <${ft} id=${u("accuracy")} main=${!0} ...${gt({...o,name:"As steered"},l)} />
    <${ft} id=${u("change")} main=${!0} ...${gt(c,l)} />
    <${ft} ...${gt(r,l)} />
  `}function wi(){const{evaluation:t,fresh:e}=A,[s=null,n]=t?He(t):[];return h`<div class="numbers blocks-numbers" data-fresh=${String(e)}>
    <${Ds} part=${s} mark="" />${n&&h`<${Ds} part=${n} mark="-out" />`}
  </div>`}function ki(t){const{task:e,iterations:s}=$(),n=Is(t)?" Mute a route or fix a gate to see its effect.":"",o=e&&s&&!t.intervention.iterations;return n+(o?" Scored after "+e.iterations+" iterations, as in training.":"")}const yi=t=>jn(t,{waiting:"Measured once this is in view.",after:ki});function It(t){if((t.by_kind??[]).length<2)return["right answer",qe(t,"by_label")];const{task:e}=$();return[e&&e.outputs.length>1?"output asked for":"subtask",qe(t,"by_kind")]}const ke=(t,e)=>Nn(t,e,{named:"as steered",room:2});function js(t,e){const[s,n]=It(t);return n.length>1?Pn(n,s,t,e):null}function vi(t,e){const[s,n]=[ke(t,e),js(t,e)];return n?{...s,height:s.height+n.height,desc:s.desc+" "+n.desc,items:[...s.items,...n.items.map(o=>Fn(o,0,s.height))]}:s}function Ns(t){const{name:e,lossUnit:s}=Ht(t.measure),n=[["what","samples","value","low","high","as_it_is","change","change_low","change_high"]],o=a=>a?[a.value,a.low??"",a.high??""]:["","",""];for(const{where:a,count:c,evaluation:l}of He(t)){const u=c??Ln(t);for(const d of["accuracy","loss"]){const p=d==="loss"?"loss"+(s?" in "+s:""):e,g=l.baseline?l.baseline[d].value:"";l[d]&&n.push([p+(a&&", "+a),u,...o(l[d]),g,...o(l.change?.[d])])}}const[i,r]=It(t);for(const{name:a,distribution:c,count:l,accuracy:u,low:d,high:p,baseline:g,change:w,change_low:f,change_high:b}of r)n.push([i+" "+a+(c?", "+c:""),l,u,d,p,g,w,f,b]);return n}function xi(){const t=we();return t?{name:"blocks-accuracy",facts:Dn(t,["drop","mute_routes","copy_routes","gates","iterations"]),python:{figure:"accuracy"},rows:()=>Ns(t),json:()=>({result:t}),picture:{scene:e=>vi(t,e??Ts)}}:null}function Mi(t){const e=Ht(t.measure);return"Task "+e.name+", "+Cn(t)+": "+Be(e,t.accuracy?.value??0)}function Oi(t){const e=Ht(t.measure),[s,n]=It(t),o=n.map(({name:i,accuracy:r})=>i+" "+Be(e,r)).join("; ");return e.title+" by "+s+": "+o}const Cs=({scene:t,label:e})=>h`<${Ue}
    look="drop-picture"
    widest=${Ts}
    height=${150}
    data=${{"data-fresh":String(A.fresh),"data-state":A.status}}
    scene=${s=>{const n=we();return n&&t(n,s)}}
    drawn=${()=>A.evaluation?.id??""}
    label=${()=>A.evaluation?e(A.evaluation):""}
  />`;function _i(){const t=F(null),e=we();return Gt(()=>{const s=[Mt(({model:n},o)=>o.has("info")&&A.evaluation&&A.evaluation.model!==n&&at.forget()),at.watch(t.current),at.leave];return()=>s.forEach(n=>n())},[]),h`<div ref=${t}>
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
        <${Cs} scene=${ke} label=${Mi} />
        ${(!e||It(e)[1].length>1)&&h`<${Cs} scene=${js} label=${Oi} />`}
      </div>
      <${Vt}
        words="The task accuracy as a table"
        data=${{"data-blocks-table":"accuracy"}}
        caption=${()=>(e&&ke(e,640).desc)??""}
        rows=${e&&(()=>Ns(e))}
      />
    <//>
  </div>`}const ye=new Map([["0","0, copied"],["0.25","0.25"],["0.5","0.5, half of each"],["0.75","0.75"],["1","1, computed"]]),Ps=()=>{const{mute_routes:t,copy_routes:e,gates:s}=$();return{mute_routes:t,copy_routes:e,gates:s}},Si={mute_routes:[],copy_routes:[],gates:{}},C=ht([]);let U="";function Ei(){const t=pt(()=>{const{model:e,status:s}=$(),[n,o]=[JSON.stringify(Ps()),e+" "];s==="ready"&&(U.startsWith(o)&&U!==o+n?C.value=[...C.peek(),U.slice(o.length)].slice(-100):U.startsWith(o)||(C.value=[]),U=o+n)});return()=>{t(),[C.value,U]=[[],""]}}function Ai(){const t=C.value.at(-1);if(t===void 0)return;const e=C.value.slice(0,-1);O(JSON.parse(t)),C.value=e}const Ls=t=>t.replace(">"," \u2192 ");function Ti({mute_routes:t,copy_routes:e,gates:s}){const{toggleMute:n,toggleCopy:o,setGate:i}=Et;return[...t.map(r=>({key:"mute "+r,kind:"muted",words:Ls(r),remove:()=>n(...st(r))})),...e.map(r=>({key:"copy "+r,kind:"forced copy",words:Ls(r),remove:()=>o(...st(r))})),...Object.entries(s).map(([r,a])=>({key:"gate "+r,kind:"gate fixed",words:r+" at "+(ye.get(String(a))||Number(a.toPrecision(3))),remove:()=>i(r,null)}))]}const Ii=t=>Rn(t)||"no intervention";function Di({key:t,kind:e,words:s,remove:n}){const o=({currentTarget:r})=>{const a=r.closest("li"),c=a?.nextElementSibling||a?.previousElementSibling;(c?c.querySelector("button"):document.getElementById("blocks-undo"))?.focus(),n()},i="Take back: "+e+" "+s;return h`<li key=${t} data-intervention=${t}>
    <span class="control-name">${e}</span><span class="blocks-what">${s}</span
    ><button type="button" class="tool" title="Take back" aria-label=${i} onClick=${o}>×</button>
  </li>`}function ji(){const t=Ti(Ps()),e=t.length?t.length+(t.length===1?" intervention":" interventions"):"";return h`<div class="blocks-interventions">
    <ul class="blocks-list" aria-label="Interventions" hidden=${!t.length}>
      ${t.map(Di)}
    </ul>
    <p class="hint" hidden=${t.length>0}>No intervention.</p>
    <div class="blocks-bar">
      <span class="caption" role="status" id="blocks-intervened">${e}</span>
      <${D} id="blocks-undo" wait=${!C.value.length} act=${Ai}>Undo<//>
      <${D} id="blocks-clear" wait=${!t.length} act=${()=>O(Si)}>Clear all<//>
    </div>
  </div>`}const Fs=(t,e)=>t.includes(e)?e:t[0]??"",Dt=ht({block:"",source:""});function Ni(){const{levels:t,gates:e,mute_routes:s,copy_routes:n}=$(),o=t.slice(1),i=Fs(o.flat(),Dt.value.block),r=he(i),a=Fs(r,Dt.value.source),c=!i,l=o.map((m,y)=>h`<optgroup key=${y} label=${y+2===t.length?"Output":"Level "+(y+1)}>
        ${m.map(k=>h`<option key=${k} value=${k}>${k}</option>`)}
      </optgroup>`),u=({currentTarget:{value:m}})=>Dt.value={block:m,source:a},d=i in e?String(e[i]):"",p=d&&!ye.has(d)?[[d,d]]:[],g=K(a,i),w=(m,y,k,_)=>h`<${D} id=${m} pressed=${y} wait=${c} act=${()=>_(a,i)}>${k[y?1:0]}<//>`,f=(m,y,k,_,I)=>ze(m,y,h`<${Kt} ...${{id:y,options:k,wait:c}} look="small-input" chosen=${_} onChoose=${I} />`),b=i?[["","free, as learned"],...ye,...p]:[],x=r.map(m=>[m,m]);return h`<div class="blocks-steering">
    <div class="blocks-bar">
      <div class="control">
        <label class="control-name" for="blocks-block">Block</label>
        <select class="small-input" id="blocks-block" value=${i} disabled=${c} onChange=${u}>
          ${l}
        </select>
      </div>
      ${f("reads","blocks-source",x,a,m=>Dt.value={block:i,source:m})}
      ${w("blocks-mute",s.includes(g),["Mute","Unmute"],ms)}
      ${w("blocks-copy",n.includes(g),["Force copy","No forced copy"],bs)}
    </div>
    <div class="blocks-bar">
      ${f("Its gate","blocks-gate",b,d,m=>pe(i,m===""?null:Number(m)))}
    </div>
  </div>`}const Ci=()=>h`<${B}
    id="blocks-steer"
    title="Interventions"
    tag="caused"
    reads="Mute a route, force a copy, or fix a gate (0 copies, 1 computes)."
    more="A muted route takes no part. A forced copy makes the block a copy of its source. A click in the picture opens the same choices."
  >
    <${ji} /><${Ni} />
  <//>`;function*ve(t){for(let e=0;e<t.iterations;e+=1)for(let s=1;s<=t.depth;s+=1)for(let n=0;n<t.levels[s].length;n+=1)yield{t:e,level:s,index:n}}const Pi=t=>[["iteration","level","block","made","gate","in terms of the input","digit"],...Array.from(ve(t),e=>{const s=e.level===t.depth?t.answer(e.t,e.index):null,n=s?.right===!1?" (rule: "+s.truth+")":"";return[e.t+1,e.level,t.name(e),kt(t,e).long,t.shares(e).gate.toFixed(3),yt(t,e).long,s?s.digit+n:t.digits(e).join(" or ")]})];function Rs({model:t,revision:e,input:s,task:n,iterations:o,intervention:i,baseline:r}){const{drop:a=[],mute_routes:c=[],copy_routes:l=[],gates:u={}}=i,d=r?"under intervention":"observed";return{model:t,revision:e,seed:null,sample:s.sample,task:n,input:s,iterations:o,drop:a,mute_routes:c,copy_routes:l,gates:u,kind:d}}function Li(t){const e=[["step","iteration","level","block","source","weight","gate","share_of_block"]];for(const s of ve(t)){const n=t.step(s.t,s.level),{sources:o,gate:i}=t.shares(s);for(const{name:r,weight:a,share:c}of o)e.push([n.name,s.t+1,s.level,t.name(s),r,a,i,c])}return e}function Fi(t){const e=t.levels[0];return{levels:t.levels,answers:t.run.answers.map(({probabilities:s,...n})=>n),first_wrong:t.run.first_wrong,blocks:Array.from(ve(t),s=>{const{sources:n,gate:o}=t.shares(s),i=t.origin(s);return{step:t.step(s.t,s.level).name,block:t.name(s),gate:o,weights:Object.fromEntries(n.map(({name:r,weight:a})=>[r,a])),made:kt(t,s).kind,of_inputs:Object.fromEntries(e.map((r,a)=>[r,i[a]])),of_computed:i[e.length],numbers:Array.from(t.values(s))}})}}function Ri(){const{view:t}=E(),e=Tt;return!t||!e?null:{name:"blocks",facts:Rs(t.run),python:{figure:"blocks",input:t.run.input},rows:()=>Li(t),json:()=>Fi(t),picture:e}}const xe="\u2717",Me=()=>E(),Oe=({intervention:t})=>Ii(t);function jt(t){const e={key:"network",name:t.model,about:t.baseline?Oe(t):"",answers:t.answers},s=t.baseline?[{key:"baseline",name:t.model,about:"without intervention",answers:t.baseline}]:[],n=t.others.map(({model:o,family:i,answers:r})=>({key:o,name:o,about:i,answers:r}));return[e,...s,...n]}const lt=t=>t.levels[t.levels.length-1],zs=new WeakMap,_e=(t,e)=>{const s=t.probabilities.shape[1],n=zs.get(t)||dt(t.probabilities);return zs.set(t,n),n.subarray(e*s,(e+1)*s)},Bs=t=>(t>.9995?"> 99.9":hn(t))+" %";function Se(t){const{first_wrong:e,answers:s,iterations:n}=t;if(!s.some(c=>c.right.some(l=>l!==null)))return{words:"The right answer is not known: the picture has no label.",right:null};if(!e)return{words:n===1?"Right.":"Right after each of the "+n+" iterations.",right:!0};const i=lt(t).indexOf(e.output),r=s[e.iteration-1];return{words:(n===1?"Wrong: ":"First wrong after iteration "+e.iteration+": ")+e.output+" is "+r.digits[i]+" instead of "+r.true[i]+".",right:!1}}function zi(){const{run:t,fresh:e}=Me(),{words:s,right:n}=t?Se(t):{words:"",right:null};return h`<p class="blocks-verdict" role="status" data-right=${String(n)} data-fresh=${String(e)}>
    ${(n===!1?xe+" ":n?"\u2713 ":"")+s}
  </p>`}const Ws=t=>t==null?Ve:String(t);function Bi(t,e){const s=Array.from(t,(n,o)=>{const i=Math.max(4,100*n)+"%";return h`<span class="blocks-spread-bar" data-true=${o===e||null} style=${{height:i}}></span>`});return h`<span class="blocks-spread" aria-hidden="true">${s}</span>`}const Ee=t=>t.map(e=>h`<span class="blocks-said">${Ws(e)}</span>`);function Wi({answer:t,outputs:e,before:s}){const n=e.map((r,a)=>{const c=t.digits[a],l=t.right[a],u=!!(s&&s.digits[a]!==c),d=r+": "+c+", "+Bs(_e(t,a)[c])+(l===!1?"; the rule says "+t.true[a]:"")+(s&&u?"; "+s.digits[a]+" without intervention":""),p=h`<span class="blocks-cross">${xe}<span class="hidden-visually">${" wrong"}</span></span>`;return h`<span
      class="blocks-said"
      title=${d}
      data-right=${String(l)}
      data-moved=${String(u)}
      data-output=${r}
      >${c}${l===!1&&p}</span
    >`}),o=h`<span class="blocks-answer">${n}</span>`;if(e.length===1){const r=_e(t,0),a=Bs(r[t.digits[0]]);return[o,h`<span class="caption">${a}</span>`,Bi(r,t.true[0])]}const i=t.follows&&t.right.includes(!1);return[o,i&&h`<span class="hint">as the rule goes from its own digits</span>`]}function Gi({run:t,systems:e,names:s}){const n=s.length>1&&h`<span class="blocks-answer blocks-letters" aria-hidden="true">${Ee(s)}</span>`,o=(r,a)=>h`<th scope="col">
      <span class="blocks-system">${r}</span>
      ${[a&&h`<span class="blocks-about" title=${a}>${a}</span>`,n]}
    </th>`,i=t.input.sample!==void 0;return h`<tr>
    <th scope="col"><span class="blocks-system">iteration</span></th>
    ${i?o("label","of the picture"):o("rule","of the task")}
    ${e.map(({name:r,about:a})=>o(r,a))}
    ${!i&&h`<th scope="col"><span class="blocks-system">what the rule does here</span></th>`}
  </tr>`}function Ki(){const{step:t,levels:e}=$();return t===null||e.length<2?-1:Math.floor(t/(e.length-1))}function Hi({run:t,systems:e,names:s,at:n}){const o=dn(()=>Ki()===n),i=t.input.sample!==void 0,r=t.answers[n],{iterations:a}=$().task||t,c=e.map(({key:l,answers:u})=>{const d=l==="network"&&t.baseline?t.baseline[n]:null;return h`<td key=${l} data-system=${l}>
      <${Wi} answer=${u[n]} outputs=${s} before=${d} />
    </td>`});return h`<tr data-iteration-row=${n} aria-current=${o.value?"step":null}>
    <th scope="row">
      <button
        type="button"
        class="tool tool-text"
        title="Look at this iteration in the picture"
        data-look=${n}
        onClick=${()=>O({step:n*(t.levels.length-1)})}
      >
        ${n+1}
      </button>
      <span class="blocks-row-task">${i?"strips "+r.subtask:r.subtask}</span>
      ${n>=a&&h`<span class="tag" title=${"It was trained on "+a}>beyond training</span>`}
    </th>
    <td data-system="rule"><span class="blocks-answer">${Ee(r.true)}</span></td>
    ${c}
    ${!i&&h`<td class="blocks-why">${r.explanation||r.follows===!1&&"not followed here"}</td>`}
  </tr>`}function Ui({run:t,systems:e,names:s}){const{digits:n}=t.input;if(!n||n.length!==s.length)return null;const o=()=>h`<td><span class="blocks-answer">${Ee(n)}</span></td>`;return h`<tr class="blocks-given">
    <th scope="row">given</th>
    ${["rule",...e].map(o)}
    <td></td>
  </tr>`}function qi(t){const e=lt(t),s={run:t,names:e,systems:jt(t)};return h`<table class="figures blocks-table">
    <caption class="hidden-visually">
      ${"Answers of "+t.model+", "+Oe(t)+". "+Se(t).words}
    </caption>
    <thead>
      <${Gi} ...${s} />
    </thead>
    <tbody>
      <${Ui} ...${s} />
      ${t.answers.map((n,o)=>h`<${Hi} key=${o} ...${s} at=${o} />`)}
    </tbody>
  </table>`}function Ji(){const{run:t,problem:e,status:s,fresh:n}=Me();return h`<${B}
    id="blocks-answers"
    title="Answers"
    reads="The model's answer after each iteration, beside the rule of the task and models without routes. A red cross marks an error."
    more="An error is a digit that differs from the rule. Small bars are the probabilities of the ten digits, 0 to 9."
    formats=${["svg","png","csv","json"]}
    written=${Zi}
  >
    <${zi} />
    <div
      class="table-scroll blocks-answers"
      tabindex="0"
      role="region"
      aria-label="Answers by iteration"
      data-status=${s}
      data-fresh=${String(n)}
    >
      ${t?qi(t):e?h`<div class="message" role="alert">${Jt(e.title,e.detail)}</div>`:h`<div class="skeleton blocks-skeleton" aria-hidden="true"></div>`}
    </div>
  <//>`}function Vi(t){const e=[["iteration","subtask","network","about","output","digit","rule","right","probability"]],s=lt(t);for(const{name:n,about:o,answers:i}of jt(t))for(const r of i)s.forEach((a,c)=>e.push([r.iteration,r.subtask,n,o,a,r.digits[c],r.true[c]??"",r.right[c]??"",_e(r,c)[r.digits[c]]]));return e}function Yi(t){const e=lt(t),s=[{name:t.input.sample===void 0?"rule":"label",about:"",answers:t.answers.map(f=>({digits:f.true,right:[]}))},...jt(t)],[n,o,i,r]=[170,24,26,66],a=Math.max(140,e.length*o+26),c=n+s.length*a,l=(f,b)=>n+b*a,{words:u}=Se(t),d=r+i*t.answers.length+34,p=f=>r+i*f+14,g=e.length>1?s.flatMap((f,b)=>e.map((x,m)=>({name:x,x:l(f,b)+m*o}))):[],w=s.flatMap(({answers:f},b)=>f.flatMap((x,m)=>x.digits.map((y,k)=>{const _=x.right[k]===!1;return{x:l(x,b)+k*o,y:p(m),said:Ws(y)+(_?xe:""),wrong:_}})));return Yt({width:c,height:d,title:"Answers of "+t.model+" by iteration",desc:u+" "+Oe(t)+".",marks:[R(s,{x:l,y:20,down:0,text:({name:f})=>f,weight:650,room:a-8}),R(s,{x:l,y:36,down:0,text:({about:f})=>f,size:11,fill:"dim",room:a-8}),R(g,{x:f=>f.x,y:54,down:0,text:({name:f})=>f,size:11,fill:"dim"}),zn(t.answers,{x:[0,c],y:(f,b)=>p(b)-18}),R(t.answers,{x:4,y:(f,b)=>p(b),down:0,text:({iteration:f,subtask:b})=>f+"  "+b,fill:"dim",room:n-12}),R(w,{x:f=>f.x,y:f=>f.y,down:0,text:({said:f})=>f,size:14,weight:({wrong:f})=>f?700:450,fill:({wrong:f})=>f?"bad":"ink"}),R([u],{x:4,y:d-12,down:0,fill:"dim",room:c-8})]})}function Zi(){const{run:t}=Me();if(!t)return null;const e=({iteration:s,subtask:n,digits:o,true:i,right:r,follows:a,explanation:c})=>({iteration:s,subtask:n,digits:o,rule:i,right:r,follows:a,explanation:c});return{name:"blocks-answers",facts:Rs(t),python:{figure:"block-answers",input:t.input},rows:()=>Vi(t),json:()=>({outputs:lt(t),answers:jt(t).map(({name:s,about:n,answers:o})=>({network:s,about:n,answers:o.map(e)}))}),picture:{scene:()=>Yi(t)}}}const Gs="mnist",q=20,Nt=28,Ks=t=>t!==null&&t.inputs==="picture";function Xi({run:t},e){if(!t||!t.picture||t.task!==e.name)return null;const s=dt(t.picture),n=e.permutations[t.input.permutation??0],o=s.length/n.length,i=[];return n.forEach((r,a)=>i[r]=s.subarray(a*o,(a+1)*o)),i}function Qi(t,e,s){const n=t.getContext("2d"),o=n.createImageData(Nt,Nt);s.forEach((i,r)=>e[i].forEach((a,c)=>{const l=Math.round(255*a);o.data.set([l,l,l,255],4*(r*e[i].length+c))})),n.putImageData(o,0,0),t.dataset.painted=s.join("")}function tr({order:t,at:e,chosen:s,strips:n}){const o=F(null);Z(()=>{n&&o.current&&Qi(o.current,n,t)},[t,n]);const i=t.map(a=>a+1),r="Strips in the order "+i.join(" ");return h`<button
    type="button"
    class="thumb blocks-permutation"
    data-permutation=${e}
    aria-label=${r}
    title=${r}
    aria-pressed=${String(s)}
    onClick=${()=>O({permutation:e})}
  >
    <canvas ref=${o} width=${Nt} height=${Nt} class="pixels" aria-hidden="true"></canvas>
    <span class="thumb-caption">${i.join("")}</span>
  </button>`}function er({task:t}){const{permutation:e}=$(),s=Xi(E(),t),n=t.permutations.map((o,i)=>h`<${tr} key=${i} order=${o} at=${i} chosen=${i===e} strips=${s} />`);return h`<div class="blocks-permutations">
    <p class="small-title" id="blocks-permutations-title">Order of the strips</p>
    <div class="thumbs" role="group" aria-labelledby="blocks-permutations-title">${n}</div>
  </div>`}const Hs=t=>$().sample||(t.example||{}).sample;function sr({reply:t,sample:e}){const s=F(null),n=Math.max(0,t.items.findIndex(({id:o})=>o===e));return Z(()=>s.current?.querySelectorAll("button").forEach((o,i)=>o.tabIndex=i===n?0:-1),[t,n]),h`<div ref=${s} class="thumbs" role="group" aria-label="Digits" data-gallery="blocks">
    ${t.items.map(({id:o,label:i,image:r,name:a})=>h`<button
          key=${o}
          type="button"
          class="thumb"
          data-pick-sample=${o}
          aria-label=${"Digit "+i+", "+a}
          title=${a}
          aria-pressed=${String(o===e)}
        >
          <img src=${r} alt="" width="44" height="44" class="pixels" loading="lazy" />
          <span class="thumb-caption">${i}</span>
        </button>`)}
  </div>`}const Us=ht(null);function qs(t){const e=new RegExp("^"+Gs+"\\.[a-z]+\\.(\\d+)$").exec(Hs(t)??"");return Us.value??(e?Math.floor(Number(e[1])/q)*q:0)}const Ae=Wt(()=>{const{task:t}=$();return Ks(t)?String(qs(t)):null},(t,e)=>Y("GET","/samples"+Re({origin:"data",set:Gs,limit:q,offset:Number(t)||null}),void 0,{signal:e})),{follow:nr}=Ae;function or({task:t}){const{items:e,total:s}=Ae.latest()??{items:[],total:0},n=qs(t),o=s?n+1+" to "+(n+e.length)+" of "+s.toLocaleString("en"):"",i=(r,a,c,l)=>h`<${D} look="tool" title=${a} label=${a} wait=${l} act=${()=>Us.value=c}
      >${We(r)}<//
    >`;return h`<div class="blocks-gallery">
    <p class="small-title">Digits that the network was not trained on</p>
    <p class="hint danger" role="alert">${Ae.problem()?.message}</p>
    <${sr} reply=${{items:e,total:s}} sample=${Hs(t)} />
    <div class="pager">
      <span class="caption" role="status">${o}</span>
      ${i("previous","Digits before",n-q,n<=0)}
      ${i("next","Next digits",n+q,n+q>=s)}
    </div>
  </div>`}const ir="Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke.";function rr(){const t=(s,n,o="tool tool-text")=>h`<button type="button" class=${o} disabled data-pad=${s}>${n}</button>`,e=document.querySelector(".page-blocks")?.dataset.maxBytes;return h`<details class="as-table blocks-bring">
    <summary>Draw a digit, or bring a picture</summary>
    <div class="bring">
      <div class="pad" data-widget="drawing-pad" data-empty="true">
        <div class="pad-frame">
          <canvas id="blocks-pad" tabindex="0" role="img" aria-label=${ir}></canvas>
          <span class="pad-hint" aria-hidden="true">draw a digit</span>
        </div>
        <div class="pad-tools">
          ${t("undo","Undo")}${t("clear","Clear")}${t("save","Use drawing","button")}
        </div>
      </div>
      <div class="upload" data-widget="upload" data-max-bytes=${e}></div>
    </div>
  </details>`}function ar(){const{task:t}=$();return Ks(t)?h`<div class="blocks-image"><${er} task=${t} /><${or} task=${t} /><${rr} /></div>`:null}const[J,lr]=[196,300],Js=[[],[6,4],[2,3],[8,3,2,3],[10,4]],Vs=/^gates\.(?:l?(\d+))(?:\.mean)?$/,Te=t=>"MFNNR "+t,ct=t=>t.slice(t.indexOf(".")+1),cr=[{title:"Accuracy, %",percent:!0,takes:/^accuracy\./,named:ct},{title:"Training loss",log:!0,takes:/^loss(\.|$)/,named:t=>t==="loss"?"train":ct(t)},{title:"Sharpness",takes:/^sharpness(\.|$)/,named:t=>t==="sharpness"?"all":Te(ct(t).replace(/^l/,""))},{title:"Fairness; difference of permutations",takes:/^(fairness|difference)$/,named:t=>t},{title:"Share of each input",takes:/^shares\./,named:ct},{title:"Mean gate: 0 copied, 1 computed",takes:Vs,named:t=>Te(Vs.exec(t)?.[1]??"")},{title:"Gates below 0.1: copied",takes:/^gates\..*\.copied$/,named:t=>Te(ct(t).replace(/^l|\.copied$/g,""))}];function Ie(){const{status:t,info:e}=$();return t==="ready"&&e?.card?.history&&Object.keys(e.card.history).length?e.id+" "+e.revision:null}const P=Wt(Ie,(t,e)=>Y("GET","/models/"+encodeURIComponent(t.split(" ")[0])+"/indicators",void 0,{signal:e})),{follow:ur}=P,dr=t=>t>-3?Ke(10**t):"1e\u2212"+Ut(-t,0);function hr(t,e){const[s,n]=[Math.min(...t),Math.max(...t)],[o,i]=[Math.ceil(s),Math.floor(n)],r=Array.from({length:Math.max(0,i-o+1)},(l,u)=>o+u),a=r.length>1?r:[...new Set([s,n])],c=.05*(n-s||1);return Zt([s-c,n+c],e,{ticks:a,named:dr})}function pr({title:t,percent:e,log:s},n,o,i){const{units:r}=Ce(),a=n.map((m,y)=>({stroke:r[y%r.length],dash:Js[y%Js.length]})),c=Wn([{text:t,key:"none",ink:"ink",weight:600},...n.map(({name:m},y)=>({text:m,ink:"ink",...a[y]}))],{x:4,y:12,width:i}),[l,u,d,p]=[42,i-16,c.height+10,J-38],g=Zt([0,Math.max(1,...o)],[l,u],{most:4,round:!1,named:m=>m?pn(m):"0"}),w=m=>s?Math.log10(m):e?100*m:m,f=n.map(({name:m,values:y})=>y.flatMap((k,_)=>k===null||s&&k<=0?[]:[{name:m,step:o[_],value:k,y:w(k)}])),b=s?hr(f.flat().map(m=>m.y),[p,d]):Zt([0,e?102:1.02],[p,d],{ticks:e?[0,25,50,75,100]:[0,.25,.5,.75,1],named:e?String:m=>Ut(m,m%.5?2:1)}),x=({name:m,step:y,value:k})=>m+": "+(e?Ut(100*k,1)+" %":Ke(k))+" after "+Ge(y)+" steps";return Yt({width:i,height:J,title:t,desc:t,marks:[Gn(b,[l,u],{strong:null}),Kn(g,[d,p],{strong:null}),R(["training step"],{x:(l+u)/2,y:J-9,fill:"dim",anchor:"middle",size:11}),f.map((m,y)=>[Hn(m,{x:({step:k})=>g(k),y:k=>b(k.y),...a[y]}),Un(m,{x:({step:k})=>g(k),y:k=>b(k.y),r:m.length>1?1.5:3.5,fill:a[y].stroke,words:x})]),c.marks]})}function Ys({model:t,steps:e,series:s},n){const o=s.filter(({values:c})=>c.some(l=>l!==null)),i=cr.map(c=>({about:c,series:o.filter(({name:l})=>c.takes.test(l)).map(({name:l,values:u})=>({name:c.named(l),values:u}))})).filter(c=>c.series.length),r=Math.max(1,Math.min(i.length,Math.floor(n/lr))),a=Math.floor((n-24*(r-1))/r);return Yt({width:n,height:J*Math.ceil(i.length/r),title:"Indicators of "+t+" over training",desc:i.map(({about:c,series:l})=>c.title+": "+l.map(({name:u})=>u).join(", ")).join("; "),marks:i.map(({about:c,series:l},u)=>Bn(pr(c,l,e,a),u%r*(a+24),Math.floor(u/r)*J))})}const Zs=({steps:t,series:e})=>[["step",...e.map(({name:s})=>s)],...t.map((s,n)=>[s,...e.map(({values:o})=>o[n]??"")])];function fr(){const t=P.answer(),{status:e}=$();if(P.problem())return P.problem()?.message;if(e==="ready"&&Ie()===null)return"This model has no training history.";if(!t)return"Loading the training history";const{steps:s}=t;return s.length+" measurements over "+Ge(s[s.length-1]||0)+" training steps."}function gr(){const t=P.answer();if(!t)return null;const{model:e,revision:s,steps:n,series:o}=t,i=$().info?.card?.settings;return{name:"blocks-indicators",facts:{model:e,revision:s,seed:i?.seed??null,drop:[],kind:"observed"},python:{figure:"indicators"},rows:()=>Zs(t),json:()=>({steps:n,series:o}),picture:{scene:r=>Ys(t,r??1080)}}}function mr(){const t=P.answer();return h`<${B}
    id="blocks-indicators"
    title="Over training"
    tag="observed"
    reads="Indicators against training steps: sharpness of the weights, fairness over the inputs, and the difference between permutations (0: none)."
    more="Sharpness: mean of the largest weight of each block. Fairness: evenness of the weight over the inputs. Difference: between permutations after undoing them."
    formats=${["svg","png","csv","json"]}
    written=${gr}
  >
    <p class="hint" role="status">${fr()}</p>
    ${Ie()!==null&&h`<${Ue}
          id="plot-blocks-indicators"
          height=${2*J}
          scene=${e=>{const s=P.answer();return s&&Ys(s,e)}}
          drawn=${()=>P.answer()?.model??""}
          label=${({title:e,desc:s})=>e+". "+s}
        />
        <${Vt}
          words="The indicators as a table"
          data=${{"data-blocks-table":"indicators"}}
          caption=${()=>"Indicators over training"}
          rows=${t&&(()=>Zs(t))}
        />`}
  <//>`}const{LONGEST:Xs,DIGIT:br}=Et,{least:V,most:De}=br,je=De-V+1,Ct=()=>$().digits,Qs=t=>Math.floor(Math.random()*t),Pt=(t,e)=>O({digits:Ct().map((s,n)=>n===t?e:s)}),tn=t=>"blocks-digit-"+t,Lt=t=>document.getElementById(tn(t))?.focus();function $r({name:t,at:e,digit:s}){const n=F(null);Z(()=>{n.current===document.activeElement&&n.current?.select()},[s]);const o=u=>Pt(e,V+(Ct()[e]-V+u+je)%je),i={ArrowUp:()=>o(1),ArrowDown:()=>o(-1),ArrowLeft:()=>Lt(e-1),ArrowRight:()=>Lt(e+1),Home:()=>Pt(e,V),End:()=>Pt(e,De),Backspace:()=>Lt(e-1)},r=u=>{u.ctrlKey||u.metaKey||u.altKey||!i[u.key]||(u.preventDefault(),i[u.key]())},a=({data:u,currentTarget:d})=>{const p=(u||d.value).replace(/\D/g,"");p&&(Pt(e,Number(p[p.length-1])),Lt(e+1)),d.value=String(Ct()[e])},c=u=>{const d=u.clipboardData?.getData("text").replace(/\D/g,"");d&&(u.preventDefault(),O({digits:Ct().map((p,g)=>Number(d[g-e]??p))}))},l=(u,d,p)=>h`<button
      type="button"
      class="blocks-arrow"
      tabindex="-1"
      aria-label=${t+": "+u}
      onClick=${()=>o(p)}
    >
      ${d}
    </button>`;return h`<div class="blocks-stepper">
    <span class="control-name" aria-hidden="true">${t}</span>
    ${l("one up","\u25B4",1)}
    <input
      ref=${n}
      class="blocks-digit"
      id=${tn(e)}
      type="text"
      inputmode="numeric"
      autocomplete="off"
      role="spinbutton"
      aria-label=${t}
      aria-valuemin=${V}
      aria-valuemax=${De}
      aria-valuenow=${s}
      data-digit=${e}
      value=${String(s)}
      onKeyDown=${r}
      onFocus=${()=>n.current?.select()}
      onInput=${a}
      onPaste=${c}
    />
    ${l("one down","\u25BE",-1)}
  </div>`}function wr(){const{task:t,digits:e,program:s}=$(),n=t?t.subtasks.length:0;O({digits:e.map(()=>V+Qs(je)),program:s.map(()=>Qs(n))})}function kr(){const{task:t,digits:e,model:s}=$();return!t||t.inputs!=="digits"||!t.values.length?null:h`<div class="blocks-digits">
    <div class="blocks-steppers" role="group" aria-label="Digits">
      ${t.values.map((n,o)=>h`<${$r} key=${n} name=${n} at=${o} digit=${e[o]??0} />`)}
    </div>
    <${D} id="blocks-random" act=${wr}>Random<//>
    <a class="tool tool-text" href=${gn("samples",{model:s,set:t.name})} onClick=${fn}
      >From the data set</a
    >
  </div>`}function yr(t,e){const s=$().program,n=Math.max(s.length,t+1,Math.min(et(),Xs)),o=Array.from({length:n},(i,r)=>s[r%s.length]);o[t]=e,O({program:o})}const vr=({subtasks:t,program:e})=>h`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${e.map((s,n)=>h`<div key=${n} class="blocks-iteration">
          <span class="control-name" aria-hidden="true">${n+1}</span>
          <${Kt}
            id=${"blocks-iteration-"+n}
            look="small-input"
            label=${"Subtask of iteration "+(n+1)}
            options=${t.map((o,i)=>[String(i),i+1+" "+o])}
            chosen=${String(s)}
            onChoose=${o=>yr(n,Number(o))}
          />
        </div>`)}
  </div>`;function xr(){const{task:t,program:e}=$();if(!t||t.inputs!=="digits"||t.subtasks.length<2||!e.length)return null;if(t.iterations===1)return h`<div class="blocks-program">
      <${Le}
        id="blocks-subtask"
        label="Subtask"
        options=${t.subtasks.map((o,i)=>[String(i),o])}
        chosen=${String(e[0])}
        onChoose=${o=>O({program:[Number(o)]})}
      />
    </div>`;const s=et(),n=Array.from({length:Math.min(s,Xs)},(o,i)=>e[i%e.length]);return h`<div class="blocks-program">
    <${vr} subtasks=${t.subtasks} program=${n} />
    <p class="hint" id="blocks-program-said">
      ${s>n.length&&"The program repeats: "+s+" iterations run."}
    </p>
  </div>`}const Mr=()=>h`<${B}
    id="blocks-inputs"
    title="Input"
    reads="Digits and a program, or the picture of a digit."
    more="Type the digits or change them with the arrow keys. Each iteration has its own subtask. A picture of a digit is cut into four strips, which lie in one of eight orders."
  >
    <${kr} /><${xr} /><${ar} />
  <//>`;function Or(){const{info:t,task:e,levels:s}=$();if(!t||!e)return null;const n=s.map(o=>o.length).join(" \u2192 ");return h`<strong>${e.title}</strong>
    <${qn} id=${t.id} revision=${t.revision} />
    <span>${n+" blocks of "+e.block_size+" numbers"}</span>`}function _r(){const{problem:t,model:e}=$();if(!t)return null;const s=t.status===404,n=(kn()??[]).filter(({inputs:o,fields:i,constants:r})=>o==="blocks"&&[...i,...r].includes(de));return h`<div class="message blocks-problem" role="alert">
    <p class="message-title">${t.title}</p>
    <p class="message-detail">${t.detail}</p>
    <div class="graph-others">
      ${s&&n.map(({id:o})=>h`<${D} key=${o} look="button" act=${()=>ut({model:o})}>${o}<//>`)}
    </div>
    <${D}
      id="blocks-retry"
      look="button"
      hidden=${s||t.status===403}
      act=${()=>{me(e)}}
    >
      Try again
    <//>
  </div>`}function Sr(t){const{step:e,unfolded:s}=$();return e!==null&&t.steps[e]?t.at(e).t:t.run.first_wrong?t.run.first_wrong.iteration-1:Math.min(t.iterations-1,s?s.last:0)}function Er(){const{view:t}=E(),e=t?Sr(t):0,{text:s,state:n}=t?cs(t,e):{text:"",state:""};return h`<p class="blocks-sentence" aria-live="polite" data-state=${n}>
    <span class="control-name">${t&&t.iterations>1&&"Iteration "+(e+1)+": "}</span>
    ${t&&(s||t.run.answers[e].subtask)}
  </p>`}const Ar=([t,e])=>h`<span key=${t} class="legend-entry"
    ><span class="blocks-swatch" aria-hidden="true" style=${{background:e}}></span>${t}</span
  >`;function Tr(){const t=($().levels[0]||[]).map((s,n)=>[s,yn(n)]),e=[...t,...t.length?[["computed","var(--rs-ink)"]]:[]];return h`<div class="legend blocks-legend">${e.map(Ar)}</div>`}const Ir="Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";function Dr(t,e){const s=t.name(e),n=t.iterations>1?" of iteration "+(e.t+1):"";if(e.level===0)return h`<strong>${s}</strong>${n+": an input block."}`;const{sources:o,gate:i}=t.shares(e);if(e.source!==void 0){const{weight:u,share:d}=o[e.source],p="; past the gate, "+j(d)+" of the block is a copy of it.";return h`<strong>${e.name+" > "+s}</strong>${n+": weight "+u.toFixed(3)+p}`}const r=n+": "+kt(t,e).long+"; gate "+i.toFixed(3)+".",a=e.level>1&&" In terms of the input: "+yt(t,e).long+".",c=e.level===t.depth?ne(t,e):null,l=t.isFirstWrong(e)?" Wrong here: ":" Wrong: ";return h`<strong>${s}</strong
    >${r}${a}${c&&h`<span class="blocks-wrong">${l+c}.</span>`}`}function jr(){const{view:t}=E(),{hover:e}=$();return h`<div class="blocks-detail" aria-live="polite">
    ${t&&e&&e.t<t.iterations?Dr(t,e):Ir}
  </div>`}function Nr(){const{view:t}=E();return h`<${B}
    id="blocks"
    title="What each block is made of"
    tag=${fe()?"under intervention":"observed"}
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
    <${Vt}
      words="Blocks as a table"
      data=${{"data-blocks-table":"blocks"}}
      caption=${()=>"Blocks, level by level"}
      rows=${t&&(()=>Pi(t))}
    />
  <//>`}function Cr(){const t=$().status==="failed";return h`
    <div class="page-head">
      <h1>Blocks</h1>
      <div id="blocks-caption" class="caption"><${Or} /></div>
      <div class="head-actions" hidden=${t}>
        <button type="button" class="tool tool-text" data-copy-link="true">${We("link")}Copy link</button>
      </div>
    </div>
    ${t?h`<${_r} />`:h`
            <div class="blocks-grid">
              <div class="column"><${Mr} /><${Ci} /></div>
              <div class="column"><${Nr} /><${Ji} /></div>
            </div>
            <${_i} /><${mr} />
          `}
  `}mn("blocks",async({model:t,sample:e,...s})=>{ut({model:t,sample:e}),_t(s)});function Pr(){let{model:t}=$n(location.search),e=null;return pt(()=>{const{model:s,sample:n}=wn(),o=t??s;t=null,Fe(()=>{ks(n),o&&o!==e&&me(e=o)})})}const Lr=bn({Tree:Cr,choice:ge,take:_t,open(t,e){const s=e.closest(".page");_t(t);const n=[Pr(),Ms(),nr(),ur(),Ei(),pt(()=>{s.dataset.status=$().status})];return()=>{n.forEach(o=>o()),ys()}}});vn({blocks:()=>({layout:uo,picture:Tt,run:{...Zo,unpack:dt},state:Et})});export{Lr as mount};
