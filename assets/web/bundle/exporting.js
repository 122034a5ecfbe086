/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{cq as u,cr as d,cs as v}from"./shared.js";import{n as $,bd as C,s as n,Y as S,X as k,bC as y}from"./boot.js";const m="routescope-export",g={svg:"Picture, SVG",pdf:"Picture, PDF",png:"Picture, PNG",csv:"Numbers, CSV",json:"Numbers, JSON",nc:"Whole trace, NetCDF",graphml:"Graph, GraphML",gexf:"Graph, GEXF"},O={width:["Width",[["screen","as on screen"],["column","column, 85 mm"],["page","page, 174 mm"],["slide","slide, 1,600 px"]]],size:["Text",[["screen","as on screen"],["8","8 pt"],["9","9 pt"],["10","10 pt"],["12","12 pt"]]],scheme:["Colours",[["screen","as on screen"],["light","light"],["dark","dark"],["mono","greys, with patterns"]]]};function p(){try{return{...u,format:"",...JSON.parse(localStorage.getItem(m)??"{}")}}catch{return{...u,format:""}}}function N({format:t,width:o,scheme:a}){const s=d.includes(t)?[o==="screen"?"":o,a==="screen"?"":a]:[];return[t.toUpperCase(),...s].filter(Boolean).join(", ").replace("mono","greys")}function b(t,o){try{localStorage.setItem(m,JSON.stringify(o))}catch{}return v(t,o.format,o)}const P=t=>b(t,p());function G(t,o,a,s){const l=p(),r=$({...l,format:a.includes(l.format)?l.format:a[0]}),c=i=>r.value={...r.value,...i};C({look:"report-dialog export-dialog",label:"#export-title",view:()=>{const i=d.includes(r.value.format);return n`<form method="dialog" onSubmit=${()=>b(t,r.value)}>
      <h2 id="export-title">Export: ${o}</h2>
      <fieldset class="export-formats">
        <legend class="control-name">File</legend>
        ${a.map(e=>n`<label>
              <input
                type="radio"
                name="export-format"
                value=${e}
                checked=${e===r.value.format}
                onChange=${()=>c({format:e})}
              />
              ${g[e]}
            </label>`)}
      </fieldset>
      ${i&&n`<div class="export-looks">
          ${Object.entries(O).map(([e,[h,f]])=>S(h,"export-"+e,n`<${k}
                id=${"export-"+e}
                look="small-input"
                options=${f}
                chosen=${r.value[e]}
                onChoose=${x=>c({[e]:x})}
              />`))}
          <label>
            <input
              type="checkbox"
              id="export-caption"
              checked=${!r.value.bare}
              onChange=${()=>c({bare:!r.value.bare})}
            />
            Caption beneath
          </label>
        </div>`}
      <div class="report-foot">
        <button type="submit" class="button" id="export-save">Export</button>
        <button type="button" class="tool tool-text" onClick=${()=>y()}>Close</button>
      </div>
    </form>`},before:s})}export{g as FORMATS,P as again,p as kept,G as open,N as wordsOf};
