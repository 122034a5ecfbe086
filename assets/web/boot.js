/* What every page starts with; the page that the address names follows. */
import * as format from "rs/lib/format.js";
import { expose } from "rs/lib/handle.js";
import { followHistory } from "rs/lib/navigation/history.js";
import * as jobs from "rs/lib/jobs.js";
import * as models from "rs/lib/models.js";
import { followAddress, openPage, openTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import * as stream from "rs/lib/stream.js";
import * as theme from "rs/lib/theme.js";
import * as frame from "rs/parts/frame.js";
import "rs/parts/gallery.js";
import "rs/parts/help/open.js";
import "rs/parts/history/notes.js";
import "rs/parts/history/tools.js";
import "rs/parts/jobs/outage.js";
import "rs/parts/jobs/tray.js";
import "rs/parts/report/open.js";
import "rs/parts/users/foot.js";

/** What has the functions that Dash calls by namespace and name: the frame's, and a page's by its key. */
export const namespaces = {
  shell: async () => frame,
  page: openPage,
  tree: openTree,
};

expose({
  jobs: () => jobs,
  models: () => ({ first: models.firstModel }),
  numbers: () => format,
  selection: () => selection,
  stream: () => stream,
  theme: () => ({ read: theme.readTheme }),
});
if (window.parent !== window) document.documentElement.dataset.framed = "true"; // styles leave out the navigation
followHistory();
followAddress();
