/* A and B compared: by layer, by the router's margin, and in the text. */
import * as format from "rs/lib/format.js";
import { seenText } from "rs/lib/trace.js";
import { html, icon } from "rs/lib/view.js";
import { SHOWN, comparison, logOf, pick, read, state, text as textNow, unread } from "rs/pages/logs/state.js";
import { Table } from "rs/pages/logs/tables.js";
import { AsTable } from "rs/parts/panel.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Text } from "rs/pages/logs/types.d.ts" */

/** Classes of tokens by the share of layers that agree, from the fewest. @type {[number, string, string][]} */
const AGREE = [
  [0.5, "few", "under half of the layers agree"],
  [0.9, "most", "under 90 %"],
  [1, "nearly", "not all"],
];

/** The class of a token, "" where all layers agree or nothing is known. @param {number | null} agreement */
export const classOf = (agreement) =>
  agreement === null ? "" : (AGREE.find(([most]) => agreement < most) ?? [1, "", ""])[1];

/** A share with its interval, in percent. @param {number | null} share @param {(number | null)[]} interval */
export function figure(share, [low, high]) {
  if (share === null) return "none";
  if (low === null || high === null) return format.percent(share);
  return format.percent(share) + " (" + format.percent(low) + " to " + format.percent(high) + ")";
}

/** @param {{share: number | null}} props */
const Bar = ({ share }) =>
  html`<span class="logs-bar" aria-hidden="true"><span style=${{ width: 100 * (share ?? 0) + "%" }}></span></span>`;

/** @param {{found: Schemas["RoutingComparison"]}} props */
function ByLayer({ found }) {
  const columns = ["layer", "", "same set, %", "in common, %", "differ first here", "of those that agreed, %"];
  const rows = found.layers.map(
    (each) =>
      html`<tr key=${each.layer}>
        <th scope="row">${each.layer}</th>
        <td><${Bar} share=${each.same} /></td>
        <td>${figure(each.same, each.same_interval)}</td>
        <td>${figure(each.overlap, each.overlap_interval)}</td>
        <td>${format.whole(each.first_differs)}</td>
        <td>${figure(each.began, each.began_interval)}</td>
      </tr>`,
  );
  return html`<${Table} label="By layer" columns=${columns} rows=${rows} />`;
}

/** @param {{found: Schemas["RoutingComparison"]}} props */
function ByMargin({ found: { margins, margin_of: of } }) {
  if (!margins.length) return html`<p class="hint">A has no router logits, so its margins are unknown.</p>`;
  const most = Math.max(...margins.map(({ differ }) => differ ?? 0), Number.EPSILON);
  const columns = ["margin of A, " + of, "", "differ, %", "tokens × layers"];
  const rows = margins.map(
    (each) =>
      html`<tr>
        <th scope="row">${(each.low ?? 0).toPrecision(3)} to ${(each.high ?? 0).toPrecision(3)}</th>
        <td><${Bar} share=${(each.differ ?? 0) / most} /></td>
        <td>${figure(each.differ, each.interval)}</td>
        <td>${format.whole(each.count)}</td>
      </tr>`,
  );
  return html`<${Table} label="By margin" columns=${columns} rows=${rows} />`;
}

const waiting = () => {
  if (!state.b) return "Choose another log as B.";
  return comparison.problem()?.message ?? "Comparing.";
};

export function Compared() {
  const found = comparison.answer();
  if (!found) return html`<p class="hint">${waiting()}</p>`;
  const { tokens, sequences, same_at_every_layer: same, interval_over: over } = found;
  return html`<p class="logs-headline">
      <strong>${same === null ? "none" : format.percent(same)} %</strong> of ${format.whole(tokens)} tokens
      (${format.whole(sequences)} sequences) take the same experts at every layer.
    </p>
    <${ByLayer} found=${found} />
    <${ByMargin} found=${found} />
    <p class="hint">
      A is ${logOf(state.a)?.name ?? found.a}, B is ${logOf(state.b)?.name ?? found.b}. Intervals: 95 %, over
      ${" " + over}. ${found.notes.join(" ")}
    </p>`;
}

/** @param {Schemas["ComparedToken"] & {number: number}} token its number in its sequence */
function Token({ text, agreement, first, place, number }) {
  const share = agreement === null ? "not compared" : format.percent(agreement) + " % of the layers agree";
  const words = share + (first ? ", the first that differs is " + first : "");
  const name = classOf(agreement);
  const shown =
    text === null
      ? "token " + number + " "
      : text
          .split("\n")
          .map(seenText)
          .join(seenText("\n") + "\n");
  if (!name) return html`<span class="logs-token" title=${words}>${shown}</span>`;
  return html`<button
    type="button"
    class=${"logs-token is-" + name}
    title=${words}
    aria-label=${"token " + number + " " + (text ?? "") + ": " + words}
    aria-pressed=${String(state.token === place)}
    onClick=${() => pick(place)}
  >
    ${shown}
  </button>`;
}

/** @param {{text: Text}} props */
function Part({ text: { sequence, items, total, offset } }) {
  const all = logOf(state.a)?.facts.sequences ?? 1;
  /** @type {[string, string, boolean, () => void][]} */
  const moves = [
    ["previous", "Previous sequence", sequence > 0, () => read(sequence - 1, 0)],
    ["next", "Next sequence", sequence + 1 < all, () => read(sequence + 1, 0)],
    ["previous", "Previous tokens", offset > 0, () => read(sequence, Math.max(0, offset - SHOWN))],
    ["next", "Next tokens", offset + items.length < total, () => read(sequence, offset + SHOWN)],
  ];
  const [before, behind, back, on] = moves.map(
    ([name, label, there, go]) =>
      html`<button type="button" class="tool" title=${label} aria-label=${label} disabled=${!there} onClick=${go}>
        ${icon(name)}
      </button>`,
  );
  const part = items.length
    ? format.whole(offset + 1) + " to " + format.whole(offset + items.length) + " of " + format.whole(total)
    : "none";
  return html`<p class="logs-part">
    sequence ${before} ${format.whole(sequence + 1) + " of " + format.whole(all)} ${behind} tokens ${back} ${part} ${on}
  </p>`;
}

export function InText() {
  const [text, why] = [textNow(), unread()];
  if (!text) return html`<p class="hint">${why ?? waiting()}</p>`;
  const told = why && html`<p class="logs-problem" role="status">${why}</p>`;
  if (!text.items.length) return html`<${Part} text=${text} />${told}`;
  const legend = AGREE.map(([, name, words]) => html`<span class=${"logs-token is-" + name}>${words}</span> `);
  const rows = () => [
    ["token", "text", "layers that agree, %", "first that differs"],
    ...text.items.map(({ place, text: own, agreement, first }) => [
      place - text.start,
      own === null ? "" : seenText(own),
      agreement === null ? "unknown" : format.percent(agreement),
      first ?? "",
    ]),
  ];
  return html`<p class="hint">${text.name}, ${format.whole(text.total)} tokens. ${legend}</p>
    <${Part} text=${text} />
    ${told}
    <pre class="logs-tokens">
${text.items.map((item) => html`<${Token} key=${item.place} number=${item.place - text.start} ...${item} />`)}</pre>
    <${AsTable} words="Tokens and how many layers agree" caption=${() => text.name} rows=${rows} />`;
}
