// @ts-nocheck
/* d3-polygon 3.0.2; licences in d3-polygon.LICENSE.txt; made by scripts/vendor/make.mjs */
function c(t,h){for(var f=t.length,e=t[f-1],s=h[0],l=h[1],o=e[0],i=e[1],n,r,a=!1,u=0;u<f;++u)e=t[u],n=e[0],r=e[1],r>l!=i>l&&s<(o-n)*(l-r)/(i-r)+n&&(a=!a),o=n,i=r;return a}export{c as polygonContains};
