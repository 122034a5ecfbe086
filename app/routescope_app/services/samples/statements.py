"""Statements about pictures from data sets, and pictures for sentences of users."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from jaxtyping import UInt8

from routescope.data import DataError
from routescope.data.pictures.sizing import fitted
from routescope.data.statements.grammar import meanings_of
from routescope.data.statements.scenes import BACKGROUND, COLOURS, RADII, SCENE_SIDE, SHAPES, Scene, draw, outline
from routescope.data.statements.sets import StatementSet
from routescope_app.services.engine.recent import Recent
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.samples.gallery import Gallery
from routescope_app.services.samples.samples import MAX_IMAGE_SCALE, SampleStore, magnified_png, picture_of
from routescope_app.settings import MAX_PAGE, Settings

#: Most things in one picture of a scene.
MAX_THINGS = 8

#: Pictures of a generated scene.
PICTURES = 2


@dataclass(frozen=True, eq=False)
class StatementPictures:
    """Pictures for a sentence.

    Attributes:
        images: as the network gets them, RGB in 0..255.
        scene: which the images were drawn from; None for other images.
    """

    images: UInt8[np.ndarray, "picture 3 side side"]
    scene: Scene | None


class StatementGallery:
    """Finds and shows statements, and makes pictures of the size that a network takes."""

    def __init__(self, settings: Settings, gallery: Gallery, samples: SampleStore) -> None:
        self._gallery = gallery
        self._samples = samples
        self._fitted = Recent[tuple[str, int], UInt8[np.ndarray, "3 side side"]](
            settings.memory_of("fitted-pictures"), "fitted-pictures"
        )

    def vocabulary(self) -> dict[str, Any]:
        """Return shapes, colours, sizes and limits of scenes."""
        return {
            "shapes": [{"name": name, "outline": outline(name).tolist()} for name in SHAPES],
            "colours": [{"name": name, "hex": code} for name, code in COLOURS.items()],
            "sizes": [{"name": name, "radius": radius} for name, radius in RADII.items()],
            "background": BACKGROUND,
            "pictures": PICTURES,
            "side": SCENE_SIDE,
            "most_things": MAX_THINGS,
        }

    def find(self, split: str, kind: str | None, offset: int, limit: int) -> dict[str, Any]:
        """Return a page of statements of one kind in set order; raises NotAccepted for no such kind, or a long page."""
        if limit > MAX_PAGE:
            raise NotAccepted(f"One page has up to {MAX_PAGE} statements.")
        statements = self._gallery.statements(split)
        if kind is not None and kind not in statements.kinds:
            raise NotAccepted(f"There is no such kind of reasoning; there are: {', '.join(statements.kinds)}.")
        numbers = statements.kind.numpy()
        chosen = np.flatnonzero(numbers == statements.kinds.index(kind)) if kind else np.arange(len(statements))
        counts = np.bincount(numbers, minlength=len(statements.kinds))
        return {
            "items": [_described(statements, int(i)) for i in chosen[offset : offset + limit]],
            "total": len(chosen),
            "kinds": [{"name": name, "count": int(n)} for name, n in zip(statements.kinds, counts, strict=True)],
            "title": statements.title,
            "split": statements.split,
            "stand_in": statements.stand_in,
            "stand_in_for": statements.stand_in_for,
        }

    def get(self, statement_id: str) -> dict[str, Any]:
        """Return one statement; raises NotFound."""
        return _described(*self._gallery.find_statement(statement_id))

    def picture_png(self, statement_id: str, place: int, scale: int) -> bytes:
        """Return a picture as networks get it, each pixel ``scale`` pixels wide; raises NotFound."""
        statements, index = self._gallery.find_statement(statement_id)
        if scale > MAX_IMAGE_SCALE:
            raise NotAccepted(f"A picture is enlarged up to {MAX_IMAGE_SCALE} times.")
        if place >= statements.images.shape[1]:
            raise NotFound(f"This statement has {statements.images.shape[1]} pictures.")
        return magnified_png(statements.images[index, place].numpy(), scale)

    # -- pictures to ask about -------------------------------------------------------------------------------

    def pictures(self, asked: dict[str, Any], count: int, side: int) -> StatementPictures:
        """Return the pictures of a request, in the number and size that a network takes; blocks.

        Args:
            asked: ``statement``, ``scene`` or ``samples``, as in the API.

        Raises:
            NotFound: no such statement or sample.
            NotAccepted: another number of pictures, or a scene that cannot be drawn.
        """
        if "statement" in asked:
            statements, index = self._gallery.find_statement(asked["statement"])
            scene, images = statements.scenes[index], statements.images[index].numpy()
            _check_count(len(images), count)
            if images.shape[-1] == side:
                return StatementPictures(images, scene)
            if scene is None:
                return StatementPictures(
                    np.stack([fitted(picture_of(image), side, BACKGROUND) for image in images]), None
                )
            return StatementPictures(draw(scene, side), scene)
        if "scene" in asked:
            scene = self._scene(asked["scene"])
            _check_count(len(scene.pictures), count)
            return StatementPictures(draw(scene, side), scene)
        _check_count(len(asked["samples"]), count)
        return StatementPictures(np.stack([self._uploaded(sample, side) for sample in asked["samples"]]), None)

    def _scene(self, content: dict[str, Any]) -> Scene:
        if any(len(things) > MAX_THINGS for things in content["pictures"]):
            raise NotAccepted(f"A picture of a scene has up to {MAX_THINGS} things.")
        try:
            return Scene.from_dict(content)
        except DataError as error:
            raise NotAccepted(f"The scene cannot be drawn: {error}.") from error

    def _uploaded(self, sample_id: str, side: int) -> UInt8[np.ndarray, "3 side side"]:
        key = (self._samples.picture_key(sample_id), side)
        picture = self._fitted.get(key)
        if picture is None:
            picture = fitted(self._samples.open_picture(sample_id), side, BACKGROUND)
            self._fitted.put(key, picture, picture.nbytes)
        return picture


def _check_count(given: int, count: int) -> None:
    if given != count:
        raise NotAccepted(f"This model is asked about {count} pictures; here {'is' if given == 1 else 'are'} {given}.")


def _described(statements: StatementSet, index: int) -> dict[str, Any]:
    statement_id, scene = f"{statements.name}.{statements.split}.{index}", statements.scenes[index]
    return {
        "id": statement_id,
        "sentence": statements.sentences[index],
        "kind": statements.kinds[int(statements.kind[index])],
        "label": bool(statements.labels[index]),
        "scene": None if scene is None else scene.to_dict(),
        "pictures": [
            f"/api/v1/statements/{statement_id}/pictures/{place}" for place in range(statements.images.shape[1])
        ],
    }


@lru_cache(maxsize=4096)
def truth(sentence: str, scene: Scene) -> tuple[bool, bool] | None:
    """Return whether a sentence is true of a scene, and whether clearly so; None if the grammar cannot tell."""
    meaning = meanings_of(sentence)
    return None if meaning is None else (meaning.holds(scene), meaning.clear(scene))
