/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{cl as d,cm as m,cn as S}from"./shared.js";import{n as C,g as y,s as n,ar as k,ap as N}from"./boot.js";const g="routescope-export",b={svg:"Picture, SVG",pdf:"Picture, PDF",png:"Picture, PNG",csv:"Numbers, CSV",json:"Numbers, JSON",nc:"Whole trace, NetCDF",graphml:"Graph, GraphML",gexf:"Graph, GEXF"},O={width:["Width",[["screen","as on screen"],["column","column, 85 mm"],["page","page, 174 mm"],["slide","slide, 1,600 px"]]],size:["Text",[["screen","as on screen"],["8","8 pt"],["9","9 pt"],["10","10 pt"],["12","12 pt"]]],scheme:["Colours",[["screen","as on screen"],["light","light"],["dark","dark"],["mono","greys, with patterns"]]]};function u(){try{return{...d,format:"",...JSON.parse(localStorage.getItem(g)??"{}")}}catch{return{...d,format:""}}}function E({format:t,width:o,scheme:s}){const l=m.includes(t)?[o==="screen"?"":o,s==="screen"?"":s]:[];return[t.toUpperCase(),...l].filter(Boolean).join(", ").replace("mono","greys")}function h(t,o){try{localStorage.setItem(g,JSON.stringify(o))}catch{}return S(t,o.format,o)}const P=t=>h(t,u());function G(t,o,s,l){const c=u(),r=C({...c,format:s.includes(c.format)?c.format:s[0]}),i=p=>r.value={...r.value,...p},a=document.createElement("dialog");a.className="report-dialog export-dialog",a.setAttribute("aria-labelledby","export-title");const f=y(a,()=>{const p=m.includes(r.value.format);return n`<form method="dialog" onSubmit=${()=>h(t,r.value)}>
      <h2 id="export-title">Export: ${o}</h2>
      <fieldset class="export-formats">
        <legend class="control-name">File</legend>
        ${s.map(e=>n`<label>
              <input
                type="radio"
                name="export-format"
                value=${e}
                checked=${e===r.value.format}
                onChange=${()=>i({format:e})}
              />
              ${b[e]}
            </label>`)}
      </fieldset>
      ${p&&n`<div class="export-looks">
          ${Object.entries(O).map(([e,[x,v]])=>k(x,"export-"+e,n`<${N}
                id=${"export-"+e}
                look="small-input"
                options=${v}
                chosen=${r.value[e]}
                onChoose=${$=>i({[e]:$})}
              />`))}
          <label>
            <input
              type="checkbox"
              id="export-caption"
              checked=${!r.value.bare}
              onChange=${()=>i({bare:!r.value.bare})}
            />
            Caption beneath
          </label>
        </div>`}
      <div class="report-foot">
        <button type="submit" class="button" id="export-save">Export</button>
        <button type="button" class="tool tool-text" onClick=${()=>a.close()}>Close</button>
      </div>
    </form>`});a.addEventListener("close",()=>{f(),a.remove(),l?.focus({preventScroll:!0})}),document.body.append(a),a.showModal()}export{b as FORMATS,P as again,u as kept,G as open,E as wordsOf};
