/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{r as Ss,J as It,aj as jt,ak as Ze,A as Qe,G as U,a0 as Dt,a5 as Es,d as tn,_ as sn,al as en,am as Nt,an as nn,ao as rt,n as at,s as p,R as C,ap as H,aq as As,T as R,S as Ct,U as lt,ar as Ts,V as on,as as rn,Z as Is,X as Lt,W as an,Y as js,t as Pt,I as Ds,x as Ns,at as ln,ae as cn,au as un,F as Rt,w as Cs,f as Ft,av as dn,aw as hn,ax as pn,ay as fn,az as gn,c as mn,i as bn,aA as $n,ah as wn,ag as kn,Q as yn}from"../../boot.js";import{i as vn,c as xn,m as Mn,b as zt,l as On,w as q,f as _n,a as Sn,B as En,o as An,p as Tn,d as Bt,e as In,P as F,g as jn,A as Gt,h as Dn,j as Ls,k as Nn,n as Ps,q as Cn,r as Ln,s as Rs,t as Pn,u as Rn,v as Fn,x as Fs,N as ct,y as ut,z as zs,C as zn,D as Wt,E as L,F as Bn,G as Gn,H as Wn,I as Kt,J as Kn,K as Un,L as Hn,M as qn,R as Jn,O as Vn}from"../../shared.js";const Bs=.06,J=({t:s,level:t,index:e})=>[s,t,e].join(),dt=({t:s,level:t,index:e,source:n})=>[s,t,e,n].join();function Ut({view:s,layout:t},e){if(e.level>0||t.column(e.t,0))return e;const n=s.levels[s.depth].indexOf(s.levels[0][e.index]);return n<0?e:{t:e.t-1,level:s.depth,index:n}}function Yn({view:s},{t,level:e,index:n}){if(e<s.depth)return{t,level:e,index:n};const o=s.levels[0].indexOf(s.levels[e][n]);return o>=0&&t+1<s.iterations?{t:t+1,level:0,index:o}:null}function Xn(s,t){const e=Ut(s,{t:t.t,level:t.level-1,index:t.source}),n=new Set([J(t),J(e)]);return{block:o=>n.has(J(o))?1:.25,ribbon:o=>dt(o)===dt(t)?3:.12}}function Zn(s,t){const{view:e}=s,[n,o]=[new Map,new Map],i=(c,u,d)=>c.set(u,Math.max(c.get(u)||0,d)),r=[];t.level>0&&r.push({t:t.t,found:e.upstream(t),low:1,high:t.level,up:!0});const a=Yn(s,t);a&&r.push({t:a.t,found:e.downstream(a),low:a.level+1,high:e.depth,up:!1});for(const{t:c,found:u,low:d,high:h,up:g}of r){for(const[$,k]of u)for(const[v,m]of k)i(n,J(Ut(s,{t:c,level:$,index:v})),m);for(let $=d;$<=h;$+=1)for(const[k,v]of u.get($)??[])for(const{source:m,weight:w}of e.shares({t:c,level:$,index:k}).sources)i(o,dt({t:c,level:$,index:k,source:m}),w*(g?v:u.get($-1)?.get(m)||0))}const l=c=>Bs+(1-Bs)*Math.min(1,2.5*(c||0));return{block:c=>Math.max(.22,l(n.get(J(c)))),ribbon:c=>1.5*l(o.get(dt(c)))}}const Qn=(s,t)=>t.source===void 0?Zn(s,t):Xn(s,{...t,source:t.source}),to=10,so=.04,eo=(s,t,e)=>e<s.levels[0].length?t.unit(e):t.ink;function Gs(s,t,e){const o=Array.from(s.origin(e),(r,a)=>({share:r,paint:eo(s,t,a)})).filter(({share:r})=>r>=so),i=o.reduce((r,{share:a})=>r+a,0)||1;return o.map(({share:r,paint:a})=>({share:r/i,paint:a}))}function Ws(s,t,e){if(!Number.isFinite(t))return s.surface;const n=s.dark?s.hair:"#eef1f4";return Mn(n,t>=0?s.ink:s.unit(to),Math.min(1,Math.abs(t)/e))}function no(){const s=Ss();return{...s,dark:vn(s)}}function oo(s,t,e,n){const o=Math.ceil(t.length/e),i=document.createElement("canvas");[i.width,i.height]=[e,o];const r=i.getContext("2d"),a=r.createImageData(e,o);return t.forEach((l,c)=>a.data.set([...xn(Ws(s,l,n)),255],4*c)),r.putImageData(a,0,0),{bitmap:i,href:i.toDataURL(),width:e,height:o}}const T=34,io={gate:30,strip:70,digit:18,out:5,ribbon:64,height:20,pitch:45,most:230},ro={gate:20,strip:40,digit:13,out:4,ribbon:46,height:20,pitch:45,most:120},ao=80,z=8,lo=14,co=s=>s.reduce((t,e)=>t+e,0),Ks=(s,t)=>s.depth*(t.ribbon+t.gate+t.strip+t.digit+t.out);function uo(s,t,e,n){const o=n.strip+n.digit+n.out,i=Ks(s,n);let[r,a]=[t,t];const l=h=>o+i*h+T*Math.min(s.iterations-h,8)<=e-2*z;for(;a-r+1<s.iterations&&l(a-r+2);)a+1<s.iterations&&(a+=1),r>0&&l(a-r+2)&&(r-=1);const c=Math.max(0,Math.floor((e-2*z-o-i*(a-r+1))/T)),u=Math.min(s.iterations-1-a,Math.max(Math.ceil(c/2),c-r)),d=Math.min(r,Math.max(0,c-u));return{first:r,last:a,before:d,after:u}}function Us({levels:s,depth:t},e,n,o){const[i,r]=[s[e],s[0]],l=e===t&&i.length>1&&i.every(c=>r.includes(c))?r:i;return i.map(c=>n+o*(l.indexOf(c)+.5)/l.length)}function Hs(s,{width:t,focus:e=0,image:n=!1}){const o=t<620,i={...o?ro:io};n&&!o&&(i.strip=ao);const{first:r,last:a,before:l,after:c}=uo(s,e,t,i),u=a-r+1,d=i.strip+i.digit+i.out,h=t-2*z-T*(l+c)-d-u*Ks(s,i),g=o?0:60,$=Math.max(0,h-g)/(u*s.depth),k=Math.min(i.most,i.ribbon+$),v=s.iterations>1?62:30,w=Math.max(...s.levels.map(x=>x.length))*i.pitch,y=[];let b=z;for(let x=r-l;x<r;x+=1,b+=T)y.push({state:x,x:b});const O=[];for(let x=r;x<=a;x+=1)for(let _=x===r?0:1;_<=s.depth;_+=1){O.length&&(b+=k);const N=b+(_?i.gate:0),Tt=N+i.strip+i.digit,qe=Us(s,_,v,w).map((Ye,Xe)=>({t:x,level:_,index:Xe,y:Ye})),_s=s.levels[0].length-1,Je={t:x+1,level:0,index:_s,y:Us(s,0,v,w)[_s]},Ve=_===s.depth&&x<a?Je:void 0;O.push({t:x,level:_,x:b,strip:N,out:Tt,right:Tt+i.out,blocks:qe,task:Ve}),b=Tt+i.out}b+=c?g:0;for(let x=a+1;x<=a+c;x+=1,b+=T)y.push({state:x+1,x:b});return{view:s,beside:g||z,sizes:i,narrow:o,image:n,gap:k,first:r,last:a,hidden:{before:r-l,after:s.iterations-1-a-c},folded:y,columns:O,width:Math.max(t,b+(c?0:g)+z),height:v+w+lo,top:v,bottom:v+w,column:(x,_)=>O.find(N=>N.t===x&&N.level===_)}}function ht(s,t,e,n){const{view:o}=s,i=s.column(t,e-1);if(i)return{column:i,block:i.blocks[n]};const r=s.column(t-1,o.depth);if(!r)return null;const a=o.levels[0][n],l=o.levels[o.depth].indexOf(a);return{column:r,block:l>=0?r.blocks[l]:r.task}}function qs(s,t,e){const{view:n,sizes:o}=s,i=n.step(t,e),{height:r}=o,a=s.column(t,e),l=i.sources.map((u,d)=>co(i.blocks.map((h,g)=>n.weight(i,d,g)))),c=i.sources.map(()=>0);return(a?.blocks??[]).flatMap(({index:u,y:d})=>{let h=d-r/2;return i.sources.flatMap((g,$)=>{const k=n.weight(i,$,u),v=ht(s,t,e,$);if(!a||!v?.block||k<=0)return[];const m=r/Math.max(1,l[$]),w=v.block.y-Math.min(1,l[$])*r/2+c[$],y=[w,w+k*m],b=[h,h+k*r];return c[$]+=k*m,h+=k*r,[{t,level:e,index:u,source:$,weight:k,x0:v.column.right,x1:a.x,from:y,to:b}]})})}function Js(s,t,e,n){const{sizes:o,view:i}=s;for(const{state:d,x:h}of s.folded)if(e>=h&&e<h+T)return{kind:"folded",t:Math.max(0,d-1)};for(const d of s.columns){const h=d.task?[...d.blocks,d.task]:d.blocks;if(e<d.x-3||e>d.right+3)continue;const g=h.find(k=>Math.abs(k.y-n)<=o.height/2+13);if(!g)continue;return{kind:g.level>0&&e<d.strip&&Math.abs(g.y-n)<=o.height/2+4?"gate":"block",t:g.t,level:g.level,index:g.index}}const r={best:null,distance:6};for(const d of t){if(e<=d.x0||e>=d.x1||d.weight<.03)continue;const h=Vs(d,e),g=(pt(d,e,1)-pt(d,e,0))/2,$=Math.max(0,Math.abs(n-h)-g);($<r.distance||$===0&&r.best&&d.weight<r.best.weight)&&Object.assign(r,{best:d,distance:$})}if(!r.best)return null;const{t:a,level:l,index:c,source:u}=r.best;return{kind:"ribbon",t:a,level:l,index:c,source:u,name:i.step(a,l).sources[u]}}function pt({x0:s,x1:t,from:e,to:n},o,i){const r=(o-s)/(t-s);let[a,l]=[0,1];for(let u=0;u<20;u+=1){const d=(a+l)/2;1.5*d*(1-d)*(1-d)+1.5*d*d*(1-d)+d*d*d<r?a=d:l=d}const c=(a+l)/2;return e[i]+(n[i]-e[i])*(3*c*c-2*c*c*c)}const Vs=(s,t)=>(pt(s,t,0)+pt(s,t,1))/2;var ho=Object.freeze({__proto__:null,FOLDED:T,heightAt:Vs,layOut:Hs,portsOf:qs,sourceOf:ht,targetAt:Js});const Ys=.9,Ht=.1,Xs=3,P=s=>{const t=100*s;return(t>99.5&&s<.99995?">99":t<.5&&s>0?"<1":Math.round(t))+" %"};function qt(s,t){const e=s.filter(({share:o})=>o>=Ht).sort((o,i)=>i.share-o.share),[n]=e;return t>=Ys?{kind:"computed",parts:[],computed:t}:n&&n.share>=Ys?{kind:"copied",parts:[n],computed:t}:t<=Ht?{kind:"interpolated",parts:e,computed:t}:{kind:"mixed",parts:e,computed:t}}const Jt=s=>s.slice(0,Xs).map(({name:t,share:e})=>t+" "+P(e)).join(" + ");function Zs({kind:s,parts:t,computed:e},n){const o=t.length>Xs?" and others":"";if(s==="computed")return"computed, "+P(e);if(s==="copied")return"copied from "+Jt(t);const i=t.length?Jt(t)+o:"all "+n+" sources, each less than "+P(Ht);return s==="interpolated"?"interpolated from "+i:P(e)+" computed, the rest from "+(t.length?i:"many sources")}function po({kind:s,parts:t,computed:e}){if(s==="computed")return"computed "+P(e);if(s==="copied")return"copy of "+t[0].name;const n=t.slice(0,2).map(({name:o,share:i})=>o+" "+Math.round(100*i));return s==="interpolated"?n.length?n.join(" + ")+" %":"mean of many":[...n.slice(0,1),"computed "+Math.round(100*e)].join(" + ")+" %"}function fo({kind:s,parts:t,computed:e}){return s==="computed"?"computed":s==="copied"?"= "+t[0].name:s==="interpolated"?"mixed":P(e)+" new"}function Vt(s,t){const{sources:e,gate:n}=s.shares(t),o=qt(e,n),i=qt(e.map(({name:a,weight:l})=>({name:a,share:l})),0),r=o.kind==="computed"&&i.parts.length?"; routed to it: "+Jt(i.parts):"";return{kind:o.kind,long:Zs(o,e.length)+r}}function Yt(s,t){const e=s.origin(t),n=s.levels[0],o=n.map((r,a)=>({name:r,share:e[a]})),i=qt(o,e[n.length]);return{long:Zs(i,n.length),short:po(i),brief:fo(i)}}function Qs(s,{t,index:e}){const{digit:n,truth:o,right:i}=s.answer(t,e)||{};return i===!1?s.levels[s.depth][e]+" is "+n+", by the rule it is "+o:null}function te(s,t){const e=s.run.answers[t];if(!e)return{text:"",state:"unknown"};const n=e.digits.map((l,c)=>Qs(s,{t,index:c})).filter(Boolean),o=n.length>3?[...n.slice(0,2),"and "+(n.length-2)+" more"]:n,i=s.run.first_wrong&&s.run.first_wrong.iteration===t+1,r=e.explanation||"";if(i)return{text:"Wrong here: "+o.join("; ")+".",state:"wrong"};if(o.length&&e.follows)return{text:r+" The rule is followed; what is wrong was so before.",state:"follows"};if(o.length)return{text:"Wrong: "+o.join("; ")+".",state:"wrong"};const a=s.run.input.digits?"":"strips in the order "+e.subtask;return{text:r||a,state:e.right.includes(null)?"unknown":"right"}}const Xt=24,go=10,mo=28,se=.02,S=(s,t,e,n)=>({shape:"text",x:s,y:t,text:e,size:10.5,...n}),I=(s,t,e,n,o)=>({shape:"rect",x:s,y:t,w:e,h:n,...o}),ft=(s,t,e,n=10.5,o=400)=>_n(t,e,n,Sn(s.font),o),ee=([s,t],e,n)=>[s+(t-s)*e,s+(t-s)*n];function ne({view:s,theme:t},{t:e,level:n,source:o},i,r){let a=0;return Gs(s,t,{t:e,level:n-1,index:o}).map(({share:l,paint:c})=>{const u=a+l,d={from:ee(i,a,u),to:ee(r,a,u),paint:c};return a=u,d})}function bo({view:s},{t,level:e,index:n,weight:o}){const i=s.gate(s.step(t,e),n);return o<se?.05:(.2+.62*Math.min(1,1.4*o))*(.62+.38*(1-i))}function $o(s,t,e){return e<.012||t.weight<.004?[]:ne(s,t,t.from,t.to).map(({from:n,to:o,paint:i})=>({shape:"path",d:zt(t.x0,t.x1,n,o),fill:i,opacity:e}))}const wo=(s,t,e,n)=>{const{view:o,theme:i,layout:r,ribbons:a}=s,{height:l}=r.sizes,c=o.gate(o.step(e.t,e.level),e.index),[u,d]=[e.y-l/2,e.y+l/2],[h,g]=[t.x+3,t.strip-3],$=[I(t.x,u,3,l,{fill:i.dim,opacity:.35*n})],k=m=>u+(m-u)*(1-c);for(const m of a){if(m.t!==e.t||m.level!==e.level||m.index!==e.index)continue;const w=n*(m.weight<se?.3:.92);for(const{to:y,paint:b}of ne(s,m,m.from,m.to))$.push({shape:"path",d:zt(h,g,y,[k(y[0]),k(y[1])]),fill:b,opacity:w})}const v=zt(h,g,[d,d],[d-c*l,d]);return c>.004&&$.push({shape:"path",d:v,fill:i.ink,opacity:n}),[...$,...ko(s,t,e,n)]},ko=({view:s,theme:t,layout:e},n,o,i)=>{const{gates:r,copy_routes:a}=s.changes,l=s.name(o),c=a.some(g=>g.endsWith(">"+l));if(!(l in r)&&!c)return[];const{height:u,gate:d}=e.sizes,h={stroke:t.accent,width:2,opacity:i};return[I(n.x-1,o.y-u/2-2,d,u+4,{rx:3,...h}),S(n.x+d/2,o.y+u/2+13,c?"forced":"fixed",{size:9.5,weight:600,anchor:"middle",fill:t.accent,halo:t.surface,opacity:i})]};function yo({view:s,theme:t,layout:e}){const n=new Set(s.changes.mute_routes);return n.size?e.columns.flatMap(o=>{if(o.level===0)return[];const i=s.step(o.t,o.level);return i.blocks.flatMap((r,a)=>i.sources.flatMap((l,c)=>{if(!n.has(l+">"+r))return[];const u=ht(e,o.t,o.level,c);if(!u||!u.block)return[];const[d,h]=[{x:u.column.right,y:u.block.y},{x:o.x,y:o.blocks[a].y}],[g,$]=[(d.x+h.x)/2,(d.y+h.y)/2];return[{shape:"path",d:On(d,h),stroke:t.bad,width:1.4,dash:[4,4]},{shape:"circle",cx:g,cy:$,r:6,fill:t.surface,stroke:t.bad,width:1.4},{shape:"path",d:`M${g-3},${$+3}L${g+3},${$-3}`,stroke:t.bad,width:1.6}]}))}):[]}const V=({view:s},t)=>t.level===0&&t.index===s.levels[0].length-1,vo=(s,t,e,n)=>{const{view:o,theme:i,layout:r,most:a}=s,{strip:l,height:c}=r.sizes,[u,d]=[t.strip,e.y-c/2];if(!o.there(e)){const y={stroke:i.dim,dash:[3,3],opacity:.7*n};return[I(u,d,l,c,{rx:2,...y}),S(u+l/2,e.y+4,"dropped",{anchor:"middle",fill:i.dim})]}let h=o.values(e);const g=e.level===o.depth&&h.length>Xt;V(s,e)?h=h.subarray(0,Math.min(h.length,s.task.subtasks.length)):g&&(h=o.probabilities(e.t,e.index).subarray(0,go));const $=I(u-.5,d-.5,l+1,c+1,{rx:2,stroke:i.line,width:1,opacity:n});if(h.length>Xt){const y=s.bitmap(e,h,mo,a[e.level]),b={sx:0,sy:0,sw:y.width,sh:y.height};return[{shape:"image",source:y,...b,x:u,y:d,w:l,h:c,opacity:n},$]}const k=l/h.length,v=g||V(s,e)?1:a[e.level],m=k-(k>5?1:.5);return[...Array.from(h,(y,b)=>I(u+b*k,d,m,c,{fill:Ws(i,y,v),opacity:n})),$]},xo=(s,t,e,n)=>{const{view:o,theme:i,layout:r}=s,{sizes:a}=r,l=t.strip+a.strip+a.digit/2+1,c=oe(s,e);if(c){const $=c.right===!1,k=o.levels[o.depth].length===1?17:14,v=String(c.digit),m=[S(l,e.y+k*.36,v,{size:k,weight:700,anchor:"middle",fill:$?i.bad:i.ink,opacity:n})];return $?[...m,...Mo(s,t,e,n)]:m}if(V(s,e)||s.layout.image&&e.level===0)return[];const u=o.digits(e);if(!u.length)return[];const[d,h]=u.length>1?[9.5,.8]:[13,1],g={size:d,weight:650,anchor:"middle",fill:i.ink,opacity:n*h};return[S(l,e.y+d*.36,u.join("\xB7"),g)]};function oe(s,{t,level:e,index:n}){const{view:o}=s;return e===o.depth?o.answer(t,n):e===0&&t>0&&!V(s,{level:e,index:n})?o.stateAnswer(t,n):null}const Mo=({view:s,theme:t,layout:e},n,o,i)=>{const{strip:r,height:a,digit:l}=e.sizes,c=s.isFirstWrong(o);return[{shape:"rect",...{x:n.strip-2.5,y:o.y-a/2-2.5,w:r+l+4,h:a+5,rx:4},stroke:t.bad,width:c?2.2:1,opacity:c?1:.7*i}]};function Oo({view:s},t,e,n){const o="rule: "+e;return(s.isFirstWrong(t)?["wrong here, rule: "+e,"wrong here: "+e,o]:["wrong, "+o,o]).find(r=>q([r],10.5,700)<=n)||"\u2260 "+e}const _o=(s,t,e,n)=>{const{view:o,theme:i,layout:r}=s,{sizes:a,narrow:l}=r,c=o.name(e),u=e.y-a.height/2-6,d=[S(t.strip,u,c,{size:11.5,weight:650,fill:i.ink,halo:i.surface,opacity:n})],h=t.strip+q([c],11.5,650)+5,g=t.level===o.depth&&!r.column(t.t+1,1),$=g?r.beside:Math.min(l?14:70,r.gap*.55),k=t.right+$-h,v=oe(s,e);if(v&&v.right===!1)d.push(S(h,u,Oo(s,e,v.truth,k),{weight:700,fill:i.bad,halo:i.surface,opacity:o.isFirstWrong(e)?1:n}));else{const[b,O]=Eo(s,e),x=q([b],10.5,400)>k&&O?ft(i,O,k):ft(i,b,k);x&&d.push(S(h,u,x,{fill:i.dim,halo:i.surface,opacity:n}))}if(g&&e.level>0)return d;let m=e.y-a.height/2;const y=(e.level===o.depth?0:e.level)===0?So(o,e):e;for(const{share:b,paint:O}of y?Gs(o,i,y):[])d.push(I(t.out,m,a.out,b*a.height,{fill:O,opacity:n})),m+=b*a.height;return d};function So(s,t){if(t.level===0)return t;const e=s.levels[0].indexOf(s.name(t));return e<0?null:{t:t.t+1,level:0,index:e}}function Eo(s,t){const{view:e,task:n}=s;if(t.level>0){const{short:a,brief:l}=Yt(e,t),c=t.level===e.depth?e.before(t.t,t.index):null;return c!==null?["was "+c+"; "+a,"was "+c]:e.there(t)?[a,l]:[""]}if(!V(s,t))return[""];const{program:o,permutation:i}=e.run.input,r=o?o[t.t%o.length]:i;return[(r===void 0?"":n.subtasks[r])||""]}const Ao=(s,t,e,n)=>[...e.level>0?[wo]:[],vo,_o,xo].flatMap(o=>o(s,t,e,n));function To({view:s,task:t},{t:e,level:n}){return n===0?e===0?"input":"state "+e:n<s.depth?"level "+n:s.iterations>1?"state "+(e+1):t.outputs.length>1?"outputs":"output"}function Io(s){const{view:t,theme:e,layout:n,step:o}=s,i=[];for(const r of n.columns){const a=o!==null&&r.level>0&&t.place(r.t,r.level)===o,l=To(s,r);if(a){const c=ht(n,r.t,r.level,0),u=c?c.column.right+2:r.x-30;i.push(I(u,n.top-8,r.right+8-u,n.bottom-n.top+16,{rx:6,fill:e.raised}))}i.push(S(r.strip,n.top-14,l,{size:11,weight:a?700:400,fill:a?e.ink:e.dim}))}if(t.iterations>1){for(let r=n.first;r<=n.last;r+=1)i.push(...jo(s,r));for(const r of n.folded)i.push(...Do(s,r))}return i}const Zt={right:"\u2713",wrong:"\u2717",follows:"\u2713",unknown:""};function jo({view:s,theme:t,layout:e,task:n},o){const i=e.column(o,0)||e.column(o-1,s.depth),r=e.column(o,s.depth);if(!i||!r)return[];const[a,l]=[i.right+6,r.right],{text:c,state:u}=te(s,o),d=o>=n.iterations?", beyond training":"",h="iteration "+(o+1)+": "+s.run.answers[o].subtask+d,g=u==="wrong"?t.bad:t.ink;return[{shape:"path",d:"M"+a+",39V34H"+l+"V39",stroke:t.line,width:1.2},S(a,12,ft(t,h,l-a,11,650),{size:11,weight:650,fill:t.ink}),S(a,27,ft(t,(Zt[u]?Zt[u]+" ":"")+c,l-a,11),{size:11,fill:g})]}function Do({view:s,theme:t,layout:e},{state:n,x:o}){const i=o+T/2,r=e.columns.find(({level:$})=>$===s.depth),a=n>0&&s.run.answers[n-1].right.includes(!1),l=s.run.first_wrong&&s.run.first_wrong.iteration===n,c=a?t.bad:t.dim,u=n?Zt[a?"wrong":"right"]:"",d={rx:5,fill:t.raised,stroke:l?t.bad:void 0,width:l?2:0},h={anchor:"middle",size:11},g=[S(i,12,n?String(n):"in",{...h,weight:650,fill:t.dim}),S(i,27,u,{...h,weight:l?700:400,fill:c}),I(o+3,e.top-8,T-6,e.bottom-e.top+8,d)];return r?.blocks.forEach(({index:$,y:k})=>{const{digit:v,right:m=null}=s.stateAnswer(n,$)??{},w=m===!1,y=w?t.bad:t.ink;g.push(S(i,k+5,String(v),{anchor:"middle",size:13,weight:w?700:500,fill:y}))}),g}const No=.6,Co=.35,ie=s=>Number.isFinite(s)?s:0;class Lo{constructor(t,e){this.run=t,this.levels=t.levels,this.depth=Math.max(1,t.levels.length-1),this.iterations=t.iterations;const n=t.intervention;this.changes={mute_routes:[],copy_routes:[],gates:{},...n},this.steps=t.steps.map(o=>this.read(o,e)),this.origins=[];for(const o of this.steps)this.origins.push(this.trace(o));this.answered=t.answers.map(({probabilities:o})=>({values:e(o),shape:o.shape}))}read(t,e){const[n,o,i,r]=[t.weights,t.gates,t.inputs,t.outputs].map(e),a=r.length/Math.max(1,t.blocks.length);return{...t,weights:n,gates:o,inputs:i,outputs:r,size:a}}place(t,e){return t*this.depth+e-1}step(t,e){return this.steps[this.place(t,e)]}at(t){return{t:Math.floor(t/this.depth),level:t%this.depth+1}}name({t,level:e,index:n}){return e===0?this.step(t,1).sources[n]:this.step(t,e).blocks[n]}values({t,level:e,index:n}){const o=this.step(t,Math.max(1,e));return(e===0?o.inputs:o.outputs).subarray(n*o.size,(n+1)*o.size)}there(t){return Number.isFinite(this.values(t)[0])}weight(t,e,n){return ie(t.weights[e*t.blocks.length+n])}gate(t,e){return ie(t.gates[e])}shares({t,level:e,index:n}){const o=this.step(t,e),i=this.gate(o,n),r=o.sources.map((a,l)=>{const c=this.weight(o,l,n);return{source:l,name:a,weight:c,share:(1-i)*c}});return{gate:i,sources:r}}trace(t){const e=t.mfnnr>1?this.origins[this.origins.length-1]:null,n=this.levels[0].length;return t.blocks.map((o,i)=>{const r=this.gate(t,i),a=new Float64Array(n+1);return a[n]=r,t.sources.forEach((l,c)=>{const u=(1-r)*this.weight(t,c,i);e?e[c].forEach((d,h)=>a[h]+=u*d):a[c]+=u}),a})}origin({t,level:e,index:n}){if(e>0)return this.origins[this.place(t,e)][n];const o=new Float64Array(this.levels[0].length+1);return o[n]=1,o}upstream({t,level:e,index:n}){const o=new Map([[e,new Map([[n,1]])]]);for(let i=e;i>0;i-=1){const r=new Map;for(const[a,l]of o.get(i)??[])for(const{source:c,weight:u}of this.shares({t,level:i,index:a}).sources)r.set(c,(r.get(c)||0)+l*u);o.set(i-1,r)}return o}downstream({t,level:e,index:n}){const o=new Map([[e,new Map([[n,1]])]]);for(let i=e+1;i<this.levels.length;i+=1){const r=new Map;this.step(t,i).blocks.forEach((a,l)=>{const{sources:c}=this.shares({t,level:i,index:l}),u=h=>o.get(i-1)?.get(h)||0,d=c.reduce((h,{source:g,weight:$})=>h+$*u(g),0);r.set(l,d)}),o.set(i,r)}return o}digits(t,e=10){const n=Array.from(this.values(t).subarray(0,e));if(n.length<2||!n.every(Number.isFinite))return[];const o=n.map((c,u)=>({value:c,digit:u})).sort((c,u)=>u.value-c.value),[i,r,a]=o;return i.value>=No&&i.value-r.value>=Co?[i.digit]:r.value>=.35&&i.value-r.value<.2&&i.value<.75&&(!a||a.value<.15)?[i.digit,r.digit].sort():[]}answer(t,e){const n=this.run.answers[t];return n?{digit:n.digits[e],truth:n.true[e],right:n.right[e]}:null}probabilities(t,e){const{values:n,shape:o}=this.answered[t];return n.subarray(e*o[1],(e+1)*o[1])}stateAnswer(t,e){if(t>0)return this.answer(t-1,e);const n=this.levels[0].indexOf(this.levels[this.depth][e]);return{digit:this.run.input.digits?.[n],truth:null,right:null}}before(t,e){const n=this.run.baseline?.[t];return n&&n.digits[e]!==this.answer(t,e)?.digit?n.digits[e]:null}isFirstWrong({t,level:e,index:n}){const o=this.run.first_wrong;return!o||e!==this.depth||o.iteration!==t+1?!1:this.answer(t,n)?.right===!1}}function Po(s,{model:t,task:e,levels:n,known:o}){const i=[];for(const c of["mute_routes","copy_routes"]){const u=s[c].filter(d=>!o[c].includes(d));u.length&&i.push(`"${c}" names ${It(u)}: ${t} has no such route. ${re(n)}, and each reads the one before.`)}const r=Object.keys(s.gates).filter(c=>!(c in o.gates));r.length&&i.push(`"gates" names ${It(r)}: ${t} has no such gate. ${re(n)}.`);const a=Math.min(s.iterations||e.iterations,e.most_iterations);s.iterations&&s.iterations>e.most_iterations&&i.push(`"iterations" is ${s.iterations}: ${t} runs up to ${e.most_iterations}, which are shown.`);const l=Math.max(0,n.length-1)*a;return s.step!==null&&l&&s.step>=l&&i.push(`"step" is ${s.step+1}: ${t} has ${l} steps here. Shown is step ${l}.`),i}function Ro({digits:s,program:t,permutation:e},n,o){const i=[],r=n.subtasks.length;if(n.inputs==="picture")return(s.length||t.length)&&i.push(`${n.title} is about a picture: "digits" and "program" are of no use here.`),e>=r&&i.push(`"permutation" is ${e+1}: there are ${r}. Shown is ${Math.max(1,r)}.`),i;const a=n.values.filter(u=>u!=="task").length;s.length>a&&i.push(`"digits" are ${s.length}: ${n.title} has ${a}, the first of which are shown.`);const l=t.filter(u=>u>=r);l.length&&i.push(`"program" names ${It(l.map(u=>String(u+1)))}: ${n.title} has ${r} subtasks. Shown is the last of them.`);const c=Math.min(o,n.most_iterations);return t.length>c&&i.push(`"program" has ${t.length} subtasks: up to ${c} are shown.`),i}const re=s=>"Its levels of blocks are "+s.map(t=>t.length>1?t[0]+" to "+t.at(-1):t[0]).join("; "),Fo=150,Qt=jt("blocks","program").longest,ts=jt("blocks","digits"),ss="task",es="multiplexer_weights",ns=Ze("blocks"),ae={...ns,status:"loading",problem:null,model:null,sample:null,info:null,task:null,levels:[],playing:!1,hover:null,unfolded:null},{state:f,differ:le,subscribe:gt}=Qe(ae),mt=(s,t)=>JSON.stringify(s)===JSON.stringify(t),Y=(s,t,e)=>Math.max(t,Math.min(e,s)),X=()=>f.iterations||(f.task?f.task.iterations:1);function zo(s){const t={...s},{task:e=null}={task:f.task,...s};if(!e)return t;const n={...f,...s},o=e.example||{};if(e.inputs!=="picture"){const a=e.values.filter(u=>u!==ss).map((u,d)=>n.digits[d]??(o.digits||[])[d]??0);t.digits=a.map(u=>Y(Math.round(u)||0,ts.least,ts.most));const l=n.program.length?n.program:o.program||[0],c=Math.min(Qt,e.most_iterations);t.program=l.slice(0,c).map(u=>Y(u,0,e.subtasks.length-1))}else t.permutation=Y(n.permutation,0,Math.max(0,e.subtasks.length-1));const i=n.iterations&&Y(Math.round(n.iterations),1,e.most_iterations);t.iterations=i===e.iterations?null:i;const r=Math.max(0,n.levels.length-1)*(t.iterations||e.iterations);return n.step!==null&&r&&(t.step=Y(n.step,0,r-1)),t}function M(s){[...le(zo(s),mt)].some(e=>e in ns||e==="sample")&&he()}const B=(s,t)=>s+">"+t,Z=s=>[s.slice(0,s.indexOf(">")),s.slice(s.indexOf(">")+1)],G=s=>Z(s)[1],ce=(s,t)=>s.filter(e=>e!==t),bt=(s,t=f.levels)=>t.find((e,n)=>t[n+1]?.includes(s))??[];function ue(s,t){const e=B(s,t),{mute_routes:n,copy_routes:o}=f,i=bt(t).filter(r=>r!==s&&!n.includes(B(r,t)));n.includes(e)?M({mute_routes:ce(n,e)}):i.length?M({mute_routes:[...n,e],copy_routes:o.filter(r=>G(r)!==t)}):tn("One route stays","A block that reads nothing has no weights.","bad")}function de(s,t){const e=B(s,t),n=f.copy_routes.filter(a=>G(a)!==t),o=f.copy_routes.includes(e),{[t]:i,...r}=f.gates;M({copy_routes:o?n:[...n,e],mute_routes:o?f.mute_routes:ce(f.mute_routes,e),gates:o?f.gates:r})}function os(s,t){const{[s]:e,...n}=f.gates,o=f.copy_routes.filter(i=>t===null||G(i)!==s);M({gates:t===null?n:{...n,[s]:t},copy_routes:o})}function Bo(s){const t=o=>bt(G(o),s).includes(Z(o)[0]),e=s.slice(1).flat(),n=f.copy_routes.filter(t);return{mute_routes:f.mute_routes.filter(t),copy_routes:n.filter((o,i)=>n.findIndex(r=>G(r)===G(o))===i),gates:Object.fromEntries(Object.entries(f.gates).filter(([o])=>e.includes(o)))}}const is=()=>!!(f.mute_routes.length||f.copy_routes.length||Object.keys(f.gates).length);let Q=0;function he(){Q||(Q=setTimeout(Go,Fo))}function Go(){Q=0;const{task:s}=f;if(!s)return;const t=s.inputs!=="picture",e=s.example||{},n=o=>mt(f[o],e[o])?null:f[o];en("blocks",{...rs(),model:f.model,sample:f.sample,digits:t&&n("digits"),program:t&&n("program"),permutation:t?null:f.permutation})}const rs=()=>Object.fromEntries(Object.keys(ns).map(s=>[s,f[s]]));let $t=0;const Wo=new Map,Ko=()=>sn(Wo,"",async()=>(await U("GET","/block-tasks")).items);function Uo({units:s},t){const e=[[...t.values.filter(n=>n!==ss),ss]];for(const n of s){const o=Number.parseInt(n,10)||1;(e[o]=e[o]||[]).push(n)}return[...e.filter(Boolean),t.outputs]}async function as(s){const t=$t+=1,e=!f.model,n=e||f.model===s?f.step:null;if(M({status:"loading",problem:null,model:s,info:null,task:null,levels:[],playing:!1,step:n}),!!s)try{const o=U("GET","/models/"+encodeURIComponent(s)),[i,r]=await Promise.all([o,Ko()]);if(t!==$t)return;if(i.inputs!=="blocks")throw new Dt(404,"No blocks",s+" takes no blocks of numbers.");if(![...i.fields,...i.constants].includes(es))throw new Dt(404,"No routes",s+" takes blocks, but routes none of them. Its answers stand beside those of networks that do.");const a=r.find(u=>u.models.includes(s));if(!a)throw new Dt(404,"No task","There is no task for "+s+".");const l=Uo(i,a),c=Bo(l);Po(f,{model:s,task:a,levels:l,known:c}).forEach(Es),e&&Ro(f,a,Qt).forEach(Es),M({info:i,task:a,levels:l,...c,status:"ready"}),he()}catch(o){if(t!==$t)return;const{title:i,message:r,status:a}=o;M({status:"failed",problem:{title:i,detail:r,status:a}})}}function pe(){$t+=1,clearTimeout(Q),Q=0,Object.assign(f,ae)}var wt=Object.freeze({__proto__:null,DIGIT:ts,FIELD:es,LONGEST:Qt,changed:is,choice:rs,differ:le,iterations:X,leave:pe,open:as,partsOf:Z,route:B,same:mt,set:M,setGate:os,sourcesOf:bt,state:f,subscribe:gt,toggleCopy:de,toggleMute:ue});const Ho=90;function fe(){const{model:s,task:t,digits:e,program:n,sample:o,permutation:i,mute_routes:r,copy_routes:a,gates:l}=f;if(!t)return null;const c=t.inputs==="picture",u=o||(t.example||{}).sample;return c&&!u?null:JSON.stringify([s,{input:c?{sample:u,permutation:i}:{digits:e,program:n},iterations:X(),intervention:{mute_routes:r,copy_routes:a,gates:l}}])}const tt=Nt(fe,async(s,t)=>{await new Promise(r=>setTimeout(r,Ho)),t.throwIfAborted();const[e,n]=JSON.parse(s),o="/models/"+encodeURIComponent(e)+"/block-runs",i=await U("POST",o,n,{signal:t});return new Lo(i,rt)}),qo=nn(()=>{const s=tt.problem(),t=s?null:tt.latest(),e=f.task&&fe()===null?"empty":"loading";return{status:s?"failed":tt.answer()?"done":e,problem:s&&{title:s.title??"The run could not be shown",detail:s.message},run:t&&t.run,view:t,fresh:tt.answer()!==null}}),E=()=>qo.value,{again:ge,follow:me}=tt;var Jo=Object.freeze({__proto__:null,again:ge,follow:me,get:E});const Vo=[["","free"],["0","0 copied"],["0.5","0.5"],["1","1 computed"]],Yo=292,Xo=70,st=at(null),ls=()=>{st.value=null};function Zo(){const{value:s}=st,{view:t}=E(),e=s&&t&&t.steps[t.place(s.block.t,s.block.level)]?s:null,n=e&&[e.block.t,e.block.level,e.block.index,e.clicked,e.x,e.y].join();return e&&t&&p`<${Qo} key=${n} menu=${e} view=${t} />`}function Qo({menu:s,view:t}){const e=C(null);return H(()=>{const o=e.current,i=o.parentElement,r=s.x-(i.querySelector(".block-scroll")?.scrollLeft??0)+10;o.style.left=Math.max(4,Math.min(r,i.clientWidth-Yo-8))+"px",o.style.top=Math.max(4,Math.min(s.y+8,i.clientHeight+Xo-o.offsetHeight))+"px",(o.querySelector('[data-clicked="true"] button')||o.querySelector("input:checked")||o.querySelector("input"))?.focus({preventScroll:!0});const l=({target:c})=>c instanceof Element&&!o.contains(c)&&c.id!=="block-picture"&&ls();return document.addEventListener("pointerdown",l),()=>{document.removeEventListener("pointerdown",l),o.contains(document.activeElement)&&s.back()}},[]),p`<div ref=${e} class="blocks-menu" role="dialog" aria-labelledby="blocks-menu-title" onKeyDown=${o=>{o.key==="Escape"&&(o.stopPropagation(),ls())}}>
    <${ti} view=${t} block=${s.block} clicked=${s.clicked} />
  </div>`}function ti({view:s,block:t,clicked:e}){const n=C(null),o=document.activeElement;H(()=>{o instanceof HTMLElement&&n.current?.contains(o)&&o.focus({preventScroll:!0})});const{sources:i,gate:r}=s.shares(t),a=s.name(t),l=[...i].sort((c,u)=>u.weight-c.weight);return p`<div class="blocks-menu-head">
      <strong id="blocks-menu-title">${"Block "+a}</strong>
      <span class="control-name">${"gate "+r.toFixed(2)}</span>
      <button type="button" class="tool" aria-label="Close" onClick=${ls}>×</button>
    </div>
    <${As}
      id="blocks-menu-gate"
      label=${"Gate of "+a}
      options=${Vo}
      chosen=${si(a)}
      onChoose=${c=>os(a,c===""?null:Number(c))}
    />
    <div ref=${n} class="blocks-menu-rows">
      ${l.map(c=>ei(c,a,c.source===e))}
    </div>`}function si(s){const{gates:t,copy_routes:e}=f;return e.some(n=>n.endsWith(">"+s))?"copied":s in t?String(t[s]):""}function ei({name:s,weight:t},e,n){const{toggleMute:o,toggleCopy:i}=wt,{mute_routes:r,copy_routes:a}=f,l=B(s,e),c=(u,d,h,g)=>p`<${R} look="segment" label=${d} pressed=${h} act=${()=>g(s,e)}>${u}<//>`;return p`<div key=${l} class="blocks-menu-row" data-route=${l} data-clicked=${String(n)}>
    <span class="blocks-menu-name">${s}</span>
    <span class="blocks-menu-bar" aria-hidden="true"><span style=${{width:100*t+"%"}}></span></span>
    <span class="blocks-menu-value">${t.toFixed(2)}</span>
    ${c("mute","Mute "+l,r.includes(l),o)}
    ${c("copy","Make "+e+" a copy of "+s,a.includes(l),i)}
  </div>`}const be=1100;let et=0;const kt=()=>E().view;function $e(s){const t=kt();t&&M({step:s===null?null:Math.max(0,Math.min(t.steps.length-1,s))})}function cs(){clearTimeout(et),f.playing&&M({playing:!1})}function we(){const s=kt(),{step:t,playing:e}=f;if(e){if(!s){cs();return}t!==null&&t>=s.steps.length-1?M({playing:!1,step:null}):($e(t===null?0:t+1),et=setTimeout(we,be))}}function ke(){const s=kt();if(!s)return;if(f.playing){cs();return}const{step:t}=f;clearTimeout(et),M({playing:!0,step:t!==null&&t<s.steps.length-1?t:0}),et=setTimeout(we,be)}function ye(s){const{task:t}=f;t&&M({iterations:Math.max(1,Math.min(t.most_iterations,s))})}function ni(s,t){if(t===null||!s.steps[t])return s.iterations>1?"all iterations":"all levels";const{t:e,level:n}=s.at(t),o="MFNNR "+n+" of "+s.depth;return s.iterations>1?"iteration "+(e+1)+", "+o:o}function oi(){const{task:s}=f;if(!s||s.most_iterations<2)return null;const t=X(),e=({currentTarget:{value:o}})=>Number(o)&&ye(Math.round(Number(o))),n=(o,i,r,a)=>p`<${R} look="tool" id=${o} title=${r} label=${r} act=${()=>ye(t+a)}>${i}<//>`;return p`<div class="control blocks-runs">
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
  </div>`}function ii(s){cs(),$e(s<-1?1/0:s<0?null:s)}function ri(){const s=kt(),{step:t,playing:e}=f,n=s?ni(s,t):"";return Ct(()=>()=>clearTimeout(et),[]),p`<div class="player blocks-player">
    <${En}
      id="blocks-play"
      shown=${s&&{count:s.steps.length,step:t??-1,valuetext:n,words:n}}
      playing=${e}
      toggle=${ke}
      goTo=${ii}
      step=${()=>f.step??-1}
      least=${0}
      playLabel="Play through the levels"
      pauseTitle="Pause (space)"
    />
    <${oi} />
  </div>`}let yt=null;const[ai,li]=[.55,.1];class Os{constructor(t){this.host=t,this.canvas=t.querySelector("canvas"),this.bitmaps=new Map,this.view=null,this.parts=null,this.cursor=null,this.stops=[gt((n,o)=>this.onState(n,o)),lt(()=>{const{view:n}=E();Ts(()=>this.onRun(n))}),on(()=>this.rebuild()),An(t,()=>this.rebuild())];const{canvas:e}=this;e.addEventListener("pointermove",n=>this.point(this.targetAt(n))),e.addEventListener("pointerleave",()=>this.point(this.cursor||null)),e.addEventListener("click",n=>this.onClick(n)),e.addEventListener("keydown",n=>this.onKey(n)),e.addEventListener("blur",({relatedTarget:n})=>{t.contains(n)||this.point(this.cursor=null)})}get drawn(){return this.parts}dispose(){this.stops.forEach(t=>t())}onState(t,e){if(e.has("task")&&this.rebuild(),e.has("step")){const n=this.parts&&t.step!==null?this.parts.view.at(t.step).t:null;n!==null&&!this.drawn.layout.column(n,this.drawn.view.depth)?this.rebuild():this.draw()}else(e.has("hover")||e.has("playing"))&&this.draw()}onRun(t){t!==this.view&&(this.view=t,this.bitmaps.clear(),t?(this.parts&&this.parts.view.run.model!==t.run.model&&(this.cursor=null),this.cursor&&this.cursor.t>=t.iterations&&this.point(this.cursor=null),this.rebuild()):(this.parts=this.cursor=null,this.point(null),delete this.canvas.dataset.painted,this.canvas.getContext("2d")?.clearRect(0,0,this.canvas.width,this.canvas.height)))}focus(t){const{step:e}=f;if(e!==null)return Math.min(t.iterations-1,t.at(e).t);const n=t.run.first_wrong;return n?n.iteration-1:0}static largest(t){return t.levels.map((e,n)=>{const o=[];for(let i=0;i<t.iterations;i+=1)e.forEach((r,a)=>o.push(...t.values({t:i,level:n,index:a}).map(Math.abs)));return Math.max(1,...o.filter(Number.isFinite).sort((i,r)=>i-r).slice(0,-1-Math.floor(o.length/200)))})}rebuild(){const{view:t}=E(),{task:e}=f,n=this.host.clientWidth;!t||!e||n<40||(this.parts=this.partsAt(t,e,n),this.draw())}partsAt(t,e,n){const o=no(),i=t.steps[0].size>Xt,r=Hs(t,{width:n,focus:this.focus(t),image:i}),a=r.columns.filter(({level:u})=>u>0).flatMap(({t:u,level:d})=>qs(r,u,d)),l=this.parts?.view===t?this.parts.most:Os.largest(t);return{view:t,task:e,theme:o,layout:r,ribbons:a,most:l,bitmap:(u,d,h,g)=>{const $=[u.t,u.level,u.index,o.dark].join(),k=this.bitmaps.get($)||oo(o,d,h,g);return this.bitmaps.set($,k),k},step:null}}visibility(){const{step:t,playing:e,hover:n}=f,{view:o}=this.drawn,i=a=>t===null||a===t?1:a<t?e?1:ai:li,r=n?Qn(this.drawn,n):{block:()=>1,ribbon:()=>1};return{block(a){const l=o.place(a.t,a.level);return(t!==null&&l===t-1?1:i(Math.max(0,l)))*r.block(a)},ribbon:a=>i(o.place(a.t,a.level))*r.ribbon(a)}}items(){const{step:t}=f,e=this.parts={...this.drawn,step:t},{block:n,ribbon:o}=this.visibility(),i=e.ribbons.map(r=>({ribbon:r,opacity:Math.min(.95,bo(e,r)*o(r))})).sort((r,a)=>r.opacity-a.opacity);return[...Io(e),...i.flatMap(({ribbon:r,opacity:a})=>$o(e,r,a)),...yo(e),...e.layout.columns.flatMap(r=>[...r.blocks,...r.task?[r.task]:[]].flatMap(a=>Ao(e,r,a,n(a)))),...this.cursorItems()]}cursorItems(){const{hover:t}=f;if(!t||t.source!==void 0)return[];const{t:e,level:n,index:o}=Ut(this.drawn,t),{layout:i,theme:r}=this.drawn,a=i.column(e,n)||i.column(e-1,this.drawn.view.depth),l=[...a?.blocks??[],a?.task].find(g=>g?.t===e&&g.level===n&&g.index===o);if(!a||!l)return[];const{strip:c,digit:u,height:d}=i.sizes;return[{shape:"rect",...{x:a.strip-2,y:l.y-d/2-2,w:c+u+4,h:d+4},rx:4,stroke:r.accent,width:1.6}]}draw(){if(!this.parts)return;const{layout:t,theme:e}=this.parts,{width:n,height:o}=t;Object.assign(this.canvas.style,{width:n+"px",height:o+"px"}),Tn({width:n,height:o,items:this.items()},e.font,this.canvas),this.publish()}publish(){const{view:t,layout:e,ribbons:n}=this.drawn,{step:o,hover:i,playing:r}=f,a=t.run.first_wrong;M({unfolded:{first:e.first,last:e.last}}),Object.assign(this.canvas.dataset,{painted:t.run.model,iterations:e.first+1+".."+(e.last+1),ribbons:String(n.filter(({weight:l})=>l>=.02).length),step:t.steps[o??-1]?.name??"",playing:String(r),wrong:a?a.iteration+"/"+a.output:"",hovered:i?(i.source===void 0?"":i.name+">")+t.name(i):"",digits:t.run.answers.map(({digits:l})=>l.join("")).join(" ")})}scene(t){const e=this.drawn;t&&(this.parts=this.partsAt(e.view,e.task,t));const{layout:n,theme:o,view:i}=this.drawn,r=this.items();this.parts=e;const{digits:a,sample:l,permutation:c=0}=i.run.input,u=a?a.join(", "):l+", permutation "+(c+1);return{width:n.width,height:n.height,background:o.surface,title:"Blocks of "+i.run.model+" for "+u,desc:"Columns are levels of blocks, ribbons what each block reads, as wide as its weight, in the colour of the input that it came from; at the gate they shrink to what is copied, the dark wedge is what is computed.",items:r}}placeOf(t){const e=this.canvas.getBoundingClientRect(),{layout:n}=this.drawn;return[(t.clientX-e.left)*n.width/e.width,(t.clientY-e.top)*n.height/e.height]}targetAt(t){return this.parts?Js(this.parts.layout,this.parts.ribbons,...this.placeOf(t)):null}point(t){const e=t&&t.kind!=="folded"?t:null;this.canvas.style.cursor=t&&(t.kind==="folded"||t.level>0)?"pointer":"default",mt(e,f.hover)||M({hover:e})}onClick(t){const e=this.targetAt(t);if(!e){st.value=null,f.step!==null&&M({step:null});return}const{view:n}=this.drawn;e.kind==="folded"?M({step:n.place(e.t,n.depth)}):e.level>0&&this.open(e,...this.placeOf(t))}open(t,e,n){const o={t:t.t,level:t.level,index:t.index};st.value={block:o,clicked:t.source,x:e,y:n,back:()=>this.canvas.focus()}}move(t,e){const{view:n,layout:o}=this.drawn,{step:i}=f,r=i===null?{t:o.first,level:0,index:0}:{...n.at(i),index:0};let{t:a,level:l,index:c}=this.cursor||{...r,level:r.level-Math.sign(t)};!this.cursor&&!t&&(c-=Math.sign(e)),l=Math.max(0,l)+(this.cursor||t>0?t:0),l<0&&a>0&&([a,l]=[a-1,n.depth-1]),l>n.depth&&(a+1<n.iterations?[a,l]=[a+1,1]:l=n.depth),l=Math.max(0,l);const u=n.levels[l].length;c=(Math.min(c,u-1)+e+u)%u,this.cursor={kind:"block",t:a,level:l,index:c},!o.column(a,l)&&!(l===0&&o.column(a-1,n.depth))&&M({step:n.place(a,Math.max(1,l))}),this.point(this.cursor)}onKey(t){if(t.altKey||t.ctrlKey||t.metaKey||!this.parts)return;const e={ArrowRight:()=>this.move(1,0),ArrowLeft:()=>this.move(-1,0),ArrowDown:()=>this.move(0,1),ArrowUp:()=>this.move(0,-1),Enter:()=>this.openAtCursor()," ":()=>ke(),Escape:()=>{this.cursor=null,this.point(null),f.step!==null&&M({step:null,playing:!1})}};!e[t.key]||t.key==="Escape"&&document.fullscreenElement||(t.preventDefault(),e[t.key]())}openAtCursor(){if(!this.cursor||this.cursor.level===0)return;const t=this.drawn.layout.column(this.cursor.t,this.cursor.level);t&&this.open(this.cursor,t.strip,t.blocks[this.cursor.index].y+14)}}const ci="Blocks, level by level. Left and right change the level, up and down the block, Enter opens what can be changed about it, Space plays, Escape ends it. The same numbers are in the table below.";function ui(){const{status:s,problem:t}=E();return!t&&s!=="empty"?p`<div class="skeleton" aria-hidden="true"></div>`:p`<div class="message" role="alert">
    ${t?Bt(t.title,t.detail,{words:"Try again",act:ge}):Bt("No picture chosen","Choose a digit beside, draw one, or pick a picture above.")}
  </div>`}function di(){const s=C(null),{status:t,view:e}=E();return Ct(()=>{const n=yt=new Os(s.current);return()=>{n.dispose(),yt=null,st.value=null}},[]),p`<div
    ref=${s}
    class="block-canvas"
    data-status=${e?"ready":t}
    aria-busy=${String(t==="loading")}
  >
    <div class="block-scroll">
      <canvas id="block-picture" tabindex="0" role="img" data-block-keys="true" aria-label=${ci}></canvas>
    </div>
    ${e?null:p`<${ui} />`}
    <${Zo} />
  </div>`}const{offered:hi}=jt("blocks","measured"),ve=760;function pi(){const{status:s,model:t,task:e,measured:n,mute_routes:o,copy_routes:i,gates:r}=f;if(s!=="ready"||!e)return"";const a={model:t,data:e.name,samples:n,iterations:is()?null:f.iterations,mute_routes:o.join(","),copy_routes:i.join(","),gates:rn(r),controls:"0"};return"/evaluations/stream"+Is(a)}const nt=In({owner:"blocks",pathOf:pi,subscribePage:s=>gt(s)}),{state:A}=nt,us=()=>A.evaluation?.accuracy?A.evaluation:null;function fi(){const{measured:s}=f,t=A.evaluation?A.evaluation.data:[],e=p`<${Lt}
    id="blocks-measured"
    look="small-input"
    options=${an(hi,s)}
    chosen=${String(s)}
    onChoose=${n=>M({measured:Number(n)})}
  />`;return p`<div class="blocks-bar">
    ${js("Samples","blocks-measured",e)}
    <span class="caption"
      >${t.map(({title:n,stand_in:o})=>n+(o?", a stand-in":"")).join("; ")}</span
    >
  </div>`}const xe=({intervention:{mute_routes:s,copy_routes:t,gates:e,drop:n,iterations:o}})=>![s,t,n,Object.keys(e??{})].some(i=>i?.length)&&!o;function Me({part:s,mark:t}){const e=s&&s.evaluation,n=e!==null&&xe(e),{accuracy:o,change:i,loss:r}=Fs(e),a=Fs(e?.baseline?{...e,...e.baseline,change:null}:null),l=n?{...i,value:zs,detail:"nothing is changed",mood:""}:i,c=s?s.where:"",u=d=>"blocks-number-"+d+t;return p`
    <${ct} id=${u("baseline")} ...${ut({...a.accuracy,name:"Full model"},c)} />
    <${ct} id=${u("accuracy")} main=${!0} ...${ut({...o,name:"As steered"},c)} />
    <${ct} id=${u("change")} main=${!0} ...${ut(l,c)} />
    <${ct} ...${ut(r,c)} />
  `}function gi(){const{evaluation:s,fresh:t}=A,[e=null,n]=s?Ls(s):[];return p`<div class="numbers blocks-numbers" data-fresh=${String(t)}>
    <${Me} part=${e} mark="" />${n&&p`<${Me} part=${n} mark="-out" />`}
  </div>`}function mi(s){const{task:t,iterations:e}=f,n=xe(s)?" Mute a route or fix a gate to see its effect.":"",o=t&&e&&!s.intervention.iterations;return n+(o?" Scored after "+t.iterations+" iterations, as in training.":"")}const bi=s=>Nn(s,{chosen:f.measured,waiting:"Measured once this is in view.",after:mi});function vt(s){if((s.by_kind??[]).length<2)return["right answer",Rs(s,"by_label")];const{task:t}=f;return[t&&t.outputs.length>1?"output asked for":"subtask",Rs(s,"by_kind")]}const ds=(s,t)=>Cn(s,t,{named:"as steered",room:2});function Oe(s,t){const[e,n]=vt(s);return n.length>1?Pn(n,e,s,t):null}function $i(s,t){const[e,n]=[ds(s,t),Oe(s,t)];return n?{...e,height:e.height+n.height,desc:e.desc+" "+n.desc,items:[...e.items,...n.items.map(o=>Fn(o,0,e.height))]}:e}function _e(s){const{name:t,lossUnit:e}=Pt(s.measure),n=[["what","samples","value","low","high","as_it_is","change","change_low","change_high"]],o=a=>a?[a.value,a.low??"",a.high??""]:["","",""];for(const{where:a,count:l,evaluation:c}of Ls(s)){const u=l??Rn(s);for(const d of["accuracy","loss"]){const h=d==="loss"?"loss"+(e?" in "+e:""):t,g=c.baseline?c.baseline[d].value:"";c[d]&&n.push([h+(a&&", "+a),u,...o(c[d]),g,...o(c.change?.[d])])}}const[i,r]=vt(s);for(const{name:a,distribution:l,count:c,accuracy:u,low:d,high:h,baseline:g,change:$,change_low:k,change_high:v}of r)n.push([i+" "+a+(l?", "+l:""),c,u,d,h,g,$,k,v]);return n}function wi(){const s=us();return s?{name:"blocks-accuracy",facts:Dn(s,["drop","mute_routes","copy_routes","gates","iterations"]),python:{figure:"accuracy"},rows:()=>_e(s),json:()=>({result:s}),picture:{scene:t=>$i(s,t??ve)}}:null}function ki(s){const t=Pt(s.measure);return"Task "+t.name+", "+Ln(s)+": "+Ds(t,s.accuracy?.value??0)}function yi(s){const t=Pt(s.measure),[e,n]=vt(s),o=n.map(({name:i,accuracy:r})=>i+" "+Ds(t,r)).join("; ");return t.title+" by "+e+": "+o}const Se=({scene:s,label:t})=>p`<${Ps}
    look="drop-picture"
    widest=${ve}
    height=${150}
    data=${{"data-fresh":String(A.fresh),"data-state":A.status}}
    scene=${e=>{const n=us();return n&&s(n,e)}}
    drawn=${()=>A.evaluation?.id??""}
    label=${()=>A.evaluation?t(A.evaluation):""}
  />`;function vi(){const s=C(null),t=us();return Ct(()=>{const e=[gt(({model:n},o)=>o.has("info")&&A.evaluation&&A.evaluation.model!==n&&nt.forget()),nt.watch(s.current),nt.leave];return()=>e.forEach(n=>n())},[]),p`<div ref=${s}>
    <${F}
      id="blocks-accuracy"
      title="Task accuracy"
      tag="caused"
      reads="Accuracy on the validation split. Dot: under these interventions, with 95 % interval. Ring: full model, on the same samples. Changes are paired."
      more="A sample of ALGO asks for one output. Samples of sums come from the distribution of training; the card has the accuracy on the rest."
      formats=${["svg","png","csv","json"]}
      written=${wi}
    >
      <${fi} /><${gi} />
      <${jn} name="blocks" look="drop-progress" followed=${nt} progressOf=${bi} />
      <div class="blocks-effect" data-fresh=${String(A.fresh)}>
        <${Se} scene=${ds} label=${ki} />
        ${(!t||vt(t)[1].length>1)&&p`<${Se} scene=${Oe} label=${yi} />`}
      </div>
      <${Gt}
        words="The task accuracy as a table"
        data=${{"data-blocks-table":"accuracy"}}
        caption=${()=>(t&&ds(t,640).desc)??""}
        rows=${t&&(()=>_e(t))}
      />
    <//>
  </div>`}const hs=new Map([["0","0, copied"],["0.25","0.25"],["0.5","0.5, half of each"],["0.75","0.75"],["1","1, computed"]]),Ee=()=>{const{mute_routes:s,copy_routes:t,gates:e}=f;return{mute_routes:s,copy_routes:t,gates:e}},xi={mute_routes:[],copy_routes:[],gates:{}},j=at([]);let W="";function Mi(){const s=lt(()=>{const{model:t,status:e}=f,[n,o]=[JSON.stringify(Ee()),t+" "];e==="ready"&&(W.startsWith(o)&&W!==o+n?j.value=[...j.peek(),W.slice(o.length)].slice(-100):W.startsWith(o)||(j.value=[]),W=o+n)});return()=>{s(),[j.value,W]=[[],""]}}function Oi(){const s=j.value.at(-1);if(s===void 0)return;const t=j.value.slice(0,-1);M(JSON.parse(s)),j.value=t}function _i({mute_routes:s,copy_routes:t,gates:e}){const{toggleMute:n,toggleCopy:o,setGate:i}=wt;return[...s.map(r=>({key:"mute "+r,kind:"muted",words:Ns(r),remove:()=>n(...Z(r))})),...t.map(r=>({key:"copy "+r,kind:"forced copy",words:Ns(r),remove:()=>o(...Z(r))})),...Object.entries(e).map(([r,a])=>({key:"gate "+r,kind:"gate fixed",words:r+" at "+(hs.get(String(a))||Number(a.toPrecision(3))),remove:()=>i(r,null)}))]}const Si=s=>zn(s)||"no intervention";function Ei({key:s,kind:t,words:e,remove:n}){const o=({currentTarget:r})=>{const a=r.closest("li"),l=a?.nextElementSibling||a?.previousElementSibling;(l?l.querySelector("button"):document.getElementById("blocks-undo"))?.focus(),n()},i="Take back: "+t+" "+e;return p`<li key=${s} data-intervention=${s}>
    <span class="control-name">${t}</span><span class="blocks-what">${e}</span
    ><button type="button" class="tool" title="Take back" aria-label=${i} onClick=${o}>×</button>
  </li>`}function Ai(){const s=_i(Ee()),t=s.length?s.length+(s.length===1?" intervention":" interventions"):"";return p`<div class="blocks-interventions">
    <ul class="blocks-list" aria-label="Interventions" hidden=${!s.length}>
      ${s.map(Ei)}
    </ul>
    <p class="hint" hidden=${s.length>0}>No intervention.</p>
    <div class="blocks-bar">
      <span class="caption" role="status" id="blocks-intervened">${t}</span>
      <${R} id="blocks-undo" wait=${!j.value.length} act=${Oi}>Undo<//>
      <${R} id="blocks-clear" wait=${!s.length} act=${()=>M(xi)}>Clear all<//>
    </div>
  </div>`}const Ae=(s,t)=>s.includes(t)?t:s[0]??"",xt=at({block:"",source:""});function Ti(){const{levels:s,gates:t,mute_routes:e,copy_routes:n}=f,o=s.slice(1),i=Ae(o.flat(),xt.value.block),r=bt(i),a=Ae(r,xt.value.source),l=!i,c=o.map((b,O)=>p`<optgroup key=${O} label=${O+2===s.length?"Output":"Level "+(O+1)}>
        ${b.map(x=>p`<option key=${x} value=${x}>${x}</option>`)}
      </optgroup>`),u=({currentTarget:{value:b}})=>xt.value={block:b,source:a},d=i in t?String(t[i]):"",h=d&&!hs.has(d)?[[d,d]]:[],g=B(a,i),$=(b,O,x,_)=>p`<${R} id=${b} pressed=${O} wait=${l} act=${()=>_(a,i)}>${x}<//>`,k=(b,O,x,_,N)=>js(b,O,p`<${Lt} look="small-input" ...${{id:O,options:x,wait:l,chosen:_,onChoose:N}} />`),[v,m]=[e.includes(g),n.includes(g)],w=i?[["","free, as learned"],...hs,...h]:[],y=r.map(b=>[b,b]);return p`<div class="blocks-steering">
    <div class="blocks-bar">
      <div class="control">
        <label class="control-name" for="blocks-block">Block</label>
        <select class="small-input" id="blocks-block" value=${i} disabled=${l} onChange=${u}>
          ${c}
        </select>
      </div>
      ${k("reads","blocks-source",y,a,b=>xt.value={block:i,source:b})}
      ${$("blocks-mute",v,v?"Unmute":"Mute",ue)}
      ${$("blocks-copy",m,m?"No forced copy":"Force copy",de)}
    </div>
    <div class="blocks-bar">
      ${k("Its gate","blocks-gate",w,d,b=>os(i,b===""?null:Number(b)))}
    </div>
  </div>`}const Ii=()=>p`<${F}
    id="blocks-steer"
    title="Interventions"
    tag="caused"
    reads="Mute a route, force a copy, or fix a gate (0 copies, 1 computes)."
    more="A muted route takes no part. A forced copy makes the block a copy of its source. A click in the picture opens the same choices."
  >
    <${Ai} /><${Ti} />
  <//>`;function*ps(s){for(let t=0;t<s.iterations;t+=1)for(let e=1;e<=s.depth;e+=1)for(let n=0;n<s.levels[e].length;n+=1)yield{t,level:e,index:n}}const ji=s=>[["iteration","level","block","made","gate","in terms of the input","digit"],...Array.from(ps(s),t=>{const e=t.level===s.depth?s.answer(t.t,t.index):null,n=e?.right===!1?" (rule: "+e.truth+")":"";return[t.t+1,t.level,s.name(t),Vt(s,t).long,s.shares(t).gate.toFixed(3),Yt(s,t).long,e?e.digit+n:s.digits(t).join(" or ")]})];function Te({model:s,revision:t,input:e,task:n,iterations:o,intervention:i,baseline:r}){const{drop:a=[],mute_routes:l=[],copy_routes:c=[],gates:u={}}=i,d=r?"under intervention":"observed";return{model:s,revision:t,seed:null,sample:e.sample,task:n,input:e,iterations:o,drop:a,mute_routes:l,copy_routes:c,gates:u,kind:d}}function Di(s){const t=[["step","iteration","level","block","source","weight","gate","share_of_block"]];for(const e of ps(s)){const n=s.step(e.t,e.level),{sources:o,gate:i}=s.shares(e);for(const{name:r,weight:a,share:l}of o)t.push([n.name,e.t+1,e.level,s.name(e),r,a,i,l])}return t}function Ni(s){const t=s.levels[0];return{levels:s.levels,answers:s.run.answers.map(({probabilities:e,...n})=>n),first_wrong:s.run.first_wrong,blocks:Array.from(ps(s),e=>{const{sources:n,gate:o}=s.shares(e),i=s.origin(e);return{step:s.step(e.t,e.level).name,block:s.name(e),gate:o,weights:Object.fromEntries(n.map(({name:r,weight:a})=>[r,a])),made:Vt(s,e).kind,of_inputs:Object.fromEntries(t.map((r,a)=>[r,i[a]])),of_computed:i[t.length],numbers:Array.from(s.values(e))}})}}function Ci(){const{view:s}=E(),t=yt;return!s||!t?null:{name:"blocks",facts:Te(s.run),python:{figure:"blocks",input:s.run.input},rows:()=>Di(s),json:()=>Ni(s),picture:t}}const fs="\u2717",Li=56,gs=()=>E(),ms=({intervention:s})=>Si(s);function Mt(s){const t={key:"network",name:s.model,about:s.baseline?ms(s):"",answers:s.answers},e=s.baseline?[{key:"baseline",name:s.model,about:"without intervention",answers:s.baseline}]:[],n=s.others.map(({model:o,family:i,answers:r})=>({key:o,name:o,about:i,answers:r}));return[t,...e,...n]}const ot=s=>s.levels[s.levels.length-1],Ie=new WeakMap,bs=(s,t)=>{const e=s.probabilities.shape[1],n=Ie.get(s)||rt(s.probabilities);return Ie.set(s,n),n.subarray(t*e,(t+1)*e)},je=cn;function $s(s){const{first_wrong:t,answers:e,iterations:n}=s;if(!e.some(l=>l.right.some(c=>c!==null)))return{words:"The right answer is not known: the picture has no label.",right:null};if(!t)return{words:n===1?"Right.":"Right after each of the "+n+" iterations.",right:!0};const i=ot(s).indexOf(t.output),r=e[t.iteration-1];return{words:(n===1?"Wrong: ":"First wrong after iteration "+t.iteration+": ")+t.output+" is "+r.digits[i]+" instead of "+r.true[i]+".",right:!1}}function Pi(){const{run:s,fresh:t}=gs(),{words:e,right:n}=s?$s(s):{words:"",right:null};return p`<p class="blocks-verdict" role="status" data-right=${String(n)} data-fresh=${String(t)}>
    ${(n===!1?fs+" ":n?"\u2713 ":"")+e}
  </p>`}const De=s=>s==null?zs:String(s);function Ri(s,t){const e=Array.from(s,(n,o)=>{const i=Math.max(4,100*n)+"%";return p`<span class="blocks-spread-bar" data-true=${o===t||null} style=${{height:i}}></span>`});return p`<span class="blocks-spread" aria-hidden="true">${e}</span>`}const ws=s=>s.map(t=>p`<span class="blocks-said">${De(t)}</span>`);function Fi({answer:s,outputs:t,before:e}){const n=t.map((r,a)=>{const l=s.digits[a],c=s.right[a],u=!!(e&&e.digits[a]!==l),d=r+": "+l+", "+je(bs(s,a)[l])+(c===!1?"; the rule says "+s.true[a]:"")+(e&&u?"; "+e.digits[a]+" without intervention":""),h=p`<span class="blocks-cross">${fs}<span class="hidden-visually">${" wrong"}</span></span>`;return p`<span
      class="blocks-said"
      title=${d}
      data-right=${String(c)}
      data-moved=${String(u)}
      data-output=${r}
      >${l}${c===!1&&h}</span
    >`}),o=p`<span class="blocks-answer">${n}</span>`;if(t.length===1){const r=bs(s,0),a=je(r[s.digits[0]]);return[o,p`<span class="caption">${a}</span>`,Ri(r,s.true[0])]}const i=s.follows&&s.right.includes(!1);return[o,i&&p`<span class="hint">as the rule goes from its own digits</span>`]}function zi({run:s,systems:t,names:e}){const n=e.length>1&&p`<span class="blocks-answer blocks-letters" aria-hidden="true">${ws(e)}</span>`,o=(r,a)=>p`<th scope="col">
      <span class="blocks-system">${r}</span>
      ${[a&&p`<span class="blocks-about" title=${a}>${a}</span>`,n]}
    </th>`,i=s.input.sample!==void 0;return p`<tr>
    <th scope="col"><span class="blocks-system">iteration</span></th>
    ${i?o("label","of the picture"):o("rule","of the task")}
    ${t.map(({name:r,about:a})=>o(r,a))}
    ${!i&&p`<th scope="col"><span class="blocks-system">what the rule does here</span></th>`}
  </tr>`}function Bi(){const{step:s,levels:t}=f;return s===null||t.length<2?-1:Math.floor(s/(t.length-1))}function Gi({run:s,systems:t,names:e,at:n}){const o=ln(()=>Bi()===n),i=s.input.sample!==void 0,r=s.answers[n],{iterations:a}=f.task||s,l=t.map(({key:c,answers:u})=>{const d=c==="network"&&s.baseline?s.baseline[n]:null;return p`<td key=${c} data-system=${c}>
      <${Fi} answer=${u[n]} outputs=${e} before=${d} />
    </td>`});return p`<tr data-iteration-row=${n} aria-current=${o.value?"step":null}>
    <th scope="row">
      <button
        type="button"
        class="tool tool-text"
        title="Look at this iteration in the picture"
        data-look=${n}
        onClick=${()=>M({step:n*(s.levels.length-1)})}
      >
        ${n+1}
      </button>
      <span class="blocks-row-task">${i?"strips "+r.subtask:r.subtask}</span>
      ${n>=a&&p`<span class="tag" title=${"It was trained on "+a}>beyond training</span>`}
    </th>
    <td data-system="rule"><span class="blocks-answer">${ws(r.true)}</span></td>
    ${l}
    ${!i&&p`<td class="blocks-why">${r.explanation||r.follows===!1&&"not followed here"}</td>`}
  </tr>`}function Wi({run:s,systems:t,names:e}){const{digits:n}=s.input;if(!n||n.length!==e.length)return null;const o=()=>p`<td><span class="blocks-answer">${ws(n)}</span></td>`;return p`<tr class="blocks-given">
    <th scope="row">given</th>
    ${["rule",...t].map(o)}
    <td></td>
  </tr>`}function Ki(s){const t=ot(s),e={run:s,names:t,systems:Mt(s)};return p`<table class="figures blocks-table">
    <caption class="hidden-visually">
      ${"Answers of "+s.model+", "+ms(s)+". "+$s(s).words}
    </caption>
    <thead>
      <${zi} ...${e} />
    </thead>
    <tbody>
      <${Wi} ...${e} />
      ${s.answers.map((n,o)=>p`<${Gi} key=${o} ...${e} at=${o} />`)}
    </tbody>
  </table>`}function Ui(){const{run:s,problem:t,status:e,fresh:n}=gs();return p`<${F}
    id="blocks-answers"
    title="Answers"
    reads="The model's answer after each iteration, beside the rule of the task and models without routes. A red cross marks an error."
    more="An error is a digit that differs from the rule. Small bars are the probabilities of the ten digits, 0 to 9."
    formats=${["svg","png","csv","json"]}
    written=${Ji}
  >
    <${Pi} />
    <div
      class="table-scroll blocks-answers"
      tabindex="0"
      role="region"
      aria-label="Answers by iteration"
      data-status=${e}
      data-fresh=${String(n)}
    >
      ${s?Ki(s):t?p`<div class="message" role="alert">${Bt(t.title,t.detail)}</div>`:p`<div class="skeleton blocks-skeleton" aria-hidden="true"></div>`}
    </div>
  <//>`}function Hi(s){const t=[["iteration","subtask","network","about","output","digit","rule","right","probability"]],e=ot(s);for(const{name:n,about:o,answers:i}of Mt(s))for(const r of i)e.forEach((a,l)=>t.push([r.iteration,r.subtask,n,o,a,r.digits[l],r.true[l]??"",r.right[l]??"",bs(r,l)[r.digits[l]]]));return t}function qi(s,t=0){const e=ot(s),n=[{name:s.input.sample===void 0?"rule":"label",about:"",answers:s.answers.map(m=>({digits:m.true,right:[]}))},...Mt(s)],[o,i,r]=[Math.max(24,Math.min(Li,q(e,11)+8)),26,66],a=s.answers.map(({iteration:m,subtask:w})=>m+"  "+w),l=t?Math.min(170,q(a)+16):170,c=Math.max(t?(t-l)/n.length:140,e.length*o+(t?8:26)),u=l+n.length*c,d=(m,w)=>l+w*c,{words:h}=$s(s),g=r+i*s.answers.length+34,$=m=>r+i*m+14,k=e.length>1?n.flatMap((m,w)=>e.map((y,b)=>({name:y,x:d(m,w)+b*o}))):[],v=n.flatMap(({answers:m},w)=>m.flatMap((y,b)=>y.digits.map((O,x)=>{const _=y.right[x]===!1;return{x:d(y,w)+x*o,y:$(b),said:De(O)+(_?fs:""),wrong:_}})));return Wt({width:u,height:g,title:"Answers of "+s.model+" by iteration",desc:h+" "+ms(s)+".",marks:[L(n,{x:d,y:20,down:0,text:({name:m})=>m,weight:650,room:c-8}),L(n,{x:d,y:36,down:0,text:({about:m})=>m,size:11,fill:"dim",room:c-8}),L(k,{x:m=>m.x,y:54,down:0,text:({name:m})=>m,size:11,fill:"dim",room:o-6}),Bn(s.answers,{x:[0,u],y:(m,w)=>$(w)-18}),L(a,{x:4,y:(m,w)=>$(w),down:0,fill:"dim",room:l-12}),L(v,{x:m=>m.x,y:m=>m.y,down:0,text:({said:m})=>m,size:14,weight:({wrong:m})=>m?700:450,fill:({wrong:m})=>m?"bad":"ink"}),L([h],{x:4,y:g-12,down:0,fill:"dim",room:u-8})]})}function Ji(){const{run:s}=gs();if(!s)return null;const t=({iteration:e,subtask:n,digits:o,true:i,right:r,follows:a,explanation:l})=>({iteration:e,subtask:n,digits:o,rule:i,right:r,follows:a,explanation:l});return{name:"blocks-answers",facts:Te(s),python:{figure:"block-answers",input:s.input},rows:()=>Hi(s),json:()=>({outputs:ot(s),answers:Mt(s).map(({name:e,about:n,answers:o})=>({network:e,about:n,answers:o.map(t)}))}),picture:{scene:e=>qi(s,e)}}}const Ne="mnist",Ot=20,_t=28,Ce=s=>s!==null&&s.inputs==="picture";function Vi(s){const{run:t}=E();if(!t||!t.picture||t.task!==s.name)return null;const e=rt(t.picture),n=s.permutations[t.input.permutation??0],o=e.length/n.length,i=[];return n.forEach((r,a)=>i[r]=e.subarray(a*o,(a+1)*o)),i}function Yi(s,t,e){const n=s.getContext("2d"),o=n.createImageData(_t,_t);e.forEach((i,r)=>t[i].forEach((a,l)=>{const c=Math.round(255*a);o.data.set([c,c,c,255],4*(r*t[i].length+l))})),n.putImageData(o,0,0),s.dataset.painted=e.join("")}function Xi({order:s,at:t,strips:e}){const n=C(null);H(()=>{e&&n.current&&Yi(n.current,e,s)},[s,e]);const o=s.map(r=>r+1),i="Strips in the order "+o.join(" ");return p`<button
    type="button"
    class="thumb blocks-permutation"
    data-permutation=${t}
    aria-label=${i}
    title=${i}
    aria-pressed=${String(t===f.permutation)}
    onClick=${()=>M({permutation:t})}
  >
    <canvas ref=${n} width=${_t} height=${_t} class="pixels" aria-hidden="true"></canvas>
    <span class="thumb-caption">${o.join("")}</span>
  </button>`}function Zi({task:s}){const t=Vi(s);return p`<div class="blocks-permutations">
    <p class="small-title" id="blocks-permutations-title">Order of the strips</p>
    <div class="thumbs" role="group" aria-labelledby="blocks-permutations-title">
      ${s.permutations.map((e,n)=>p`<${Xi} key=${n} ...${{order:e,at:n,strips:t}} />`)}
    </div>
  </div>`}const Le=s=>f.sample||(s.example||{}).sample;function Qi({items:s,sample:t}){const e=C(null),n=Math.max(0,s.findIndex(({id:o})=>o===t));return H(()=>e.current?.querySelectorAll("button").forEach((o,i)=>o.tabIndex=i===n?0:-1),[s,n]),p`<div ref=${e} class="thumbs" role="group" aria-label="Digits" data-gallery="blocks">
    ${s.map(({id:o,label:i,image:r,name:a})=>p`<button
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
  </div>`}const Pe=at(null);function Re(s){const t=new RegExp("^"+Ne+"\\.[a-z]+\\.(\\d+)$").exec(Le(s)??"");return Pe.value??(t?Math.floor(Number(t[1])/Ot)*Ot:0)}const ks=Nt(()=>{const{task:s}=f;return Ce(s)?String(Re(s)):null},(s,t)=>{const e=Is({origin:"data",set:Ne,limit:Ot,offset:Number(s)||null});return U("GET","/samples"+e,void 0,{signal:t})}),{follow:tr}=ks;function sr({task:s}){const{items:t,total:e}=ks.latest()??{items:[],total:0},n=Re(s);return p`<div class="blocks-gallery">
    <p class="small-title">Digits that the network was not trained on</p>
    <p class="hint danger" role="alert">${ks.problem()?.message}</p>
    <${Qi} items=${t} sample=${Le(s)} />
    <${un}
      id="blocks-digits"
      words=${e?n+1+" to "+(n+t.length)+" of "+Rt(e):""}
      ...${{start:n,total:e,step:Ot}}
      before="Digits before"
      after="Next digits"
      go=${o=>Pe.value=o}
    />
  </div>`}const er="Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke.";function nr(){const s=(e,n,o="tool tool-text")=>p`<button type="button" class=${o} disabled data-pad=${e}>${n}</button>`,t=document.querySelector(".page-blocks")?.dataset.maxBytes;return p`<details class="as-table blocks-bring">
    <summary>Draw a digit, or bring a picture</summary>
    <div class="bring">
      <div class="pad" data-widget="drawing-pad" data-empty="true">
        <div class="pad-frame">
          <canvas id="blocks-pad" tabindex="0" role="img" aria-label=${er}></canvas>
          <span class="pad-hint" aria-hidden="true">draw a digit</span>
        </div>
        <div class="pad-tools">
          ${s("undo","Undo")}${s("clear","Clear")}${s("save","Use drawing","button")}
        </div>
      </div>
      <div class="upload" data-widget="upload" data-max-bytes=${t}></div>
    </div>
  </details>`}function or(){const{task:s}=f;return Ce(s)?p`<div class="blocks-image"><${Zi} task=${s} /><${sr} task=${s} /><${nr} /></div>`:null}const[Fe,ir]=[196,300],rr=54,ze=[[],[6,4],[2,3],[8,3,2,3],[10,4]],Be=/^gates\.(?:l?(\d+))(?:\.mean)?$/,ys=s=>"MFNNR "+s,it=s=>s.slice(s.indexOf(".")+1),ar=[{title:"Accuracy, %",percent:!0,takes:/^accuracy\./,named:it},{title:"Training loss",log:!0,takes:/^loss(\.|$)/,named:s=>s==="loss"?"train":it(s)},{title:"Sharpness",takes:/^sharpness(\.|$)/,named:s=>s==="sharpness"?"all":ys(it(s).replace(/^l/,""))},{title:"Fairness; difference of permutations",takes:/^(fairness|difference)$/,named:s=>s},{title:"Share of each input",takes:/^shares\./,named:it},{title:"Mean gate: 0 copied, 1 computed",takes:Be,named:s=>ys(Be.exec(s)?.[1]??"")},{title:"Gates below 0.1: copied",takes:/^gates\..*\.copied$/,named:s=>ys(it(s).replace(/^l|\.copied$/g,""))}];function vs(){const{status:s,info:t}=f;return s==="ready"&&t?.card?.history&&Object.keys(t.card.history).length?t.id+" "+t.revision:null}const D=Nt(vs,(s,t)=>U("GET","/models/"+encodeURIComponent(s.split(" ")[0])+"/indicators",void 0,{signal:t})),{follow:lr}=D,cr=s=>s>-3?Cs(10**s):"1e\u2212"+Ft(-s,0);function ur(s,t){const[e,n]=[Math.min(...s),Math.max(...s)],[o,i]=[Math.ceil(e),Math.floor(n)],r=Array.from({length:Math.max(0,i-o+1)},(c,u)=>o+u),a=r.length>1?r:[...new Set([e,n])],l=.05*(n-e||1);return Kt([e-l,n+l],t,{ticks:a,named:cr})}function dr({title:s,percent:t,log:e},n,o,i){const{units:r}=Ss(),a=n.map((w,y)=>({stroke:r[y%r.length],dash:ze[y%ze.length]})),l=Wn([{text:s,key:"none",ink:"ink",weight:600},...n.map(({name:w},y)=>({text:w,ink:"ink",...a[y]}))],{x:4,y:12,width:i}),[c,u,d,h]=[42,i-16,l.height+10,Fe-38+Math.max(0,l.height-rr)],g=Kt([0,Math.max(1,...o)],[c,u],{most:4,round:!1,named:w=>w?dn(w):"0"}),$=w=>e?Math.log10(w):t?100*w:w,k=n.map(({name:w,values:y})=>y.flatMap((b,O)=>b===null||e&&b<=0?[]:[{name:w,step:o[O],value:b,y:$(b)}])),v=e?ur(k.flat().map(w=>w.y),[h,d]):Kt([0,t?102:1.02],[h,d],{ticks:t?[0,25,50,75,100]:[0,.25,.5,.75,1],named:t?String:w=>Ft(w,w%.5?2:1)}),m=({name:w,step:y,value:b})=>w+": "+(t?Ft(100*b,1)+" %":Cs(b))+" after "+Rt(y)+" steps";return Wt({width:i,height:h+38,title:s,desc:s,marks:[Kn(v,[c,u],{strong:null}),Un(g,[d,h],{strong:null}),L(["training step"],{x:(c+u)/2,y:h+29,fill:"dim",anchor:"middle",size:11}),k.map((w,y)=>[Hn(w,{x:({step:b})=>g(b),y:b=>v(b.y),...a[y]}),qn(w,{x:({step:b})=>g(b),y:b=>v(b.y),r:w.length>1?1.5:3.5,fill:a[y].stroke,words:m})]),l.marks]})}function Ge({model:s,steps:t,series:e},n){const o=e.filter(({values:d})=>d.some(h=>h!==null)),i=ar.map(d=>({about:d,series:o.filter(({name:h})=>d.takes.test(h)).map(({name:h,values:g})=>({name:d.named(h),values:g}))})).filter(d=>d.series.length),r=Math.max(1,Math.min(i.length,Math.floor(n/ir))),a=Math.floor((n-24*(r-1))/r),l=i.map(({about:d,series:h})=>dr(d,h,t,a)),c=Array.from({length:Math.ceil(i.length/r)},(d,h)=>Math.max(...l.slice(h*r,(h+1)*r).map(({height:g})=>g))),u=d=>c.slice(0,d).reduce((h,g)=>h+g,0);return Wt({width:n,height:u(c.length),title:"Indicators of "+s+" over training",desc:i.map(({about:d,series:h})=>d.title+": "+h.map(({name:g})=>g).join(", ")).join("; "),marks:l.map((d,h)=>Gn(d,h%r*(a+24),u(Math.floor(h/r))))})}const We=({steps:s,series:t})=>[["step",...t.map(({name:e})=>e)],...s.map((e,n)=>[e,...t.map(({values:o})=>o[n]??"")])];function hr(){const s=D.answer(),{status:t}=f;if(D.problem())return D.problem()?.message;if(t==="ready"&&vs()===null)return"This model has no training history.";if(!s)return"Loading the training history";const{steps:e}=s;return e.length+" measurements over "+Rt(e[e.length-1]||0)+" training steps."}function pr(){const s=D.answer();if(!s)return null;const{model:t,revision:e,steps:n,series:o}=s,i=f.info?.card?.settings;return{name:"blocks-indicators",facts:{model:t,revision:e,seed:i?.seed??null,drop:[],kind:"observed"},python:{figure:"indicators"},rows:()=>We(s),json:()=>({steps:n,series:o}),picture:{scene:r=>Ge(s,r??1080)}}}function fr(){const s=D.answer();return p`<${F}
    id="blocks-indicators"
    title="Over training"
    tag="observed"
    reads="Indicators against training steps: sharpness of the weights, fairness over the inputs, and the difference between permutations (0: none)."
    more="Sharpness: mean of the largest weight of each block. Fairness: evenness of the weight over the inputs. Difference: between permutations after undoing them."
    formats=${["svg","png","csv","json"]}
    written=${pr}
  >
    <p class="hint" role="status">${hr()}</p>
    ${vs()!==null&&p`<${Ps}
          id="plot-blocks-indicators"
          height=${2*Fe}
          scene=${t=>{const e=D.answer();return e&&Ge(e,t)}}
          drawn=${()=>D.answer()?.model??""}
          label=${({title:t,desc:e})=>t+". "+e}
        />
        <${Gt}
          words="The indicators as a table"
          data=${{"data-blocks-table":"indicators"}}
          caption=${()=>"Indicators over training"}
          rows=${s&&(()=>We(s))}
        />`}
  <//>`}const{LONGEST:Ke,DIGIT:gr}=wt,{least:K,most:xs}=gr,Ms=xs-K+1,St=()=>f.digits,Ue=s=>Math.floor(Math.random()*s),Et=(s,t)=>M({digits:St().map((e,n)=>n===s?t:e)}),He=s=>"blocks-digit-"+s,At=s=>document.getElementById(He(s))?.focus();function mr({name:s,at:t,digit:e}){const n=C(null);H(()=>{n.current===document.activeElement&&n.current?.select()},[e]);const o=u=>Et(t,K+(St()[t]-K+u+Ms)%Ms),i={ArrowUp:()=>o(1),ArrowDown:()=>o(-1),ArrowLeft:()=>At(t-1),ArrowRight:()=>At(t+1),Home:()=>Et(t,K),End:()=>Et(t,xs),Backspace:()=>At(t-1)},r=u=>{u.ctrlKey||u.metaKey||u.altKey||!i[u.key]||(u.preventDefault(),i[u.key]())},a=({data:u,currentTarget:d})=>{const h=(u||d.value).replace(/\D/g,"");h&&(Et(t,Number(h[h.length-1])),At(t+1)),d.value=String(St()[t])},l=u=>{const d=u.clipboardData?.getData("text").replace(/\D/g,"");d&&(u.preventDefault(),M({digits:St().map((h,g)=>Number(d[g-t]??h))}))},c=(u,d,h)=>p`<button
      type="button"
      class="blocks-arrow"
      tabindex="-1"
      aria-label=${s+": "+u}
      onClick=${()=>o(h)}
    >
      ${d}
    </button>`;return p`<div class="blocks-stepper">
    <span class="control-name" aria-hidden="true">${s}</span>
    ${c("one up","\u25B4",1)}
    <input
      ref=${n}
      class="blocks-digit"
      id=${He(t)}
      type="text"
      inputmode="numeric"
      autocomplete="off"
      role="spinbutton"
      aria-label=${s}
      aria-valuemin=${K}
      aria-valuemax=${xs}
      aria-valuenow=${e}
      data-digit=${t}
      value=${String(e)}
      onKeyDown=${r}
      onFocus=${()=>n.current?.select()}
      onInput=${a}
      onPaste=${l}
    />
    ${c("one down","\u25BE",-1)}
  </div>`}function br(){const{task:s,digits:t,program:e}=f,n=s?s.subtasks.length:0;M({digits:t.map(()=>K+Ue(Ms)),program:e.map(()=>Ue(n))})}function $r(){const{task:s,digits:t,model:e}=f;return!s||s.inputs!=="digits"||!s.values.length?null:p`<div class="blocks-digits">
    <div class="blocks-steppers" role="group" aria-label="Digits">
      ${s.values.map((n,o)=>p`<${mr} key=${n} name=${n} at=${o} digit=${t[o]??0} />`)}
    </div>
    <${R} id="blocks-random" act=${br}>Random<//>
    <a class="tool tool-text" href=${pn("samples",{model:e,set:s.name})} onClick=${hn}
      >From the data set</a
    >
  </div>`}function wr(s,t){const e=f.program,n=Math.max(e.length,s+1,Math.min(X(),Ke)),o=Array.from({length:n},(i,r)=>e[r%e.length]);o[s]=t,M({program:o})}const kr=({subtasks:s,program:t})=>p`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${t.map((e,n)=>p`<div key=${n} class="blocks-iteration">
          <span class="control-name" aria-hidden="true">${n+1}</span>
          <${Lt}
            id=${"blocks-iteration-"+n}
            look="small-input"
            label=${"Subtask of iteration "+(n+1)}
            options=${s.map((o,i)=>[String(i),i+1+" "+o])}
            chosen=${String(e)}
            onChoose=${o=>wr(n,Number(o))}
          />
        </div>`)}
  </div>`;function yr(){const{task:s,program:t}=f;if(!s||s.inputs!=="digits"||s.subtasks.length<2||!t.length)return null;if(s.iterations===1)return p`<div class="blocks-program">
      <${As}
        id="blocks-subtask"
        label="Subtask"
        options=${s.subtasks.map((o,i)=>[String(i),o])}
        chosen=${String(t[0])}
        onChoose=${o=>M({program:[Number(o)]})}
      />
    </div>`;const e=X(),n=Array.from({length:Math.min(e,Ke)},(o,i)=>t[i%t.length]);return p`<div class="blocks-program">
    <${kr} subtasks=${s.subtasks} program=${n} />
    <p class="hint" id="blocks-program-said">
      ${e>n.length&&"The program repeats: "+e+" iterations run."}
    </p>
  </div>`}const vr=()=>p`<${F}
    id="blocks-inputs"
    title="Input"
    reads="Digits and a program, or the picture of a digit."
    more="Type the digits or change them with the arrow keys. Each iteration has its own subtask. A picture of a digit is cut into four strips, which lie in one of eight orders."
  >
    <${$r} /><${yr} /><${or} />
  <//>`;function xr(){const{info:s,task:t,levels:e}=f;if(!s||!t)return null;const n=e.map(o=>o.length).join(" \u2192 ");return p`<strong>${t.title}</strong>
    <${Jn} id=${s.id} revision=${s.revision} />
    <span>${n+" blocks of "+t.block_size+" numbers"}</span>`}function Mr(){const{problem:s,model:t}=f;return s&&p`<${Vn}
      id="blocks"
      ...${s}
      fits=${({inputs:e,fields:n,constants:o})=>e==="blocks"&&[...n,...o].includes(es)}
      again=${()=>{as(t)}}
    />`}function Or(s){const{step:t,unfolded:e}=f;return t!==null&&s.steps[t]?s.at(t).t:s.run.first_wrong?s.run.first_wrong.iteration-1:Math.min(s.iterations-1,e?e.last:0)}function _r(){const{view:s}=E(),t=s?Or(s):0,{text:e,state:n}=s?te(s,t):{text:"",state:""};return p`<p class="blocks-sentence" aria-live="polite" data-state=${n}>
    <span class="control-name">${s&&s.iterations>1&&"Iteration "+(t+1)+": "}</span>
    ${s&&(e||s.run.answers[t].subtask)}
  </p>`}const Sr=([s,t])=>p`<span key=${s} class="legend-entry"
    ><span class="blocks-swatch" aria-hidden="true" style=${{background:t}}></span>${s}</span
  >`;function Er(){const s=(f.levels[0]||[]).map((e,n)=>[e,kn(n)]),t=[...s,...s.length?[["computed","var(--rs-ink)"]]:[]];return p`<div class="legend blocks-legend">${t.map(Sr)}</div>`}const Ar="Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";function Tr(s,t){const e=s.name(t),n=s.iterations>1?" of iteration "+(t.t+1):"";if(t.level===0)return p`<strong>${e}</strong>${n+": an input block."}`;const{sources:o,gate:i}=s.shares(t);if(t.source!==void 0){const{weight:u,share:d}=o[t.source],h="; past the gate, "+P(d)+" of the block is a copy of it.";return p`<strong>${t.name+" > "+e}</strong>${n+": weight "+u.toFixed(3)+h}`}const r=n+": "+Vt(s,t).long+"; gate "+i.toFixed(3)+".",a=t.level>1&&" In terms of the input: "+Yt(s,t).long+".",l=t.level===s.depth?Qs(s,t):null,c=s.isFirstWrong(t)?" Wrong here: ":" Wrong: ";return p`<strong>${e}</strong
    >${r}${a}${l&&p`<span class="blocks-wrong">${c+l}.</span>`}`}function Ir(){const{view:s}=E(),{hover:t}=f;return p`<div class="blocks-detail" aria-live="polite">
    ${s&&t&&t.t<s.iterations?Tr(s,t):Ar}
  </div>`}function jr(){const{view:s}=E();return p`<${F}
    id="blocks"
    title="What each block is made of"
    tag=${is()?"under intervention":"observed"}
    look="panel-blocks"
    reads="Ribbons: the sources of each block, as wide as their weights, in the colour of the input. Dark wedge: the computed part. Click a ribbon or a gate to change it."
    more="Levels stand from left to right. A ribbon has the colour of the input that its numbers come from, and shrinks at the gate to the share that is copied."
    formats=${["svg","png","csv","json"]}
    written=${Ci}
  >
    <${_r} />
    <div class="blocks-controls"><${ri} /><${Er} /></div>
    <${di} />
    <${Ir} />
    <${Gt}
      words="Blocks as a table"
      data=${{"data-blocks-table":"blocks"}}
      caption=${()=>"Blocks, level by level"}
      rows=${s&&(()=>ji(s))}
    />
  <//>`}function Dr(){const s=f.status==="failed";return p`
    <div class="page-head">
      <h1>Blocks</h1>
      <div id="blocks-caption" class="caption"><${xr} /></div>
      <div class="head-actions" hidden=${s}>
        <button type="button" class="tool tool-text" data-copy-link="true">${bn("link")}Copy link</button>
      </div>
    </div>
    ${s?p`<${Mr} />`:p`
            <div class="blocks-grid">
              <div class="column"><${vr} /><${Ii} /></div>
              <div class="column"><${jr} /><${Ui} /></div>
            </div>
            <${vi} /><${fr} />
          `}
  `}fn("blocks",async({model:s,sample:t,...e})=>{mn({model:s,sample:t}),M(e)});function Nr(){let{model:s}=$n(location.search),t=null;return lt(()=>{const{model:e,sample:n}=wn(),o=s??e;s=null,Ts(()=>{M({sample:n||null}),o&&o!==t&&as(t=o)})})}const Cr=gn({Tree:Dr,choice:rs,take:M,open(s,t){const e=t.closest(".page");M(s);const n=[Nr(),me(),tr(),lr(),Mi(),lt(()=>{e.dataset.status=f.status})];return()=>{n.forEach(o=>o()),pe()}}});yn({blocks:()=>({layout:ho,picture:yt,run:{...Jo,unpack:rt},state:wt})});export{Cr as mount};
