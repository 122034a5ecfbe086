/* Files that are dropped beside the place for them. */

// A picture dropped beside the zone would replace the page.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
