#!/usr/bin/env bash
# Brings the modules to a newer main: the script is run anew on its classic scripts, then what was done by hand follows.
#
#     git worktree add -b modules-new ../modules-new main && cd ../modules-new
#     bash scripts/modules/replay.sh modules          # from the branch `modules`; scripts/modules is taken from there
#
# Needs node on the path and npm's packages (npm ci). It stops where an edit of map.mjs does not fit any more (change the edit
# in the branch `modules`, commit it there, begin again), and where what was done by hand conflicts (git cherry-pick --continue,
# then the last two steps below).
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
old=$1
base=$(git merge-base "$old" HEAD)
classic=$(git rev-parse HEAD)
made=$(git log --format=%H --grep="^The web's scripts are modules in lib" "$base..$old")
mentioned=$(git log --format=%H --grep="^Comments and documents name the modules" "$base..$old")

git checkout "$old" -- scripts/modules package.json package-lock.json eslint.config.js .prettierrc.json .prettierignore
git commit -qm "A script that turns the web's classic scripts into modules, with what it has to be told"
[ -d node_modules ] || npm ci --ignore-scripts
node scripts/modules/codemod.mjs assets/web assets/web
node node_modules/prettier/bin/prettier.cjs --write --log-level=warn assets/web
git add -A assets
git commit -qm "The web's scripts are modules in lib, draw, parts and pages, as the script makes them"

rest=()
for commit in $(git rev-list --reverse "$made..$old"); do
    [ "$commit" = "$mentioned" ] && continue
    git show --format= --name-only "$commit" | grep -qv '^scripts/modules/' || continue
    rest+=("$commit")
done
git cherry-pick --keep-redundant-commits "${rest[@]}"

git ls-files 'assets/web/*.js' 'assets/web/*.css' 'app/*.py' 'tests/*.py' 'docs/*.md' | grep -v vendor/ \
    | xargs node scripts/modules/mentions.mjs "$classic"
git commit -qam "Comments and documents name the modules"
